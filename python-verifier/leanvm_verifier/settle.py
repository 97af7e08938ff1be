"""What a tree carries to its root, and how that is settled (doc/recursion.md, "Catalog", "Settling")."""

from dataclasses import dataclass

from . import argument, field
from .field import LinearSums, mul
from .refusal import Refused

LOG_COORDINATES = 4
LOG_BITS = 6


class Catalog:
    """The polynomials on which nodes have claims.

    `run`: the machine of runs, which has one public column in its boundaries, the first, and one producer; `rows`: the
    machines of first-level nodes and of nodes, of the same heights.
    """

    def __init__(self, run, rows):
        self.run = run
        self.circuits = run.circuits + rows[0].circuits
        self.fixed = [[column.words for column in machine.public] for machine in rows]
        self._sizes = [column.log_words for column in rows[0].public]
        # Largest first; a stable sort keeps the order of columns of one size.
        self._offsets, end = [0] * len(self._sizes), 0
        for column in sorted(range(len(self._sizes)), key=lambda column: -self._sizes[column]):
            self._offsets[column] = end
            end += 1 << self._sizes[column]
        self._log_half = (end - 1).bit_length()

    @property
    def variables(self):
        """The variables of image, entries and fixed."""
        log_entries = self.run.producers[0].log_len
        return self.run.public[0].log_words, log_entries + LOG_COORDINATES + LOG_BITS, self._log_half + 1

    @property
    def scalars(self):
        """The number of scalars of a merged claim."""
        block = max(circuit.log_block for circuit in self.circuits)
        return max(self.variables) + 3 + 2 * block + 2 * len(self.circuits)

    def image_at(self, point):
        """The words of RAM at the start."""
        return argument.column_at(self.run.public[0], point)

    def entries_at(self, point):
        """The bits of the bytecode's tuples: of a tuple's words a sum that is linear over GF(2)."""
        producer = self.run.producers[0]
        columns = self.run.words_of(producer)
        tuples, bits = point[: producer.log_len], field.eq_table(point[producer.log_len :])
        sums = LinearSums([bits[j :: 1 << LOG_COORDINATES] for j in range(len(columns))])
        total = 0
        for weight, words in zip(field.eq_table(tuples), zip(*columns)):
            total ^= mul(weight, sums(words))
        return total

    def fixed_at(self, point):
        """The public columns of both kinds of nodes, one after the other; the top variable is the kind."""
        *low, kind = point
        total = 0
        for weight, columns in zip(field.eq_table([kind]), self.fixed):
            of_kind = 0
            for words, size, offset in zip(columns, self._sizes, self._offsets, strict=True):
                selector = field.eq_bits(low[size:], offset >> size)
                of_kind ^= mul(selector, field.evaluate_words(words, low[:size]))
            total ^= mul(weight, of_kind)
        return total


@dataclass
class Merged:
    """A merged claim. `dense`: the values of image, entries and fixed; `matrices`: A and B of every circuit."""

    point: list
    dense: list
    row_point: list
    column_point: list
    matrices: list

    @staticmethod
    def of_scalars(catalog, scalars):
        """The claim that these scalars are."""
        if len(scalars) != catalog.scalars:
            raise Refused(f"the proof has {len(scalars)} scalars of claims, and {catalog.scalars} are needed")
        variables = max(catalog.variables)
        block = max(circuit.log_block for circuit in catalog.circuits)
        cuts = [0, variables, variables + 3, variables + 3 + block, variables + 3 + 2 * block, len(scalars)]
        return Merged(*(scalars[start:end] for start, end in zip(cuts, cuts[1:])))


def settle(catalog, claim):
    """Evaluates every polynomial at the points of a claim."""
    names = ("image", "entries", "fixed")
    for name, variables, value in zip(names, catalog.variables, claim.dense, strict=True):
        if getattr(catalog, f"{name}_at")(claim.point[:variables]) != value:
            raise Refused(f"settle: {name}: the value is another")
    for number, circuit in enumerate(catalog.circuits):
        values = matrices_at(circuit, claim.row_point, claim.column_point)
        for matrix, value in enumerate(values, 2 * number):
            if value != claim.matrices[matrix]:
                raise Refused(f"settle: matrix {matrix}: the value is not the circuit's")


def matrices_at(circuit, row_point, column_point):
    """A and B of a circuit, at the first coordinates of points of rows and of columns."""
    rows = circuit.forward(field.eq_table(column_point[: circuit.log_block]))
    total = [0, 0]
    for weight, values in zip(field.eq_table(row_point[: circuit.log_block]), rows):
        for matrix, value in enumerate(values):
            if value:
                total[matrix] ^= mul(weight, value)
    return total
