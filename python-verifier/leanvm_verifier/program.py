"""A program as a verifier knows it: its bytes, the table of entries, the rules that entries keep (doc/machine.md)."""

from dataclasses import astuple, dataclass

from . import blake2s
from .field import X, inverse, mul, power
from .refusal import Refused

TEXT, ADVICE, RAM = 0x1000_0000, 0x2000_0000, 0x4000_0000
MAX_LOG_ENTRIES = 21
MAX_LOG_WORDS = 26
MIN_LOG_RAM = 2
SINK = 32
ALL_ONES = 2**64 - 1
VERSION = b"leanVM program 1"

# The classes in the order of their tags, from 1: name, and whether entries have a2 and ad.
CLASSES = [
    ("ADD", True, True), ("ADDI", False, True), ("JUMP", False, True), ("LOGIC", True, True),
    ("SHIFTI", False, True), ("LT", True, True), ("EQ", True, False), ("WORD", True, True),
    ("SHIFT", True, True), ("LOAD", False, True), ("STORE", True, False), ("LD", False, True),
    ("SD", True, False), ("MUL", True, True), ("MULH", True, True), ("DIV", True, True),
    ("HASH", True, False), ("EXT", True, True),
]  # fmt: skip
NAMES = [name for name, _, _ in CLASSES]


@dataclass(frozen=True)
class Entry:
    """The fields of a slot, in the order of the tuple that a row pulls; an empty slot has zeros."""

    tag: int = 0
    a1: int = 0
    a2: int = 0
    ad: int = 0
    imm: int = 0
    next: int = 0
    delta: int = 0
    c0: int = 0
    c1: int = 0
    c2: int = 0
    exit: int = 0


def slot_pc(slot):
    """The address of a slot."""
    return TEXT + 4 * slot


def shift_constants(amount, left):
    """Mask, k1 and k2 of a shift by a constant of 1 to 63."""
    rotation = amount if left else 64 - amount
    k1 = power(inverse(X), rotation)
    return (1 << rotation) - 1, k1, mul(1 ^ power(X, 64), k1)


def filler(tag, pc):
    """The entry at which padding rows of a class are."""
    name, _, writes = CLASSES[tag - 1]
    fields = {"tag": tag, "next": pc, "ad": SINK if writes else 0}
    if name == "JUMP":
        fields["imm"] = pc
    elif name == "SHIFTI":
        fields["imm"], fields["c0"], fields["c1"] = shift_constants(1, left=True)
        fields["c2"] = 1
    elif name == "DIV":
        fields["imm"] = 2
    return Entry(**fields)


class Program:
    """A program, from its bytes. `entries`: those of all slots; `image`: index and value of RAM's words that are not
    zero; `digest`: four words."""

    def __init__(self, data):
        version, rest = _part(data)
        sizes, rest = _part(rest)
        records, rest = _part(rest)
        image, rest = _part(rest)
        if version != VERSION or len(sizes) != 48 or len(records) % 56 or len(image) % 16 or rest:
            raise Refused("these bytes are no program")
        self.entry, self.halt, slots, log_entries, self.log_ram, self.log_advice = blake2s.words(sizes)
        count = len(records) // 56
        # The bound on the number of entries comes first, since fillers and empty slots are made of it.
        if not count or (count + len(CLASSES)).bit_length() > MAX_LOG_ENTRIES:
            raise Refused(f"the program has {count} instructions")
        if (slots, log_entries) != (count, (count + len(CLASSES)).bit_length()):
            raise Refused("the program's sizes are not those of its table")
        if self.halt != slot_pc((1 << log_entries) - 1):
            raise Refused("the halt slot is not the last one")
        if self.entry % 4 or not TEXT <= self.entry < slot_pc(count):
            raise Refused("the entry point is no slot of the program")
        if not MIN_LOG_RAM <= self.log_ram <= MAX_LOG_WORDS or self.log_advice > MAX_LOG_WORDS:
            raise Refused("a region of the program has an impossible size")
        self.log_entries = log_entries
        self.entries = [_entry(blake2s.words(records[56 * i : 56 * (i + 1)])) for i in range(count)]
        for slot, entry in enumerate(self.entries):
            _check(entry, slot_pc(slot), self.halt)
        self.entries += [filler(tag, slot_pc(count + tag - 1)) for tag in range(1, len(CLASSES) + 1)]
        self.entries += [Entry()] * ((1 << log_entries) - len(self.entries))
        words = blake2s.words(image)
        self.image = dict(zip(words[::2], words[1::2]))
        indices = words[::2]
        if indices != sorted(set(indices)) or 0 in words[1::2] or any(i >> self.log_ram for i in indices):
            raise Refused("a word of the image is zero, out of order, or outside RAM")
        self.digest = blake2s.digest(data)


def _part(data):
    """The first part of the bytes, and the rest."""
    if len(data) < 8:
        raise Refused("these bytes are no program: a part is missing")
    (length,) = blake2s.words(data[:8])
    if length > len(data) - 8:
        raise Refused("these bytes are no program: a part is cut off")
    return data[8 : 8 + length], data[8 + length :]


def _entry(words):
    first, imm, next_pc, delta, c0, c1, c2 = words
    tag, a1, a2, ad, exit_, *unused = first.to_bytes(8, "little")
    if any(unused):
        raise Refused("an entry of the program is malformed")
    return Entry(tag, a1, a2, ad, imm, next_pc, delta, c0, c1, c2, exit_)


def _check(entry, pc, halt):
    """Refuses an entry of the program that breaks a rule."""

    def rule(holds, name):
        if not holds:
            raise Refused(f"the entry at {pc:#x} is not well formed: {name}")

    if entry.tag == 0:
        rule(not any(astuple(entry)), "an empty slot has another field")
        return
    rule(entry.tag <= len(CLASSES), "the tag is of no class")
    name, has_a2, has_ad = CLASSES[entry.tag - 1]
    rule(entry.next == pc + 4, "next")
    rule(entry.a1 < 32 and (entry.a2 < 32 if has_a2 else entry.a2 == 0), "registers")
    if has_ad:
        rule(1 <= entry.ad <= (31 if name == "EXT" else SINK), "the cell written")
    else:
        rule(entry.ad == 0, "the cell written")
    if entry.delta:
        rule(name == "EQ" or name == "LT" and entry.ad == SINK, "delta")
    if entry.exit:
        rule(name == "JUMP" and (entry.exit, entry.a1, entry.ad, entry.imm) == (1, 0, SINK, halt), "exit")

    constants = [entry.c0, entry.c1, entry.c2]
    imm = entry.imm
    immediate = imm < 1 << 11 or imm >= 2**64 - (1 << 11)
    masks, bits = (0, ALL_ONES), (0, 1)
    match name:
        case "ADD":
            rule(imm == 0 and entry.c0 in masks and constants[1:] == [0, 0], "mask")
        case "ADDI" | "JUMP":
            rule(constants == [0, 0, 0], "constants")
        case "LD" | "SD":
            rule(immediate and constants == [0, 0, 0], "immediate")
        case "LOGIC" | "LT":
            rule(immediate and entry.c0 in bits and entry.c1 in bits and entry.c2 == 0, "immediate, selectors")
        case "SHIFTI":
            rotation = imm.bit_length()
            rule(1 <= rotation <= 63 and entry.c2 in bits, "mask")
            amount = rotation if entry.c2 else 64 - rotation
            rule((imm, entry.c0, entry.c1) == shift_constants(amount, entry.c2), "constants of a shift")
        case "EQ":
            rule(imm == 0 and entry.c0 in bits and constants[1:] == [0, 0], "selector")
        case "WORD":
            rule(immediate and entry.c0 in masks and constants[1:] == [0, 0], "immediate, mask")
        case _:
            rule(constants == [0, 0, 0] and _has_flags(name, imm), "flags")


def _has_flags(name, imm):
    """Whether a class has these flags."""
    match name:
        case "SHIFT":
            right, arithmetic, halved = (imm >> bit & 1 for bit in (6, 7, 8))
            return imm < 1 << 9 and arithmetic <= right and not (halved and imm & 32)
        case "LOAD":
            return imm < 1 << 15 and imm >> 13 & 1 <= imm >> 12 & 1
        case "STORE":
            return imm < 1 << 14 and imm >> 13 & 1 <= imm >> 12 & 1
        case "HASH":
            return imm in (0, 0xFFFFFFFF)
        case "MULH":
            return imm in (0, 1, 3)
        case "MUL":
            return imm < 2
        case "DIV":
            return imm < 8
        case _:
            return imm < 4
