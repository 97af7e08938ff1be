"""The commitment: the known openings of crates/pcs, accepted and forged, and its parts against their definitions."""

import math
import random
import unittest

from leanvm_verifier import code, field, parameters, proof, ring_switch
from leanvm_verifier.field import mul
from leanvm_verifier.refusal import Refused
from leanvm_verifier.stack import Layout, Region
from leanvm_verifier.transcript import Channel
from tests import openings, support

OPENINGS = [(15, 1), (15, 2), (15, 3), (16, 4)]


class KnownOpenings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """The forged opening: three levels, the smallest."""
        cls.case = openings.Case(16)
        cls.data = openings.read(16, 4)
        cls.honest = proof.decode(cls.data)
        cls.levels = parameters.levels(16, 4)
        channel, cls.challenges = support.recording(cls.honest)
        cls.case.verify(4, channel)

    def refused(self, refusal, forged, **changes):
        """Expects a refusal of a forged proof, all challenges being those of the honest one."""
        with self.assertRaisesRegex(Refused, refusal):
            self.case.verify(4, support.frozen(forged, self.challenges), **changes)

    def test_the_known_openings_are_accepted(self):
        for log_words, log_inv_rate in OPENINGS:
            openings.Case(log_words).verify_file(log_inv_rate, openings.read(log_words, log_inv_rate))

    def test_another_rate_is_refused(self):
        with self.assertRaises(Refused):
            openings.Case(15).verify_file(2, openings.read(15, 1))
        with self.assertRaisesRegex(Refused, "have no parameters"):
            openings.Case(15).verify_file(5, openings.read(15, 1))

    def sorts(self):
        """Each sort of scalar in the stream, and the words at which scalars of the sort stand; the nonces; the roots."""
        at = 0

        def take(words, width=3):
            nonlocal at
            start, at = at, at + words
            return list(range(start, at, width))

        roots, nonces = take(4, 4), []
        scalars = {"slices": take(3 * 64 * len(self.case.families)), "values": take(3 * len(self.case.columns))}
        for i, level in enumerate(self.levels):
            scalars[f"rounds of level {i}"] = take(6 * level.log_fold)
            if i + 1 < len(self.levels):
                roots += take(4, 4)
                scalars[f"answer {i}"] = take(3)
            else:
                scalars["residual table"] = take(3 << level.log_message)
            nonces += take(1)
        scalars["last rounds"] = take(6 * self.levels[-1].log_message)
        self.assertEqual(at, len(self.honest.stream))
        return scalars, nonces, roots

    def test_a_changed_scalar_of_any_sort_is_refused_at_the_terminal_check(self):
        # Fixture: 2^16 words, rate 1/16. Forgery: a bit of a scalar, first and last of its sort, all challenges
        # kept. Expected: the terminal check, and no earlier refusal.
        scalars, _, _ = self.sorts()
        for sort, places in scalars.items():
            for at in {places[0], places[-1]}:
                with self.subTest(sort):
                    flip = support.flip_stream(at + at % 3, at % 64)
                    self.refused("^whir: terminal", support.changed(self.honest, flip))

    def test_a_changed_root_is_refused_by_its_opening(self):
        _, _, roots = self.sorts()
        for number, at in enumerate(roots):
            forged = support.changed(self.honest, support.flip_stream(at + number, 7))
            self.refused(f"^opening {number}: the opening leads to another root", forged)

    def test_changed_leaves_and_siblings_are_refused_by_their_opening(self):
        for number, opening in enumerate(self.honest.openings):
            expected = f"^opening {number}: the opening leads to another root"
            for at in (0, len(opening.words) // 2, len(opening.words) - 1):
                self.refused(expected, support.changed(self.honest, support.flip_leaf(number, at)))
            for at in (0, len(opening.siblings) - 1):
                self.refused(expected, support.changed(self.honest, support.flip_sibling(number, at)))

    def test_a_nonce_without_work_is_refused(self):
        _, nonces, _ = self.sorts()
        for at in nonces:
            forged = support.changed(self.honest, support.flip_stream(at, 20))
            with self.assertRaisesRegex(Refused, "^transcript: grinding"):
                self.case.verify(4, Channel(forged))

    def test_claims_of_another_form_are_refused_at_the_terminal_check(self):
        # Fixture: the honest proof. Forgery: what the verifier expects is another region, point, word or weight; no
        # challenge depends on it. Expected: the terminal check.
        def beside(claim):
            region = claim.region
            claim.region = Region(region.offset ^ 1 << region.log_words, region.log_words)

        def set_word(claims):
            claims.columns[5].word ^= 1

        def set_point(claims):
            claims.columns[2].point = self.case.points[0][: len(claims.columns[2].point)]

        def set_member_point(claims):
            member = claims.families[0].members[1]
            member.point = self.case.points[2][: len(member.point)]

        def set_weight(claims):
            claims.families[0].members[0].weight ^= field.Y

        forms = [
            lambda claims: beside(claims.columns[0]),
            lambda claims: beside(claims.families[1].members[0]),
            set_word,
            set_point,
            set_member_point,
            set_weight,
            lambda claims: claims.families.reverse(),
        ]
        for form in forms:
            claims = self.case.claims()
            form(claims)
            self.refused("^whir: terminal", self.honest, claims=claims)

    def test_absent_lanes_are_read_as_zeros(self):
        # A verifier that takes fewer lanes for present has leaves of another width.
        placed = self.case.placed
        try:
            self.case.placed = placed - (1 << 16 - 6)
            self.refused("^opening 0: .* words are opened", self.honest)
        finally:
            self.case.placed = placed

    def test_any_change_of_the_file_is_refused(self):
        # Fixture: the honest file. Forgery: a few bytes, or a cut. Expected: Refused, and no other error.
        source = random.Random(3)
        for _ in range(60):
            forged = bytearray(self.data)
            for _ in range(source.randrange(1, 4)):
                # Half of the changes fall into the stream, which is a small part of the file.
                end = source.choice((16 + 8 * len(self.honest.stream), len(forged)))
                forged[source.randrange(end)] ^= source.randrange(1, 256)
            if source.randrange(4) == 0:
                del forged[source.randrange(len(forged)) :]
            with self.assertRaises(Refused):
                self.case.verify_file(4, bytes(forged))


class Parts(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(4)

    def scalars(self, count):
        return [field.from_words([self.random.getrandbits(64) for _ in range(3)]) for _ in range(count)]

    def test_the_basis_is_cantors(self):
        self.assertEqual(code.BETA[0], 1)
        for below, beta in zip(code.BETA, code.BETA[1:]):
            self.assertEqual(field.square(beta) ^ beta, below)
            self.assertEqual(beta & 1, 0)

    def test_weights_are_those_of_the_network_that_encodes(self):
        # The network of doc/code.md, at 8 symbols and rate 1/4.
        log_message, log_rate = 3, 2
        message = self.scalars(1 << log_message)
        symbols = message * (1 << log_rate)
        for d in reversed(range(log_message)):
            for v in range(len(symbols)):
                if v >> d & 1 == 0:
                    t = code.point(2 * (v >> d + 1))
                    symbols[v] ^= mul(t, symbols[v + (1 << d)])
                    symbols[v + (1 << d)] ^= symbols[v]
        for x, symbol in enumerate(symbols):
            weights = [code.weight_at(x, [j >> i & 1 for i in range(log_message)]) for j in range(len(message))]
            self.assertEqual(field.dot(weights, message), symbol)

    def test_the_weight_of_a_member_is_the_extension_of_its_table(self):
        f, r, t, (weight,) = self.scalars(6), self.scalars(3), self.scalars(5), self.scalars(1)
        table = [ring_switch.apply(f, mul(weight, e)) for e in field.eq_table(r)]
        self.assertEqual(ring_switch.Weights(f, t).at(weight, r), field.evaluate(table, t[:3]))

    def test_the_target_of_slices_is_the_sum_over_words(self):
        # sum_u Phi(V(u)) Q(u) = sum_i x^i Phi(sum_u V(u) Q_i(u)).
        f, weights = self.scalars(6), self.scalars(4)
        words = [self.random.getrandbits(64) for _ in weights]
        slices = [field.dot(weights, [word >> i & 1 for word in words]) for i in range(64)]
        expected = field.dot([ring_switch.apply(f, v) for v in weights], words)
        self.assertEqual(ring_switch.target(f, slices), expected)

    def test_columns_are_placed_by_size(self):
        layout = Layout([3, 14, 3, 12, 14])
        offsets = [region.offset for region in layout.regions]
        self.assertEqual(offsets, [36864, 0, 36872, 32768, 16384])
        self.assertEqual((layout.placed, layout.log_words), (36880, 16))
        with self.assertRaises(Refused):
            Layout([28, 0])


class Parameters(unittest.TestCase):
    """The table, from the formulas of doc/soundness.md."""

    SECURITY, CHALLENGES = 128, 192

    def regime(self, level, first):
        """The greatest slack of a level, and log2 of its agreement."""
        length = 2.0**level.plan.log_leaves
        rho = (2.0**level.log_message - 1) / length
        variables = level.log_message + level.log_fold

        def sound(m):
            size = m / (2 * rho)
            gamma = 1 - math.sqrt(rho) * (1 + 1 / m)
            half = m + 0.5
            agreement = (2 * half**5 + 3 * half * gamma * rho) / (3 * rho**1.5) * length + half / math.sqrt(rho)
            errors = [2 * size + agreement]
            if not first:
                errors.append(size * (size - 1) / 2 * (2**variables - 1))
            return all(math.log2(e) <= self.CHALLENGES - self.SECURITY for e in errors) and (
                not first or size <= 2**12
            )

        m = max(m for m in range(3, 4096) if sound(m))
        self.assertLess(m, 4095)
        return math.log2(math.sqrt(rho) * (1 + 1 / m))

    def test_the_table_is_derived_from_the_soundness(self):
        for log_inv_rate in parameters.LOG_INV_RATE:
            for log_words in parameters.LOG_WORDS:
                levels = parameters.levels(log_words, log_inv_rate)
                for i, level in enumerate(levels):
                    log_agreement = self.regime(level, i == 0)
                    least = math.ceil((self.SECURITY - parameters.GRINDING) / -log_agreement)
                    compressions = (1 if i == 0 else 3) * (1 << level.log_fold) // 8

                    def rounded(k):
                        return -(-least >> k) << k

                    def cost(k):
                        return rounded(k) * (2 * compressions + level.plan.log_leaves - k) + (1 << k)

                    log_strata = min(range(level.plan.log_leaves), key=cost)
                    self.assertEqual((level.plan.count, level.plan.log_strata), (rounded(log_strata), log_strata))
                self.assertLessEqual(levels[-1].log_message, parameters.MAX_RESIDUAL)
                self.assertGreater(levels[-1].log_message + parameters.LOG_FOLD, parameters.MAX_RESIDUAL)


if __name__ == "__main__":
    unittest.main()
