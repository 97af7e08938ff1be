"""Word gadgets (doc/circuit.md, "Word gadgets"): functions of a builder on words, bit 0 first."""

from .circuit import ONE, ZERO


def constant(value, width):
    """The bits of a number."""
    return [ONE if value >> bit & 1 else ZERO for bit in range(width)]


def xor_words(b, x, y):
    """Bitwise XOR."""
    return [b.xor(p, q) for p, q in zip(x, y, strict=True)]


def and_words(b, x, y):
    """Bitwise AND."""
    return [b.and_(p, q) for p, q in zip(x, y, strict=True)]


def not_word(b, x):
    """Bitwise NOT."""
    return [b.not_(p) for p in x]


def mask_word(b, s, x):
    """The word if s is set, else zero."""
    return [b.and_(s, p) for p in x]


def or_(b, p, q):
    """`p | q`."""
    return b.xor_all([p, q, b.and_(p, q)])


def mux(b, s, p, q):
    """`s ? p : q`."""
    return b.xor(b.and_(s, b.xor(p, q)), q)


def mux_words(b, s, x, y):
    """`s ? x : y` on words."""
    return [mux(b, s, p, q) for p, q in zip(x, y, strict=True)]


def any_(b, bits):
    """Whether a bit is set."""
    none = ONE
    for bit in bits:
        none = b.and_(none, b.not_(bit))
    return b.not_(none)


def full_adder(b, p, q, c):
    """The sum of three bits, and the carry."""
    x, y = b.xor(p, c), b.xor(q, c)
    product = b.and_(x, y)
    return b.xor(x, q), b.xor(product, c)


def add_with_carry(b, x, y, carry):
    """`x + y + carry`, and the carry out."""
    total = []
    for p, q in zip(x, y, strict=True):
        bit, carry = full_adder(b, p, q, carry)
        total.append(bit)
    return total, carry


def add(b, x, y):
    """`x + y`."""
    return add_with_carry(b, x, y, ZERO)[0]


def less(b, x, y):
    """`x < y` on unsigned words: the borrow of `x - y = ~(~x + y)`."""
    return add_with_carry(b, not_word(b, x), y, ZERO)[1]


def increment(b, x, carry):
    """`x + carry`."""
    total = []
    for p in x:
        total.append(b.xor(p, carry))
        carry = b.and_(p, carry)
    return total


def negate_if(b, negative, x):
    """`negative ? -x : x`."""
    return increment(b, [b.xor(p, negative) for p in x], negative)


def extend(x, width, fill):
    """A word extended by copies of `fill`."""
    return x + [fill] * (width - len(x))


def rotate_right(x, by):
    """A word rotated by a constant."""
    return x[by:] + x[:by]


def shift_right_by(b, x, amount, fill):
    """`x >> amount`, copies of `fill` coming in: a mux a stage."""
    for bit, s in enumerate(amount):
        x = mux_words(b, s, extend(x[1 << bit :], len(x), fill), x)
    return x


def swap_if(b, s, x, y):
    """`s ? (y, x) : (x, y)`."""
    change = mask_word(b, s, xor_words(b, x, y))
    return xor_words(b, x, change), xor_words(b, y, change)


def reverse_if(b, s, x):
    """`s ? x in reverse order : x`, of an even number of bits."""
    half = len(x) // 2
    low, high = swap_if(b, s, x[:half], x[:half - 1 : -1])
    return low + high[::-1]


class Number:
    """A word as a number: unsigned, or in two's complement."""

    def __init__(self, bits, signed=False):
        self.bits = bits
        self.signed = signed

    def __len__(self):
        return len(self.bits)

    def split(self, at):
        """The lower bits, which are unsigned, and the upper ones."""
        return Number(self.bits[:at]), Number(self.bits[at:], self.signed)

    def negative_at(self, bit):
        """Whether the weight of a bit is negative."""
        return self.signed and bit == len(self) - 1


class Sum:
    """A sum of words and products modulo 2^width."""

    def __init__(self, width):
        self.columns = [[] for _ in range(width + 1)]  # bits of weight 2^(i-1): twice the sum is collected
        self.constant = 0

    def add(self, b, shift, x):
        """Adds `2^shift x`."""
        self._add_number(b, shift + 1, x, False)

    def subtract(self, b, shift, x):
        """Subtracts `2^shift x`."""
        self._add_number(b, shift + 1, x, True)

    def add_product(self, b, shift, x, y):
        """Adds `2^shift x y`."""
        n, m = len(x), len(y)
        cut = max(shift + n + m - (len(self.columns) - 1), 0)
        if min(n, m) >= 32 and abs(n - m) <= 2 and cut <= n // 8:
            self._add_product_by_halves(b, shift, x, y)
        else:
            self._add_partial_products(b, shift, x, y)

    def _add_product_by_halves(self, b, shift, x, y):
        half = min(len(x), len(y)) // 2
        (x0, x1), (y0, y1) = x.split(half), y.split(half)
        z0 = Number(multiply(b, x0, y0, 2 * half))
        z2 = Number(multiply(b, x1, y1, len(x1) + len(y1)), x.signed or y.signed)
        p, q = _difference(b, x0, x1), _difference(b, y1, y0)
        self.add_product(b, shift + half, p, q)
        for at in (shift, shift + half):
            self.add(b, at, z0)
            self.add(b, at + half, z2)

    def _add_partial_products(self, b, shift, x, y):
        for p, q in ((x, y), (y, x)):
            self._add_number(b, shift, p, True)
            if not q.signed:
                self._add_number(b, shift + len(q), p, False)
        total = [-1 if number.signed else 2 ** len(number) - 1 for number in (x, y)]
        self._add_constant(-total[0] * total[1] << shift)
        for i, p in enumerate(x.bits):
            for j, q in enumerate(y.bits):
                column = shift + i + j
                if column < len(self.columns):
                    negative = x.negative_at(i) != y.negative_at(j)
                    self._add_wire(column, b.xor_all([p, q] if negative else [p, q, ONE]))
                    if negative:
                        self._add_constant(-1 << column)

    def _add_number(self, b, column, x, negative):
        for i, bit in enumerate(x.bits):
            if negative == x.negative_at(i):
                self._add_wire(column + i, bit)
            else:
                # A negative bit is its complement less one.
                self._add_wire(column + i, b.not_(bit))
                self._add_constant(-1 << column + i)

    def _add_wire(self, column, bit):
        if bit == ONE:
            self._add_constant(1 << column)
        elif bit != ZERO and column < len(self.columns):
            self.columns[column].append(bit)

    def _add_constant(self, value):
        self.constant = (self.constant + value) % (1 << len(self.columns))

    def finish(self, b):
        """The bits of the sum."""
        bits, carries = [], []
        for i, column in enumerate(self.columns):
            column = column + carries + [ONE] * (self.constant >> i & 1)
            carries = []
            total = column[0] if column else ZERO
            for at in range(1, len(column), 2):
                p, q = (column[at : at + 2] + [ZERO])[:2]
                total, carry = full_adder(b, p, q, total)
                carries.append(carry)
            bits.append(total)
        return bits[1:]


def multiply(b, x, y, width):
    """`x y` modulo 2^width."""
    total = Sum(width)
    total.add_product(b, 0, x, y)
    return total.finish(b)


def _difference(b, x, y):
    """`x - y`, as a signed word that has room for it."""
    both_unsigned = not x.signed and not y.signed
    width = 1 + max(len(number) + (not number.signed and not both_unsigned) for number in (x, y))
    total = Sum(width)
    total.add(b, 0, x)
    total.subtract(b, 0, y)
    return Number(total.finish(b), signed=True)
