//! The machine of a program: the tables of all classes, the bytecode, and what is on the bus at the start and at the
//! end of a run.

use alloc::vec::Vec;

use argument::machine::{
    Boundary, Coordinate, Fixed, FixedValue, FreeColumn, Machine, Producer, PublicColumn, Side, Table,
};
use circuit::{Circuit, clock};
use primitives::field::K;
use rv::Class;
use rv::entry::Fields;
use rv::interpreter::EXIT;
use rv::memory::REGISTER_CELLS;
use rv::program::{ADVICE_BASE, RAM_BASE, TEXT_BASE};
use rv::public::Public;

use crate::parts::second_name;
use crate::tables::{self, BYTECODE, MEMORY, REGISTERS, STATE};

/// The announced word that is the clock at the end; before it stand the words of the output.
pub const FINAL_CLOCK: usize = 4;

/// The clock of what no row wrote: live, in cycle 0.
pub const SEED: u64 = 1 << clock::LIVE;

/// The clock of the first row.
pub const START: u64 = SEED | 1 << clock::CYCLE;

/// The free column of the registers' words at the end.
pub const REGISTER_VALUES: usize = 0;
/// The free column of the clocks at which the registers were last accessed.
pub const REGISTER_CLOCKS: usize = 1;
/// The free column of RAM's words at the end.
pub const RAM_VALUES: usize = 2;
/// The free column of the clocks at which RAM's words were last accessed.
pub const RAM_CLOCKS: usize = 3;
/// The free column of the advice at the start.
pub const ADVICE: usize = 4;
/// The free column of the advice's words at the end.
pub const ADVICE_VALUES: usize = 5;
/// The free column of the clocks at which the advice's words were last accessed.
pub const ADVICE_CLOCKS: usize = 6;

/// The public column of RAM's words at the start. Behind it are the fields of the entries, in the order of their tuple.
const IMAGE: usize = 0;

/// Words are eight bytes apart.
const LOG_WORD_BYTES: usize = 3;

/// Entries are four bytes apart.
const LOG_ENTRY_BYTES: usize = 2;

/// The registers a7, which holds the number of the environment call, and a0, the first of those that hold the output.
const CALL_REGISTER: usize = 17;
const OUTPUT_REGISTER: usize = 10;

/// The machine of a program. Building it builds all circuits.
#[must_use]
pub fn machine(program: &Public) -> Machine {
    let circuits = tables::circuits();
    let image = PublicColumn::Sparse {
        log_words: program.log_ram() as usize,
        words: (program.image().iter())
            .map(|&(index, word)| (index, K(word)))
            .collect(),
    };
    Machine {
        tables: tables(&circuits),
        circuits,
        columns: free_columns(program),
        public: core::iter::once(image).chain(entries(program)).collect(),
        boundary: boundaries(program),
        producers: [bytecode(program)].into(),
        fixed: fixed(),
    }
}

/// The tables: the first part of every class, then the second of every class.
fn tables(circuits: &[Circuit]) -> Vec<Table> {
    let first = Class::ALL.map(|class| tables::table(class, circuits));
    let second = Class::ALL
        .into_iter()
        .zip(first.clone())
        .map(|(class, table)| Table {
            name: second_name(class),
            ..table
        });
    first.into_iter().chain(second).collect()
}

/// The fields of the entries, a column each.
fn entries(program: &Public) -> impl Iterator<Item = PublicColumn> {
    let mut columns: [Vec<K>; 11] = Default::default();
    for entry in program.table().entries() {
        for (column, word) in columns.iter_mut().zip(entry.fields().into_array()) {
            column.push(K(word));
        }
    }
    columns.into_iter().map(PublicColumn::Dense)
}

/// The committed columns of no table, in the order of their numbers.
fn free_columns(program: &Public) -> Vec<FreeColumn> {
    let registers = REGISTER_CELLS.ilog2();
    let (ram, advice) = (program.log_ram(), program.log_advice());
    let columns = [
        ("registers at the end", registers),
        ("clocks of registers", registers),
        ("RAM at the end", ram),
        ("clocks of RAM", ram),
        ("advice", advice),
        ("advice at the end", advice),
        ("clocks of advice", advice),
    ];
    let column = |(name, log_words)| FreeColumn {
        name,
        log_words: log_words as usize,
    };
    columns.map(column).into()
}

/// The first and the last state, then of registers, RAM and advice the cells at the start and at the end.
fn boundaries(program: &Public) -> Vec<Boundary> {
    use Coordinate::{Announced, Column, Constant, Index, Public};
    let constant = |word| Constant(K(word));
    let state = |side, pc, clock, exit| Boundary {
        side,
        log_len: 0,
        tuple: [Constant(STATE), constant(pc), clock, exit].into(),
    };
    let mut boundaries = Vec::from([
        state(Side::Push, program.entry(), constant(START), constant(0)),
        state(
            Side::Pull,
            program.table().halt(),
            Announced(FINAL_CLOCK),
            Announced(FINAL_CLOCK),
        ),
    ]);
    let mut memory = |space, log_words: u32, address, [start, clocks, end]: [Coordinate; 3]| {
        for (side, clock, value) in [(Side::Push, constant(SEED), start), (Side::Pull, clocks, end)] {
            boundaries.push(Boundary {
                side,
                log_len: log_words as usize,
                tuple: [Constant(space), address, clock, value].into(),
            });
        }
    };
    let words_from = |base| Index {
        base,
        shift: LOG_WORD_BYTES,
    };
    memory(
        REGISTERS,
        REGISTER_CELLS.ilog2(),
        Index { base: 0, shift: 0 },
        [constant(0), Column(REGISTER_CLOCKS), Column(REGISTER_VALUES)],
    );
    memory(
        MEMORY,
        program.log_ram(),
        words_from(RAM_BASE),
        [Public(IMAGE), Column(RAM_CLOCKS), Column(RAM_VALUES)],
    );
    memory(
        MEMORY,
        program.log_advice(),
        words_from(ADVICE_BASE),
        [Column(ADVICE), Column(ADVICE_CLOCKS), Column(ADVICE_VALUES)],
    );
    boundaries
}

/// The entries of the program, read as often as rows are at them.
fn bytecode(program: &Public) -> Producer {
    let mut columns = IMAGE..;
    let fields = Fields::<()>::default().map(|()| {
        columns.next();
        Coordinate::Public(columns.start)
    });
    let pc = Coordinate::Index {
        base: TEXT_BASE,
        shift: LOG_ENTRY_BYTES,
    };
    let constant = Coordinate::Constant;
    Producer {
        name: "the bytecode",
        log_len: program.table().log_entries() as usize,
        tuple: fields.tuple(constant(BYTECODE), pc, constant(K::ZERO)).into(),
    }
}

/// The number of the exit's environment call, and the output.
fn fixed() -> Vec<Fixed> {
    let word = |index, value| Fixed {
        column: REGISTER_VALUES,
        index,
        value,
    };
    let output = (0..FINAL_CLOCK).map(|i| word(OUTPUT_REGISTER + i, FixedValue::Announced(i)));
    core::iter::once(word(CALL_REGISTER, FixedValue::Constant(K(EXIT))))
        .chain(output)
        .collect()
}
