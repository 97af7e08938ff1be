"""The stack: where columns lie, and the claims on it that one opening settles (doc/pcs.md)."""

from dataclasses import dataclass, field as default

from . import field, parameters, ring_switch, whir
from .field import ONE, mul
from .refusal import Refused


@dataclass(frozen=True)
class Region:
    """The words of a column: 2^log_words of them from `offset`, a multiple of their number."""

    offset: int
    log_words: int


class Layout:
    """Columns of `2^sizes[i]` words in a stack of `2^log_words`, the first `placed` of which are theirs."""

    def __init__(self, sizes):
        self.regions = [None] * len(sizes)
        self.placed = 0
        # Largest first; a stable sort keeps the order of columns of one size.
        for column in sorted(range(len(sizes)), key=lambda column: -sizes[column]):
            self.regions[column] = Region(self.placed, sizes[column])
            self.placed += 1 << sizes[column]
        fitting = [mu for mu in parameters.LOG_WORDS if self.placed <= 1 << mu]
        if not fitting:
            raise Refused(f"the columns have {self.placed} words, more than the largest stack")
        self.log_words = fitting[0]


@dataclass
class Column:
    """The claim `value = sum_j eq(point, j) q(offset + word + j 2^log_block)`."""

    region: Region
    point: list
    value: int
    log_block: int = 0
    word: int = 0


@dataclass
class Member:
    """A column of packed bits in a family, at a point and with a weight."""

    region: Region
    point: list
    weight: int = ONE


@dataclass
class Family:
    """The claims `slices[i] = sum over members of weight sum_u eq(point, u) bit_i(q(offset + u))`; at most 64, and
    those that are missing are zero."""

    members: list
    slices: list


@dataclass
class Claims:
    """What one opening settles."""

    families: list = default(default_factory=list)
    columns: list = default(default_factory=list)


def verify(channel, log_words, log_inv_rate, root, placed, claims):
    """Checks the claims on the stack under `root`, whose words from `placed` on are zero."""
    families, columns = claims.families, claims.columns
    b = channel.challenge() if len(families) > 1 else ONE
    powers = field.powers(b, len(families))
    f = channel.challenges(ring_switch.CHALLENGES) if families else []
    values = [column.value for column in columns]
    if families:
        slices = [0] * ring_switch.SLICES
        for power, family in zip(powers, families):
            for i, s in enumerate(family.slices):
                slices[i] ^= mul(power, s)
        values.insert(0, ring_switch.target(f, slices))
    batch = channel.challenge() if len(values) > 1 else ONE

    def weight_at(t):
        weights = [_column_weight(column, t) for column in columns]
        if families:
            packed = ring_switch.Weights(f, t)
            weights.insert(0, 0)
            for power, family in zip(powers, families):
                for member in family.members:
                    inner = packed.at(mul(power, member.weight), member.point)
                    weights[0] ^= mul(inner, _selector(member.region, t))
        return field.horner(weights, batch)

    log_lane_words = log_words - parameters.LOG_LANES
    lanes = -(-placed >> log_lane_words)
    whir.verify(channel, log_words, log_inv_rate, root, lanes, field.horner(values, batch), weight_at)


def _column_weight(column, t):
    block, index = t[: column.log_block], t[column.log_block : column.region.log_words]
    inner = mul(field.eq_bits(block, column.word), field.eq(column.point, index))
    return mul(inner, _selector(column.region, t))


def _selector(region, t):
    """1 on the words of a region, 0 on the others: its offset's bits, in the variables above its own."""
    return field.eq_bits(t[region.log_words :], region.offset >> region.log_words)
