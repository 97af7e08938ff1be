"""Batches of Boolean circuits (doc/flock.md): zerocheck with a univariate skip, lincheck, claims on the matrices."""

from dataclasses import dataclass

from . import field, whir
from .circuit import Circuit
from .field import ONE, X, Y, embed, inverse, mul, square
from .refusal import Refused
from .stack import Family, Member

SKIP = 64
LOG_WORDS = range(7, 29)


@dataclass
class Part:
    """A member of a batch: 2^log_instances instances of a circuit."""

    circuit: Circuit
    log_instances: int

    @property
    def log_block_words(self):
        """log2 of the words of a block."""
        return self.circuit.log_block - 6

    @property
    def log_words(self):
        """log2 of the words of the packed witness."""
        return self.log_block_words + self.log_instances


@dataclass
class MatrixClaim:
    """`value = sum_p e_p ((A w)_p + batching (B w)_p)`, `e_(64 u + i) = lagrange_i eq(row_point, u)` and
    `w_(64 u + i) = slices_i eq(column_point, u)`."""

    circuit: Circuit
    lagrange: list
    row_point: list
    batching: int
    slices: list
    column_point: list
    value: int


def verify(channel, parts, regions):
    """Checks that every block of the packed witnesses, which are these regions of a stack, satisfies its circuit. The
    families that are to be opened, and the claims on the matrices, for `check_deferred`."""
    for number, part in enumerate(parts):
        if part.log_words not in LOG_WORDS:
            raise Refused(f"part {number} of the batch has 2^{part.log_words} words")
    z, rho, values = _zerocheck(channel, parts)
    return _lincheck(channel, parts, regions, lagrange_basis(z), rho, values)


def _zerocheck(channel, parts):
    """Steps 1 to 4: the skip's point, the rounds' point, and `v_a, v_b, v_c` of each member."""
    n = max(part.log_words for part in parts)
    r = FIXED_POINT + channel.challenges(n - len(FIXED_POINT))
    l = channel.challenge()
    skip = channel.read_scalars(SKIP)
    z = channel.challenge()
    shifted = lagrange_basis(z ^ embed(SKIP))
    claim = mul(subspace_values(z)[6], field.dot(skip, shifted))
    rho = []
    for r_j in r:
        h1, h2 = channel.read_scalars(2)
        h0 = claim ^ mul(r_j, h1 ^ h2)
        c = channel.challenge()
        claim = field.horner([h0, h1, h2], c)
        rho.append(c)
    values = [channel.read_scalars(3) for _ in parts]
    if claim != field.horner([mul(a, b) ^ c for a, b, c in values], l):
        raise Refused("flock: zerocheck: the last claim is not that of the values v_a, v_b, v_c")
    return z, rho, values


def _lincheck(channel, parts, regions, lagrange, rho, values):
    """Steps 5 to 7."""
    a = channel.challenge()
    weights = field.powers(field.power(a, 4), len(parts))
    claim = field.dot(weights, [field.horner([*v, ONE], a) for v in values])
    groups = _groups(parts)
    rounds = max(part.log_block_words for part in parts)
    claim, challenges = whir.sumcheck(channel, rounds, claim)
    expected = 0
    families, deferred = [], []
    for group in groups:
        circuit, block = parts[group[0]].circuit, parts[group[0]].log_block_words
        sigma, row_point = challenges[:block][::-1], rho[:block]
        slices = channel.read_scalars(SKIP)
        m = channel.read_scalar()
        word, bit = divmod(circuit.constant_position, 64)
        terms = [m, 0, mul(field.eq(row_point, sigma), field.dot(lagrange, slices))]
        terms.append(mul(slices[bit], field.eq_bits(sigma, word)))
        expected ^= mul(field.horner(terms, a), field.product(challenges[block:]))
        members = [Member(regions[f], sigma + rho[block : parts[f].log_words], weights[f]) for f in group]
        families.append(Family(members, slices))
        deferred.append(MatrixClaim(circuit, lagrange, row_point, a, slices, sigma, m))
    if claim != expected:
        raise Refused("flock: lincheck: the last claim is not that of the slices and the matrices' values")
    return families, deferred


def _groups(parts):
    """The members of each group: those with one circuit, groups in the order of their first members."""
    groups = []
    for number, part in enumerate(parts):
        for group in groups:
            if parts[group[0]].circuit == part.circuit:
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


def check_deferred(claims):
    """Settles the claims on the matrices."""
    for number, claim in enumerate(claims):
        rows = claim.circuit.forward(_tensor(claim.slices, claim.column_point))
        value = 0
        for u, eq in enumerate(field.eq_table(claim.row_point)):
            of_word = 0
            for lagrange, (a, b) in zip(claim.lagrange, rows[SKIP * u : SKIP * (u + 1)]):
                if a or b:
                    of_word ^= mul(lagrange, a ^ mul(claim.batching, b))
            value ^= mul(of_word, eq)
        if value != claim.value:
            raise Refused(f"flock: matrix {number}: the value is not the circuit's")


def _tensor(bits, point):
    """`bits_i eq(point, u)` at `64 u + i`."""
    return [mul(bit, eq) for eq in field.eq_table(point) for bit in bits]


def subspace_values(y):
    """`W_d(y)` for d = 0..6."""
    values = [y]
    for scale in _SCALES:
        values.append(mul(square(values[-1]) ^ values[-1], scale))
    return values


def lagrange_basis(y):
    """`L_i(y)` for i < 64."""
    at = subspace_values(y)
    return [field.product(ONE ^ at[d] ^ node[d] for d in range(6)) for node in _NODES]


def _scales():
    """`1 / (W_d(e)^2 + W_d(e))` for d = 0..5, e = phi(2^(d + 1))."""
    scales = []
    for d in range(6):
        value = embed(2 << d)
        for scale in scales:
            value = mul(square(value) ^ value, scale)
        scales.append(inverse(square(value) ^ value))
    return scales


def _fixed_point():
    u = [embed(2), embed(4), embed(16), X, square(X), square(square(X)), Y]
    return [mul(u_j, inverse(ONE ^ u_j)) for u_j in u]


_SCALES = _scales()
_NODES = [subspace_values(embed(i)) for i in range(SKIP)]
FIXED_POINT = _fixed_point()
