"""Circuits: those of the machine's rows are the known ones, and a block is one of a circuit or is none."""

import random
import unittest

from leanvm_verifier import circuits
from tests import support

WORD = 2**64 - 1


def evaluate(circuit, inputs):
    """The block of an instance: the bits of all positions."""
    wires = [1]
    for mask, word in zip(circuit.masks, inputs, strict=True):
        wires += [word >> bit & 1 for bit in range(64) if mask >> bit & 1]
    for is_and, a, b in circuit.gates:
        wires.append(wires[a] & wires[b] if is_and else wires[a] ^ wires[b])
    block = [0 if wire is None else wires[wire] for wire in circuit.wire_at]
    return block + [0] * ((1 << circuit.log_block) - len(block))


def word(block, number):
    """A word of a block."""
    return sum(bit << i for i, bit in enumerate(block[64 * number : 64 * number + 64]))


def signed(value, bits=64):
    """A word in two's complement as a number."""
    return (value & (1 << bits) - 1) - ((value >> bits - 1 & 1) << bits)


# Of circuits that are easy to say on numbers: what the first output is for two operands and flags.
MEANINGS = {
    "adder": ([], lambda p, q: p + q),
    "and": ([], lambda p, q: p & q),
    "less": ([], lambda p, q: int(p < q) | 2),
    "word": ([], lambda p, q: signed(p + q, 32)),
    "mul": ([0, 1], lambda p, q, f: signed(p * q, 32) if f else p * q),
    "mulh": (
        [0, 1, 2, 3],
        lambda p, q, f: (signed(p) if f & 1 else p) * (signed(q) if f & 2 else q) >> 64,
    ),
}


class Circuits(unittest.TestCase):
    def test_they_are_the_known_ones(self):
        names = []
        for name, *numbers, digest in support.lines("rv/known_answers/circuits.txt"):
            circuit = circuits.named(name)
            counts = (circuit.ands, len(circuit.wire_at), circuit.log_block)
            self.assertEqual(counts, tuple(map(int, numbers)), name)
            self.assertEqual(circuit.digest().hex(), digest, name)
            names.append(name)
        self.assertEqual(names, list(circuits.NAMES))

    def test_circuits_compute_what_they_are_called_by(self):
        source = random.Random(5)
        for name, (flags, meaning) in MEANINGS.items():
            circuit = circuits.named(name)
            for operands in ((0, WORD), (WORD, WORD), (1 << 63, 1 << 63), *([source.getrandbits(64)] * 2,)):
                for flag in [[f] for f in flags] or [[]]:
                    block = evaluate(circuit, [*operands, *flag])
                    self.assertEqual(word(block, 2 + len(flag)), meaning(*operands, *flag) & WORD, name)

    def test_a_block_is_one_of_the_circuit_and_with_a_bit_flipped_it_is_none(self):
        source = random.Random(6)
        for name in ("adder", "less", "load", "clock_three"):
            circuit = circuits.named(name)
            block = evaluate(circuit, [source.getrandbits(64) for _ in circuit.masks])
            self.assertEqual(self.broken(circuit, block), [])
            # Inputs are free; all else is determined, the empty positions of ports among it.
            free = {64 * p + i for p, mask in enumerate(circuit.masks) for i in range(64) if mask >> i & 1}
            for position in set(range(len(circuit.wire_at))) - free - {circuit.constant_position}:
                block[position] ^= 1
                self.assertIn(position, self.broken(circuit, block))
                block[position] ^= 1

    def broken(self, circuit, block):
        rows = circuit.forward(block)
        return [p for p, (a, b) in enumerate(rows) if a & b != block[p]]

    def test_the_walk_is_linear(self):
        circuit = circuits.named("store")
        source = random.Random(7)
        x, y = ([source.getrandbits(320) for _ in range(1 << circuit.log_block)] for _ in range(2))
        both = circuit.forward([p ^ q for p, q in zip(x, y)])
        apart = zip(circuit.forward(x), circuit.forward(y))
        self.assertEqual(both, [(a ^ c, b ^ d) for (a, b), (c, d) in apart])


if __name__ == "__main__":
    unittest.main()
