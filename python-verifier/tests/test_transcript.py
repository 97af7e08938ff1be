"""The transcript, proof files and Merkle openings, against the known answers of crates/fiat_shamir."""

import hashlib
import random
import unittest

from leanvm_verifier import blake2s, merkle, proof, transcript
from leanvm_verifier.proof import Opening, Proof
from leanvm_verifier.refusal import Refused
from leanvm_verifier.transcript import Channel, QueryPlan
from tests import support


class Tree:
    """A whole tree, of which leaf i is `zeros` zero words and then 1000 i + j for j < width."""

    def __init__(self, zeros, width, log_leaves):
        self.leaves = [[1000 * i + j for j in range(width)] for i in range(1 << log_leaves)]
        layer = [blake2s.digest(bytes(8 * zeros) + blake2s.to_bytes(leaf)) for leaf in self.leaves]
        self.layers = [layer]
        while len(layer) > 1:
            layer = [blake2s.digest(blake2s.to_bytes(a + b)) for a, b in zip(layer[::2], layer[1::2])]
            self.layers.append(layer)
        self.root = layer[0]

    def open(self, indices):
        """The pruned opening, by its definition: siblings that no known node is or leads to."""
        known = set(indices)
        words = [word for x in sorted(known) for word in self.leaves[x]]
        siblings = []
        for layer in self.layers[:-1]:
            siblings += [layer[x ^ 1] for x in sorted(known) if x ^ 1 not in known]
            known = {x >> 1 for x in known}
        return Opening(words, siblings)


def conversation():
    """The turns of the known conversation: name, inputs, answers."""
    for name, *rest in support.lines("fiat_shamir/tests/data/transcript.txt"):
        at = rest.index("=") if "=" in rest else len(rest)
        yield name, rest[:at], rest[at + 1 :]


class KnownAnswers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """The proof of the conversation, from what the prover sends."""
        cls.known = Proof(proof.OPENING, [], [], [])
        cls.trees = []
        indices = plan = None
        for name, inputs, answers in conversation():
            if name == "shape":
                cls.known.shape = list(map(int, inputs))
            elif name.startswith("send_"):
                cls.known.stream += map(int, inputs)
            elif name == "grind":
                cls.known.stream += map(int, answers)
            elif name == "queries":
                plan, indices = list(map(int, inputs)), list(map(int, answers))
            elif name == "open":
                tree = Tree(*map(int, inputs), plan[1])
                cls.trees.append(tree)
                cls.known.openings.append(tree.open(indices))

    def replay(self, given):
        """Reads the conversation from a proof, and checks every answer of the data file."""
        channel = Channel(given)
        trees = iter(self.trees)
        plan = indices = None
        for name, inputs, answers in conversation():
            if name not in ("grind", "file"):
                answers = list(map(int, answers))
            inputs = list(map(int, inputs))
            if name == "observe_word":
                channel.observe_word(*inputs)
            elif name == "observe_digest":
                channel.observe_digest(inputs)
            elif name == "observe_scalar":
                channel.observe_scalar(inputs[0] | inputs[1] << 128 | inputs[2] << 256)
            elif name == "send_word":
                self.assertEqual(channel.read_word(), *inputs)
            elif name == "send_digest":
                self.assertEqual(channel.read_digest(), inputs)
            elif name == "send_scalar":
                self.assertEqual(channel.read_scalar(), inputs[0] | inputs[1] << 128 | inputs[2] << 256)
            elif name == "challenge":
                self.assertEqual(channel.challenge(), answers[0] | answers[1] << 128 | answers[2] << 256)
            elif name == "grind":
                channel.check_grinding(*inputs)
            elif name == "queries":
                plan = QueryPlan(*inputs)
                indices = channel.queries(plan)
                self.assertEqual(indices, answers)
            elif name == "open":
                tree = next(trees)
                self.assertEqual(tree.root, answers)
                opened = channel.open(tree.root, *inputs, plan, indices)
                self.assertEqual(opened, [tree.leaves[x] for x in indices])
            elif name == "state":
                self.assertEqual(channel.finish(), answers)

    def test_the_conversation_gives_the_known_answers(self):
        self.replay(self.known)

    def test_the_file_has_the_known_digest_and_decodes_to_the_proof(self):
        data = support.encode(self.known)
        (answer,) = [answers for name, _, answers in conversation() if name == "file"]
        self.assertEqual([hashlib.blake2s(data).hexdigest()], answer)
        self.assertEqual(proof.decode(data), self.known)

    def test_every_changed_file_is_refused(self):
        # Fixture: the known proof. Forgery: one bit of every word of the file, and every length of the file.
        # Expected: decoding refuses, or the proof that it gives is another.
        data = support.encode(self.known)
        for at in range(0, len(data), 8):
            forged = bytearray(data)
            forged[at + at // 8 % 8] ^= 1 << at // 8 % 7
            try:
                self.assertNotEqual(proof.decode(bytes(forged)), self.known)
            except Refused:
                pass
        for length in [*range(0, 400), *range(400, len(data), 97), len(data) - 1]:
            with self.assertRaises(Refused):
                proof.decode(data[:length])
        with self.assertRaisesRegex(Refused, "has 1 more bytes"):
            proof.decode(data + b"\0")

    def test_headers_of_other_files_are_refused(self):
        data = support.encode(self.known)
        for at, part in ((0, "magic"), (8, "version"), (12, "kind"), (15, "kind")):
            forged = bytearray(data)
            forged[at] ^= 3
            with self.assertRaisesRegex(Refused, part):
                proof.decode(bytes(forged))

    def test_random_bytes_are_refused(self):
        source = random.Random(2)
        for _ in range(2000):
            tail = bytes(source.choice((0, 1, 2, 255)) for _ in range(source.randrange(120)))
            try:
                decoded = proof.decode(proof.header(proof.RUN) + tail)
            except Refused:
                continue
            self.assertEqual(support.encode(decoded), proof.header(proof.RUN) + tail)

    def test_a_nonce_without_work_is_refused(self):
        (nonce,) = [int(answers[0]) for name, inputs, answers in conversation() if inputs == ["7"] and name == "grind"]
        at = self.known.stream.index(nonce)
        with self.assertRaisesRegex(Refused, "transcript: grinding"):
            self.replay(support.changed(self.known, lambda p: p.stream.__setitem__(at, nonce + 1)))

    def test_parts_that_are_missing_or_left_over_are_refused(self):
        forgeries = {
            "the stream ends": lambda p: p.stream.pop(),
            "words of the stream are read": lambda p: p.stream.append(0),
            "opening 0 is missing": lambda p: p.openings.pop(),
            "openings are read": lambda p: p.openings.append(p.openings[0]),
            "words are opened": lambda p: p.openings[0].words.pop(),
            "is missing": lambda p: p.openings[0].siblings.pop(),
            "siblings are given": lambda p: p.openings[0].siblings.append([0] * 4),
        }
        for refusal, forgery in forgeries.items():
            with self.assertRaisesRegex(Refused, refusal):
                self.replay(support.changed(self.known, forgery))

    def test_changed_leaves_and_siblings_lead_to_another_root(self):
        (opening,) = self.known.openings
        for at in range(len(opening.words)):
            with self.assertRaisesRegex(Refused, "opening 0: the opening leads to another root"):
                self.replay(support.changed(self.known, lambda p: _flip(p.openings[0].words, at)))
        for at in range(len(opening.siblings)):
            with self.assertRaisesRegex(Refused, "opening 0: the opening leads to another root"):
                self.replay(support.changed(self.known, lambda p: _flip(p.openings[0].siblings[at], at % 4)))


def _flip(words, at):
    words[at] ^= 1 << at % 64


class Blake2s(unittest.TestCase):
    def test_the_compression_of_one_block_is_the_digest(self):
        # RFC 7693, section 2.5: the parameter block of an unkeyed digest of 32 bytes.
        initial = list(blake2s.IV)
        initial[0] ^= 0x01010020
        initial = [a | b << 32 for a, b in zip(initial[::2], initial[1::2])]
        for words in ([], [1], list(range(1, 9))):
            expected = blake2s.digest(blake2s.to_bytes(words))
            self.assertEqual(blake2s.compress(initial, words, 8 * len(words)), expected)

    def test_the_counter_has_64_bits(self):
        states = {tuple(blake2s.compress([0] * 4, [], 1 << bit)) for bit in range(64)}
        self.assertEqual(len(states), 64)


class Openings(unittest.TestCase):
    def test_every_set_of_leaves_of_a_small_tree_opens(self):
        tree = Tree(3, 2, 3)
        for chosen in range(1, 256):
            indices = [x for x in range(8) if chosen >> x & 1]
            opened = merkle.open_leaves(tree.open(indices), tree.root, 3, 2, 3, indices)
            self.assertEqual(opened, {x: tree.leaves[x] for x in indices})

    def test_items_that_could_be_taken_for_others_give_other_states(self):
        scripts = [
            [[1], [2], [3]],
            [[1, 2, 3]],
            [[1, 2, 3, 0]],
            [[1], [2], [3], [0]],
            [[1], [2], [3], [0], [0]],
        ]
        states = set()
        for items in scripts:
            speech = transcript.Transcript(proof.OPENING, [])
            for item in items:
                speech.absorb(item)
            states.add(tuple(speech.challenge()))
        self.assertEqual(len(states), len(scripts))


if __name__ == "__main__":
    unittest.main()
