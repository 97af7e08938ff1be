"""Trees of proofs (doc/recursion.md, "Trees"): what names a tree, and the verification of a root.

The circuits of nodes are not made here but read, and the key is trusted to name them: see `Tree`.
"""

from dataclasses import dataclass

from . import argument, blake2s, field, proof, riscv, rows, settle
from .layout import MAX_HEIGHT, Layout, Shape
from .refusal import Refused
from .transcript import Channel, Transcript

MAGIC = b"leanVMtk"
KINDS = ("first-level node", "node")
FIRST_LEVEL, NODE, STATEMENT = 1, 2, 3
MAX_ARITY = 64


@dataclass
class Key:
    """What names a tree: arities, the nodes' rate, the leaves' shape, and the digest of the circuits' file."""

    arity0: int
    arity: int
    log_inv_rate: int
    digest: list
    leaf_shape: list

    @staticmethod
    def decode(data):
        """The key in a file."""
        if data[:8] != MAGIC or len(data) < 80 or len(data) % 8:
            raise Refused("the file is no key of a tree")
        version, arity0, arity, log_inv_rate, *digest, count = blake2s.words(data[8:80])
        leaf_shape = blake2s.words(data[80:])
        if version != proof.VERSION:
            raise Refused(f"the key has version {version}, and this verifier reads version {proof.VERSION}")
        if len(leaf_shape) != count:
            raise Refused(f"the key has {len(leaf_shape)} words of a shape, and says that it has {count}")
        if not (1 <= arity0 <= MAX_ARITY and 2 <= arity <= MAX_ARITY):
            raise Refused(f"a tree with nodes of {arity0} and {arity} children is impossible")
        return Key(arity0, arity, log_inv_rate, digest, leaf_shape)


@dataclass
class Node:
    """The proof of a node. `outputs`: the digest of its leaves' outputs; `claims`: scalars; `rows`: the proof of rows."""

    kind: int
    outputs: list
    claims: list
    rows: proof.Proof

    @staticmethod
    def decode(data):
        """The proof in a file."""
        decoded = proof.decode(data)
        stream = decoded.stream
        if decoded.kind != proof.TREE:
            raise Refused("the proof is not that of a node of a tree")
        if len(stream) < 6 or len(stream) - 6 < 3 * stream[5]:
            raise Refused("the stream ends before the claims of the node do")
        kind, outputs, end = stream[0], stream[1:5], 6 + 3 * stream[5]
        if kind >= len(KINDS):
            raise Refused(f"the proof is of a node of kind {kind}, and there are 0 and 1")
        claims = [field.from_words(stream[at : at + 3]) for at in range(6, end, 3)]
        return Node(kind, outputs, claims, proof.Proof(decoded.kind, decoded.shape, stream[end:], decoded.openings))


class Tree:
    """The tree over runs of a program that a key names.

    `circuits`: the file of both circuits. It is the one whose digest is in the key; that these are the circuits of the
    verifiers, whoever gave the key is trusted with.
    """

    def __init__(self, program, key, circuits):
        self.key = key
        run = riscv.machine(program)
        Layout(run, Shape(run, key.leaf_shape))
        self.heights, columns = _read_circuits(program, key, circuits)
        self.machines = [rows.machine(self.heights, of_kind) for of_kind in columns]
        # Of the heights and the rate alone: one for nodes of either kind.
        self.layouts = [Layout(machine, Shape(machine, self._shape())) for machine in self.machines]
        self.catalog = settle.Catalog(run, self.machines)

    def _shape(self):
        return self.heights.shape(self.key.log_inv_rate)

    def verify(self, data, outputs):
        """Verifies that the bytes are the proof of the root over leaves with these outputs, in this order."""
        node = Node.decode(data)
        self.check_outputs(node, outputs)
        self.verify_node(node, Channel(node.rows))

    def check_outputs(self, node, outputs):
        """Checks kind and outputs of a root."""
        if not outputs:
            raise Refused("no outputs are given, and a tree has one leaf at least")
        kind = int(len(outputs) > self.key.arity0)
        if node.kind != kind:
            found, expected = KINDS[node.kind], KINDS[kind]
            raise Refused(f"the proof is of a {found}, and the root over {len(outputs)} leaves is a {expected}")
        if node.outputs != outputs_digest(self.key, outputs):
            raise Refused("tree: outputs: the digest of the outputs is another")

    def verify_node(self, node, channel):
        """Verifies a node; `channel` is over its proof of rows."""
        claim = settle.Merged.of_scalars(self.catalog, node.claims)
        announced, deferred = self.verify_rows(node, channel)
        argument.check_deferred(self.machines[node.kind], deferred)
        self.check_statement(node, announced)
        settle.settle(self.catalog, claim)

    def verify_rows(self, node, channel):
        """Verifies a proof of rows: the announced words, and what is left to settle."""
        if node.rows.shape != self._shape():
            raise Refused(f"the proof has the shape {node.rows.shape}, and nodes of this tree have {self._shape()}")
        announced = [channel.read_word() for _ in range(rows.ANNOUNCED)]
        deferred = argument.verify(channel, self.layouts[node.kind], self.key.log_inv_rate, announced)
        channel.finish()
        return announced, deferred

    def check_statement(self, node, announced):
        """Checks that the digest of a node's statement is what its proof of rows announces."""
        statement = [node.outputs, *map(field.to_words, node.claims)]
        for word, (found, expected) in enumerate(zip(announced, digest([STATEMENT], statement), strict=True)):
            if found != expected:
                raise Refused(f"node: statement {word}: the word announced is not the digest's")


def _read_circuits(program, key, data):
    """The heights, and of each kind the words of the public columns, from the file of circuits."""
    if blake2s.digest(data) != key.digest:
        raise Refused("tree: key: the file of circuits has not the digest of the key")
    parameters = [*program.digest, len(key.leaf_shape), *key.leaf_shape, key.arity0, key.arity, key.log_inv_rate]
    at = 8 * (len(parameters) + len(rows.TABLES) + 1)
    if len(data) < at or blake2s.words(data[: 8 * len(parameters)]) != parameters:
        raise Refused("tree: key: the circuits are of another program, or of a tree with other parameters")
    *tables, constants = blake2s.words(data[8 * len(parameters) : at])
    if max(*tables, constants) > MAX_HEIGHT:
        raise Refused("tree: key: a height of the circuits is impossible")
    heights = rows.Heights(tuple(tables), constants)
    if len(data) != at + 2 * 8 * sum(1 << size for size in heights.sizes()):
        raise Refused("tree: key: the length of the file of circuits is not that of its heights")
    columns = []
    for _ in KINDS:
        columns.append([])
        for size in heights.sizes():
            columns[-1].append(blake2s.words(data[at : at + (8 << size)]))
            at += 8 << size
    return heights, columns


def digest(shape, items):
    """The final state of a transcript of kind tree that absorbs these items."""
    transcript = Transcript(proof.TREE, shape)
    for item in items:
        transcript.absorb(item)
    transcript.flush()
    return transcript.state


def outputs_digest(key, outputs):
    """The digest of the outputs of a tree's leaves, in order: four words each."""
    level = []
    for group in _groups(outputs, key.arity0):
        words = [[word] for output in _padded(group, key.arity0) for word in output]
        level.append(digest([FIRST_LEVEL, key.arity0], [[len(group)], *words]))
    while len(level) > 1:
        groups = _groups(level, key.arity)
        level = [digest([NODE, key.arity], [[len(group)], *_padded(group, key.arity)]) for group in groups]
    return level[0]


def _groups(children, arity):
    return [children[at : at + arity] for at in range(0, len(children), arity)]


def _padded(children, arity):
    """The children of a node: its last one again for each that is missing."""
    return children + children[-1:] * (arity - len(children))
