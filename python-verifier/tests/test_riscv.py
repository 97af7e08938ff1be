"""Runs of RISC-V programs: the known one of crates/leanvm_core, accepted and forged; its machine is the known one."""

import contextlib
import io
import pathlib
import random
import tempfile
import unittest

from leanvm_verifier import __main__ as command_line
from leanvm_verifier import proof, riscv
from leanvm_verifier.layout import Layout, Shape
from leanvm_verifier.program import NAMES, Program
from leanvm_verifier.refusal import Refused
from leanvm_verifier.transcript import Channel
from tests import machines, support

FILES = support.CRATES / "leanvm_core/known_answers"


def read(kind):
    """A file of the known run."""
    return (FILES / f"every_class.{kind}").read_bytes()


class KnownRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = Program(read("program"))
        cls.machine = riscv.machine(cls.program)
        cls.data = read("proof")
        cls.honest = proof.decode(cls.data)
        channel, cls.challenges = support.recording(cls.honest)
        cls.output, cls.clock = riscv.verify_run(cls.machine, cls.program, channel, cls.honest.shape)

    def refused(self, refusal, change):
        """Expects a refusal of a changed proof, all challenges being those of the honest one."""
        forged = support.changed(self.honest, change)
        with self.assertRaisesRegex(Refused, refusal):
            riscv.verify_run(self.machine, self.program, support.frozen(forged, self.challenges), forged.shape)

    def test_the_machine_is_the_known_one(self):
        known = read("machine").decode().splitlines()
        known = [line for line in known if not line.startswith("#")]
        for found, line in zip(machines.dump(self.machine).splitlines(), known, strict=True):
            # Names of free columns serve errors alone, and are not kept.
            self.assertTrue(found == line or line.startswith("free") and line.startswith(found), (found, line))

    def test_the_known_run_is_accepted(self):
        self.assertEqual(riscv.verify(self.program, self.data), (self.output, self.clock))
        self.assertEqual(self.output, self.honest.stream[:4])

    def test_every_class_is_in_it(self):
        names = [table.name for table in self.machine.tables]
        self.assertEqual(names, [*NAMES, *(f"second {name}" for name in NAMES)])
        self.assertTrue(all(self.honest.shape), "both tables of every class are there")

    def test_another_output_is_refused_by_the_opening(self):
        # The output's words are those of registers at the end, and in no tuple.
        for word in range(4):
            self.refused("^whir: terminal", support.flip_stream(word, 16 * word))

    def test_another_final_clock_is_refused(self):
        for bit in [*range(5), *range(40, 64)]:
            self.refused("^run: final clock", support.flip_stream(4, bit))
        for bit in (5, 20, 39):
            self.refused("^tables: terminal", support.flip_stream(4, bit))

    def test_a_changed_message_of_the_argument_is_refused_by_the_check_that_owns_it(self):
        layout = Layout(self.machine, Shape(self.machine, self.honest.shape))
        at = 5 + 4
        bus = 3 * (1 + 2 * (1 << 2 - layout.log_leaves % 2))
        layers = sum(3 * (4 * d + 8) for d in range(2 - layout.log_leaves % 2, layout.log_leaves, 2))
        named = sum(type(c).__name__ in ("Free", "Public") for b in self.machine.boundaries for c in b.tuple)
        tables = 6 * layout.rounds + 3 * sum(t.table.columns + len(t.table.ports) for t in layout.tables)
        tables += 3 * sum(read.bits + 1 for read in layout.reads)
        for length, step, label in (
            (bus, 9, "^bus: root"),
            (layers, 501, "^bus: layer"),
            (3 * named + tables, 801, "^tables: terminal"),
        ):
            for word in range(at, at + length, step):
                self.refused(label, support.flip_stream(word, word % 64))
            at += length

    def test_another_program_is_refused(self):
        # The digest is absorbed: another image, another entry point.
        entry = bytearray(read("program"))
        entry[8 + 16 + 8] ^= 4
        with self.assertRaises(Refused):
            riscv.verify(Program(bytes(entry)), self.data)

    def test_another_image_is_refused_by_its_claim(self):
        # With the honest challenges the words of RAM at the start are in the public column's claim alone.
        machine = riscv.machine(self.program)
        machine.public[0].words = {**machine.public[0].words, 5: 1}
        with self.assertRaisesRegex(Refused, "^public column 0"):
            channel = support.frozen(self.honest, self.challenges)
            riscv.verify_run(machine, self.program, channel, self.honest.shape)

    def test_another_entry_is_refused_by_the_bytecodes_claim(self):
        machine = riscv.machine(self.program)
        # Column 5 is the immediates: that of the first slot is changed.
        machine.public[5].words[0] += 1
        with self.assertRaisesRegex(Refused, "^producer 0"):
            channel = support.frozen(self.honest, self.challenges)
            riscv.verify_run(machine, self.program, channel, self.honest.shape)

    def test_proofs_of_other_kinds_are_refused(self):
        forged = bytearray(self.data)
        forged[12] = proof.OPENING
        with self.assertRaisesRegex(Refused, "not that of a run"):
            riscv.verify(self.program, bytes(forged))

    def test_any_change_of_the_file_is_refused(self):
        source = random.Random(14)
        for _ in range(24):
            forged = bytearray(self.data)
            for _ in range(source.randrange(1, 3)):
                end = source.choice((200, 16 + 8 * len(self.honest.stream), len(forged)))
                forged[source.randrange(end)] ^= source.randrange(1, 256)
            if source.randrange(4) == 0:
                del forged[source.randrange(len(forged)) :]
            try:
                decoded = proof.decode(bytes(forged))
            except Refused:
                continue
            with self.assertRaises(Refused):
                if decoded.kind == proof.RUN:
                    riscv.verify_run(self.machine, self.program, Channel(decoded), decoded.shape)
                else:
                    riscv.verify(self.program, bytes(forged))

    def test_the_command_line_tells_what_it_found(self):
        def run(program, given):
            with tempfile.TemporaryDirectory() as directory:
                paths = [pathlib.Path(directory, name) for name in ("program", "proof")]
                for path, data in zip(paths, (program, given)):
                    path.write_bytes(data)
                text = io.StringIO()
                with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
                    code = command_line.main([str(path) for path in paths])
                return code, text.getvalue()

        code, text = run(read("program"), self.data)
        self.assertEqual(code, 0)
        self.assertIn(f"cycles : {riscv.cycles(self.clock)}\n", text)
        self.assertEqual(run(read("program"), self.data[:-8])[0], 1)
        self.assertEqual(run(b"\x7fELF", self.data)[0], 2)
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(command_line.main([]), 2)
            self.assertEqual(command_line.main(["/", "/"]), 5)


if __name__ == "__main__":
    unittest.main()
