"""Holds this verifier to the verdicts of the one in Rust: on every proof of a corpus, honest or forged, both accept, and
leave the same claims value for value, or both refuse, by the same check.

    python3 -m tests.agreement CORPUS [SECONDS]

CORPUS is a directory that the tests of crates/leanvm_core write with the environment variable LEANVM_CORPUS
(tests/corpus/mod.rs describes its files). First one proof is tried for each test and verdict, then others while SECONDS
have not passed; without SECONDS all are.
"""

import functools
import multiprocessing
import pathlib
import sys
import time
from dataclasses import dataclass, field as default

from leanvm_verifier import argument, field, proof, riscv
from leanvm_verifier.program import Program
from leanvm_verifier.refusal import Refused
from leanvm_verifier.transcript import Channel
from tests import support


@dataclass
class Case:
    """A proof, and what is said of it."""

    path: pathlib.Path
    test: str = ""
    program: str = ""
    proof: str = ""
    cut: int = None
    changes: list = default(default_factory=list)
    frozen: bool = False
    verdict: str = ""
    left: list = default(default_factory=list)

    def data(self):
        """The proof file."""
        data = bytearray((self.path.parent / self.proof).read_bytes())
        del data[len(data) if self.cut is None else self.cut :]
        for offset, byte in self.changes:
            data[offset] = byte
        return bytes(data)


def read(path):
    """The case of a file."""
    case = Case(path)
    for line in path.read_text().splitlines():
        key, _, value = line.partition(" ")
        match key:
            case "test" | "program" | "proof" | "verdict":
                setattr(case, key, value)
            case "cut":
                case.cut = int(value)
            case "change":
                case.changes.append(tuple(map(int, value.split())))
            case "frozen":
                case.frozen = True
            case "announced" | "matrix" | "public" | "producer":
                case.left.append(line)
            case _:
                raise ValueError(f"{path}: {line}")
    if not case.verdict.startswith(("accepted", "refused")):
        raise ValueError(f"{path} has no verdict")
    return case


@functools.lru_cache(maxsize=64)
def loaded(path):
    """A program and its machine."""
    program = Program(path.read_bytes())
    return program, riscv.machine(program)


@functools.lru_cache(maxsize=64)
def challenges(program_path, proof_path):
    """The challenges of an honest proof."""
    program, machine = loaded(program_path)
    honest = proof.decode(proof_path.read_bytes())
    channel, recorded = support.recording(honest)
    riscv.verify_run(machine, program, channel, honest.shape)
    return recorded


def verdict(case):
    """What this verifier says: what is left of an accepted proof, or a refusal."""
    program_path, proof_path = (case.path.parent / name for name in (case.program, case.proof))
    program, machine = loaded(program_path)
    decoded = proof.decode(case.data())
    if decoded.kind != proof.RUN:
        raise Refused("the proof is not that of a run")
    channel = support.frozen(decoded, challenges(program_path, proof_path)) if case.frozen else Channel(decoded)
    announced, deferred = riscv.verify_core(machine, program, channel, decoded.shape)
    argument.check_deferred(machine, deferred)
    return [" ".join(["announced", *map(str, announced)]), *lines(machine, deferred)]


def lines(machine, deferred):
    """The deferred claims, a line each."""

    def scalars(*lists):
        return " | ".join(" ".join(map(scalar, values)) for values in lists)

    def scalar(value):
        low, middle, high = field.to_words(value)
        return f"{high:016x}{middle:016x}{low:016x}"

    for c in deferred.matrices:
        yield "matrix " + scalars(c.lagrange, c.row_point, [c.batching], c.slices, c.column_point, [c.value])
    for column, point, value in deferred.public:
        (number,) = [i for i, other in enumerate(machine.public) if other is column]
        yield f"public {number} | " + scalars(point, [value])
    for _, point, weights, value in deferred.producers:
        yield "producer " + scalars(deferred.alpha, [deferred.beta], point, weights, [value])


def disagreement(path):
    """How the verifiers disagree on a case; None if they do not."""
    case = read(path)
    try:
        left = verdict(case)
    except Refused as refusal:
        if case.verdict == "accepted":
            return f"{path.name} of {case.test}: accepted in Rust, and here: {refusal}"
        check = case.verdict.removeprefix("refused").strip()
        if not str(refusal).startswith(f"{check}:" if check else ""):
            return f"{path.name} of {case.test}: in Rust {case.verdict}, and here: {refusal}"
        return None
    if case.verdict != "accepted":
        return f"{path.name} of {case.test}: in Rust {case.verdict}, and here accepted"
    for found, expected in zip(left, case.left):
        if found != expected:
            return f"{path.name} of {case.test}: what is left is\n{found}\nand in Rust\n{expected}"
    if len(left) != len(case.left):
        return f"{path.name} of {case.test}: {len(left)} lines are left, and in Rust {len(case.left)}"
    return None


def order(paths):
    """The cases: first one of each test and verdict, then the second ones, and so on; and how many are first ones."""
    seen, numbered = {}, []
    for path in sorted(paths):
        case = read(path)
        kind = (case.test, case.verdict, case.frozen)
        seen[kind] = seen.get(kind, -1) + 1
        numbered.append((seen[kind], path))
    return [path for _, path in sorted(numbered)], len(seen)


def main(arguments):
    """Runs the command line; the exit code."""
    if len(arguments) not in (1, 2):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    paths, kinds = order(pathlib.Path(arguments[0]).glob("*.case"))
    if not paths:
        print(f"{arguments[0]} holds no case: this check has lost its subject", file=sys.stderr)
        return 1
    start = time.monotonic()
    end = start + float(arguments[1]) if len(arguments) == 2 else float("inf")
    tried, found = 0, []
    with multiprocessing.Pool() as pool:
        for told in pool.imap(disagreement, paths):
            tried += 1
            if told:
                found.append(told)
                print(told)
            if tried >= kinds and time.monotonic() > end:
                break
        pool.terminate()
    seconds = time.monotonic() - start
    print(f"{tried} of {len(paths)} proofs, of {kinds} kinds, in {seconds:.0f} s: {len(found)} disagreements")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
