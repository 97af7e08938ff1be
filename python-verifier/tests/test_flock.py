"""Batches of circuits: the known ones of crates/flock, accepted and forged; the skip's domain by its definition."""

import random
import unittest

from leanvm_verifier import field, flock, proof
from leanvm_verifier.field import ONE, mul
from leanvm_verifier.refusal import Refused
from tests import batches, support


class KnownBatches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        known = {name: (batch, data) for name, batch, data in batches.known()}
        cls.known = known
        cls.batch, cls.data = known["several_circuits"]
        cls.honest = proof.decode(cls.data)
        channel, cls.challenges = support.recording(cls.honest)
        cls.batch.verify(channel)
        parts = cls.batch.parts
        cls.n = max(part.log_words for part in parts)
        cls.rounds = max(part.log_block_words for part in parts)
        cls.groups = flock._groups(parts)
        # The words of the stream at which the messages begin.
        cls.skip = 4
        cls.zerocheck = cls.skip + 3 * 64
        cls.values = cls.zerocheck + 6 * cls.n
        cls.lincheck = cls.values + 9 * len(parts)
        cls.slices = cls.lincheck + 6 * cls.rounds
        cls.opening = cls.slices + 3 * 65 * len(cls.groups)

    def refused(self, refusal, change):
        """Expects a refusal of a changed proof, all challenges being those of the honest one."""
        forged = support.changed(self.honest, change)
        with self.assertRaisesRegex(Refused, refusal):
            self.batch.verify(support.frozen(forged, self.challenges))

    def test_the_known_batches_are_accepted(self):
        for batch, data in self.known.values():
            batch.verify_file(data)

    def test_groups_are_the_circuits_by_their_first_members(self):
        self.assertEqual(self.groups, [[0, 2], [1], [3, 5], [4]])

    def test_a_changed_message_is_refused_by_the_check_that_owns_it(self):
        # Fixture: several circuits. Forgery: a bit of every third scalar, all challenges kept.
        for first, last, refusal in (
            (self.skip, self.lincheck, "^flock: zerocheck"),
            (self.lincheck, self.opening, "^flock: lincheck"),
        ):
            for at in range(first, last, 9):
                self.refused(refusal, support.flip_stream(at + at % 3, at % 64))

    def slope(self, at):
        """By how much the lincheck's sides differ for a scalar raised by 1: the last claim's, or a slice's or
        matrix value's of the last group."""
        drawn = [field.from_words(words) for words in self.challenges]
        z = drawn[self.n - 7 + 1]
        rho = drawn[self.n - 7 + 2 :][: self.n]
        a, *challenges = drawn[2 * self.n - 7 + 2 :][: 1 + self.rounds]
        part = self.batch.parts[self.groups[-1][0]]
        block = part.log_block_words
        sigma = challenges[:block][::-1]
        word, bit = divmod(part.circuit.constant_position, 64)
        m = field.product(challenges[block:])
        of_slice = mul(field.power(a, 2), mul(field.eq(rho[:block], sigma), flock.lagrange_basis(z)[at]))
        if at == bit:
            of_slice ^= mul(field.power(a, 3), field.eq_bits(sigma, word))
        return m, mul(m, of_slice)

    def add(self, forged, at, scalar):
        for i, word in enumerate(field.to_words(scalar)):
            forged.stream[at + i] ^= word

    def test_a_slice_that_the_lincheck_cannot_tell_is_refused_by_the_opening(self):
        # Forgery: a slice of the last group is raised by 1, and its matrix value by what makes up for it.
        def change(forged):
            m, of_slice = self.slope(5)
            self.add(forged, self.opening - 3 * 65 + 3 * 5, ONE)
            self.add(forged, self.opening - 3, mul(of_slice, field.inverse(m)))

        self.refused("^whir: terminal", change)

    def test_a_matrix_value_that_the_lincheck_cannot_tell_is_refused_by_the_circuit(self):
        # Forgery: the last group's matrix value is raised by 1, and the last round's h_0 by what makes up for it.
        def change(forged):
            m, _ = self.slope(0)
            self.add(forged, self.opening - 3, ONE)
            self.add(forged, self.slices - 6, m)

        self.refused("^flock: matrix 3", change)

    def test_another_batch_is_refused(self):
        # Expected: the claims of other circuits, or of other sizes, are other claims.
        batch, data = self.known["one_circuit"]
        for parts in (["less", "5"], ["and", "5"], ["adder", "6"]):
            with self.assertRaises(Refused):
                batches.Batch(parts).verify_file(data)
        batch.verify_file(data)

    def test_sizes_that_no_batch_has_are_refused(self):
        for size in ("4", "27"):
            with self.assertRaisesRegex(Refused, "part 0 of the batch has 2"):
                flock.verify(None, batches.Batch(["adder", size]).parts, [])

    def test_any_change_of_the_file_is_refused(self):
        source = random.Random(8)
        batch, data = self.known["one_circuit"]
        for _ in range(60):
            forged = bytearray(data)
            for _ in range(source.randrange(1, 4)):
                end = source.choice((4000, len(forged)))
                forged[source.randrange(end)] ^= source.randrange(1, 256)
            if source.randrange(4) == 0:
                del forged[source.randrange(len(forged)) :]
            with self.assertRaises(Refused):
                batch.verify_file(bytes(forged))


class Skip(unittest.TestCase):
    def test_the_basis_is_lagranges(self):
        for j in range(64):
            values = flock.lagrange_basis(field.embed(j))
            self.assertEqual(values, [int(i == j) for i in range(64)])

    def test_the_last_subspace_polynomial_is_zero_on_the_one_half_and_one_on_the_other(self):
        for j in range(128):
            self.assertEqual(flock.subspace_values(field.embed(j))[6], j >> 6)

    def test_the_basis_interpolates_polynomials_of_degree_63(self):
        source = random.Random(9)
        coefficients = [source.getrandbits(64) for _ in range(64)]
        values = [field.horner(coefficients, field.embed(j)) for j in range(64)]
        y = field.from_words([source.getrandbits(64) for _ in range(3)])
        self.assertEqual(field.dot(flock.lagrange_basis(y), values), field.horner(coefficients, y))

    def test_the_fixed_coordinates_weigh_vertices_independently(self):
        # eq(r, v) for the 128 vertices are linearly independent over GF(2).
        rows = []
        for weight in field.eq_table(flock.FIXED_POINT):
            for row in rows:
                weight = min(weight, weight ^ row)
            self.assertNotEqual(weight, 0)
            rows.append(weight)


if __name__ == "__main__":
    unittest.main()
