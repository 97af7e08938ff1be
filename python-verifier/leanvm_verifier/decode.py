"""Instruction words to entries (doc/machine.md, "The table of entries")."""

from .program import ALL_ONES, NAMES, SINK, Entry, shift_constants

RIGHT, ARITHMETIC, HALVED = 1 << 6, 1 << 7, 1 << 8  # flags of SHIFT
WIDE, FOUR, SIGNED = 1 << 12, 1 << 13, 1 << 14  # flags of LOAD and STORE

# Of each funct3 of loads the flags, of each funct3 of stores too; 3 is a doubleword.
_LOADS = {0: SIGNED, 1: WIDE | SIGNED, 2: WIDE | FOUR | SIGNED, 4: 0, 5: WIDE, 6: WIDE | FOUR}
_STORES = {0: 0, 1: WIDE, 2: WIDE | FOUR}
# Factors of the sum and of the conjunction.
_LOGIC = {4: (1, 0), 6: (1, 1), 7: (0, 1)}


def _signed(value, bits):
    """The low bits of a value, sign-extended to a word."""
    value &= (1 << bits) - 1
    return (value - ((value >> bits - 1) << bits)) & ALL_ONES


class _Word:
    """The fields of an instruction word."""

    def __init__(self, word):
        self.opcode = word & 127
        self.rd, self.rs1, self.rs2 = word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
        self.funct3, self.funct7 = word >> 12 & 7, word >> 25
        self.imm_i = _signed(word >> 20, 12)
        self.imm_s = _signed(word >> 25 << 5 | self.rd, 12)
        self.imm_u = _signed(word >> 12 << 12, 32)
        low, high = word >> 8 & 15, word >> 25 & 63
        self.imm_b = _signed(low << 1 | high << 5 | (word >> 7 & 1) << 11 | word >> 31 << 12, 13)
        parts = (word >> 21 & 1023) << 1 | (word >> 20 & 1) << 11 | (word >> 12 & 255) << 12 | word >> 31 << 20
        self.imm_j = _signed(parts, 21)


def decode(word, pc, halt):
    """The entry of an instruction word at `pc`; an empty one if the word is undefined."""
    fields = _fields(_Word(word), word, pc, halt) if word else None
    if fields is None:
        return Entry()
    name, values = fields
    values = {"next": pc + 4, **values}
    if "ad" in values and name != "EXT":
        values["ad"] = values["ad"] or SINK
    return Entry(tag=NAMES.index(name) + 1, **values)


def _fields(w, word, pc, halt):
    """The class and the fields that are not zero, `ad` being rd."""
    match w.opcode:
        case 0x37:
            return "ADDI", {"ad": w.rd, "imm": w.imm_u}
        case 0x17:
            return "ADDI", {"ad": w.rd, "imm": pc + w.imm_u & ALL_ONES}
        case 0x6F:
            return "JUMP", {"ad": w.rd, "imm": pc + w.imm_j & ALL_ONES}
        case 0x67 if w.funct3 == 0:
            return "JUMP", {"a1": w.rs1, "ad": w.rd, "imm": w.imm_i}
        case 0x63:
            return _branch(w, pc)
        case 0x03 if w.funct3 == 3:
            return "LD", {"a1": w.rs1, "ad": w.rd, "imm": w.imm_i}
        case 0x03 if w.funct3 in _LOADS:
            return "LOAD", {"a1": w.rs1, "ad": w.rd, "imm": w.imm_i & 0xFFF | _LOADS[w.funct3]}
        case 0x23 if w.funct3 == 3:
            return "SD", {"a1": w.rs1, "a2": w.rs2, "imm": w.imm_s}
        case 0x23 if w.funct3 in _STORES:
            return "STORE", {"a1": w.rs1, "a2": w.rs2, "imm": w.imm_s & 0xFFF | _STORES[w.funct3]}
        case 0x13:
            return _with_immediate(w)
        case 0x1B:
            return _word_with_immediate(w)
        case 0x33:
            return _of_registers(w)
        case 0x3B:
            return _word_of_registers(w)
        case 0x0F if w.funct3 == 0:
            return "ADDI", {"ad": 0}
        case 0x73 if word == 0x73:
            return "JUMP", {"ad": 0, "imm": halt, "exit": 1}
        case 0x0B if w.funct7 == w.rd == 0 and w.funct3 < 2:
            return "HASH", {"a1": w.rs1, "a2": w.rs2, "imm": 0xFFFFFFFF * w.funct3}
        case 0x2B if w.funct7 == 0 and w.rd and w.funct3 < 4:
            return "EXT", {"a1": w.rs1, "a2": w.rs2, "ad": w.rd, "imm": w.funct3}
    return None


def _branch(w, pc):
    fields = {"a1": w.rs1, "a2": w.rs2, "delta": (pc + w.imm_b & ALL_ONES) ^ pc + 4}
    negate = w.funct3 & 1
    match w.funct3:
        case 0 | 1:
            return "EQ", {**fields, "c0": negate}
        case 4 | 5 | 6 | 7:
            return "LT", {**fields, "ad": 0, "c0": int(w.funct3 < 6), "c1": negate}
    return None


def _with_immediate(w):
    fields = {"a1": w.rs1, "ad": w.rd}
    match w.funct3:
        case 0:
            return "ADDI", {**fields, "imm": w.imm_i}
        case 2 | 3:
            return "LT", {**fields, "imm": w.imm_i, "c0": int(w.funct3 == 2)}
        case 4 | 6 | 7:
            c0, c1 = _LOGIC[w.funct3]
            return "LOGIC", {**fields, "imm": w.imm_i, "c0": c0, "c1": c1}
    # Shifts: six bits of amount, above them the kind.
    kind, amount = w.funct7 >> 1, w.rs2 | (w.funct7 & 1) << 5
    if kind == 0x10 and w.funct3 == 5:
        return ("SHIFT", {**fields, "imm": amount | RIGHT | ARITHMETIC}) if amount else ("ADDI", fields)
    if kind:
        return None
    if amount == 0:
        return "ADDI", fields
    left = w.funct3 == 1
    mask, k1, k2 = shift_constants(amount, left)
    return "SHIFTI", {**fields, "imm": mask, "c0": k1, "c1": k2, "c2": int(left)}


def _shift_flags(w):
    """The flags of a shift by funct3 and funct7, or None."""
    return {(1, 0): 0, (5, 0): RIGHT, (5, 0x20): RIGHT | ARITHMETIC}.get((w.funct3, w.funct7))


def _word_with_immediate(w):
    fields = {"a1": w.rs1, "ad": w.rd}
    if w.funct3 == 0:
        return "WORD", {**fields, "imm": w.imm_i}
    flags = _shift_flags(w)
    if flags is None:
        return None
    return ("SHIFT", {**fields, "imm": w.rs2 | flags | HALVED}) if w.rs2 else ("WORD", fields)


def _of_registers(w):
    fields = {"a1": w.rs1, "a2": w.rs2, "ad": w.rd}
    if w.funct7 == 1:
        match w.funct3:
            case 0:
                return "MUL", fields
            case 1 | 2 | 3:
                return "MULH", {**fields, "imm": {1: 3, 2: 1, 3: 0}[w.funct3]}
        return "DIV", {**fields, "imm": (1 - w.funct3 % 2) | w.funct3 // 6 * 2}
    match w.funct3, w.funct7:
        case 0, 0 | 0x20:
            return "ADD", {**fields, "c0": ALL_ONES if w.funct7 else 0}
        case 2 | 3, 0:
            return "LT", {**fields, "c0": int(w.funct3 == 2)}
        case 4 | 6 | 7, 0:
            c0, c1 = _LOGIC[w.funct3]
            return "LOGIC", {**fields, "c0": c0, "c1": c1}
    flags = _shift_flags(w)
    return None if flags is None else ("SHIFT", {**fields, "imm": flags})


def _word_of_registers(w):
    fields = {"a1": w.rs1, "a2": w.rs2, "ad": w.rd}
    if w.funct7 == 1:
        if w.funct3 == 0:
            return "MUL", {**fields, "imm": 1}
        return ("DIV", {**fields, "imm": (1 - w.funct3 % 2) | w.funct3 // 6 * 2 | 4}) if w.funct3 >= 4 else None
    if w.funct3 == 0 and w.funct7 in (0, 0x20):
        return "WORD", {**fields, "c0": ALL_ONES if w.funct7 else 0}
    flags = _shift_flags(w)
    return None if flags is None else ("SHIFT", {**fields, "imm": flags | HALVED})
