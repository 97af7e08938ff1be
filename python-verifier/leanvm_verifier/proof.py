"""The proof file (doc/transcript.md, "Proof file")."""

import struct
from dataclasses import dataclass

from . import blake2s
from .refusal import Refused

MAGIC = b"leanVMpf"
VERSION = 0
OPENING, RUN, TREE = range(3)


@dataclass
class Opening:
    """Leaves of one tree: their words, ascending by leaf, and the siblings that cannot be computed."""

    words: list
    siblings: list


@dataclass
class Proof:
    """What a proof file holds. `shape`: the announced sizes; `stream`: the words that the prover sends."""

    kind: int
    shape: list
    stream: list
    openings: list


def header(kind):
    """The first sixteen bytes of a proof file."""
    return MAGIC + struct.pack("<II", VERSION, kind)


def decode(data):
    """The proof that these bytes are, or `Refused`."""
    if data[:8] != MAGIC:
        raise Refused("the file is no proof: it does not begin with the magic bytes")
    if len(data) < 16:
        raise Refused("the file ends in its header")
    version, kind = struct.unpack_from("<II", data, 8)
    if version != VERSION:
        raise Refused(f"the proof has version {version}, and this verifier reads version {VERSION}")
    if kind not in (OPENING, RUN, TREE):
        raise Refused(f"version {VERSION} has no proofs of kind {kind}")
    reader = _Reader(data, 16)
    shape = reader.list("the shape")
    stream = reader.list("the stream")
    openings = []
    # An opening takes two words at least, so this ends with the file, whatever the number says.
    for number in range(reader.word("the number of openings")):
        words = reader.list(f"the leaves of opening {number}")
        siblings = reader.list(f"the siblings of opening {number}", width=4)
        openings.append(Opening(words, [siblings[i : i + 4] for i in range(0, len(siblings), 4)]))
    if reader.left():
        raise Refused(f"the proof ends, and the file has {reader.left()} more bytes")
    return Proof(kind, shape, stream, openings)


class _Reader:
    def __init__(self, data, position):
        self._data = data
        self._position = position

    def left(self):
        return len(self._data) - self._position

    def _words(self, count, part):
        if 8 * count > self.left():
            raise Refused(f"{part} needs {8 * count} bytes at byte {self._position}, and {self.left()} are left")
        start, self._position = self._position, self._position + 8 * count
        return blake2s.words(self._data[start : self._position])

    def word(self, part):
        return self._words(1, part)[0]

    def list(self, part, width=1):
        return self._words(width * self.word(part), part)
