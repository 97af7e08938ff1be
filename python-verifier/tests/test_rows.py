"""The machine of rows: what a row of each table says, and where its columns are."""

import random
import unittest

from leanvm_verifier import blake2s, circuits, field, rows
from leanvm_verifier.machine import PULL, PUSH
from tests.test_circuits import evaluate, word


class Circuit(unittest.TestCase):
    def test_it_is_the_compression_of_the_halves_in_either_order(self):
        circuit = circuits.hash_row()
        counts = (len(circuit.masks), circuit.outputs, circuit.ands, len(circuit.wire_at), circuit.log_block)
        self.assertEqual(counts, (14, 4, 15130, 64 * rows.HASH_PORTS + 1 + 15130, 14))
        source = random.Random(21)
        chaining, x, y = ([source.getrandbits(64) for _ in range(4)] for _ in range(3))
        for counter, selector, message in ((64, 0, x + y), (2**63 - 1, 1, y + x)):
            block = evaluate(circuit, [1 << 63 | counter, *chaining, *x, *y, selector])
            found = [word(block, 14 + i) for i in range(4)]
            self.assertEqual(found, blake2s.compress(chaining, message, counter))
        # Without the final flag it is another function.
        block = evaluate(circuit, [counter, *chaining, *x, *y, selector])
        self.assertNotEqual([word(block, 14 + i) for i in range(4)], found)


class Tables(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(22)
        self.heights = rows.Heights((3, 4, 5, 6, 7), 2)
        words = [[self.random.getrandbits(64) for _ in range(1 << size)] for size in self.heights.sizes()]
        self.machine = rows.machine(self.heights, words)

    def values(self, name, row):
        """The slots of a row as scalars, a digest as its four words."""
        slots = [[form.at(row) for form in value] for value in rows.SLOTS[name]()]
        return [slot if len(slot) == 4 else field.from_words((slot + [0, 0])[:3]) for slot in slots]

    def row(self, count):
        return [self.random.getrandbits(64) for _ in range(count)]

    def test_results_are_those_of_the_fields(self):
        for _ in range(4):
            a, e, b, d, c = self.values("EMUL", self.row(12))
            self.assertEqual(c, field.mul(a ^ e, b) ^ d)
            a, k, d, c = self.values("EXK", self.row(7))
            self.assertEqual(c, field.mul(a, k) ^ d)
        for whole in self.row(4):
            bits = [whole >> bit & 1 for bit in range(16)]
            found = self.values("SPLIT", [*bits, whole >> 16])
            self.assertEqual(found[2:], bits)
            self.assertEqual(found[1], whole >> 16)
            # The sum is one in K: the rest times x^16, of which nothing is reduced.
            self.assertEqual(found[0], whole)

    def test_slots_of_digests_are_their_words(self):
        digest, scalar, *words = self.values("CAST", row := self.row(4))
        self.assertEqual((digest, scalar, words), (row, field.from_words(row[:3]), row))
        found = self.values("HASH", row := self.row(rows.HASH_PORTS))
        scalars = [field.from_words(row[at : at + 3]) for at in (5, 8, 9)]
        expected = [row[1:5], row[5:9], row[9:13], *row[5:13], *scalars, row[13], row[14:18]]
        self.assertEqual(found, [*expected, field.from_words(row[14:17])])

    def test_each_slot_pulls_its_key_and_pushes_the_next(self):
        slot = public = 0
        for table, (name, (committed, slots)) in zip(self.machine.tables, rows.TABLES.items(), strict=True):
            self.assertEqual((table.name, table.columns), (name, committed))
            columns = committed + len(table.ports)
            count = slots + (name == "HASH")
            self.assertEqual(table.public, list(range(public, public + count)))
            self.assertEqual(len(table.flushes), 2 * slots)
            row = self.row(columns + count) + [5]
            for number in range(slots):
                (pull, own), (push, after) = table.flushes[2 * number : 2 * number + 2]
                self.assertEqual((pull, push), (PULL, PUSH))
                own, after = ([form.at(row) for form in forms] for forms in (own, after))
                self.assertEqual(own[:2], [1, slot + number << 32 | 5])
                self.assertEqual(after[:2], [1, row[columns + number]])
                self.assertEqual(own[2:], after[2:])
            slot, public = slot + slots, public + count
        self.assertEqual(slot, rows.CONSTANT_SLOT)

    def test_identities_are_those_of_bits_and_of_control_words(self):
        counts = [len(table.identities) for table in self.machine.tables]
        self.assertEqual(counts, [0, 0, 1, 16, 0])
        for bit, identity in enumerate(self.machine.tables[3].identities):
            for value, holds in ((0, True), (1, True), (2, False)):
                row = self.row(17)
                row[bit] = value
                self.assertEqual(identity.at(row) == 0, holds)
        (identity,) = self.machine.tables[2].identities
        row = self.row(rows.HASH_PORTS + 18)
        row[-1] = row[rows.HASH_CONTROL]
        self.assertEqual(identity.at(row), 0)
        row[-1] ^= 1
        self.assertEqual(identity.at(row), 1)


if __name__ == "__main__":
    unittest.main()
