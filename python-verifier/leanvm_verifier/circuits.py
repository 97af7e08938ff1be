"""The circuits of the RISC-V machine's rows (doc/circuit.md), by name."""

from functools import cache

from . import blake2s, gadgets
from .circuit import ONE, ZERO, Builder
from .gadgets import Number, mux, mux_words


@cache
def named(name):
    """The circuit of this name."""
    return NAMES[name]()


def _and():
    b = Builder()
    p, q = b.input(), b.input()
    b.output(gadgets.and_words(b, p, q))
    return b.build()


def _adder():
    b = Builder()
    p, q = b.input(), b.input()
    b.output(gadgets.add(b, p, q))
    return b.build()


def _word():
    b = Builder()
    p, q = b.input(), b.input()
    total = gadgets.add(b, p[:32], q[:32])
    b.output(gadgets.extend(total, 64, total[31]))
    return b.build()


def _less():
    b = Builder()
    p, q = b.input(), b.input()
    port = b.output([gadgets.less(b, p, q)])
    b.constant_at(port, 1)
    return b.build()


def _halve_if(b, halved, word, fill):
    """The low half of a word; above it `fill` where `halved`, else what stands there."""
    return word[:32] + [mux(b, halved, fill, bit) for bit in word[32:]]


def _shift():
    b = Builder()
    v1, v2 = b.input(), b.input()
    imm = b.input(0x1FF)
    right, arithmetic, halved = imm[6:9]
    amount = gadgets.xor_words(b, v2[:6], imm[:6])
    amount[5] = b.and_(amount[5], b.not_(halved))
    sign = mux(b, halved, v1[31], v1[63])
    fill = b.and_(arithmetic, sign)
    word = _halve_if(b, halved, v1, fill)
    left = b.not_(right)
    mirrored = gadgets.reverse_if(b, left, word)
    shifted = gadgets.shift_right_by(b, mirrored, amount, fill)
    shifted = gadgets.reverse_if(b, left, shifted)
    b.output(_halve_if(b, halved, shifted, shifted[31]))
    return b.build()


def _address(b, v1, imm):
    """The address for the bus, and the three lowest bits of the sum."""
    total = gadgets.add(b, v1, gadgets.extend(imm[:12], 64, imm[11]))
    low = [b.and_(total[0], imm[12]), b.and_(total[1], imm[13]), ZERO]
    return low + total[3:], total[:3]


def _load():
    b = Builder()
    v1 = b.input()
    imm = b.input(0x7FFF)
    cell = b.input()
    wide, four, signed = imm[12:15]
    address, place = _address(b, v1, imm)
    b.output(address)
    word = mux_words(b, place[2], cell[32:], cell[:32])
    word[:16] = mux_words(b, place[1], word[16:], word[:16])
    word[:8] = mux_words(b, place[0], word[8:16], word[:8])
    top = mux(b, wide, word[15], word[7])
    top = mux(b, four, word[31], top)
    fill = b.and_(signed, top)
    value = word[:8]
    value += [mux(b, wide, bit, fill) for bit in word[8:16]]
    value += [mux(b, four, bit, fill) for bit in word[16:]]
    b.output(gadgets.extend(value, 64, fill))
    return b.build()


def _store():
    b = Builder()
    v1, v2 = b.input(), b.input()
    imm = b.input(0x3FFF)
    cell = b.input()
    wide, four = imm[12:14]
    address, place = _address(b, v1, imm)
    b.output(address)
    second = mux_words(b, wide, v2[8:16], v2[:8])
    third = mux_words(b, four, v2[16:24], v2[:8])
    fourth = mux_words(b, four, v2[24:32], second)
    value = v2[:8] + second + third + fourth
    even = b.xor_all([ONE, place[0], address[0]])
    odd = b.xor_all([place[0], wide, address[0]])
    first = b.xor_all([ONE, place[1], address[1]])
    last = b.xor_all([place[1], four, address[1]])
    change = [ZERO] * 64
    for k, (pair, byte) in enumerate(((first, even), (first, odd), (last, even), (last, odd))):
        enabled = b.and_(pair, byte)
        high = b.and_(enabled, place[2])
        low = b.xor(enabled, high)
        for half, at in ((low, 8 * k), (high, 8 * k + 32)):
            for bit in range(8):
                difference = b.xor(cell[at + bit], value[8 * k + bit])
                change[at + bit] = b.and_(half, difference)
    b.output(change)
    return b.build()


def _mul():
    b = Builder()
    v1, v2 = b.input(), b.input()
    flags = b.input(1)
    product = gadgets.multiply(b, Number(v1), Number(v2), 64)
    b.output(_halve_if(b, flags[0], product, product[31]))
    return b.build()


def _mulh():
    b = Builder()
    v1, v2 = b.input(), b.input()
    flags = b.input(3)
    x = gadgets.extend(v1, 65, b.and_(v1[63], flags[0]))
    y = gadgets.extend(v2, 65, b.and_(v2[63], flags[1]))
    product = gadgets.multiply(b, Number(x, signed=True), Number(y, signed=True), 130)
    b.output(product[64:128])
    return b.build()


def _div():
    b = Builder()
    v1, v2 = b.input(), b.input()
    flags = b.input(7)
    q, r = b.input(), b.input()
    signed, remainder, halved = flags[:3]

    def magnitude(v):
        top = mux(b, halved, v[31], v[63])
        sign = b.and_(signed, top)
        word = _halve_if(b, halved, v, sign)
        return gadgets.negate_if(b, sign, word), sign

    dividend, dividend_sign = magnitude(v1)
    divisor, divisor_sign = magnitude(v2)
    at_or_above = list(divisor)
    for j in reversed(range(63)):
        at_or_above[j] = gadgets.or_(b, divisor[j], at_or_above[j + 1])
    no_divisor = b.not_(at_or_above[0])
    total = gadgets.Sum(65)
    total.add_product(b, 0, Number(q), Number(divisor))
    total.add(b, 0, Number(r))
    total = total.finish(b)
    wrong = gadgets.xor_words(b, total[:64], dividend)
    wrong.append(total[64])
    wrong += [b.and_(q[i], at_or_above[64 - i]) for i in range(1, 64)]
    below = gadgets.less(b, r, divisor)
    wrong.append(b.xor_all([below, no_divisor, ONE]))
    bad = gadgets.any_(b, wrong)
    quotient = gadgets.negate_if(b, b.xor(dividend_sign, divisor_sign), q)
    quotient = [gadgets.or_(b, bit, no_divisor) for bit in quotient]
    rest = gadgets.negate_if(b, dividend_sign, r)
    result = mux_words(b, remainder, rest, quotient)
    b.output(_halve_if(b, halved, result, result[31]))
    b.output([bad])
    return b.build()


def _compression():
    b = Builder()
    counter, flags, chaining, message = (halves(b.input() for _ in range(count)) for count in (1, 1, 4, 8))
    for low, high in _pairs(compress(b, chaining, message, counter, flags)):
        b.output(low + high)
    return b.build()


def halves(ports):
    """The words of 32 bits of ports, the lower ones first."""
    return [half for port in ports for half in (port[:32], port[32:])]


def _pairs(words):
    return zip(words[::2], words[1::2])


def compress(b, chaining, message, counter, flags):
    """The compression function of BLAKE2s: words of 32 bits, two of the counter and of the flags."""
    v = chaining + [gadgets.constant(word, 32) for word in blake2s.IV]
    for at, change in enumerate(counter + flags, 12):
        v[at] = gadgets.xor_words(b, v[at], change)
    for sigma in blake2s.SIGMA:
        for g, (p, q, r, s) in enumerate(blake2s.MIXED):
            for word, turn_s, turn_q in ((sigma[2 * g], 16, 12), (sigma[2 * g + 1], 8, 7)):
                v[p] = gadgets.add(b, gadgets.add(b, v[p], v[q]), message[word])
                v[s] = gadgets.rotate_right(gadgets.xor_words(b, v[s], v[p]), turn_s)
                v[r] = gadgets.add(b, v[r], v[s])
                v[q] = gadgets.rotate_right(gadgets.xor_words(b, v[q], v[r]), turn_q)
    new = []
    for word in range(8):
        change = gadgets.xor_words(b, v[word], v[word + 8])
        new.append(gadgets.xor_words(b, chaining[word], change))
    return new


@cache
def hash_row():
    """The circuit of a HASH row (doc/recursion.md)."""
    b = Builder()
    control, *chaining = (b.input() for _ in range(5))
    x, y = ([wire for _ in range(4) for wire in b.input()] for _ in range(2))
    swapped = b.input(1)[0]
    low, high = gadgets.swap_if(b, swapped, x, y)
    message = [(low + high)[32 * i : 32 * i + 32] for i in range(16)]
    last = control[63]
    counter = halves([control[:63] + [ZERO]])
    flags = [[last] * 32, [ZERO] * 32]
    for low, high in _pairs(compress(b, halves(chaining), message, counter, flags)):
        b.output(low + high)
    return b.build()


def _clock(slots):
    """The clock circuit of rows with accesses in so many slots, from 0."""
    b = Builder()
    ts = b.input(2**41 - 2**5)
    live = ts[40]
    other_life, not_before = [], []
    for slot in range(slots):
        prev = b.input(2**41 - 1)
        time = gadgets.constant(slot, 5) + ts[5:40]
        not_before.append(b.not_(gadgets.less(b, prev[:40], time)))
        other_life.append(b.xor(prev[40], live))
    carries = [live]
    for bit in ts[5:40]:
        carries.append(b.and_(carries[-1], bit))
    overflow = carries.pop()
    late = b.and_(live, gadgets.any_(b, not_before))
    failure = gadgets.any_(b, other_life + [late, overflow])
    b.output([ZERO] * 5 + carries + [ZERO, failure])
    return b.build()


def _pointers():
    b = Builder()
    pointers = [b.input() for _ in range(3)]
    accumulate, base_field = b.input(3)[:2]
    extension = b.not_(base_field)
    for operand, pointer in enumerate(pointers):
        for log_step in (3, 4):
            total = gadgets.increment(b, pointer[log_step:40], ONE)
            address = pointer[:log_step] + total + pointer[40:]
            if operand == 1:
                address = gadgets.mask_word(b, extension, address)
            b.output(address)
    b.output([accumulate])
    b.output([base_field])
    return b.build()


NAMES = {
    "adder": _adder,
    "and": _and,
    "less": _less,
    "word": _word,
    "shift": _shift,
    "load": _load,
    "store": _store,
    "mul": _mul,
    "mulh": _mulh,
    "div": _div,
    "compression": _compression,
    "clock_three": lambda: _clock(3),
    "clock_eighteen": lambda: _clock(18),
    "pointers": _pointers,
}
