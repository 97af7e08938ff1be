"""The stages of a proof against what they must do: see ledger.sh and doc/performance.md.

Usage: ledger.py DIRECTORY REPORT CALL [PART]. The directory holds the figures of the kernels and of the hash, in Bencher
Metric Format; REPORT is what CALL printed with `--tracing`; PART is that of a tree which is looked at, if CALL proves
several.
"""

import json
import math
import pathlib
import re
import sys
import time

# From doc/pcs.md, "Parameters".
LOG_LANES = 6
LOG_FOLD = 4
RATE_STEP = 3
MAX_RESIDUAL = 5
LOG_WORDS_MIN = 15


class Machine:
    """Throughputs of one thread, each of a loop that does nothing else."""

    def __init__(self, directory):
        def figures(name):
            return json.loads((directory / name).read_text())

        terms = [m["latency"]["value"] for c, m in figures("kernels").items() if c.endswith("/K dot product")]
        hashes = [m["throughput"]["value"] for c, m in figures("hash").items() if c.endswith("/64 bytes")]
        # A term of a sum of products in K is one carry-less product.
        self.products = 1e9 / min(terms)
        self.hashes = max(hashes) / 64
        self.bytes = copied()

    def bound(self, work):
        """Seconds that the work takes at least, and what it waits for: the three go on side by side."""
        products, moved, hashes = work
        seconds = {
            "products": products / self.products,
            "memory": moved / self.bytes,
            "hashing": hashes / self.hashes,
        }
        limit = max(seconds, key=seconds.get)
        return seconds[limit], limit


def copied():
    """Bytes a second that a copy reads and writes, of blocks that no cache holds."""
    block = bytearray(b"\x01" * (1 << 28))
    copy = memoryview(bytearray(block))
    best = math.inf
    for _ in range(5):
        start = time.perf_counter()
        # Of a view: a bytearray would make itself a copy first.
        copy[:] = block
        best = min(best, time.perf_counter() - start)
    return 2 * len(block) / best


class Report:
    """What a call told, of one part if it has several: its lines and the span around its stages are named so."""

    def __init__(self, text, part):
        spans = []
        path = []
        for line in text.splitlines():
            span = re.fullmatch(r"([|` -]*)(\S.*?)\s+([\d.]+) s\s+[\d.]+ %", line)
            if span is None:
                continue
            indent, label, seconds = span.groups()
            name = label if label.startswith("(") else re.sub(r" x \d+| \(.*\)", "", label)
            path = [*path[: len(indent) // 3], name]
            words = re.search(r"words = (\d+)", label)
            spans.append(("/".join(path), float(seconds), int(words[1]) if words else None))
        around = f"{part}/" if part else ""
        self.stages = [(path.removeprefix(around), *rest) for path, *rest in spans if path.startswith(around)]

        def line(label):
            label = f"{part} {label}".lstrip()
            return re.search(f"^{label}\\s*: (.*)$", text, re.MULTILINE)[1]

        self.committed = int(line("committed").removesuffix(" words"))
        self.proving = line("proving")
        self.memory = line("peak memory")


def commitment(words, log_message, log_inv_rate):
    """Encoding and hashing of so many message words: a butterfly takes a product in K, which is two."""
    codeword = words << log_inv_rate
    rows = 1 << (log_message + log_inv_rate)
    products = codeword * log_message
    # The message is read once; the codeword written twice and read once; the tree written.
    moved = 8 * (words + 3 * codeword) + 64 * rows
    # Leaves of whole blocks, and a node for each.
    hashes = codeword / 8 + rows
    return products, moved, hashes


def work(report, log_inv_rate):
    """Carry-less products, bytes from or to memory, compressions, of the stages that have an account."""
    log_words = max(LOG_WORDS_MIN, math.ceil(math.log2(report.committed)))
    lane = 1 << (log_words - LOG_LANES)
    words = -(-report.committed // lane) * lane
    account = {"commit": commitment(words, log_words - LOG_LANES, log_inv_rate)}

    circuits = next((w for path, _, w in report.stages if path == "circuits/zerocheck"), None) or 0
    zerocheck = "circuits/zerocheck/"
    account |= {
        zerocheck + "products": (0, 24 * circuits, 0),
        zerocheck + "linear": (0, 8 * circuits, 0),
        # 64 points by two scalars of E, once for 128 words.
        zerocheck + "skip": (3 * circuits, 16 * circuits, 0),
        # What the bits of eight words select is bound already; a term in E (6) for it.
        zerocheck + "rounds/linear": (circuits, 8 * circuits, 0),
        # For eight words 27 products of E in sums (6), and 8 with reduction (9).
        zerocheck + "rounds/grid": (29 * circuits, 16 * circuits, 0),
        # For eight words half of the message's products: two in E with reduction (9), two in sums (6). To bind takes none.
        zerocheck + "rounds/bind words": (2 * circuits, 22 * circuits, 0),
        # Two tables of an entry for eight words, halved again and again.
        zerocheck + "rounds/fold": (4 * circuits, 18 * circuits, 0),
        "circuits/lincheck/blocks": (0, 8 * circuits, 0),
        # For eight words 27 products of E and K (3), and a product of E for each weight (9).
        "opening/first pass": (19 * words, 32 * words, 0),
        # For eight words 8 products of E and 8 of E and K, in sums, and the message of the entries.
        "opening/second pass": (10 * words, 38 * words, 0),
        "opening/rounds": (3 * words, 12 * words, 0),
    }
    products, moved, hashes = 0, 0, 0
    variables, rate = log_words - LOG_LANES, log_inv_rate
    while variables > MAX_RESIDUAL:
        rate += RATE_STEP
        level = commitment(3 << variables, variables - LOG_FOLD, rate)
        products, moved, hashes = (a + b for a, b in zip((products, moved, hashes), level))
        variables -= LOG_FOLD
    account["opening/commit"] = products, moved, hashes
    return account


def main(directory, path, call, part=""):
    machine = Machine(pathlib.Path(directory))
    report = Report(pathlib.Path(path).read_text(), part)
    rate = re.search(r"--log-inv-rate (\d)", call)
    account = work(report, int(rate[1]) if rate else 1)
    print(f"\n### `leanvm {call}`{part and ': '}{part}\n")
    print(f"{report.proving} for {report.committed} committed words; peak memory {report.memory}. The machine:")
    print(f"{machine.products / 1e9:.2f} G products/s, {machine.bytes / 1e9:.1f} GB/s, ", end="")
    print(f"{machine.hashes / 1e6:.1f} M compressions/s.\n")
    print("| stage | ms | M products | MB | M compressions | bound, ms | by | ratio |")
    print("|---|---:|---:|---:|---:|---:|---|---:|")
    for stage, seconds, _ in report.stages:
        if seconds < 5e-4 or stage.endswith("(outside of these)"):
            continue
        label = "&nbsp;" * 2 * stage.count("/") + stage.rsplit("/", 1)[-1]
        if stage not in account:
            print(f"| {label} | {1e3 * seconds:.1f} | | | | | | |")
            continue
        products, moved, hashes = account[stage]
        bound, limit = machine.bound(account[stage])
        print(f"| {label} | {1e3 * seconds:.1f} | {products / 1e6:.0f} | {moved / 1e6:.0f} | {hashes / 1e6:.2f}", end="")
        print(f" | {1e3 * bound:.1f} | {limit} | {seconds / bound:.1f} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
