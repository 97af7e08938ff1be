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
from typing import NamedTuple

# From doc/pcs.md, "Parameters".
LOG_LANES = 6
LOG_FOLD = 4
RATE_STEP = 3
MAX_RESIDUAL = 5
LOG_WORDS_MIN = 15


class Work(NamedTuple):
    """What a stage does: carry-less products, maps of bytes, bytes from or to memory, compressions."""

    products: float = 0
    maps: float = 0
    moved: float = 0
    hashes: float = 0

    def plus(self, other):
        return Work(*(a + b for a, b in zip(self, other)))


class Machine:
    """Throughputs of one thread, each of a loop that does nothing else."""

    def __init__(self, directory):
        def figures(name):
            return json.loads((directory / name).read_text())

        terms = [m["latency"]["value"] for c, m in figures("kernels").items() if c.endswith("/K dot product")]
        maps = [m["latency"]["value"] for c, m in figures("kernels").items() if c.endswith("/map of a byte")]
        hashes = [m["throughput"]["value"] for c, m in figures("hash").items() if c.endswith("/64 bytes")]
        # A term of a sum of products in K is one carry-less product.
        self.products = 1e9 / min(terms)
        # Where there is no instruction, look-ups take their place, which have no account.
        self.maps = 1e9 / min(maps) if maps else math.inf
        self.hashes = max(hashes) / 64
        self.bytes = copied()

    def bound(self, work):
        """Seconds that the work takes at least, and what it waits for: the four go on side by side."""
        seconds = {
            "products": work.products / self.products,
            "maps": work.maps / self.maps,
            "memory": work.moved / self.bytes,
            "hashing": work.hashes / self.hashes,
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
    return Work(products, 0, moved, hashes)


def work(report, log_inv_rate):
    """The work of the stages that have an account."""
    log_words = max(LOG_WORDS_MIN, math.ceil(math.log2(report.committed)))
    lane = 1 << (log_words - LOG_LANES)
    words = -(-report.committed // lane) * lane
    account = {"commit": commitment(words, log_words - LOG_LANES, log_inv_rate)}

    circuits = next((w for path, _, w in report.stages if path == "circuits/zerocheck"), None) or 0
    zerocheck = "circuits/zerocheck/"
    # What the 64 bits of a word select in E, 24 bytes, is 8 maps for each of these.
    select = 8 * 24
    account |= {
        zerocheck + "products": Work(moved=24 * circuits),
        zerocheck + "linear": Work(maps=select * circuits, moved=8 * circuits),
        # 64 points by two scalars of E, once for 128 words. Of two words 64 bytes each, eight by 27 maps.
        zerocheck + "skip": Work(3 * circuits, 2 * 8 * 27 * circuits, 16 * circuits),
        # A term in E (6) for eight words, whose bits select together.
        zerocheck + "rounds/linear": Work(circuits, select * circuits, 8 * circuits),
        # For eight words 27 products of E in sums (6), and 8 with reduction (9).
        zerocheck + "rounds/grid": Work(29 * circuits, 2 * select * circuits, 16 * circuits),
        # For eight words half of the message's products: two in E with reduction (9), two in sums (6). To bind takes none.
        zerocheck + "rounds/bind words": Work(2 * circuits, 2 * select * circuits, 22 * circuits),
        # Two tables of an entry for eight words, halved again and again.
        zerocheck + "rounds/fold": Work(products=4 * circuits, moved=18 * circuits),
        "circuits/lincheck/blocks": Work(maps=select * circuits, moved=8 * circuits),
        # For eight words 27 products of E and K (3), and a product of E for each weight (9); of weights of circuits 24
        # bytes from 24.
        "opening/first pass": Work(19 * words, 24 * 24 * circuits, 32 * words),
        # For eight words 8 products of E and 8 of E and K, in sums, and the message of the entries.
        "opening/second pass": Work(products=10 * words, moved=38 * words),
        "opening/rounds": Work(products=3 * words, moved=12 * words),
    }
    later = Work()
    variables, rate = log_words - LOG_LANES, log_inv_rate
    while variables > MAX_RESIDUAL:
        rate += RATE_STEP
        level = commitment(3 << variables, variables - LOG_FOLD, rate)
        later = later.plus(level)
        variables -= LOG_FOLD
    account["opening/commit"] = later
    return account


def main(directory, path, call, part=""):
    machine = Machine(pathlib.Path(directory))
    report = Report(pathlib.Path(path).read_text(), part)
    rate = re.search(r"--log-inv-rate (\d)", call)
    account = work(report, int(rate[1]) if rate else 1)
    print(f"\n### `leanvm {call}`{part and ': '}{part}\n")
    print(f"{report.proving} for {report.committed} committed words; peak memory {report.memory}. The machine:")
    print(f"{machine.products / 1e9:.2f} G products/s, {machine.maps / 1e9:.0f} G maps/s, ", end="")
    print(f"{machine.bytes / 1e9:.1f} GB/s, {machine.hashes / 1e6:.1f} M compressions/s.\n")
    print("| stage | ms | M products | G maps | MB | M compressions | bound, ms | by | ratio |")
    print("|---|---:|---:|---:|---:|---:|---:|---|---:|")
    for stage, seconds, _ in report.stages:
        if seconds < 5e-4 or stage.endswith("(outside of these)"):
            continue
        label = "&nbsp;" * 2 * stage.count("/") + stage.rsplit("/", 1)[-1]
        if stage not in account:
            print(f"| {label} | {1e3 * seconds:.1f} | | | | | | | |")
            continue
        done = account[stage]
        bound, limit = machine.bound(done)
        print(f"| {label} | {1e3 * seconds:.1f} | {done.products / 1e6:.0f} | {done.maps / 1e9:.2f}", end="")
        print(f" | {done.moved / 1e6:.0f} | {done.hashes / 1e6:.2f}", end="")
        print(f" | {1e3 * bound:.1f} | {limit} | {seconds / bound:.1f} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
