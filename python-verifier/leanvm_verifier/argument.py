"""The argument (doc/argument.md): that a machine's tables are consistent, from a proof."""

from dataclasses import dataclass

from . import field, flock, stack
from .field import ONE, LinearSums, mul, square
from .machine import PULL, PUSH, Announced, Constant, Free, Index, Public
from .refusal import Refused
from .stack import Column, Family, Member, Region


@dataclass
class Deferred:
    """What is left to settle when every check that depends on the proof is made.

    `public`: public columns, points and values; `producers`: producers, points, coefficients `c_b`, values `p`.
    """

    alpha: list
    beta: int
    matrices: list
    public: list
    producers: list


def verify(channel, layout, log_inv_rate, announced):
    """Checks everything of a proof but what is `Deferred`."""
    machine = layout.machine
    root = channel.read_digest()
    alpha = field.eq_table(channel.challenges(4))
    beta = channel.challenge()
    zeta, claims = _grand_product(channel, layout.log_leaves)
    selectors = [
        [field.eq_bits(zeta[log_len:], offset >> log_len) for offset, log_len, _ in side] for side in layout.blocks
    ]
    named = [
        (coordinate, zeta[: boundary.log_len], channel.read_scalar())
        for boundary in machine.boundaries
        for coordinate in boundary.tuple
        if isinstance(coordinate, (Free, Public))
    ]
    shares = _boundaries(machine, announced, zeta, alpha, beta, iter(named))
    rest = [_rest(claims[side], layout.blocks[side], selectors[side], shares) for side in (PUSH, PULL)]
    r, tables, reads, coefficients, values = _tables(channel, layout, zeta, rest, selectors, alpha, beta)

    families, matrices = [], []
    parts = [
        flock.Part(machine.circuits[c], present.log_rows) for present in layout.tables for c in present.table.blocks
    ]
    if parts:
        regions = [region for present in layout.tables for region in present.blocks]
        families, matrices = flock.verify(channel, parts, regions)
    families += [
        Family([Member(read.region, r[: read.producer.log_len])], bits) for read, bits in zip(layout.reads, reads)
    ]
    columns = [Column(layout.columns[c.number], point, value) for c, point, value in named if isinstance(c, Free)]
    for present, row in zip(layout.tables, tables):
        columns += _row_claims(machine, present, r[: present.log_rows], row)
    for column, index, word in machine.fixed:
        value = announced[word.number] if isinstance(word, Announced) else word.word
        columns.append(Column(Region(layout.columns[column].offset + index, 0), [], value))
    claims = stack.Claims(families, columns)
    stack.verify(channel, layout.log_words, log_inv_rate, root, layout.placed, claims)

    public = [(machine.public[c.number], point, value) for c, point, value in named if isinstance(c, Public)]
    for present, row in zip(layout.tables, tables):
        of_columns = row[present.table.columns + len(present.table.ports) :]
        for number, value in zip(present.table.public, of_columns):
            public.append((machine.public[number], r[: present.log_rows], value))
    producers = [
        (read.producer, r[: read.producer.log_len], c, p) for read, c, p in zip(layout.reads, coefficients, values)
    ]
    return Deferred(alpha, beta, matrices, public, producers)


def _grand_product(channel, log_leaves):
    """The point of `log_leaves` coordinates, and the claim on each side's leaves there."""
    product = channel.read_scalar()
    layers = 2 - log_leaves % 2
    first = [channel.read_scalars(1 << layers) for _ in (PUSH, PULL)]
    for side in (PUSH, PULL):
        if field.product(first[side]) != product:
            raise Refused(f"bus: root {side}: the product is not the root")
    z = channel.challenges(layers)
    claims = [field.evaluate(values, z) for values in first]
    while (d := len(z)) < log_leaves:
        l = channel.challenge()
        claim = claims[PUSH] ^ mul(l, claims[PULL])
        r = []
        for z_k in z:
            h = channel.read_scalars(4)
            h0 = claim ^ mul(z_k, h[0] ^ h[1] ^ h[2] ^ h[3])
            r.append(channel.challenge())
            claim = field.horner([h0, *h], r[-1])
        values = [channel.read_scalars(4) for _ in (PUSH, PULL)]
        if claim != field.product(values[PUSH]) ^ mul(l, field.product(values[PULL])):
            raise Refused(f"bus: layer {d}: the last claim is not that of the values")
        s = channel.challenges(2)
        claims = [field.evaluate(v, s) for v in values]
        z = s + r
    return z, claims


def _boundaries(machine, announced, zeta, alpha, beta, named):
    """The value of each boundary's leaves; of `named`, the values of columns, each is taken in order."""
    shares = []
    for boundary in machine.boundaries:
        point = zeta[: boundary.log_len]
        coordinates = []
        for coordinate in boundary.tuple:
            match coordinate:
                case Constant(word):
                    coordinates.append(word)
                case Announced(number):
                    coordinates.append(announced[number])
                case Index():
                    coordinates.append(_index_at(coordinate, point))
                case _:
                    coordinates.append(next(named)[2])
        shares.append(_leaf(alpha, beta, coordinates))
    return shares


def _index_at(index, point):
    """The extension of an index column."""
    return index.base ^ field.dot(point, [1 << index.shift + j for j in range(len(point))])


def _leaf(alpha, beta, coordinates):
    """`beta + pi(t)`; coordinates that are missing are zero."""
    return beta ^ field.dot(alpha[: len(coordinates)], coordinates)


def _rest(claim, blocks, selectors, boundaries):
    """What tables and producers have to make up of a side's claim."""
    rest = claim ^ ONE
    for selector, (_, _, what) in zip(selectors, blocks):
        rest ^= selector
        if what[0] == "boundary":
            rest ^= mul(selector, boundaries[what[1]])
    return rest


def _tables(channel, layout, zeta, rest, selectors, alpha, beta):
    """The sumcheck over the tables: its point; the columns' values of each table; each producer's slices, coefficients
    and value."""
    xi = channel.challenge()
    claim = rest[PUSH] ^ mul(xi, rest[PULL])
    r = []
    for zeta_k in zeta[: layout.rounds]:
        h1, h2 = channel.read_scalars(2)
        h0 = claim ^ mul(zeta_k, h1 ^ h2)
        r.append(channel.challenge())
        claim = field.horner([h0, h1, h2], r[-1])
    tables = []
    for present in layout.tables:
        table = present.table
        row = channel.read_scalars(table.columns + len(table.ports) + len(table.public))
        tables.append(row + [_index_at(index, r[: present.log_rows]) for index in table.index])
    reads, values = [], []
    for read in layout.reads:
        reads.append(channel.read_scalars(read.bits))
        values.append(channel.read_scalar())
    coefficients = [[0] * read.bits for read in layout.reads]
    expected = 0
    for side, weight in ((PUSH, ONE), (PULL, xi)):
        for selector, (_, _, what) in zip(selectors[side], layout.blocks[side]):
            match what:
                case "flush", place, forms:
                    leaf = _leaf(alpha, beta, [form.at(tables[place]) for form in forms])
                    expected ^= mul(mul(selector, weight), leaf)
                case "bit", number, bit:
                    coefficients[number][bit] = mul(selector, reads[number][bit])
                    expected ^= selector ^ coefficients[number][bit]
    for value in values:
        expected ^= value
    identities = [
        form.at(row) for present, row in zip(layout.tables, tables) for form in present.table.identities
    ]
    expected ^= mul(square(xi), field.horner(identities, xi))
    if claim != expected:
        raise Refused("tables: terminal: the last claim is not that of the columns' values")
    return r, tables, reads, coefficients, values


def _row_claims(machine, present, point, row):
    """The claims on a table's columns and ports."""
    claims = [Column(region, point, value) for region, value in zip(present.columns, row)]
    for (block, word), value in zip(present.table.ports, row[present.table.columns :]):
        log_block = machine.circuits[present.table.blocks[block]].log_block - 6
        claims.append(Column(present.blocks[block], point, value, log_block, word))
    return claims


def check_deferred(machine, deferred):
    """Settles what is left."""
    flock.check_deferred(deferred.matrices)
    for number, (column, point, value) in enumerate(deferred.public):
        if column_at(column, point) != value:
            raise Refused(f"public column {number}: the value is not the column's")
    for number, (producer, point, coefficients, value) in enumerate(deferred.producers):
        if _produced(machine, producer, point, coefficients, deferred.alpha, deferred.beta) != value:
            raise Refused(f"producer {number}: the value is not that of {producer.name}")


def column_at(column, point):
    """The extension of a public column."""
    if column.dense:
        return field.evaluate_words(column.words, point)
    low = column.log_words // 2
    low_eq, high_eq = field.eq_table(point[:low]), field.eq_table(point[low:])
    rows = {}
    for index, word in column.words.items():
        row, at = index >> low, index & (1 << low) - 1
        rows[row] = rows.get(row, 0) ^ mul(low_eq[at], word)
    total = 0
    for row, value in rows.items():
        total ^= mul(value, high_eq[row])
    return total


def _produced(machine, producer, point, coefficients, alpha, beta):
    """`sum_b c_b P_b(point)`, which is `sum_i eq(point, i) F(beta + pi(e_i))` for the linear map
    `F(a) = sum_b c_b a^(2^b)`."""

    def apply(a):
        total = 0
        for c in coefficients:
            total ^= mul(c, a)
            a = square(a)
        return total

    constant, varying, images = beta, [], []
    for a, coordinate, words in zip(alpha, producer.tuple, machine.words_of(producer)):
        if isinstance(coordinate, Constant):
            constant ^= mul(a, coordinate.word)
        else:
            varying.append(words)
            images.append([apply(mul(a, 1 << bit)) for bit in range(64)])
    constant = apply(constant)
    sums = LinearSums(images)
    total = 0
    for eq, words in zip(field.eq_table(point), zip(*varying) if varying else [()] * (1 << producer.log_len)):
        total ^= mul(eq, constant ^ sums(words))
    return total
