"""The argument: small machines of crates/argument that use everything a machine has, accepted and forged."""

import copy
import random
import unittest

from leanvm_verifier import argument, field, proof
from leanvm_verifier.layout import Layout, Shape
from leanvm_verifier.machine import Announced, Constant, Form, PublicColumn
from leanvm_verifier.refusal import Refused
from leanvm_verifier.transcript import Channel
from tests import machines, support


class KnownMachines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.known = {}
        for name, machine, data in machines.known():
            decoded = proof.decode(data)
            channel, challenges = support.recording(decoded)
            machines.verify(machine, channel, decoded.shape)
            cls.known[name] = (machine, data, decoded, challenges)

    def refused(self, refusal, name, change=None, machine=None):
        """Expects a refusal of a changed proof, or for a changed machine, all challenges being the honest ones."""
        honest_machine, _, honest, challenges = self.known[name]
        forged = support.changed(honest, change or (lambda _: None))
        with self.assertRaisesRegex(Refused, refusal):
            machines.verify(machine or honest_machine, support.frozen(forged, challenges), forged.shape)

    def test_there_are_machines_and_their_proofs_are_accepted(self):
        self.assertEqual(set(self.known), {"circuits", "constants", "lookup", "memory"})
        for machine, data, _, _ in self.known.values():
            machines.verify_file(machine, data)

    def test_a_dump_is_read_and_written(self):
        for name in self.known:
            text = (support.CRATES / f"argument/known_answers/{name}.machine").read_text()
            lines = [line for line in text.splitlines() if not line.startswith("#")]
            names = [line.rsplit(maxsplit=1)[0] if line.startswith("free") else line for line in lines]
            written = machines.dump(machines.parse(text)).splitlines()
            self.assertEqual(len(written), len(lines))
            for found, line, name in zip(written, lines, names):
                # Names of free columns serve errors alone, and are not kept.
                self.assertTrue(line.startswith(found) if line.startswith("free") else found == line, line)

    def messages(self, name):
        """The words of the stream at which the argument's messages begin, and the check that owns each."""
        machine, _, honest, _ = self.known[name]
        layout = Layout(machine, Shape(machine, honest.shape))
        at = machines.announced(machine) + 4
        found = []

        def take(label, scalars):
            nonlocal at
            found.extend((at + 3 * i, label) for i in range(scalars))
            at += 3 * scalars

        d = 2 - layout.log_leaves % 2
        take("^bus: root 0", 1)
        take("^bus: root 0", 1 << d)
        take("^bus: root 1", 1 << d)
        while d < layout.log_leaves:
            take(f"^bus: layer {d}", 4 * d + 8)
            d += 2
        named = sum(type(c).__name__ in ("Free", "Public") for b in machine.boundaries for c in b.tuple)
        take("^tables: terminal", named + 2 * layout.rounds)
        take("^tables: terminal", sum(p.table.columns + len(p.table.ports) for p in layout.tables))
        take("^tables: terminal", sum(read.bits + 1 for read in layout.reads))
        return found

    def test_a_changed_message_is_refused_by_the_check_that_owns_it(self):
        # Fixture: each machine. Forgery: a bit of a scalar, all challenges kept.
        for name in self.known:
            found = self.messages(name)
            for at, label in found[:6] + found[6::5]:
                self.refused(label, name, support.flip_stream(at + at % 3, at % 64))

    def test_messages_that_no_check_of_the_argument_needs_are_refused_by_the_opening(self):
        # A table that is off the bus and has no identity on some column: none here. An announced word is in a
        # boundary or fixed.
        machine, _, honest, _ = self.known["memory"]
        for at in range(machines.announced(machine)):
            label = "^whir: terminal" if at == 3 else "^tables: terminal"
            self.refused(label, "memory", support.flip_stream(at, 5))

    def test_another_public_column_is_refused_by_its_claim(self):
        machine = copy.deepcopy(self.known["memory"][0])
        machine.public[0].words[3] ^= 1
        self.refused("^public column 0", "memory", machine=machine)
        machine = copy.deepcopy(self.known["lookup"][0])
        machine.public[0].words[7] ^= 1 << 40
        self.refused("^public column 0|^producer 0", "lookup", machine=machine)

    def test_another_entry_of_a_producer_is_refused_by_its_claim(self):
        # The third producer is read by nobody, so it has no bit and its claim is zero: the second's is what it says.
        machine = copy.deepcopy(self.known["lookup"][0])
        machine.producers[1].tuple[1] = Constant(3)
        self.refused("^producer 1", "lookup", machine=machine)

    def test_another_fixed_word_is_refused_by_the_opening(self):
        machine = copy.deepcopy(self.known["memory"][0])
        column, index, _ = machine.fixed[1]
        machine.fixed[1] = (column, index, Constant(1))
        self.refused("^whir: terminal", "memory", machine=machine)
        machine.fixed[1] = (column, index ^ 8, Announced(3))
        self.refused("^whir: terminal", "memory", machine=machine)

    def test_another_form_is_refused_by_the_tables(self):
        machine = copy.deepcopy(self.known["memory"][0])
        machine.tables[0].identities.reverse()
        self.refused("^tables: terminal", "memory", machine=machine)
        machine = copy.deepcopy(self.known["circuits"][0])
        machine.tables[0].flushes[0][1][1] += Form.constant(1)
        self.refused("^tables: terminal", "circuits", machine=machine)

    def test_another_port_is_refused_by_the_opening(self):
        machine = copy.deepcopy(self.known["circuits"][0])
        machine.tables[0].ports[0] = (0, 3)
        self.refused("^whir: terminal", "circuits", machine=machine)

    def test_a_matrix_value_is_settled(self):
        machine, _, honest, challenges = self.known["circuits"]
        layout = Layout(machine, Shape(machine, honest.shape))
        deferred = argument.verify(support.frozen(honest, challenges), layout, layout_rate(honest), [])
        argument.check_deferred(machine, deferred)
        deferred.matrices[1].value ^= 1
        with self.assertRaisesRegex(Refused, "^flock: matrix 1"):
            argument.check_deferred(machine, deferred)

    def test_shapes_that_are_none_are_refused(self):
        machine, _, honest, _ = self.known["circuits"]
        rate, *heights = honest.shape
        forms = {
            "the shape has 6 words": [*honest.shape, 0],
            "the shape has 0 words": [],
            "the rate 2\\^-0": [0, *heights],
            "the rate 2\\^-5": [5, *heights],
            "announces 2\\^4 rows: 2\\^5 to": [rate, 5, *heights[1:]],
            "announces 2\\^29 rows": [rate, 30, *heights[1:]],
            "announces 2\\^18446744073709551614 rows": [rate, 2**64 - 1, *heights[1:]],
            "every table is announced as absent": [rate, 0, 0, 0, 0],
        }
        for refusal, words in forms.items():
            with self.assertRaisesRegex(Refused, refusal):
                Shape(machine, words)
        with self.assertRaisesRegex(Refused, "more than the largest stack"):
            Layout(machine, Shape(machine, [rate, 29, *heights[1:]]))

    def test_a_bus_that_is_too_large_is_refused(self):
        machine, _, honest, _ = self.known["lookup"]
        many = copy.deepcopy(machine)
        many.tables[1].columns, many.tables[1].flushes = 1, 4 * many.tables[1].flushes
        with self.assertRaisesRegex(Refused, "reads of squares are possible"):
            Layout(many, Shape(many, [honest.shape[0], 0, 27]))
        machine = copy.deepcopy(machine)
        machine.producers[0].log_len = 25
        with self.assertRaisesRegex(Refused, "the bus has the degree"):
            Layout(machine, Shape(machine, [honest.shape[0], 26, 0]))

    def test_any_change_of_the_file_is_refused(self):
        source = random.Random(10)
        machine, data, honest, _ = self.known["memory"]
        for _ in range(60):
            forged = bytearray(data)
            for _ in range(source.randrange(1, 4)):
                end = source.choice((16 + 8 * len(honest.stream), len(forged)))
                forged[source.randrange(end)] ^= source.randrange(1, 256)
            if source.randrange(4) == 0:
                del forged[source.randrange(len(forged)) :]
            with self.assertRaises(Refused):
                machines.verify_file(machine, bytes(forged))

    def test_another_order_of_messages_is_refused(self):
        machine, _, honest, _ = self.known["memory"]
        forged = support.changed(honest, lambda p: p.stream.reverse())
        with self.assertRaises(Refused):
            machines.verify(machine, Channel(forged), forged.shape)


def layout_rate(decoded):
    """The rate that a proof announces."""
    return decoded.shape[0]


class Columns(unittest.TestCase):
    def test_a_public_columns_extension_is_that_of_its_table(self):
        source = random.Random(11)
        for log_words in range(5):
            words = {i: source.getrandbits(64) for i in range(1 << log_words) if source.randrange(2)}
            point = [field.from_words([source.getrandbits(64) for _ in range(3)]) for _ in range(log_words)]
            table = [words.get(i, 0) for i in range(1 << log_words)]
            for given in (words, table):
                self.assertEqual(
                    argument.column_at(PublicColumn(log_words, given), point), field.evaluate(table, point)
                )


if __name__ == "__main__":
    unittest.main()
