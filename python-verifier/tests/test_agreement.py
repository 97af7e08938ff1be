"""The comparison of verdicts can fail: it notices another verdict, another check, another claim."""

import pathlib
import tempfile
import unittest

from tests import agreement, support

FILES = support.CRATES / "leanvm_core/known_answers"


class Agreement(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        for kind in ("program", "proof"):
            (self.directory / f"run.{kind}").write_bytes((FILES / f"every_class.{kind}").read_bytes())

    def told(self, *lines):
        """What is told of a case with these lines."""
        path = self.directory / "run.case"
        path.write_text("\n".join(["test a", "program run.program", "proof run.proof", *lines]))
        return agreement.disagreement(path)

    def test_an_accepted_proof_leaves_what_is_expected_and_nothing_else(self):
        case = agreement.Case(self.directory / "run.case", program="run.program", proof="run.proof")
        left = agreement.verdict(case)
        self.assertGreater(len(left), 4)
        self.assertIsNone(self.told("verdict accepted", *left))
        self.assertIn("lines are left", self.told("verdict accepted", *left[:-1]))
        other = left[-1][:-1] + ("0" if left[-1][-1] != "0" else "1")
        self.assertIn("what is left is", self.told("verdict accepted", *left[:-1], other))
        self.assertIn("here accepted", self.told("verdict refused bus: root 1"))

    def test_a_refused_proof_is_refused_by_the_same_check(self):
        # A bit of the final clock that every clock has: behind the header, the shape and its length, the stream's, and four
        # words.
        proof = (self.directory / "run.proof").read_bytes()
        shape = int.from_bytes(proof[16:24], "little")
        offset = 16 + 8 * (1 + shape + 1 + 4) + 5
        change = f"change {offset} {proof[offset] ^ 1}"
        self.assertIsNone(self.told(change, "verdict refused run: final clock"))
        self.assertIsNone(self.told(change, "verdict refused "))
        self.assertIn("and here", self.told(change, "verdict refused bus: root 1"))
        self.assertIn("accepted in Rust", self.told(change, "verdict accepted"))
        self.assertIsNone(self.told("cut 100", "verdict refused "))


if __name__ == "__main__":
    unittest.main()
