"""The known machines of crates/argument: their dumps, read and written, and the verification of their proofs."""

from leanvm_verifier import argument, circuits, gadgets, proof
from leanvm_verifier.circuit import Builder
from leanvm_verifier.layout import Layout, Shape
from leanvm_verifier.machine import (
    PULL,
    PUSH,
    Announced,
    Boundary,
    Constant,
    Form,
    Free,
    Index,
    Machine,
    Producer,
    Public,
    PublicColumn,
    Table,
)
from leanvm_verifier.refusal import Refused
from leanvm_verifier.transcript import Channel
from tests import support

SIDES = {"push": PUSH, "pull": PULL}


def _halves():
    """An AND of the halves of a word, with the constant at the output."""
    b = Builder()
    p = b.input()
    b.constant_at(b.output(gadgets.and_words(b, p[:32], p[32:])), 63)
    return b.build()


def _by_digest():
    built = [circuits.named(name) for name in circuits.NAMES] + [_halves()]
    return {circuit.digest().hex(): circuit for circuit in built}


def _form(text):
    terms = {}
    for term in text.split(" + "):
        coefficient, *columns = term.split("*")
        terms[tuple(int(column[1:]) for column in columns)] = int(coefficient)
    return Form(terms)


def _coordinate(text):
    match text.split():
        case ["announced", number]:
            return Announced(int(number))
        case ["index", base, shift]:
            return Index(int(base), int(shift))
        case ["free", number]:
            return Free(int(number))
        case ["public", number]:
            return Public(int(number))
        case [word]:
            return Constant(int(word))
    raise ValueError(text)


def parse(text):
    """The machine that a dump says."""
    machine = Machine()
    by_digest = _by_digest()
    for line in text.splitlines():
        head, _, tail = line.partition(": ")
        match head.split():
            case ["circuit", digest]:
                machine.circuits.append(by_digest[digest])
            case ["table", columns, *name]:
                machine.tables.append(Table(" ".join(name), int(columns)))
            case ["block", circuit]:
                machine.tables[-1].blocks.append(int(circuit))
            case ["port", block, word]:
                machine.tables[-1].ports.append((int(block), int(word)))
            case ["push" | "pull" as side]:
                machine.tables[-1].flushes.append((SIDES[side], [_form(form) for form in tail.split("; ")]))
            case ["zero"]:
                machine.tables[-1].identities.append(_form(tail))
            case ["free", log_words, *_]:
                machine.columns.append(int(log_words))
            case ["public", kind, log_words, *words]:
                words = dict(tuple(map(int, word.split(":"))) for word in words)
                if kind == "dense":
                    words = [words.get(index, 0) for index in range(1 << int(log_words))]
                machine.public.append(PublicColumn(int(log_words), words))
            case ["boundary", side, log_len]:
                coordinates = [_coordinate(part) for part in tail.split("; ")]
                machine.boundaries.append(Boundary(SIDES[side], int(log_len), coordinates))
            case ["producer", log_len, *name]:
                coordinates = [_coordinate(part) for part in tail.split("; ")]
                machine.producers.append(Producer(" ".join(name), int(log_len), coordinates))
            case ["fixed", column, index]:
                machine.fixed.append((int(column), int(index), _coordinate(tail)))
            case ["#", *_]:
                pass
            case _:
                raise ValueError(line)
    return machine


def announced(machine):
    """The number of announced words that a machine names."""
    coordinates = [c for boundary in machine.boundaries for c in boundary.tuple] + [c for _, _, c in machine.fixed]
    return max((c.number + 1 for c in coordinates if isinstance(c, Announced)), default=0)


def verify(machine, channel, shape):
    """Verifies a proof for a machine, of which the announced words are at the beginning of the stream."""
    shape = Shape(machine, shape)
    layout = Layout(machine, shape)
    words = [channel.read_word() for _ in range(announced(machine))]
    deferred = argument.verify(channel, layout, shape.log_inv_rate, words)
    channel.finish()
    argument.check_deferred(machine, deferred)


def verify_file(machine, data):
    """Verifies the bytes of a proof file."""
    decoded = proof.decode(data)
    if decoded.kind != proof.OPENING:
        raise Refused("the proof is no opening")
    verify(machine, Channel(decoded), decoded.shape)


def known():
    """Names, machines and the bytes of their proof files."""
    for path in sorted((support.CRATES / "argument/known_answers").glob("*.machine")):
        yield path.stem, parse(path.read_text()), path.with_suffix(".proof").read_bytes()


def _form_text(form):
    order = sorted(form.terms, key=lambda monomial: (len(monomial), monomial))
    terms = ["*".join([str(form.terms[m])] + [f"c{column}" for column in m]) for m in order]
    return " + ".join(terms) or "0"


def _coordinate_text(coordinate):
    match coordinate:
        case Constant(word):
            return str(word)
        case Index(base, shift):
            return f"index {base} {shift}"
        case _:
            return f"{type(coordinate).__name__.lower()} {coordinate.number}"


def dump(machine):
    """The dump of a machine, but for the names of free columns."""
    sides = ("push", "pull")
    lines = [f"circuit {circuit.digest().hex()}" for circuit in machine.circuits]
    for table in machine.tables:
        lines.append(f"table {table.columns} {table.name}")
        lines += [f"  block {circuit}" for circuit in table.blocks]
        lines += [f"  port {block} {word}" for block, word in table.ports]
        lines += [f"  {sides[side]}: " + "; ".join(map(_form_text, forms)) for side, forms in table.flushes]
        lines += [f"  zero: {_form_text(form)}" for form in table.identities]
    lines += [f"free {log_words}" for log_words in machine.columns]
    for column in machine.public:
        kind = "dense" if column.dense else "sparse"
        words = enumerate(column.words) if column.dense else sorted(column.words.items())
        words = [f" {index}:{word}" for index, word in words if word]
        lines.append(f"public {kind} {column.log_words}" + "".join(words))
    for b in machine.boundaries:
        lines.append(f"boundary {sides[b.side]} {b.log_len}: " + "; ".join(map(_coordinate_text, b.tuple)))
    for p in machine.producers:
        lines.append(f"producer {p.log_len} {p.name}: " + "; ".join(map(_coordinate_text, p.tuple)))
    lines += [f"fixed {column} {index}: {_coordinate_text(word)}" for column, index, word in machine.fixed]
    return "\n".join(lines) + "\n"
