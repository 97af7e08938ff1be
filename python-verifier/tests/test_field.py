"""The fields against their definitions."""

import random
import unittest
from unittest import mock

from leanvm_verifier import field
from leanvm_verifier.field import ONE, X, Y, mul


def slow_product(a, b):
    """The product of two elements, bit by bit, by doc/fields.md: x^64 = x^4 + x^3 + x + 1, y^3 = y + 1."""
    coefficients = [0] * 5
    for i, p in enumerate(field.to_words(a)):
        for j, q in enumerate(field.to_words(b)):
            for bit in range(64):
                coefficients[i + j] ^= (p << bit) * (q >> bit & 1)
    for top in (4, 3):
        coefficients[top - 2] ^= coefficients[top]
        coefficients[top - 3] ^= coefficients[top]
    for i in range(3):
        for bit in reversed(range(64, 127)):
            if coefficients[i] >> bit & 1:
                coefficients[i] ^= (1 << 64 | 0b11011) << bit - 64
    return field.from_words(coefficients[:3])


class FieldTest(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(1)

    def scalars(self, count):
        return [field.from_words([self.random.getrandbits(64) for _ in range(3)]) for _ in range(count)]

    def elements(self):
        """Elements with few and many bits, of K and of E."""
        words = [0, 1, 2, 0b11011, 1 << 63, 2**64 - 1]
        return words + [w << 128 for w in words] + [w << 256 for w in words] + self.scalars(8)

    def test_products_are_those_of_the_definition(self):
        for a in self.elements():
            for b in self.elements():
                self.assertEqual(mul(a, b), slow_product(a, b))

    def test_squares_inverses_and_conjugates(self):
        for a in self.elements():
            self.assertEqual(field.square(a), mul(a, a))
            self.assertEqual(field.frobenius(a), field.power(a, 2**64))
            if a:
                self.assertEqual(mul(a, field.inverse(a)), ONE)

    def test_the_moduli_define_the_fields(self):
        self.assertEqual(field.power(X, 64), field.power(X, 4) ^ field.power(X, 3) ^ X ^ ONE)
        self.assertEqual(field.power(Y, 3), Y ^ ONE)
        rho = field.RHO
        terms = [field.power(rho, i) for i in (8, 4, 3, 1, 0)]
        self.assertEqual(terms[0] ^ terms[1] ^ terms[2] ^ terms[3] ^ terms[4], 0)
        self.assertEqual(mul(field.embed(0x53), field.embed(0xCA)), ONE)

    def test_the_word_two_generates_the_multiplicative_group(self):
        order = 2**64 - 1
        self.assertEqual(order, 3 * 5 * 17 * 257 * 641 * 65537 * 6700417)
        self.assertEqual(field.power(X, order), ONE)
        for prime in (3, 5, 17, 257, 641, 65537, 6700417):
            self.assertNotEqual(field.power(X, order // prime), ONE)

    def test_roots_are_undone_by_squares(self):
        (a,) = self.scalars(1)
        roots = field.roots(a)
        self.assertEqual(len(roots), 64)
        self.assertEqual(roots[0], a)
        for root, below in zip(roots[1:], roots):
            self.assertEqual(field.square(root), below)

    def test_tables_are_those_of_multilinear_polynomials(self):
        point, table = self.scalars(4), self.scalars(16)
        eq = field.eq_table(point)
        for v in range(16):
            bits = [v >> i & 1 for i in range(4)]
            self.assertEqual(eq[v], field.eq(point, bits))
            self.assertEqual(eq[v], field.eq_bits(point, v))
            self.assertEqual(field.evaluate(table, bits), table[v])
        self.assertEqual(field.evaluate(table, point), field.dot(eq, table))

    def test_tables_of_words_are_tables(self):
        for log_block in (0, 2, 12):
            with mock.patch.object(field, "_LOG_BLOCK", log_block):
                for variables in range(6):
                    point = self.scalars(variables)
                    words = [self.random.getrandbits(64) for _ in range(1 << variables)]
                    words[-1] = 2**64 - 1
                    self.assertEqual(field.evaluate_words(words, point), field.evaluate(words, point))
                    # Words of which bytes are zero.
                    words = [word & 0xFF00FF00 for word in words]
                    self.assertEqual(field.evaluate_words(words, point), field.evaluate(words, point))
        with self.assertRaises(ValueError):
            field.evaluate_words([1, 2, 3], self.scalars(2))

    def test_sums_of_words_are_sums_of_products(self):
        weights = self.scalars(5)
        words = [self.random.getrandbits(64) for _ in range(4)] + [2**64 - 1]
        self.assertEqual(field.word_sums(weights)(words), field.dot(weights, words))

    def test_horner_is_a_sum_of_powers(self):
        terms, (x,) = self.scalars(5), self.scalars(1)
        self.assertEqual(field.horner(terms, x), field.dot(terms, field.powers(x, 5)))


if __name__ == "__main__":
    unittest.main()
