"""The machine of rows (doc/recursion.md): verifiers written as rows of five tables."""

from dataclasses import dataclass

from . import circuits
from .field import X, power
from .machine import PULL, PUSH, Announced, Boundary, Constant, Form, Index, Machine, Public, PublicColumn, Table

SEPARATOR = 1
ANNOUNCED = 4
# Of each table its committed columns and its slots; the columns of HASH are the ports of its block.
TABLES = {"EMUL": (12, 5), "EXK": (7, 4), "HASH": (0, 17), "SPLIT": (17, 18), "CAST": (4, 6)}
HASH_PORTS = 18
HASH_CONTROL = 0
SPLIT_BITS = 16
CONSTANT_SLOT = sum(slots for _, slots in TABLES.values())


def key(slot, row):
    """The key of a slot in a row."""
    return slot << 32 | row


@dataclass(frozen=True)
class Heights:
    """log2 of the rows of each table, and of the constants."""

    tables: tuple
    constants: int

    def sizes(self):
        """log2 of the words of each public column: of each table the next keys of its slots, after those of HASH its
        control words; the next keys of constants, and their four words; the next key of each announced word."""
        sizes = []
        for (name, (_, slots)), height in zip(TABLES.items(), self.tables, strict=True):
            sizes += [height] * (slots + (name == "HASH"))
        return sizes + [self.constants] * 5 + [0] * ANNOUNCED

    def shape(self, log_inv_rate):
        """The words of the shape of a proof."""
        return [log_inv_rate, *(height + 1 for height in self.tables)]


def machine(heights, columns):
    """The machine of rows in tables of these heights, with these words of the public columns."""
    made = Machine(circuits=[circuits.hash_row()])
    made.public = [PublicColumn(size, words) for size, words in zip(heights.sizes(), columns, strict=True)]
    public = slot = 0
    for name, (_, slots) in TABLES.items():
        count = slots + (name == "HASH")
        made.tables.append(_table(name, range(public, public + count), slot))
        public, slot = public + count, slot + slots
    words = [Public(public + 1 + word) for word in range(4)]
    for side, own in ((PULL, Index(key(CONSTANT_SLOT, 0), 0)), (PUSH, Public(public))):
        made.boundaries.append(Boundary(side, heights.constants, [Constant(SEPARATOR), own, *words]))
    public += 5
    for number in range(ANNOUNCED):
        for side, own in ((PULL, Constant(key(CONSTANT_SLOT + 1, number))), (PUSH, Public(public + number))):
            made.boundaries.append(Boundary(side, 0, [Constant(SEPARATOR), own, Announced(number)]))
    return made


def _table(name, public, first_slot):
    """A table with these public columns, whose first slot has this number."""
    table = Table(name, columns=TABLES[name][0], public=list(public), index=[Index(0, 0)])
    if name == "HASH":
        table.blocks = [0]
        table.ports = [(0, word) for word in range(HASH_PORTS)]
    committed = table.columns + len(table.ports)
    next_keys = [Form.column(committed + i) for i in range(len(public))]
    row = Form.column(committed + len(public))
    for slot, value in enumerate(SLOTS[name]()):
        own = row + key(first_slot + slot, 0)
        for side, own_or_next in ((PULL, own), (PUSH, next_keys[slot])):
            table.flushes.append((side, [Form.constant(SEPARATOR), own_or_next, *value]))
    if name == "SPLIT":
        table.identities = [bit * bit + bit for bit in _columns(0, SPLIT_BITS)]
    if name == "HASH":
        table.identities = [Form.column(HASH_CONTROL) + next_keys[-1]]
    return table


def _columns(first, count):
    return [Form.column(first + i) for i in range(count)]


def _emul():
    """a, e, b, d, and `c = (a + e) b + d`."""
    a, e, b, d = (_columns(first, 3) for first in (0, 3, 6, 9))
    f = [p + q for p, q in zip(a, e)]
    # y^3 = y + 1 and y^4 = y^2 + y.
    h = f[1] * b[2] + f[2] * b[1]
    c = [
        f[0] * b[0] + h + d[0],
        f[0] * b[1] + f[1] * b[0] + h + f[2] * b[2] + d[1],
        f[0] * b[2] + f[1] * b[1] + f[2] * b[0] + f[2] * b[2] + d[2],
    ]
    return [a, e, b, d, c]


def _exk():
    """a, k, d, and `c = a k + d`, k in K."""
    a, k, d = _columns(0, 3), _columns(3, 1), _columns(4, 3)
    return [a, k, d, [p * k[0] + q for p, q in zip(a, d)]]


def _hash():
    """The chaining value; the message as digests, as words, and as scalars from words 0, 3 and 4; the selector; the
    result, and its first three words."""
    slots = [_columns(1, 4), _columns(5, 4), _columns(9, 4)]
    slots += [_columns(5 + word, 1) for word in range(8)]
    slots += [_columns(5 + word, 3) for word in (0, 3, 4)]
    return slots + [_columns(13, 1), _columns(14, 4), _columns(14, 3)]


def _split():
    """`word = sum_i bit_i x^i + rest x^16`, the rest, the bits."""
    word = Form.constant(0)
    for i in range(SPLIT_BITS + 1):
        word += Form.column(i) * power(X, i)
    return [[word], _columns(SPLIT_BITS, 1)] + [_columns(bit, 1) for bit in range(SPLIT_BITS)]


def _cast():
    """Four words; the first three; each."""
    return [_columns(0, 4), _columns(0, 3)] + [_columns(word, 1) for word in range(4)]


SLOTS = {"EMUL": _emul, "EXK": _exk, "HASH": _hash, "SPLIT": _split, "CAST": _cast}
