"""Trees: files, digests of outputs, circuits; roots that the command line made, accepted and forged.

`LEANVM_TREE` names a directory with a tree of two leaves to a node, and the roots over its first one and three leaves:
`program`, `key`, `circuits`, `root1`, `root3`, and `outputs`, the three leaves' outputs in lines.
`scripts/check-python-verifier.sh` makes it.
"""

import contextlib
import copy
import io
import os
import pathlib
import tempfile
import unittest

from leanvm_verifier import __main__ as command_line
from leanvm_verifier import argument, blake2s, elf, field, flock, proof, riscv, rows, settle, tree
from leanvm_verifier.field import X
from leanvm_verifier.program import Program
from leanvm_verifier.refusal import Refused
from tests import support

RUN = support.CRATES / "leanvm_core/known_answers"
HEIGHTS = rows.Heights((5, 5, 5, 5, 5), 2)


def key_file(*words):
    """The file of a key."""
    return tree.MAGIC + blake2s.to_bytes(words)


class Files(unittest.TestCase):
    def test_a_key_is_read(self):
        key = tree.Key.decode(key_file(0, 3, 2, 1, 5, 6, 7, 8, 2, 9, 10))
        self.assertEqual(key, tree.Key(3, 2, 1, [5, 6, 7, 8], [9, 10]))

    def test_what_is_no_key_is_refused(self):
        honest = [0, 3, 2, 1, 5, 6, 7, 8, 2, 9, 10]
        for data in (b"", tree.MAGIC, key_file(*honest[:8]), key_file(*honest) + b"\0", b"x" + key_file(*honest)[1:]):
            with self.assertRaisesRegex(Refused, "^the file is no key"):
                tree.Key.decode(data)
        for at, word, refusal in (
            (0, 9, "has version 9"),
            (1, 0, "nodes of 0 and 2 children"),
            (1, 65, "nodes of 65 and 2 children"),
            (2, 1, "nodes of 3 and 1 children"),
            (2, 65, "nodes of 3 and 65 children"),
            (8, 3, "has 2 words of a shape"),
            (8, 2**64 - 1, "has 2 words of a shape"),
        ):
            with self.assertRaisesRegex(Refused, refusal):
                tree.Key.decode(key_file(*honest[:at], word, *honest[at + 1 :]))

    def test_a_node_is_read(self):
        stream = [1, 5, 6, 7, 8, 2, *range(10, 16), 77, 78]
        opening = proof.Opening([3], [[1, 2, 3, 4]])
        found = tree.Node.decode(support.encode(proof.Proof(proof.TREE, [4, 5], stream, [opening])))
        claims = [field.from_words([10, 11, 12]), field.from_words([13, 14, 15])]
        self.assertEqual((found.kind, found.outputs, found.claims), (1, [5, 6, 7, 8], claims))
        self.assertEqual(found.rows, proof.Proof(proof.TREE, [4, 5], [77, 78], [opening]))

    def test_what_is_no_node_is_refused(self):
        honest = [1, 5, 6, 7, 8, 2, *range(10, 16)]
        for kind, stream, refusal in (
            (proof.RUN, honest, "not that of a node"),
            (proof.TREE, honest[:5], "the stream ends"),
            (proof.TREE, honest[:-1], "the stream ends"),
            (proof.TREE, [*honest[:5], 2**64 - 1, *honest[6:]], "the stream ends"),
            (proof.TREE, [2, *honest[1:]], "of kind 2"),
        ):
            with self.assertRaisesRegex(Refused, refusal):
                tree.Node.decode(support.encode(proof.Proof(kind, [], stream, [])))


class Outputs(unittest.TestCase):
    def digest(self, count):
        key = tree.Key(2, 2, 1, [0] * 4, [])
        return tree.outputs_digest(key, [[leaf, 1, 2, 3] for leaf in range(count)])

    def test_the_digests_are_the_known_ones(self):
        # Those of crates/rec/src/tree/plan.rs.
        known = [4292830271327571616, 6639324489398249662, 14764403148166796065]
        self.assertEqual([self.digest(count)[0] for count in (1, 2, 3)], known)

    def test_a_node_that_is_short_of_children_has_its_last_again(self):
        key = tree.Key(2, 3, 1, [0] * 4, [])
        a, b, c = ([leaf, 1, 2, 3] for leaf in range(3))
        left = tree.digest([1, 2], [[2], *([word] for word in a + b)])
        right = tree.digest([1, 2], [[1], *([word] for word in c + c)])
        self.assertEqual(tree.outputs_digest(key, [a, b, c]), tree.digest([2, 3], [[2], left, right, right]))

    def test_lists_of_outputs_have_different_digests(self):
        key = tree.Key(2, 2, 1, [0] * 4, [])
        lists = [[[leaf, 1, 2, 3] for leaf in range(count)] for count in range(1, 7)]
        lists += [[*outputs, outputs[-1]] for outputs in lists] + [lists[3][::-1]]
        digests = {tuple(tree.outputs_digest(key, outputs)) for outputs in lists}
        self.assertEqual(len(digests), len(lists))


class Circuits(unittest.TestCase):
    """A file of circuits of small heights, which are those of no verifier."""

    @classmethod
    def setUpClass(cls):
        cls.program = Program((RUN / "every_class.program").read_bytes())
        cls.leaf_shape = proof.decode((RUN / "every_class.proof").read_bytes()).shape

    def words(self, heights=HEIGHTS, **changes):
        """The words of a file: parameters, heights, columns."""
        parameters = {"program": self.program.digest, "shape": self.leaf_shape, "rest": [2, 2, 1]} | changes
        columns = range(2 * sum(1 << size for size in heights.sizes()))
        shape = [len(parameters["shape"]), *parameters["shape"]]
        return [*parameters["program"], *shape, *parameters["rest"], *heights.tables, heights.constants, *columns]

    def tree(self, data):
        """The tree of a key with the digest of these bytes."""
        return tree.Tree(self.program, tree.Key(2, 2, 1, blake2s.digest(data), self.leaf_shape), data)

    def test_the_columns_are_in_their_order(self):
        made = self.tree(blake2s.to_bytes(self.words()))
        self.assertEqual(made.heights, HEIGHTS)
        found = [word for machine in made.machines for column in machine.public for word in column.words]
        self.assertEqual(found, list(range(len(found))))

    def test_another_file_than_the_keys_is_refused(self):
        data = blake2s.to_bytes(self.words())
        key = tree.Key(2, 2, 1, blake2s.digest(data), self.leaf_shape)
        for forged in (b"", data[:-8], data + b"\0", data[:-1] + bytes([data[-1] ^ 1])):
            with self.assertRaisesRegex(Refused, "^tree: key: .*digest"):
                tree.Tree(self.program, key, forged)

    def test_files_of_other_trees_are_refused(self):
        for changes in (
            {"program": [1, 2, 3, 4]},
            {"shape": [*self.leaf_shape, 1]},
            {"shape": [2, *self.leaf_shape[1:]]},
            {"rest": [3, 2, 1]},
            {"rest": [2, 3, 1]},
            {"rest": [2, 2, 2]},
        ):
            with self.assertRaisesRegex(Refused, "^tree: key: .*(another program|other parameters)"):
                self.tree(blake2s.to_bytes(self.words(**changes)))
        with self.assertRaisesRegex(Refused, "^tree: key: .*(another program|other parameters)"):
            self.tree(blake2s.to_bytes(self.words()[:20]))

    def test_lengths_are_those_of_the_heights(self):
        words = self.words()
        at = len(words) - 2 * sum(1 << size for size in HEIGHTS.sizes()) - 6
        for forged, refusal in (
            (words[:-1], "the length"),
            ([*words, 0], "the length"),
            ([*words[:at], 6, *words[at + 1 :]], "the length"),
            ([*words[:at], 2**64 - 1, *words[at + 1 :]], "a height"),
            ([*words[: at + 5], 29, *words[at + 6 :]], "a height"),
        ):
            with self.assertRaisesRegex(Refused, f"^tree: key: {refusal}"):
                self.tree(blake2s.to_bytes(forged))

    def test_a_leaf_shape_of_no_run_is_refused(self):
        data = blake2s.to_bytes(self.words())
        with self.assertRaisesRegex(Refused, "^the shape has"):
            tree.Tree(self.program, tree.Key(2, 2, 1, blake2s.digest(data), []), data)


@unittest.skipUnless("LEANVM_TREE" in os.environ, "LEANVM_TREE names no tree")
class Roots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = cls.directory = pathlib.Path(os.environ["LEANVM_TREE"])
        cls.program = Program(elf.load((directory / "program").read_bytes()))
        cls.key = tree.Key.decode((directory / "key").read_bytes())
        cls.circuits = (directory / "circuits").read_bytes()
        cls.tree = tree.Tree(cls.program, cls.key, cls.circuits)
        cls.outputs = [blake2s.words(bytes.fromhex(line)) for line in (directory / "outputs").read_text().split()]
        cls.files = {count: (directory / f"root{count}").read_bytes() for count in (1, 3)}
        cls.node = tree.Node.decode(cls.files[3])
        channel, cls.challenges = support.recording(cls.node.rows)
        cls.announced, cls.deferred = cls.tree.verify_rows(cls.node, channel)

    def frozen(self, change=lambda _: None):
        """The node over three leaves with a change of its proof of rows, and a channel with the honest challenges."""
        node = copy.copy(self.node)
        node.rows = support.changed(node.rows, change)
        return node, support.frozen(node.rows, self.challenges)

    def test_roots_of_either_kind_are_accepted(self):
        for count, data in self.files.items():
            self.tree.verify(data, self.outputs[:count])

    def test_other_outputs_are_refused(self):
        a, b, c = self.outputs
        self.assertNotEqual(a, b)
        for outputs in ([b, a, c], [a, b, [*c[:3], c[3] ^ 1]], [a, b, c, c], [a, b, c, a]):
            with self.assertRaisesRegex(Refused, "^tree: outputs"):
                self.tree.verify(self.files[3], outputs)
        with self.assertRaisesRegex(Refused, "^tree: outputs"):
            self.tree.verify(self.files[1], [a, a])
        with self.assertRaisesRegex(Refused, "^no outputs"):
            self.tree.verify(self.files[3], [])

    def test_a_root_of_another_kind_is_refused(self):
        with self.assertRaisesRegex(Refused, "is of a node, and the root over 2 leaves is a first-level node"):
            self.tree.verify(self.files[3], self.outputs[:2])
        with self.assertRaisesRegex(Refused, "is of a first-level node, and the root over 3 leaves is a node"):
            self.tree.verify(self.files[1], self.outputs)
        # The rows of a node, said to be those of a first-level node.
        node, channel = self.frozen()
        node.kind = 0
        with self.assertRaisesRegex(Refused, "^public column"):
            self.tree.verify_node(node, channel)

    def test_outputs_that_the_rows_do_not_announce_are_refused(self):
        node, channel = self.frozen()
        node.outputs = tree.outputs_digest(self.key, self.outputs[::-1])
        self.tree.check_outputs(node, self.outputs[::-1])
        with self.assertRaisesRegex(Refused, "^node: statement 0"):
            self.tree.check_statement(node, self.announced)

    def test_a_changed_claim_is_refused(self):
        for at in (0, len(self.node.claims) // 2, len(self.node.claims) - 1):
            node = copy.copy(self.node)
            node.claims = [claim ^ (i == at) for i, claim in enumerate(node.claims)]
            with self.assertRaisesRegex(Refused, "^node: statement 0"):
                self.tree.check_statement(node, self.announced)
        # Had the rows announced it, it would be refused when it is settled.
        catalog = self.tree.catalog
        first = max(catalog.variables)
        for at, name in enumerate(("image", "entries", "fixed")):
            claims = list(self.node.claims)
            claims[first + at] ^= X
            with self.assertRaisesRegex(Refused, f"^settle: {name}"):
                settle.settle(catalog, settle.Merged.of_scalars(catalog, claims))

    def test_each_word_announced_is_compared(self):
        for word in range(4):
            announced = list(self.announced)
            announced[word] ^= 1 << 63
            with self.assertRaisesRegex(Refused, f"^node: statement {word}"):
                self.tree.check_statement(self.node, announced)

    def test_a_changed_message_is_refused_by_the_check_that_owns_it(self):
        layout = self.tree.layouts[1]
        parts = [flock.Part(self.tree.machines[1].circuits[0], layout.tables[2].log_rows)]
        at = 4 + 4
        first = 2 - layout.log_leaves % 2
        bus = 3 * (1 + 2 * (1 << first))
        layers = sum(3 * (4 * d + 8) for d in range(first, layout.log_leaves, 2))
        # The next keys and the words of constants, and each announced word's next key.
        tables = 3 * (5 + 4 + 4) + 6 * layout.rounds
        tables += 3 * sum(t.table.columns + len(t.table.ports) + len(t.table.public) for t in layout.tables)
        zerocheck = 3 * (64 + 2 * parts[0].log_words + 3)
        lincheck = 3 * (2 * parts[0].log_block_words + 65)
        for word in range(4):
            self.refused("^tables: terminal", support.flip_stream(word, 16 * word))
        for length, label in (
            (bus, "^bus: root"),
            (layers, "^bus: layer"),
            (tables, "^tables: terminal"),
            (zerocheck, "^flock: zerocheck"),
            (lincheck, "^flock: lincheck"),
        ):
            for word in (at, at + length // 2, at + length - 1):
                self.refused(label, support.flip_stream(word, word % 64))
            at += length
        self.refused("^whir", support.flip_stream(at, 7))
        self.refused("^opening 0", support.flip_leaf(0, 3))

    def refused(self, refusal, change):
        """Expects a refusal of the changed rows."""
        node, channel = self.frozen(change)
        with self.assertRaisesRegex(Refused, refusal):
            self.tree.verify_rows(node, channel)

    def test_rows_of_another_shape_are_refused(self):
        def change(forged):
            forged.shape[1] += 1

        self.refused("^the proof has the shape", change)
        node, _ = self.frozen()
        node.claims = node.claims[:-1]
        with self.assertRaisesRegex(Refused, "scalars of claims"):
            self.tree.verify_node(node, support.frozen(node.rows, self.challenges))

    def test_other_circuits_are_refused(self):
        # One bit: of the next key of the last announced word of nodes, of a constant of first-level nodes. The forger's
        # key has the digest of his circuits.
        for at, refusal in ((-1, "^public column 12:"), (len(self.circuits) // 2 - 64, "^settle: fixed")):
            forged = bytearray(self.circuits)
            forged[at] ^= 1
            with self.assertRaisesRegex(Refused, "^tree: key"):
                tree.Tree(self.program, self.key, bytes(forged))
            key = copy.copy(self.key)
            key.digest = blake2s.digest(bytes(forged))
            other = tree.Tree(self.program, key, bytes(forged))
            with self.assertRaisesRegex(Refused, refusal):
                node, channel = self.frozen()
                argument.check_deferred(other.machines[1], other.verify_rows(node, channel)[1])
                settle.settle(other.catalog, settle.Merged.of_scalars(other.catalog, self.node.claims))

    def test_another_program_is_refused(self):
        known = Program((RUN / "every_class.program").read_bytes())
        with self.assertRaisesRegex(Refused, "^tree: key"):
            tree.Tree(known, self.key, self.circuits)
        # With the digest of the honest one: another word of RAM, another instruction.
        claim = settle.Merged.of_scalars(self.tree.catalog, self.node.claims)
        for name in ("image", "entries"):
            program = copy.copy(self.program)
            if name == "image":
                program.image = {**program.image, 5: 1 + program.image.get(5, 0)}
            else:
                program.entries = program.entries[1:] + program.entries[:1]
            catalog = settle.Catalog(riscv.machine(program), self.tree.machines)
            with self.assertRaisesRegex(Refused, f"^settle: {name}"):
                settle.settle(catalog, claim)

    def test_the_command_line_tells_what_it_found(self):
        def run(outputs):
            with tempfile.TemporaryDirectory() as directory:
                path = pathlib.Path(directory, "outputs")
                path.write_text(outputs)
                files = [self.directory / name for name in ("program", "key", "circuits", "root3")]
                text = io.StringIO()
                with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
                    code = command_line.main([*map(str, files), str(path)])
                return code, text.getvalue()

        lines = (self.directory / "outputs").read_text()
        code, text = run(lines)
        self.assertEqual(code, 0)
        self.assertIn("outputs : 3\n", text)
        self.assertEqual(run("\n".join(reversed(lines.split())))[0], 1)
        self.assertEqual(run(lines + "12\n")[0], 2)


if __name__ == "__main__":
    unittest.main()
