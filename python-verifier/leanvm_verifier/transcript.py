"""Fiat-Shamir (doc/transcript.md): the transcript, and the channel by which a verifier reads a proof through it."""

from dataclasses import dataclass

from . import blake2s, field, merkle, proof
from .refusal import Refused

ABSORB, CHALLENGE, GRIND = 1, 2, 3


class Transcript:
    """The state and the queue of items."""

    def __init__(self, kind, shape):
        self.state = blake2s.digest(proof.header(kind))
        self._queue = []  # words
        self._layout = 1  # bit i: an item starts or all items end at word i
        for word in [len(shape), *shape]:
            self.absorb([word])

    def absorb(self, item):
        """Queues an item: a word, the three words of a scalar or the four of a digest."""
        if len(self._queue) + len(item) > 8:
            self._step(ABSORB)
        self._queue += item
        self._layout |= 1 << len(self._queue)

    def _step(self, kind):
        self.state = blake2s.compress(self.state, self._queue, kind << 32 | self._layout)
        self._queue, self._layout = [], 1

    def flush(self):
        """Absorbs the queue, unless it is empty."""
        if self._queue:
            self._step(ABSORB)

    def challenge(self):
        """A challenge of three words."""
        self._step(CHALLENGE)
        return self.state[:3]

    def grind(self, nonce, bits):
        """Whether a nonce has the work of so many bits."""
        self.flush()
        self.absorb([nonce])
        self._step(GRIND)
        return self.state[0] & (1 << bits) - 1 == 0


@dataclass(frozen=True)
class QueryPlan:
    """`count` queries of `2^log_leaves` leaves, in `2^log_strata` strata."""

    count: int
    log_leaves: int
    log_strata: int


class Channel:
    """A verifier's view of a proof: what it reads is absorbed, and it reads nothing else."""

    def __init__(self, proof):
        self._proof = proof
        self._transcript = Transcript(proof.kind, proof.shape)
        self._words_read = 0
        self._openings_read = 0

    def observe_word(self, word):
        """Absorbs a word that both sides know."""
        self._transcript.absorb([word])

    def observe_scalar(self, scalar):
        """Absorbs a scalar that both sides know."""
        self._transcript.absorb(field.to_words(scalar))

    def observe_digest(self, digest):
        """Absorbs a digest that both sides know."""
        self._transcript.absorb(digest)

    def _next(self, count):
        start, self._words_read = self._words_read, self._words_read + count
        if self._words_read > len(self._proof.stream):
            raise Refused(f"the stream ends: {count} words are read at word {start}")
        return self._proof.stream[start : self._words_read]

    def _read(self, count):
        item = self._next(count)
        self._transcript.absorb(item)
        return item

    def read_word(self):
        """A word that the prover sends."""
        return self._read(1)[0]

    def read_scalar(self):
        """A scalar that the prover sends."""
        return field.from_words(self._read(3))

    def read_scalars(self, count):
        """So many scalars that the prover sends."""
        return [self.read_scalar() for _ in range(count)]

    def read_digest(self):
        """A digest that the prover sends."""
        return self._read(4)

    def challenge(self):
        """A challenge: a scalar."""
        return field.from_words(self._transcript.challenge())

    def challenges(self, count):
        """So many challenges, one after the other."""
        return [self.challenge() for _ in range(count)]

    def check_grinding(self, bits):
        """Reads a nonce and checks its work."""
        (nonce,) = self._next(1)
        if not self._transcript.grind(nonce, bits):
            raise Refused(f"transcript: grinding: nonce {nonce} has no work of {bits} bits")

    def queries(self, plan):
        """The indices of the queried leaves, in the order of the queries."""
        bits = plan.log_leaves - plan.log_strata
        drawn = []
        while bits and len(drawn) < plan.count:
            for word in self._transcript.challenge():
                drawn += [word >> i * bits & (1 << bits) - 1 for i in range(64 // bits)]
        strata = [(j << plan.log_strata) // plan.count << bits for j in range(plan.count)]
        return [stratum | low for stratum, low in zip(strata, drawn or [0] * plan.count)]

    def open(self, root, zeros, width, plan, indices):
        """The words of the queried leaves, in the order of the queries."""
        number, self._openings_read = self._openings_read, self._openings_read + 1
        if number >= len(self._proof.openings):
            raise Refused(f"opening {number} is missing")
        try:
            leaves = merkle.open_leaves(
                self._proof.openings[number], root, zeros, width, plan.log_leaves, indices
            )
        except Refused as refusal:
            raise Refused(f"opening {number}: {refusal}") from None
        return [leaves[x] for x in indices]

    def finish(self):
        """Checks that all of the proof was read; the final state."""
        if self._words_read != len(self._proof.stream):
            raise Refused(f"{self._words_read} words of the stream are read, of {len(self._proof.stream)}")
        if self._openings_read != len(self._proof.openings):
            raise Refused(f"{self._openings_read} openings are read, of {len(self._proof.openings)}")
        self._transcript.flush()
        return self._transcript.state
