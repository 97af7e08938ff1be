"""Verifies leanVM's proofs.

    python3 -m leanvm_verifier PROGRAM PROOF                        a proof of a run
    python3 -m leanvm_verifier PROGRAM KEY CIRCUITS ROOT OUTPUTS    the root of a tree of such proofs

PROGRAM is an ELF file or the bytes of a program (doc/machine.md, "Program digest"). KEY names the tree, CIRCUITS has the
circuits of its nodes, OUTPUTS the outputs of its leaves in order, a line of 64 hexadecimal digits each
(doc/recursion.md, "Trees"); the key is trusted to name the circuits of the verifiers.

Exit codes: 0 the proof is verified, 1 it is refused, 2 bad usage, or a program or outputs that are none, 5 reading failed.
"""

import pathlib
import re
import sys

from . import blake2s, elf, riscv, tree
from .program import Program
from .refusal import Refused


class BadInput(Exception):
    """What is given beside the proof is not what it should be."""


def main(arguments):
    """Runs the command line; the exit code."""
    if len(arguments) not in (2, 5):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        program, *files = (pathlib.Path(path).read_bytes() for path in arguments)
    except OSError as error:
        print(error, file=sys.stderr)
        return 5
    try:
        report = _verify(_program(program), files)
    except BadInput as error:
        print(error, file=sys.stderr)
        return 2
    except Refused as refusal:
        print(f"refused: {refusal}", file=sys.stderr)
        return 1
    for name, value in report.items():
        print(f"{name} : {value}")
    return 0


def _verify(program, files):
    """What is verified, by name."""
    digest = {"program": blake2s.to_bytes(program.digest).hex()}
    if len(files) == 1:
        output, clock = riscv.verify(program, *files)
        return {"output": blake2s.to_bytes(output).hex(), **digest, "cycles": riscv.cycles(clock)}
    key, circuits, root, outputs = files
    key, outputs = tree.Key.decode(key), _outputs(outputs)
    tree.Tree(program, key, circuits).verify(root, outputs)
    return {"outputs": len(outputs), **digest, "tree": blake2s.to_bytes(key.digest).hex()}


def _program(data):
    try:
        return Program(elf.load(data) if data.startswith(b"\x7fELF") else data)
    except Refused as refusal:
        raise BadInput(f"the program: {refusal}") from None


def _outputs(data):
    """The words of each output."""
    outputs = []
    for number, line in enumerate(data.decode("ascii", "replace").splitlines(), 1):
        if not re.fullmatch("[0-9a-fA-F]{64}", line):
            raise BadInput(f"line {number} of the outputs is not 64 hexadecimal digits")
        outputs.append(blake2s.words(bytes.fromhex(line)))
    return outputs


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
