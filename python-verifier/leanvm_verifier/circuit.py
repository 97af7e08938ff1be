"""Boolean circuits: gate lists, blocks, and the walk that multiplies with their matrices (doc/circuit.md)."""

import struct
from dataclasses import dataclass
from hashlib import blake2s

# A wire under construction is the number of a node: the two constants come first.
ONE, ZERO = 0, 1
_INPUT, _XOR, _AND = range(3)
_NO_WIRE = 2**32 - 1


@dataclass
class Circuit:
    """A gate list and its layout. Wires: the constant one is 0, then the inputs, then the gates.

    `gates`: of each gate whether it is an AND, and its operands; `wire_at`: the wire at each position in use, or None.
    """

    masks: list
    outputs: int
    gates: list
    wire_at: list
    constant_position: int

    @property
    def log_block(self):
        """log2 of the positions of a block."""
        return max((len(self.wire_at) - 1).bit_length(), 6)

    @property
    def first_gate(self):
        """The wire of the first gate."""
        return 1 + sum(mask.bit_count() for mask in self.masks)

    @property
    def ands(self):
        """The number of ANDs."""
        return sum(is_and for is_and, _, _ in self.gates)

    def digest(self):
        """The digest of the gate list and the layout."""
        words = [len(self.masks)]
        for mask in self.masks:
            words += [mask & 0xFFFFFFFF, mask >> 32]
        words += [self.outputs, self.constant_position, len(self.wire_at)]
        words += [_NO_WIRE if wire is None else wire for wire in self.wire_at]
        for gate in self.gates:
            words += gate
        return blake2s(struct.pack(f"<{len(words)}I", *words)).digest()

    def forward(self, weights):
        """Walks forward: of each position in use `(A w)_p` and `(B w)_p`, for weights w of all positions."""
        values = [weights[self.constant_position]]
        for port, mask in enumerate(self.masks):
            values += [weights[64 * port + bit] for bit in range(64) if mask >> bit & 1]
        home = self._homes()
        for wire, (is_and, a, b) in enumerate(self.gates, len(values)):
            values.append(weights[home[wire]] if is_and else values[a] ^ values[b])
        rows = []
        for position, wire in enumerate(self.wire_at):
            if wire is None:
                rows.append((0, 0))
            elif home.get(wire) == position:
                _, a, b = self.gates[wire - self.first_gate]
                rows.append((values[a], values[b]))
            else:
                rows.append((values[wire], values[0]))
        return rows

    def _homes(self):
        """The position of each AND wire: the first at which it stands."""
        home = {}
        for position, wire in enumerate(self.wire_at):
            if wire is not None and wire >= self.first_gate and self.gates[wire - self.first_gate][0]:
                home.setdefault(wire, position)
        return home


class Builder:
    """Builds a circuit gate by gate. Words are lists of wires, bit 0 first."""

    def __init__(self):
        self._nodes = [None, None]  # the constants one and zero; then kind and operands of each node
        self._masks = []
        self._outputs = []
        self._constant = None

    def _push(self, kind, a, b):
        self._nodes.append((kind, a, b))
        return len(self._nodes) - 1

    def input(self, mask=2**64 - 1):
        """An input port of these free bits: 64 wires."""
        port = len(self._masks)
        self._masks.append(mask)
        return [self._push(_INPUT, port, bit) if mask >> bit & 1 else ZERO for bit in range(64)]

    def output(self, bits):
        """An output port of at most 64 bits: its number among the outputs."""
        self._outputs.append(bits + [ZERO] * (64 - len(bits)))
        return len(self._outputs) - 1

    def constant_at(self, output, bit):
        """Puts the constant wire at an empty bit of an output port."""
        self._constant = output, bit

    def xor(self, a, b):
        """`a + b`."""
        if a == b:
            return ZERO
        if ZERO in (a, b):
            return a if b == ZERO else b
        return self._push(_XOR, min(a, b), max(a, b))

    def xor_all(self, wires):
        """The sum of the wires that do not cancel, from the lowest: a chain."""
        total = ZERO
        for wire in sorted(set(wires)):
            if wires.count(wire) % 2:
                total = self.xor(total, wire)
        return total

    def not_(self, a):
        """`1 + a`."""
        return self.xor(a, ONE)

    def and_(self, a, b):
        """`a b`."""
        if ZERO in (a, b):
            return ZERO
        if ONE in (a, b):
            return a if b == ONE else b
        if a == b:
            return a
        return self._push(_AND, min(a, b), max(a, b))

    def build(self):
        """The circuit of what the outputs depend on."""
        live = {wire for port in self._outputs for wire in port}
        for node in range(len(self._nodes) - 1, 1, -1):
            kind, a, b = self._nodes[node]
            if kind != _INPUT and node in live:
                live.update((a, b))
        inputs = [node for node in range(2, len(self._nodes)) if self._nodes[node][0] == _INPUT]
        gates = [node for node in range(2, len(self._nodes)) if self._nodes[node][0] != _INPUT and node in live]
        number = {node: wire for wire, node in enumerate([ONE] + inputs + gates)}

        wire_at = [None] * (64 * (len(self._masks) + len(self._outputs)))
        for node in inputs:
            _, port, bit = self._nodes[node]
            wire_at[64 * port + bit] = number[node]
        position = 64 * len(self._masks)
        placed = set()
        for port in self._outputs:
            for wire in port:
                if wire != ZERO:
                    wire_at[position] = number[wire]
                    placed.add(wire)
                position += 1
        if self._constant is None:
            constant_position = len(wire_at)
            wire_at.append(None)
        else:
            output, bit = self._constant
            constant_position = 64 * (len(self._masks) + output) + bit
        wire_at[constant_position] = number[ONE]
        listed = []
        for node in gates:
            kind, a, b = self._nodes[node]
            listed.append((int(kind == _AND), *sorted((number[a], number[b]))))
            if kind == _AND and node not in placed:
                wire_at.append(number[node])
        return Circuit(self._masks, len(self._outputs), listed, wire_at, constant_position)
