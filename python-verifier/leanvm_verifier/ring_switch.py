"""The map that makes claims on packed bits claims on words (doc/pcs.md, "Opening of the claims")."""

from . import field
from .field import ONE, mul, square

SLICES = 64
CHALLENGES = 6


def apply(f, a):
    """`Phi(a)`: `M_p(a) = a + f_p a^(2^(2^(5-p)))` for p = 0..5, in this order."""
    for p, f_p in enumerate(f):
        image = a
        for _ in range(1 << 5 - p):
            image = square(image)
        a ^= mul(f_p, image)
    return a


def target(f, slices):
    """`sum_i x^i Phi(s_i)`."""
    return field.horner([apply(f, s) for s in slices], field.X)


class Weights:
    """The extensions of members' weights at the terminal point t."""

    def __init__(self, f, t):
        # 64 roots of each: index k is the 2^k-th.
        self._roots = [field.roots(t_n) for t_n in t]
        f = [field.roots(f_p) for f_p in f]
        # Phi(a) = sum_k (d_k^(2^k)) a^(2^k).
        self._d = [ONE]
        for k in range(1, SLICES):
            low = k & -k
            p = 5 - (low.bit_length() - 1)
            self._d.append(mul(self._d[k ^ low], f[p][k]))

    def at(self, weight, r):
        """`MLE(Phi(weight eq(r, .)))` at the first coordinates of t."""
        total = 0
        for k in reversed(range(SLICES)):
            a = mul(self._d[k], weight)
            for r_n, roots in zip(r, self._roots):
                a = mul(a, ONE ^ r_n ^ roots[k])
            total = square(total) ^ a
        return total
