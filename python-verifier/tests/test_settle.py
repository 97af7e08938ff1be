"""What a tree carries: polynomials at points against their definitions, and claims that are false."""

import random
import unittest
from dataclasses import dataclass
from unittest import mock

from leanvm_verifier import circuits, field, settle
from leanvm_verifier.machine import Constant, Index, Machine, Producer, Public, PublicColumn
from leanvm_verifier.refusal import Refused


@dataclass
class Rows:
    """What a catalog looks at of a machine of rows."""

    circuits: list
    public: list


class Settling(unittest.TestCase):
    def setUp(self):
        source = self.random = random.Random(23)
        words = self.words
        tuple_ = [Constant(2), Index(64, 2), Public(1), Public(2)]
        run = Machine(
            circuits=[circuits.named("adder"), circuits.named("less")],
            public=[PublicColumn(4, {3: 7, 11: source.getrandbits(64)})] + [PublicColumn(2, words(4)) for _ in range(2)],
            producers=[Producer("the bytecode", 2, tuple_)],
        )
        sizes = (1, 3, 0, 3)
        self.fixed = [[words(1 << size) for size in sizes] for _ in range(2)]
        machines = [
            Rows([circuits.named("and")], [PublicColumn(size, column) for size, column in zip(sizes, columns)])
            for columns in self.fixed
        ]
        self.catalog = settle.Catalog(run, machines)
        self.point = self.scalars(max(self.catalog.variables))

    def words(self, count):
        return [self.random.getrandbits(64) for _ in range(count)]

    def scalars(self, count):
        return [field.from_words(self.words(3)) for _ in range(count)]

    def test_variables_and_scalars_are_counted(self):
        # 2 + 8 + 1 + 8 words of columns; blocks of 2^8 positions.
        self.assertEqual(self.catalog.variables, (4, 2 + 4 + 6, 6))
        self.assertEqual(self.catalog.scalars, 12 + 3 + 16 + 6)

    def test_image_and_fixed_are_the_extensions_of_their_tables(self):
        image = [self.catalog.run.public[0].words.get(i, 0) for i in range(16)]
        self.assertEqual(self.catalog.image_at(self.point[:4]), field.evaluate(image, self.point[:4]))
        # The two columns of eight words, then that of two, then that of one.
        tables = [[*c[1], *c[3], *c[0], *c[2]] + [0] * 13 for c in self.fixed]
        expected = field.evaluate(tables[0] + tables[1], self.point[:6])
        self.assertEqual(self.catalog.fixed_at(self.point[:6]), expected)

    def test_entries_are_the_extension_of_the_bits(self):
        columns = self.catalog.run.words_of(self.catalog.run.producers[0])
        self.assertEqual(columns[:2], [[2] * 4, [64, 68, 72, 76]])
        table = []
        for index in range(1 << 12):
            i, j, t = index & 3, index >> 2 & 15, index >> 6
            table.append(columns[j][i] >> t & 1 if j < len(columns) else 0)
        self.assertEqual(self.catalog.entries_at(self.point), field.evaluate(table, self.point))

    def test_matrices_are_the_extensions_of_their_entries(self):
        circuit = self.catalog.circuits[0]
        row_point, column_point = self.scalars(9), self.scalars(9)
        size = 1 << circuit.log_block
        expected = [0, 0]
        row_eq, column_eq = (field.eq_table(point[:8]) for point in (row_point, column_point))
        for column in range(0, size, 5):
            # Of every fifth column: the walk is linear.
            unit = [int(position == column) for position in range(size)]
            for row, values in enumerate(circuit.forward(unit)):
                for matrix, value in enumerate(values):
                    if value:
                        expected[matrix] ^= field.mul(row_eq[row], column_eq[column])
        weights = [0 if column % 5 else weight for column, weight in enumerate(column_eq)]
        with mock.patch.object(field, "eq_table", side_effect=[weights, row_eq]):
            self.assertEqual(settle.matrices_at(circuit, row_point, column_point), expected)

    def test_a_false_claim_is_refused_by_the_check_that_owns_it(self):
        row_point, column_point = self.scalars(8), self.scalars(8)
        values = [
            self.catalog.image_at(self.point[:4]),
            self.catalog.entries_at(self.point[:12]),
            self.catalog.fixed_at(self.point[:6]),
        ]
        for circuit in self.catalog.circuits:
            values += settle.matrices_at(circuit, row_point, column_point)
        checks = ["image", "entries", "fixed", *(f"matrix {i}" for i in range(6))]

        def claim(values):
            scalars = self.point + values[:3] + row_point + column_point + values[3:]
            return settle.Merged.of_scalars(self.catalog, scalars)

        settle.settle(self.catalog, claim(values))
        for at, check in enumerate(checks):
            forged = [value ^ (i == at) << 200 for i, value in enumerate(values)]
            with self.assertRaisesRegex(Refused, f"^settle: {check}:"):
                settle.settle(self.catalog, claim(forged))

    def test_claims_that_are_too_few_or_too_many_are_refused(self):
        for count in (0, self.catalog.scalars - 1, self.catalog.scalars + 1):
            with self.assertRaisesRegex(Refused, f"^the proof has {count} scalars of claims"):
                settle.Merged.of_scalars(self.catalog, [0] * count)


if __name__ == "__main__":
    unittest.main()
