"""Shape, stack and bus of a proof (doc/argument.md, "Shape", "Stack", "Bus")."""

from dataclasses import dataclass

from . import parameters, stack
from .machine import PULL, PUSH, Form
from .refusal import Refused

MAX_HEIGHT = 28
MAX_BITS = 28
MAX_LOG_DEGREE = 52


class Shape:
    """The rate, and log2 of the rows of each table: None if it is absent."""

    def __init__(self, machine, words):
        if len(words) != 1 + len(machine.tables):
            raise Refused(f"the shape has {len(words)} words, and {1 + len(machine.tables)} are needed")
        self.log_inv_rate = words[0]
        if self.log_inv_rate not in parameters.LOG_INV_RATE:
            raise Refused(f"the rate 2^-{self.log_inv_rate} is announced, which has no parameters")
        self.heights = []
        for table, word in zip(machine.tables, words[1:]):
            # Every batch of blocks has 2^7 words at least.
            least = max([0] + [13 - machine.circuits[circuit].log_block for circuit in table.blocks])
            if word and not least <= word - 1 <= MAX_HEIGHT:
                raise Refused(f"the table {table.name} announces 2^{word - 1} rows: 2^{least} to 2^{MAX_HEIGHT} can be")
            self.heights.append(word - 1 if word else None)
        if not any(words[1:]):
            raise Refused("every table is announced as absent")


@dataclass
class Present:
    """A table that is present: its rows, and where its committed columns and its blocks lie."""

    table: object
    log_rows: int
    columns: list
    blocks: list


@dataclass
class Read:
    """A producer: where the numbers of reads lie, and how many bits they have."""

    producer: object
    region: stack.Region
    bits: int


class Layout:
    """What a shape says of a machine: where columns lie in the stack, and leaves on the bus.

    `blocks`: of each side the bus's blocks in order, a list of offset, log2 of the leaves, and what the block is: the
    flush of a table ("flush", place among the present tables, tuple), a boundary ("boundary", number) or a bit of a
    producer ("bit", number, bit).
    """

    def __init__(self, machine, shape):
        self.machine = machine
        present = [(table, height) for table, height in zip(machine.tables, shape.heights) if height is not None]
        self._place(machine, present)
        reads = [self._reads(producer, present) for producer in machine.producers]
        self.reads = [Read(*place, bits) for place, bits in zip(zip(machine.producers, self._counts), reads)]
        self.blocks = [self._side(side, machine, present) for side in (PUSH, PULL)]
        leaves = [sum(1 << log_len for _, log_len, _ in blocks) for blocks in self.blocks]
        degree = sum(leaves) + sum((1 << r.producer.log_len) * ((1 << r.bits) - 1) for r in self.reads)
        if 4 * degree > 1 << MAX_LOG_DEGREE:
            raise Refused(f"the bus has the degree {degree}, which is too much to be sound")
        self.rounds = max([height for _, height in present] + [p.log_len for p in machine.producers])
        self.log_leaves = max(1, self.rounds, *((count - 1).bit_length() for count in leaves if count))

    def _place(self, machine, present):
        """The stack: columns and blocks of tables, free columns, producers."""
        sizes = []
        for table, height in present:
            sizes += [height] * table.columns
            sizes += [height + machine.circuits[circuit].log_block - 6 for circuit in table.blocks]
        sizes += machine.columns + [producer.log_len for producer in machine.producers]
        placed = stack.Layout(sizes)
        self.log_words, self.placed = placed.log_words, placed.placed
        regions = iter(placed.regions)
        self.tables = [
            Present(table, height, [next(regions) for _ in range(table.columns)], [next(regions) for _ in table.blocks])
            for table, height in present
        ]
        self.columns = [next(regions) for _ in machine.columns]
        self._counts = [next(regions) for _ in machine.producers]

    def _reads(self, producer, present):
        """The bits of the number of reads that tables can make of a producer."""
        separator = Form.constant(producer.tuple[0].word).terms
        count = sum(
            1 << height
            for table, height in present
            for side, forms in table.flushes
            if side == PULL and forms[0].terms == separator
        )
        bits = count.bit_length()
        if bits > MAX_BITS:
            raise Refused(f"{count} reads of {producer.name} are possible, which is too many")
        return bits

    def _side(self, side, machine, present):
        blocks = []
        for place, (table, height) in enumerate(present):
            blocks += [(height, ("flush", place, forms)) for s, forms in table.flushes if s == side]
        blocks += [(b.log_len, ("boundary", i)) for i, b in enumerate(machine.boundaries) if b.side == side]
        if side == PUSH:
            for i, read in enumerate(self.reads):
                blocks += [(read.producer.log_len, ("bit", i, bit)) for bit in range(read.bits)]
        # Largest first; a stable sort keeps the order of those of one size.
        blocks.sort(key=lambda block: -block[0])
        placed, offset = [], 0
        for log_len, what in blocks:
            placed.append((offset, log_len, what))
            offset += 1 << log_len
        return placed
