//! The table of each class: its blocks, ports, tuples and identities, from what [`rv::forms`] says of its rows.
//!
//! A row at clock ts, with the step that its clock circuit gives, does this, in this order:
//!
//! - pulls the state `(ST, pc, ts, 0)`, pushes `(ST, pc', ts + step, exit (ts + step))`;
//! - pulls its entry ([`Fields::tuple`]) with the separator BC;
//! - for each access, by ascending slot k, pulls `(REG or MEM, address, prev_k, old)` and pushes
//!   `(REG or MEM, address, ts + k, new)`.

use alloc::vec::Vec;

use argument::machine::{Flush, Form, Port, Side, Table};
use circuit::{Circuit, clock, pointers};
use primitives::field::K;
use rv::Class;
use rv::circuits::Shape;
use rv::entry::Fields;
use rv::forms::{Cell, Words};

use crate::columns::{Column, columns};

/// The separator of states.
pub const STATE: K = K(1);
/// The separator of the bytecode's entries.
pub const BYTECODE: K = K(2);
/// The separator of accesses to registers.
pub const REGISTERS: K = K(3);
/// The separator of accesses to memory.
pub const MEMORY: K = K(4);

/// The number of the clock circuit of rows with three accesses.
const CLOCK_OF_THREE: usize = Shape::ALL.len();
/// The number of the clock circuit of rows with eighteen accesses.
const CLOCK_OF_EIGHTEEN: usize = CLOCK_OF_THREE + 1;
/// The number of the circuit of EXT's addresses.
const POINTERS: usize = CLOCK_OF_THREE + 2;

/// The circuits of the machine, by number: those of [`Shape::ALL`], the clocks of three and of eighteen accesses, the
/// pointers.
#[must_use]
pub fn circuits() -> Vec<Circuit> {
    let mut circuits: Vec<Circuit> = Shape::ALL.into_iter().map(Shape::circuit).collect();
    circuits.push(clock::circuit(&clock::THREE));
    circuits.push(clock::circuit(&clock::EIGHTEEN));
    circuits.push(pointers::circuit());
    circuits
}

/// The numbers of the circuits of a class's blocks: its own, if it has one, and its clock.
#[must_use]
pub fn blocks(class: Class) -> Vec<usize> {
    let of_shape = |shape| Shape::ALL.iter().position(|&other| other == shape);
    let own = match class {
        Class::Ext => Some(POINTERS),
        _ => class.shape().and_then(of_shape),
    };
    own.into_iter().chain([clock_of(class)]).collect()
}

/// The number of a class's clock circuit.
const fn clock_of(class: Class) -> usize {
    match class {
        Class::Hash | Class::Ext => CLOCK_OF_EIGHTEEN,
        _ => CLOCK_OF_THREE,
    }
}

/// The slots of accesses that a class's clock circuit has.
#[must_use]
pub const fn slots(class: Class) -> &'static [u64] {
    if clock_of(class) == CLOCK_OF_EIGHTEEN {
        &clock::EIGHTEEN
    } else {
        &clock::THREE
    }
}

/// The table of a class, `circuits` being those of the machine. Its ports are those that its forms name.
///
/// # Panics
/// If `circuits` are others.
#[must_use]
pub fn table(class: Class, circuits: &[Circuit]) -> Table {
    let Symbols { words, pc, clock } = Symbols::new(class, circuits);
    let Clock { ts, prev, step } = clock;
    let bus = words.bus(class);

    let next_ts = ts.clone() + step;
    let ended = words.fields.exit.clone() * next_ts.clone();
    let state = |pc, ts, exit| [Form::constant(STATE), pc, ts, exit].into();
    let entry = Fields {
        imm: bus.imm,
        ..words.fields.clone()
    };
    let mut flushes = Vec::from([
        pull(state(pc.clone(), ts.clone(), Form::default())),
        push(state(bus.next_pc, next_ts, ended)),
        pull(entry.tuple(Form::constant(BYTECODE), pc, bus.bad).into()),
    ]);
    for (slot, cell) in words.accesses(class) {
        let Cell {
            register,
            address,
            old,
            new,
        } = cell;
        let space = Form::constant(MEMORY) + register * Form::constant(MEMORY + REGISTERS);
        let prev = prev[slot as usize].clone();
        let now = ts.clone() + Form::constant(K(slot));
        flushes.push(pull([space.clone(), address.clone(), prev, old].into()));
        flushes.push(push([space, address, now, new].into()));
    }
    let table = Table {
        name: class.name(),
        columns: columns(class).len(),
        blocks: blocks(class),
        ports: ports(class, circuits),
        flushes,
        identities: words.identities(class),
        ..Table::default()
    };
    without_unused_ports(table)
}

/// A tuple on the pull side.
const fn pull(tuple: Vec<Form>) -> Flush {
    Flush {
        side: Side::Pull,
        tuple,
    }
}

/// A tuple on the push side.
const fn push(tuple: Vec<Form>) -> Flush {
    Flush {
        side: Side::Push,
        tuple,
    }
}

/// The words of a row as forms: a field of the entry for which the class has no column is zero.
struct Symbols {
    words: Words<Form>,
    pc: Form,
    clock: Clock,
}

/// The ports of a row's clock block.
struct Clock {
    ts: Form,
    /// By slot.
    prev: Vec<Form>,
    step: Form,
}

impl Symbols {
    /// The committed columns, then every port of every block.
    fn new(class: Class, circuits: &[Circuit]) -> Self {
        let columns = columns(class);
        let column = |column| {
            let place = columns.iter().position(|&other| other == column);
            place.map_or_else(Form::default, Form::column)
        };
        let mut next = columns.len();
        let mut forms = |count: usize| -> Vec<Form> {
            next += count;
            (next - count..next).map(Form::column).collect()
        };
        let (inputs, outputs) = match blocks(class)[..] {
            [own, _] => (forms(circuits[own].inputs()), forms(circuits[own].outputs())),
            _ => (Vec::new(), Vec::new()),
        };
        let own = columns.iter().filter(|column| matches!(column, Column::Own(_)));
        let words = Words {
            fields: Fields {
                tag: Form::constant(K(class.tag().into())),
                a1: column(Column::A1),
                a2: column(Column::A2),
                ad: column(Column::Ad),
                imm: column(Column::Imm),
                next: column(Column::Next),
                delta: column(Column::Delta),
                constants: [0, 1, 2].map(|i| column(Column::Constant(i))),
                exit: column(Column::Exit),
            },
            inputs,
            outputs,
            columns: (0..own.count()).map(|i| column(Column::Own(i))).collect(),
            old: column(Column::Old),
        };
        let mut clock = forms(1 + slots(class).len() + 1);
        let step = clock.pop().expect("a clock has ports");
        let ts = clock.remove(0);
        Self {
            words,
            pc: column(Column::Pc),
            clock: Clock {
                ts,
                prev: clock,
                step,
            },
        }
    }
}

/// Every port of every block, in order: inputs, then outputs, which are the first words of a block.
fn ports(class: Class, circuits: &[Circuit]) -> Vec<Port> {
    let of_block = |(block, number): (usize, usize)| {
        let circuit: &Circuit = &circuits[number];
        (0..circuit.inputs() + circuit.outputs()).map(move |word| Port { block, word })
    };
    blocks(class).into_iter().enumerate().flat_map(of_block).collect()
}

/// The table with those of its ports that its forms name.
fn without_unused_ports(mut table: Table) -> Table {
    let mut used = alloc::vec![false; table.columns + table.ports.len()];
    used[..table.columns].fill(true);
    let tuples = table.flushes.iter().flat_map(|flush| &flush.tuple);
    for column in tuples.chain(&table.identities).flat_map(Form::columns) {
        used[column] = true;
    }
    // The number of each column that stays is how many before it do.
    let mut count = 0;
    let numbers: Vec<usize> = used
        .iter()
        .map(|&used| {
            count += usize::from(used);
            count - usize::from(used)
        })
        .collect();
    let tuples = table.flushes.iter_mut().flat_map(|flush| &mut flush.tuple);
    for form in tuples.chain(&mut table.identities) {
        for (column, _) in &mut form.linear {
            *column = numbers[*column];
        }
        for (i, j, _) in &mut form.products {
            (*i, *j) = (numbers[*i], numbers[*j]);
        }
    }
    let ports = table.ports.iter().zip(&used[table.columns..]);
    table.ports = ports.filter_map(|(&port, &used)| used.then_some(port)).collect();
    table
}
