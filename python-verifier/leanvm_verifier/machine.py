"""What a machine is (doc/argument.md, "Machine"): tables whose rows push and pull tuples on a bus, and what else is on it.

A coordinate of a tuple that is of no table is one of `Constant`, `Announced`, `Index`, `Free`, `Public`.
"""

from dataclasses import dataclass, field as default

from .field import mul

PUSH, PULL = 0, 1
MAX_COORDINATES = 16


class Form:
    """A polynomial of degree at most two in a row's columns, over K.

    `terms`: the coefficient of each monomial, which is a tuple of at most two columns, ascending.
    """

    def __init__(self, terms):
        self.terms = {monomial: c for monomial, c in terms.items() if c}
        if any(len(monomial) > 2 for monomial in self.terms):
            raise ValueError("a form has a degree of at most two")

    @staticmethod
    def constant(value):
        """A constant."""
        return Form({(): value})

    @staticmethod
    def column(number):
        """A column."""
        return Form({(number,): 1})

    def __add__(self, other):
        other = _form(other)
        terms = dict(self.terms)
        for monomial, c in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) ^ c
        return Form(terms)

    def __mul__(self, other):
        other = _form(other)
        terms = {}
        for a, c in self.terms.items():
            for b, d in other.terms.items():
                monomial = tuple(sorted(a + b))
                terms[monomial] = terms.get(monomial, 0) ^ mul(c, d)
        return Form(terms)

    __radd__, __rmul__ = __add__, __mul__

    def at(self, columns):
        """The value on a row, or its extension."""
        total = 0
        for monomial, c in self.terms.items():
            value = c
            for column in monomial:
                value = columns[column] if value == 1 else mul(columns[column], value)
            total ^= value
        return total


def _form(value):
    return value if isinstance(value, Form) else Form.constant(value)


@dataclass
class Table:
    """`columns`: how many are committed; `blocks`: the circuit of each block of a row, by number; `ports`: block and
    word of each column that is one; `public`: public columns, by number; `index`: an `Index` for each column that is
    one; `flushes`: sides and tuples of forms; `identities`: forms."""

    name: str
    columns: int = 0
    blocks: list = default(default_factory=list)
    ports: list = default(default_factory=list)
    public: list = default(default_factory=list)
    index: list = default(default_factory=list)
    flushes: list = default(default_factory=list)
    identities: list = default(default_factory=list)


@dataclass(frozen=True)
class Constant:
    """The same word in every tuple."""

    word: int


@dataclass(frozen=True)
class Announced:
    """An announced word, by number, in every tuple."""

    number: int


@dataclass(frozen=True)
class Index:
    """`base ^ (i << shift)` in tuple i."""

    base: int
    shift: int


@dataclass(frozen=True)
class Free:
    """A free column, by number."""

    number: int


@dataclass(frozen=True)
class Public:
    """A public column, by number."""

    number: int


@dataclass
class Boundary:
    """2^log_len tuples of no table."""

    side: int
    log_len: int
    tuple: list


@dataclass
class Producer:
    """2^log_len tuples, each pushed as often as a committed word says."""

    name: str
    log_len: int
    tuple: list


@dataclass
class PublicColumn:
    """2^log_words words that everybody knows: a list, or if the column is sparse a dictionary of those that are not
    zero, by index."""

    log_words: int
    words: list | dict

    @property
    def dense(self):
        """Whether all words are listed."""
        return isinstance(self.words, list)


@dataclass
class Machine:
    """A machine. `columns`: log2 of the words of each free column; `fixed`: free column, index, and a `Constant` or an
    `Announced` word."""

    circuits: list = default(default_factory=list)
    tables: list = default(default_factory=list)
    columns: list = default(default_factory=list)
    public: list = default(default_factory=list)
    boundaries: list = default(default_factory=list)
    producers: list = default(default_factory=list)
    fixed: list = default(default_factory=list)

    def words_of(self, producer):
        """Of each coordinate of a producer the words of all tuples."""
        count = 1 << producer.log_len
        columns = []
        for coordinate in producer.tuple:
            match coordinate:
                case Constant(word):
                    columns.append([word] * count)
                case Index(base, shift):
                    columns.append([base ^ i << shift for i in range(count)])
                case Public(number):
                    columns.append(self.public[number].words)
        return columns
