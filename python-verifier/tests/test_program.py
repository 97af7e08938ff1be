"""Programs: entries and digests are the known ones of crates/rv; malformed programs are refused."""

import random
import struct
import unittest
from dataclasses import astuple

from leanvm_verifier import blake2s, elf
from leanvm_verifier.program import CLASSES, NAMES, RAM, TEXT, Entry, Program, filler, slot_pc
from leanvm_verifier.refusal import Refused
from tests import support


class KnownProgram(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text, cls.entries, cls.image = [], [], {}
        for name, *inputs in support.lines("rv/known_answers/instructions.txt"):
            if name == "sizes":
                cls.entry, cls.log_ram, cls.log_advice = map(int, inputs)
            elif name == "image":
                cls.image[int(inputs[0])] = int(inputs[1])
            elif name == "slot":
                word, *fields = map(int, inputs)
                cls.text.append(word)
                cls.entries.append(Entry(*fields))
            elif name == "digest":
                (cls.digest,) = inputs
        cls.data = elf.encode(cls.entry, cls.text, cls.image, cls.log_advice, cls.log_ram)

    def test_the_words_have_the_known_entries(self):
        program = Program(self.data)
        for slot, (word, entry) in enumerate(zip(self.text, self.entries)):
            self.assertEqual(program.entries[slot], entry, f"{word:08x}")
        self.assertEqual(blake2s.to_bytes(program.digest).hex(), self.digest)
        self.assertGreater(sum(not entry.tag for entry in self.entries), 20)
        self.assertEqual({entry.tag for entry in self.entries}, set(range(len(CLASSES) + 1)))

    def test_fillers_and_empty_slots_follow_the_program(self):
        program = Program(self.data)
        count = len(self.text)
        for tag in range(1, len(CLASSES) + 1):
            pc = slot_pc(count + tag - 1)
            self.assertEqual(program.entries[count + tag - 1], filler(tag, pc))
            self.assertEqual(filler(tag, pc).next, pc)
        self.assertEqual(program.entries[-1], Entry())
        self.assertEqual(len(program.entries), 1 << program.log_entries)

    def test_every_changed_field_of_an_entry_makes_another_program_or_none(self):
        # Fixture: the known program. Forgery: a bit of a word of the file. Expected: Refused, or another digest.
        source = random.Random(12)
        honest = Program(self.data).digest
        for _ in range(400):
            forged = bytearray(self.data)
            forged[source.randrange(len(forged))] ^= 1 << source.randrange(8)
            try:
                self.assertNotEqual(Program(bytes(forged)).digest, honest)
            except Refused:
                pass

    def test_every_prefix_is_refused(self):
        for length in [*range(120), *range(120, len(self.data), 101), len(self.data) - 1]:
            with self.assertRaises(Refused):
                Program(self.data[:length])
        with self.assertRaises(Refused):
            Program(self.data + b"\0")


class Rules(unittest.TestCase):
    """Each rule of entries, broken in an entry that otherwise keeps them."""

    WELL_FORMED = {
        "ADD": {"ad": 1}, "ADDI": {"ad": 32, "imm": 1 << 40}, "JUMP": {"ad": 1, "imm": 3}, "LOGIC": {"ad": 2, "c1": 1},
        "SHIFTI": {"ad": 3}, "LT": {"ad": 32, "c0": 1, "delta": 12}, "EQ": {"delta": 4}, "WORD": {"ad": 1, "imm": 2},
        "SHIFT": {"ad": 1, "imm": 0x1DF}, "LOAD": {"ad": 1, "imm": 0x7FFF}, "STORE": {"imm": 0x3FFF},
        "LD": {"ad": 1, "imm": 8}, "SD": {"imm": 2**64 - 8}, "MUL": {"ad": 1, "imm": 1}, "MULH": {"ad": 1, "imm": 3},
        "DIV": {"ad": 1, "imm": 7}, "HASH": {"imm": 0xFFFFFFFF}, "EXT": {"ad": 31, "imm": 3},
    }  # fmt: skip
    BROKEN = [
        ("ADD", {"c0": 1}), ("ADD", {"imm": 1}), ("ADD", {"ad": 0}), ("ADD", {"ad": 33}), ("ADD", {"delta": 4}),
        ("ADD", {"a1": 32}), ("ADD", {"a2": 32}), ("ADD", {"next": 0}), ("ADD", {"exit": 1}), ("ADD", {"c2": 1}),
        ("ADDI", {"a2": 1}), ("ADDI", {"c0": 1}), ("JUMP", {"exit": 1}), ("JUMP", {"exit": 2}), ("JUMP", {"c1": 1}),
        ("LOGIC", {"c0": 2}), ("LOGIC", {"c1": 2}), ("LOGIC", {"c2": 1}), ("LOGIC", {"imm": 1 << 11}),
        ("SHIFTI", {"c0": 1}), ("SHIFTI", {"c1": 1}), ("SHIFTI", {"c2": 2}),
        ("SHIFTI", {"imm": 0}), ("SHIFTI", {"imm": 2}), ("SHIFTI", {"imm": 2**64 - 1}), ("LT", {"c0": 2}),
        ("LT", {"c1": 2}), ("LT", {"ad": 1}), ("LT", {"imm": 2**64 - (1 << 11) - 1}), ("EQ", {"imm": 1}),
        ("EQ", {"ad": 1}), ("EQ", {"c0": 2}), ("EQ", {"c1": 1}), ("WORD", {"c0": 1}), ("WORD", {"imm": 1 << 11}),
        ("SHIFT", {"imm": 1 << 9}), ("SHIFT", {"imm": 1 << 7}), ("SHIFT", {"imm": 0x160}), ("SHIFT", {"c0": 1}),
        ("LOAD", {"imm": 1 << 15}), ("LOAD", {"imm": 1 << 13}), ("STORE", {"imm": 1 << 14}), ("STORE", {"imm": 1 << 13}),
        ("STORE", {"ad": 1}), ("LD", {"imm": 1 << 11}), ("SD", {"imm": 1 << 11}), ("MUL", {"imm": 2}),
        ("MULH", {"imm": 2}), ("MULH", {"imm": 4}), ("DIV", {"imm": 8}), ("HASH", {"imm": 1}), ("EXT", {"imm": 4}),
        ("EXT", {"ad": 32}), ("HASH", {"c0": 1}), (None, {"imm": 1}), ("none", {}),
    ]  # fmt: skip

    def program(self, name, changes):
        """The bytes of a program of one entry."""
        if name is None:
            entry = Entry(**changes)
        elif name == "none":
            entry = Entry(tag=len(CLASSES) + 1, next=TEXT + 4)
        else:
            fields = {**self.WELL_FORMED[name], "next": TEXT + 4, "tag": NAMES.index(name) + 1}
            if name == "SHIFTI":
                shift = filler(fields["tag"], 0)
                fields |= {"imm": shift.imm, "c0": shift.c0, "c1": shift.c1, "c2": shift.c2}
            entry = Entry(**{**fields, **changes})
        tag, a1, a2, ad, imm, next_pc, delta, c0, c1, c2, exit_ = astuple(entry)
        record = [tag | a1 << 8 | a2 << 16 | ad << 24 | exit_ << 32, imm, next_pc, delta, c0, c1, c2]
        return assemble([TEXT, slot_pc(31), 1, 5, 2, 0], record, [])

    def test_an_entry_that_breaks_a_rule_is_refused_as_such(self):
        for name in self.WELL_FORMED:
            self.assertEqual(Program(self.program(name, {})).entries[0].tag, NAMES.index(name) + 1)
        for name, changes in self.BROKEN:
            with self.assertRaisesRegex(Refused, "the entry at 0x10000000 is not well formed", msg=(name, changes)):
                Program(self.program(name, changes))

    def test_sizes_that_are_none_are_refused(self):
        record = [0] * 7
        sizes = [TEXT, slot_pc(31), 1, 5, 2, 0]
        Program(assemble(sizes, record, [1, 7, 3, 1]))
        for at, value, refusal in (
            (0, TEXT + 4, "entry point"), (0, TEXT + 2, "entry point"), (1, slot_pc(30), "halt slot"),
            (2, 2, "sizes"), (3, 6, "sizes"), (4, 1, "impossible size"), (4, 27, "impossible size"),
            (5, 27, "impossible size"), (5, 2**64 - 1, "impossible size"),
        ):  # fmt: skip
            with self.assertRaisesRegex(Refused, refusal):
                Program(assemble(sizes[:at] + [value] + sizes[at + 1 :], record, []))
        for image in ([1, 0], [4, 1], [1, 1, 1, 2], [2, 1, 1, 1]):
            with self.assertRaisesRegex(Refused, "a word of the image"):
                Program(assemble(sizes, record, image))
        with self.assertRaisesRegex(Refused, "0 instructions"):
            Program(assemble([TEXT, slot_pc(31), 0, 5, 2, 0], [], []))


def assemble(sizes, records, image):
    """The bytes of a program of these words."""
    parts = [b"leanVM program 1", *map(blake2s.to_bytes, (sizes, records, image))]
    return b"".join(struct.pack("<Q", len(part)) + part for part in parts)


def executable(segments, note=(1, 3), kind=2, machine=243, flags=0, table=64):
    """An ELF file of segments: type, flags, address, bytes, size in memory."""
    content = b"".join(struct.pack("<I", word) for word in note)
    segments = [*segments, (4, 4, 0, struct.pack("<III", 7, len(content), 1) + b"leanVM\0\0" + content, 0)]
    at = 64 + 56 * len(segments)
    headers, bodies = b"", b""
    for segment, access, address, data, size in segments:
        offset = at + len(bodies)
        headers += struct.pack("<IIQQQQQQ", segment, access, offset, address, 0, len(data), size or len(data), 4)
        bodies += data
    start = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    start += struct.pack("<HHIQQQIHHHHHH", kind, machine, 1, TEXT, table, 0, flags, 64, 56, len(segments), 0, 0, 0)
    return start + headers + bodies


class Executables(unittest.TestCase):
    TEXT = (1, 5, TEXT, bytes.fromhex("7300000013000000"), 12)
    DATA = (1, 6, RAM + 12, b"\0\0\0\0\1\2\3", 40)

    def test_an_executable_is_its_program(self):
        program = Program(elf.load(executable([self.TEXT, self.DATA])))
        self.assertEqual([entry.tag for entry in program.entries[:3]], [3, 2, 0])
        self.assertEqual((program.log_ram, program.log_advice, program.log_entries), (3, 3, 5))
        self.assertEqual(program.image, {2: 0x030201})
        self.assertEqual(Program(elf.load(executable([self.TEXT]))).log_ram, 2)

    def test_guests_are_programs(self):
        guests = sorted((support.CRATES.parent / "programs").glob("*/*.elf"))
        self.assertTrue(guests)
        for guest in guests:
            program = Program(elf.load(guest.read_bytes()))
            self.assertTrue(any(entry.exit for entry in program.entries), guest)

    def test_other_executables_are_refused(self):
        base, ram = self.TEXT, self.DATA
        for data, refusal in (
            (b"", "no ELF file"),
            (executable([base])[:70], "cut off"),
            (executable([base], table=2**63), "cut off"),
            (executable([base], kind=3), "no executable for riscv64im"),
            (executable([base], machine=62), "no executable for riscv64im"),
            (executable([base], flags=1), "no executable for riscv64im"),
            (executable([base], flags=4), "no executable for riscv64im"),
            (executable([base, (2, 4, 0, b"", 0)]), "dynamically"),
            (executable([base, (3, 4, 0, b"", 0)]), "dynamically"),
            (executable([ram]), "no text"),
            (executable([(1, 7, *base[2:])]), "writable"),
            (executable([(1, 5, TEXT + 2, *base[3:])]), "no multiple"),
            (executable([(1, 5, TEXT - 4, *base[3:])]), "does not fit"),
            (executable([base, (1, 6, TEXT + 64, *ram[3:])]), "does not fit"),
            (executable([base, ram, ram]), "overlap"),
            (executable([base], note=(2, 3)), "version 2"),
            (executable([base], note=(1,)), "one note"),
        ):
            with self.assertRaisesRegex(Refused, refusal):
                elf.load(data)
        with self.assertRaisesRegex(Refused, "impossible size"):
            Program(elf.load(executable([base], note=(1, 27))))

    def test_changed_executables_are_refused_or_are_programs(self):
        source = random.Random(13)
        honest = executable([self.TEXT, self.DATA])
        for _ in range(300):
            forged = bytearray(honest)
            for _ in range(source.randrange(1, 4)):
                forged[source.randrange(len(forged))] = source.choice((0, 1, 4, 128, 255))
            try:
                Program(elf.load(bytes(forged)))
            except Refused:
                pass


if __name__ == "__main__":
    unittest.main()
