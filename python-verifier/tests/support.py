"""What the tests share: where the data files lie, the encoder that a verifier does not need, changes of proofs."""

import copy
import pathlib
import struct

from leanvm_verifier import blake2s, proof
from leanvm_verifier.transcript import Channel, Transcript

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


class FrozenTranscript:
    """A transcript that gives recorded challenges, whatever is absorbed, and asks for no work.

    With it a changed message meets the checks themselves, as that of a prover would who could foresee all challenges.
    """

    def __init__(self, recorded):
        self._recorded = iter(recorded)
        self.state = None

    def absorb(self, item):
        pass

    def flush(self):
        pass

    def challenge(self):
        return next(self._recorded)

    def grind(self, nonce, bits):
        return True


class RecordingTranscript(Transcript):
    """A transcript that remembers its challenges."""

    def __init__(self, kind, shape):
        super().__init__(kind, shape)
        self.recorded = []

    def challenge(self):
        self.recorded.append(super().challenge())
        return self.recorded[-1]


def recording(decoded):
    """A channel over a proof, and the list that its challenges go to."""
    channel = Channel(decoded)
    channel._transcript = RecordingTranscript(decoded.kind, decoded.shape)
    return channel, channel._transcript.recorded


def frozen(decoded, recorded):
    """A channel over a proof with challenges that were recorded."""
    channel = Channel(decoded)
    channel._transcript = FrozenTranscript(recorded)
    return channel


def flip_stream(at, bit):
    """A change: one bit of a word of the stream."""

    def change(forged):
        forged.stream[at] ^= 1 << bit

    return change


def flip_leaf(opening, at):
    """A change: one bit of an opened word."""

    def change(forged):
        forged.openings[opening].words[at] ^= 1 << at % 64

    return change


def flip_sibling(opening, at):
    """A change: one bit of a sibling."""

    def change(forged):
        forged.openings[opening].siblings[at][at % 4] ^= 1 << at % 64

    return change
