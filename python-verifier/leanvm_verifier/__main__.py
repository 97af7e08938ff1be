"""`python3 -m leanvm_verifier PROGRAM PROOF`: verifies a proof of a run.

PROGRAM is an ELF file or the bytes of a program (doc/machine.md, "Program digest"). Exit codes: 0 the proof is verified,
1 it is refused, 2 bad usage or a program that is none, 5 reading failed.
"""

import pathlib
import sys

from . import blake2s, elf, riscv
from .program import Program
from .refusal import Refused


def main(arguments):
    """Runs the command line; the exit code."""
    if len(arguments) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        program, proof = (pathlib.Path(path).read_bytes() for path in arguments)
    except OSError as error:
        print(error, file=sys.stderr)
        return 5
    try:
        program = Program(elf.load(program) if program.startswith(b"\x7fELF") else program)
    except Refused as refusal:
        print(f"the program: {refusal}", file=sys.stderr)
        return 2
    try:
        output, clock = riscv.verify(program, proof)
    except Refused as refusal:
        print(f"refused: {refusal}", file=sys.stderr)
        return 1
    print(f"output : {blake2s.to_bytes(output).hex()}")
    print(f"program : {blake2s.to_bytes(program.digest).hex()}")
    print(f"cycles : {riscv.cycles(clock)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
