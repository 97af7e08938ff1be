"""The code of the commitment (doc/code.md)."""

from .field import ONE, mul, square

_BETA_31 = 0xB66864E6EC14B4D2


def _basis():
    betas = [_BETA_31]
    for _ in range(31):
        betas.append(square(betas[-1]) ^ betas[-1])
    return betas[::-1]


BETA = _basis()


def point(v):
    """The point of coordinate v: an element of K."""
    total = 0
    for c, beta in enumerate(BETA):
        if v >> c & 1:
            total ^= beta
    return total


def weight_at(x, t):
    """The extension of `W_x` at t, where coordinate x of the encoding of g is `sum_j W_x(j) g_j`."""
    result = ONE
    for i, t_i in enumerate(t):
        # W_i(point(x)) is point(x >> i).
        result = mul(result, ONE ^ t_i ^ mul(t_i, point(x >> i)))
    return result
