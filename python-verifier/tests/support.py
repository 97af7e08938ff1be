"""What the tests share: where the data files lie, the encoder that a verifier does not need, changes of proofs."""

import copy
import pathlib
import struct

from leanvm_verifier import blake2s, proof

CRATES = pathlib.Path(__file__).resolve().parents[2] / "crates"


def lines(path):
    """The lines of a data file that are no comments, as lists of words."""
    text = (CRATES / path).read_text()
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


def encode(decoded):
    """The file of a proof."""

    def words(values):
        return blake2s.to_bytes([len(values), *values])

    parts = [proof.header(decoded.kind), words(decoded.shape), words(decoded.stream)]
    parts.append(struct.pack("<Q", len(decoded.openings)))
    for opening in decoded.openings:
        parts.append(words(opening.words))
        parts.append(struct.pack("<Q", len(opening.siblings)))
        parts += map(blake2s.to_bytes, opening.siblings)
    return b"".join(parts)


def changed(honest, change):
    """A copy of a proof, with a change that `change` makes."""
    forged = copy.deepcopy(honest)
    change(forged)
    return forged
