"""The known batches of crates/flock, and their verification."""

from leanvm_verifier import circuits, flock, proof, stack
from leanvm_verifier.refusal import Refused
from leanvm_verifier.transcript import Channel
from tests import support

LOG_INV_RATE = 4


class Batch:
    """The members of a batch."""

    def __init__(self, parts):
        names, sizes = parts[::2], parts[1::2]
        self.parts = [flock.Part(circuits.named(name), int(size)) for name, size in zip(names, sizes)]

    def verify(self, channel):
        """Verifies a proof that the batch's committed witnesses satisfy their circuits."""
        root = channel.read_digest()
        layout = stack.Layout([part.log_words for part in self.parts])
        families, deferred = flock.verify(channel, self.parts, layout.regions)
        claims = stack.Claims(families)
        stack.verify(channel, layout.log_words, LOG_INV_RATE, root, layout.placed, claims)
        channel.finish()
        flock.check_deferred(deferred)

    def verify_file(self, data):
        """Verifies the bytes of a proof file."""
        decoded = proof.decode(data)
        if decoded.kind != proof.OPENING or decoded.shape:
            raise Refused("the proof is no opening with an empty shape")
        self.verify(Channel(decoded))


def known():
    """Names, batches and the bytes of their proof files."""
    for name, *parts in support.lines("flock/known_answers/batches.txt"):
        yield name, Batch(parts), (support.CRATES / f"flock/known_answers/{name}.proof").read_bytes()
