"""The fields K and E, and tables of multilinear polynomials (doc/fields.md).

An element of E is an integer whose bits are its coefficients: bit `128 j + i`, for i < 64, is that of `y^j x^i`.
So the sum of two elements is their XOR, an element of K is the same number in E, and an unreduced product, whose
coefficients of one power of y have degree at most 126 in x, fits the same places.
"""

import struct
from functools import lru_cache

ZERO = 0
ONE = 1
X = 2
Y = 1 << 128

# The root of t^8 + t^4 + t^3 + t + 1 to which the byte field's t is sent.
RHO = 0x033CE8BEDDC8A656

# log2 of the words that are summed before their sum is multiplied.
_LOG_BLOCK = 12

_WORD = (1 << 64) - 1
_LIMB = (1 << 128) - 1
_LOW = _WORD | _WORD << 128 | _WORD << 256


def from_words(words):
    """The element with these coefficients of 1, y, y^2."""
    c0, c1, c2 = words
    return c0 | c1 << 128 | c2 << 256


def to_words(a):
    """The coefficients of 1, y, y^2."""
    return [a & _WORD, a >> 128 & _WORD, a >> 256]


def _reduce(p):
    """The element that is a polynomial of degree at most 4 in y, each coefficient of degree at most 127 in x."""
    high = p >> 384  # the coefficients of y^3 = y + 1 and of y^4 = y^2 + y
    p = (p & (1 << 384) - 1) ^ high ^ high << 128
    # Twice: x^64 = x^4 + x^3 + x + 1 makes of the high words polynomials of degree at most 67.
    for _ in range(2):
        high = p >> 64 & _LOW
        p = p & _LOW ^ high ^ high << 1 ^ high << 3 ^ high << 4
    return p


def mul(a, b):
    """The product in E; cheaper if b is in K."""
    # The products of a with the 16 polynomials of degree at most 3, then b from its highest bits, 4 at a time.
    a2, a4, a8 = a << 1, a << 2, a << 3
    a3, a12 = a ^ a2, a4 ^ a8
    t = (0, a, a2, a3, a4, a4 ^ a, a4 ^ a2, a4 ^ a3, a8, a8 ^ a, a8 ^ a2, a8 ^ a3, a12, a12 ^ a, a12 ^ a2, a12 ^ a3)
    p = 0
    if b <= _WORD:
        for d in b.to_bytes(8, "big"):
            p = p << 8 ^ t[d >> 4] << 4 ^ t[d & 15]
    else:
        limbs = b.to_bytes(40, "big")
        for d0, d1, d2 in zip(limbs[32:], limbs[16:24], limbs[:8]):
            p = (
                p << 8
                ^ (t[d0 >> 4] << 4 ^ t[d0 & 15])
                ^ (t[d1 >> 4] << 4 ^ t[d1 & 15] ^ (t[d2 >> 4] << 4 ^ t[d2 & 15]) << 128) << 128
            )
    return _reduce(p)


def square(a):
    """The square: over GF(2) that of a polynomial puts a zero after each coefficient, as digits to base 4 do."""
    return _reduce(int(f"{a:b}", 4))


def power(a, exponent):
    """`a^exponent`, for an exponent of at least 0."""
    result = ONE
    for bit in f"{exponent:b}":
        result = square(result)
        if bit == "1":
            result = mul(result, a)
    return result


def frobenius(a):
    """`a^(2^64)`."""
    c1, c2 = a >> 128 & _LIMB, a >> 256
    return a & _LIMB | c2 << 128 | (c1 ^ c2) << 256


def inverse(a):
    """The inverse of an element other than zero."""
    conjugates = mul(frobenius(a), frobenius(frobenius(a)))
    norm = mul(a, conjugates)
    return mul(conjugates, power(norm, 2**64 - 2))


def roots(a):
    """`a^(2^-k)` for k = 0..63."""
    # a^(2^-64) = a^(2^128), and from there squares lead back up.
    result = [frobenius(frobenius(a))]
    for _ in range(63):
        result.append(square(result[-1]))
    return [a] + result[:0:-1]


def embed(byte):
    """phi: the element of K that is the polynomial in rho whose coefficients are the bits of a byte."""
    return dot([RHO_POWERS[i] for i in range(8)], [byte >> i & 1 for i in range(8)])


def dot(a, b):
    """`sum_i a_i b_i`."""
    total = ZERO
    for x, y in zip(a, b, strict=True):
        total ^= mul(x, y)
    return total


def horner(terms, x):
    """`terms_0 + terms_1 x + terms_2 x^2 + ..`."""
    total = ZERO
    for term in reversed(terms):
        total = mul(total, x) ^ term
    return total


def powers(x, count):
    """`1, x, x^2, ..`."""
    result = [ONE]
    while len(result) < count:
        result.append(mul(result[-1], x))
    return result[:count]


def product(factors):
    """The product of a list."""
    result = ONE
    for factor in factors:
        result = mul(result, factor)
    return result


def eq(r, v):
    """`prod_i (1 + r_i + v_i)`: the extension of equality, at two points."""
    return product(ONE ^ a ^ b for a, b in zip(r, v, strict=True))


def eq_bits(r, index):
    """`eq(r, v)` for the bits v of an index, bit 0 first."""
    return product(a if index >> i & 1 else ONE ^ a for i, a in enumerate(r))


def eq_table(r):
    """`eq(r, v)` for all v: variable i is bit i of the index."""
    table = [ONE]
    for a in r:
        high = [mul(a, entry) for entry in table]
        table = [entry ^ h for entry, h in zip(table, high)] + high
    return table


def evaluate(table, point):
    """The multilinear polynomial with this table, at a point: variable 0 first."""
    for a in point:
        table = [low ^ mul(low ^ high, a) for low, high in zip(table[::2], table[1::2], strict=True)]
    (value,) = table
    return value


def evaluate_words(words, point):
    """The multilinear polynomial whose table is a list of words, at a point: a few additions a word.

    Blocks of low variables are summed with their weights, then these sums with those of the high variables.
    """
    if len(words) != 1 << len(point):
        raise ValueError("a table has a word for each point of the hypercube")
    cut = min(len(point), _LOG_BLOCK)
    low = _known_eq_table(tuple(point[:cut]))
    total = ZERO
    for block, weight in enumerate(_known_eq_table(tuple(point[cut:]))):
        total ^= mul(weight, _weighted_sum(words[block << cut : block + 1 << cut], low))
    return total


def _weighted_sum(words, weights):
    """`sum_i weights_i words_i`. By the value of each byte of the words the weights are summed, and then by each bit, so
    no word is multiplied; a bit's sum is shifted to the bit's place."""
    data = struct.pack(f"<{len(words)}Q", *words)
    total = 0
    for byte in range(8):
        column = data[byte::8]
        if not any(column):
            continue
        sums = [0] * 256
        for value, weight in zip(column, weights, strict=True):
            sums[value] ^= weight
        for bit in range(7, -1, -1):
            low, high = sums[: 1 << bit], sums[1 << bit :]
            for weight in high:
                total ^= weight << 8 * byte + bit
            sums = [a ^ b for a, b in zip(low, high)]
    return _reduce(total)


@lru_cache(maxsize=64)
def _known_eq_table(point):
    """`eq_table`, for points that many columns share."""
    return eq_table(point)


class LinearSums:
    """Many sums `sum_u F_u(w_u)` of words under the same GF(2)-linear maps: eight look-ups a word.

    `images`: of each map the images of `x^i`, i < 64.
    """

    def __init__(self, images):
        self._tables = []
        for of_map in images:
            tables = []
            for byte in range(8):
                table = [0]
                for image in of_map[8 * byte : 8 * byte + 8]:
                    table += [entry ^ image for entry in table]
                tables.append(table)
            self._tables.append(tables)

    def __call__(self, words):
        total = 0
        for tables, word in zip(self._tables, words, strict=True):
            if word:
                for table, byte in zip(tables, word.to_bytes(8, "little")):
                    total ^= table[byte]
        return total


def word_sums(weights):
    """The sums `sum_u weights_u w_u` of words w."""
    images = []
    for weight in weights:
        images.append([])
        for _ in range(64):
            images[-1].append(weight)
            weight = mul(weight, X)
    return LinearSums(images)


RHO_POWERS = powers(RHO, 8)
