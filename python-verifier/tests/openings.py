"""The known openings of crates/pcs: what they claim, and their verification."""

import copy

from leanvm_verifier import field, proof, stack
from leanvm_verifier.refusal import Refused
from leanvm_verifier.stack import Claims, Column, Family, Member, Region
from leanvm_verifier.transcript import Channel
from tests import support


class Case:
    """What the proofs of openings of 2^log_words words claim."""

    def __init__(self, log_words):
        self.log_words = log_words
        self.points = []
        self.families = []
        self.columns = []
        for name, *inputs in support.lines(f"pcs/known_answers/opening_{log_words}.claims"):
            inputs = list(map(int, inputs))
            if name == "placed":
                (self.placed,) = inputs
            elif name == "point":
                self.points.append([field.from_words(inputs[i : i + 3]) for i in range(0, len(inputs), 3)])
            elif name == "family":
                self.families.append([])
            elif name == "member":
                offset, size, point, *weight = inputs
                member = Member(Region(offset, size), self.points[point][:size], field.from_words(weight))
                self.families[-1].append(member)
            elif name == "column":
                offset, size, log_block, word, point = inputs
                point = self.points[point][: size - log_block]
                self.columns.append(Column(Region(offset, size), point, 0, log_block, word))

    def claims(self):
        """The claims, with values that are still to be read."""
        return copy.deepcopy(Claims([Family(members, []) for members in self.families], self.columns))

    def verify(self, log_inv_rate, channel, claims=None):
        """Reads the root and the claims' values from a proof, and checks them."""
        claims = claims or self.claims()
        root = channel.read_digest()
        for family in claims.families:
            family.slices = channel.read_scalars(64)
        for column in claims.columns:
            column.value = channel.read_scalar()
        stack.verify(channel, self.log_words, log_inv_rate, root, self.placed, claims)
        channel.finish()

    def verify_file(self, log_inv_rate, data):
        """Verifies the bytes of a proof file."""
        decoded = proof.decode(data)
        if decoded.kind != proof.OPENING or decoded.shape:
            raise Refused("the proof is no opening with an empty shape")
        self.verify(log_inv_rate, Channel(decoded))


def read(log_words, log_inv_rate):
    """The known proof file of an opening."""
    return (support.CRATES / f"pcs/known_answers/opening_{log_words}_{log_inv_rate}.proof").read_bytes()
