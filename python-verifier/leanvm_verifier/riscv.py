"""The RISC-V machine as tables (doc/riscv.md, doc/machine.md), and the verification of a run."""

from dataclasses import replace

from . import argument, circuits, proof
from .field import X, power
from .layout import Layout, Shape
from .machine import PULL, PUSH, Announced, Boundary, Constant, Form, Free, Index, Machine, Producer, Public
from .machine import PublicColumn, Table
from .program import ADVICE, NAMES, RAM, TEXT
from .refusal import Refused
from .transcript import Channel

STATE, BYTECODE, REGISTER, MEMORY = 1, 2, 3, 4
LIVE = 1 << 40
START = LIVE | 1 << 5
FINAL_CLOCK = 4
EXIT = 93
SIGN = power(X, 63)
FIELDS = ("tag", "a1", "a2", "ad", "imm", "next", "delta", "c0", "c1", "c2", "exit")

CIRCUITS = [
    "adder", "and", "less", "word", "shift", "load", "store", "mul", "mulh", "div", "compression",
    "clock_three", "clock_eighteen", "pointers",
]  # fmt: skip

# Of each class its circuit, the names of the circuit's ports that are columns (inputs, then outputs; None for one
# that is no column), and its committed columns.
CLASSES = {
    "ADD": ("adder", "p q r", "pc a1 a2 ad next c0 old"),
    "ADDI": ("adder", "p q r", "pc a1 ad next old"),
    "JUMP": ("adder", "p q r", "pc a1 ad next exit b old"),
    "LOGIC": ("and", "p q t", "pc a1 a2 ad imm next c0 c1 old"),
    "SHIFTI": ("and", "p q t", "pc a1 ad next c0 c1 c2 old"),
    "LT": ("less", "a b l", "pc a1 a2 ad imm next delta c0 c1 old"),
    "EQ": (None, "", "pc a1 a2 next delta c0 v1 v2 z e"),
    "WORD": ("word", "p q r", "pc a1 a2 ad imm next c0 old"),
    "SHIFT": ("shift", "v1 v2 imm result", "pc a1 a2 ad next old"),
    "LOAD": ("load", "v1 imm cell address value", "pc a1 ad next old"),
    "STORE": ("store", "v1 v2 imm cell address change", "pc a1 a2 next"),
    "LD": ("adder", "p q r", "pc a1 ad next cell old"),
    "SD": ("adder", "p q r", "pc a1 a2 next v2 cell"),
    "MUL": ("mul", "v1 v2 imm result", "pc a1 a2 ad next old"),
    "MULH": ("mulh", "v1 v2 imm result", "pc a1 a2 ad next old"),
    "DIV": ("div", "v1 v2 imm - - result bad", "pc a1 a2 ad next old"),
    "HASH": (
        "compression",
        "v2 imm h0 h1 h2 h3 m0 m1 m2 m3 m4 m5 m6 m7 n0 n1 n2 n3",
        "pc a1 a2 next v1 o0 o1 o2 o3",
    ),
    "EXT": (
        "pointers",
        "v1 v2 v3 imm address_a1 address_a2 address_b1 address_b2 address_c1 address_c2 accumulate base",
        "pc a1 a2 ad next a_0 a_1 a_2 b_0 b_1 b_2 c_0 c_1 c_2",
    ),
}


class Row:
    """The columns of a class's row as forms, by name: what is no column is zero."""

    def __init__(self, name):
        circuit, ports, columns = CLASSES[name]
        self.table = Table(name)
        self._forms = {"tag": Form.constant(NAMES.index(name) + 1)}
        for column in columns.split():
            self._add(column)
        self.table.columns = len(columns.split())
        if circuit:
            self.table.blocks.append(CIRCUITS.index(circuit))
            for word, port in enumerate(ports.split()):
                if port != "-":
                    self._add(port)
                    self.table.ports.append((0, word))

    def _add(self, name):
        self._forms[name] = Form.column(len(self._forms) - 1)

    def add_clock(self, slots):
        """Adds the clock's block, and its ports for accesses in these slots."""
        long = max(slots) > 2
        block = len(self.table.blocks)
        self.table.blocks.append(CIRCUITS.index("clock_eighteen" if long else "clock_three"))
        words = {"ts": 0, **{f"prev{slot}": 1 + slot for slot in slots}, "step": 19 if long else 4}
        for port, word in words.items():
            self._add(port)
            self.table.ports.append((block, word))

    def has(self, name):
        """Whether there is such a column."""
        return name in self._forms

    def __getattr__(self, name):
        return self._forms.get(name, Form.constant(0))


def _register(address, old, new=None):
    return Form.constant(REGISTER), address, old, old if new is None else new


def _memory(address, old, new=None):
    return Form.constant(MEMORY), address, old, old if new is None else new


def _values(name, row):
    """What a class puts on the bus: the forms v1, v2, new, imm, and the next pc."""
    v1, v2, new, imm, next_pc = row.v1, row.v2, Form.constant(0), row.imm, row.next
    match name:
        case "ADD":
            v1, v2, new = row.p + row.c0, row.q, row.r + row.c0
        case "ADDI":
            v1, imm, new = row.p, row.q, row.r
        case "JUMP":
            v1, imm, new, next_pc = row.p, row.q, row.next, row.r + row.b
        case "LOGIC":
            v1, v2, new = row.p, row.q + row.imm, row.c0 * (row.p + row.q) + row.c1 * row.t
        case "SHIFTI":
            v1, imm, new = row.p * row.c0 + row.t * row.c1, row.q, row.t + row.c2 * row.p
        case "LT":
            v1, v2 = row.a + row.c0 * SIGN, row.b + row.imm + row.c0 * SIGN
            new = row.l + X
            next_pc = row.next + (new + row.c1) * row.delta
        case "EQ":
            next_pc = row.next + (row.e + row.c0) * row.delta
        case "WORD":
            v1, v2, new = row.p + row.c0, row.q + row.imm, row.r + row.c0
        case "SHIFT" | "MUL" | "MULH" | "DIV":
            new = row.result
        case "LOAD":
            new = row.value
        case "LD":
            v1, imm, new = row.p, row.q, row.cell
        case "SD":
            v1, imm = row.p, row.q
    return v1, v2, new, imm, next_pc


def _accesses(name, row, v1, v2, new):
    """The accesses by slot: space, address, word before, word after."""
    accesses = {0: _register(row.a1, v1)}
    if row.has("a2"):
        accesses[1] = _register(row.a2, v2)
    if row.has("ad") and name != "EXT":
        accesses[2] = _register(row.ad, row.old, new)
    match name:
        case "LOAD":
            accesses[1] = _memory(row.address, row.cell)
        case "LD":
            accesses[1] = _memory(row.r, row.cell)
        case "STORE":
            accesses[2] = _memory(row.address, row.cell, row.cell + row.change)
        case "SD":
            accesses[2] = _memory(row.r, row.cell, row.v2)
        case "HASH":
            block = [(row.h0,), (row.h1,), (row.h2,), (row.h3,)]
            block += [(row.o0, row.n0), (row.o1, row.n1), (row.o2, row.n2), (row.o3, row.n3)]
            block += [(getattr(row, f"m{i}"),) for i in range(8)]
            for k, words in enumerate(block):
                accesses[2 + k] = _memory(v1 + 8 * k, *words)
        case "EXT":
            accesses |= _limbs(row, v1, v2)
    return accesses


def _limbs(row, v1, v2):
    """The accesses of EXT from slot 2: the third pointer, and the limbs of a, b and c."""
    a, b, c = ([getattr(row, f"{operand}_{i}") for i in range(3)] for operand in "abc")
    h = a[1] * b[2] + a[2] * b[1]
    new = [
        row.accumulate * c[0] + a[0] * b[0] + h,
        row.accumulate * c[1] + a[0] * b[1] + a[1] * b[0] + h + a[2] * b[2],
        row.accumulate * c[2] + a[0] * b[2] + a[1] * b[1] + a[2] * b[0] + a[2] * b[2],
    ]
    space = MEMORY + row.base * (MEMORY ^ REGISTER)
    return {
        2: _register(row.ad, row.v3),
        4: _memory(v1, a[0]),
        5: _memory(row.address_a1, a[1]),
        6: _memory(row.address_a2, a[2]),
        7: _memory(v2, b[0]),
        8: (space, row.address_b1, b[1], b[1]),
        9: (space, row.address_b2, b[2], b[2]),
        10: _memory(row.v3, c[0], new[0]),
        11: _memory(row.address_c1, c[1], new[1]),
        12: _memory(row.address_c2, c[2], new[2]),
    }


def table(name):
    """The table of a class."""
    row = Row(name)
    v1, v2, new, imm, next_pc = _values(name, row)
    accesses = _accesses(name, row, v1, v2, new)
    row.add_clock(sorted(accesses))
    zero = Form.constant(0)
    after = row.ts + row.step
    entry = [row.tag, row.a1, row.a2, row.ad, imm, row.next, row.delta, row.c0, row.c1, row.c2, row.bad, row.exit]
    flushes = [
        (PULL, [Form.constant(STATE), row.pc, row.ts, zero]),
        (PUSH, [Form.constant(STATE), next_pc, after, row.exit * after]),
        (PULL, [Form.constant(BYTECODE), row.pc, *entry]),
    ]
    for slot, (space, address, before, after) in sorted(accesses.items()):
        flushes.append((PULL, [space, address, getattr(row, f"prev{slot}"), before]))
        flushes.append((PUSH, [space, address, row.ts + slot, after]))
    row.table.flushes = flushes
    if name == "JUMP":
        row.table.identities = [row.b * row.b + row.b]
    if name == "EQ":
        difference = row.v1 + row.v2
        row.table.identities = [difference * row.z + 1 + row.e, row.e * difference]
    return row.table


def tables():
    """The tables: the first of every class, then the second of every class, which is another of the same kind."""
    first = [table(name) for name in CLASSES]
    return first + [replace(table, name=f"second {table.name}") for table in first]


def machine(program):
    """The machine of a program."""
    columns = [[getattr(entry, name) for entry in program.entries] for name in FIELDS]
    fields = [Public(1 + i) for i in range(len(FIELDS))]
    entry = [Constant(BYTECODE), Index(TEXT, 2), *fields[:-1], Constant(0), fields[-1]]
    boundaries = [
        Boundary(PUSH, 0, [Constant(STATE), Constant(program.entry), Constant(START), Constant(0)]),
        Boundary(PULL, 0, [Constant(STATE), Constant(program.halt), Announced(FINAL_CLOCK), Announced(FINAL_CLOCK)]),
    ]
    regions = [
        (6, Constant(REGISTER), Index(0, 0), Constant(0), Free(1), Free(0)),
        (program.log_ram, Constant(MEMORY), Index(RAM, 3), Public(0), Free(3), Free(2)),
        (program.log_advice, Constant(MEMORY), Index(ADVICE, 3), Free(4), Free(6), Free(5)),
    ]
    for log_words, space, address, start, clock, end in regions:
        boundaries.append(Boundary(PUSH, log_words, [space, address, Constant(LIVE), start]))
        boundaries.append(Boundary(PULL, log_words, [space, address, clock, end]))
    return Machine(
        circuits=[circuits.named(name) for name in CIRCUITS],
        tables=tables(),
        columns=[6, 6] + [program.log_ram] * 2 + [program.log_advice] * 3,
        public=[PublicColumn(program.log_ram, program.image)]
        + [PublicColumn(program.log_entries, column) for column in columns],
        boundaries=boundaries,
        producers=[Producer("the bytecode", program.log_entries, entry)],
        fixed=[(0, 17, Constant(EXIT))] + [(0, 10 + i, Announced(i)) for i in range(4)],
    )


def cycles(clock):
    """The cycles of a run with this final clock: its first row is in cycle 1."""
    return (clock >> 5) - (1 << 35) - 1


def verify(program, data):
    """Verifies the bytes of a proof of a run of a program: the output, four words, and the final clock."""
    decoded = proof.decode(data)
    if decoded.kind != proof.RUN:
        raise Refused("the proof is not that of a run")
    return verify_run(machine(program), program, Channel(decoded), decoded.shape)


def verify_run(run_machine, program, channel, shape):
    """Verifies a run through a channel."""
    announced, deferred = verify_core(run_machine, program, channel, shape)
    argument.check_deferred(run_machine, deferred)
    return announced[:FINAL_CLOCK], announced[FINAL_CLOCK]


def verify_core(run_machine, program, channel, shape):
    """Checks everything of a run's proof but the claims that it leaves: the announced words, and these."""
    shape = Shape(run_machine, shape)
    layout = Layout(run_machine, shape)
    channel.observe_digest(program.digest)
    announced = [channel.read_word() for _ in range(5)]
    clock = announced[FINAL_CLOCK]
    if clock & 31 or clock >> 40 != 1:
        raise Refused(f"run: final clock: {clock:#x} is no clock of a live row")
    deferred = argument.verify(channel, layout, shape.log_inv_rate, announced)
    channel.finish()
    return announced, deferred
