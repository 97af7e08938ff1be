//! Rows as a machine of the argument.
//!
//! Tables in the order of [`Table::ALL`], each with a public column for the next key of every slot (`HASH`: and one for
//! the control word) and an index column, from which the slots' own keys are made. A slot pulls `(own key, value)` and
//! pushes `(next key, value)`, after a separator. Constants are two boundaries, each announced word two of one tuple.
//! Rows that fill a table have slots that are alone. So the words of public columns are all that the circuit decides;
//! everything else is a function of the heights.

use alloc::vec;
use alloc::vec::Vec;

use argument::layout::{Layout, LayoutError};
use argument::machine::{
    Boundary, Coordinate, Flush, Form, Index, Machine, Port, PublicColumn, Side, Table as MachineTable,
};
use argument::shape::Shape;
use primitives::field::K;

use crate::hash;
use crate::rows::{Rows, announced_slot, constant_slot, first_slot, key};
use crate::table::Table;

/// The first coordinate of every tuple: there is one kind.
const SEPARATOR: K = K(1);

/// The heights of tables and of the constants' boundary: log2 of the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heights {
    /// Of each table, in the order of [`Table::ALL`].
    pub tables: [usize; Table::ALL.len()],
    /// Of the constants.
    pub constants: usize,
}

impl Heights {
    /// The least that hold these rows.
    #[must_use]
    pub fn of(rows: &Rows) -> Self {
        let log = |count: usize| count.max(1).next_power_of_two().ilog2() as usize;
        Self {
            tables: Table::ALL.map(|table| log(rows.count(table))),
            constants: log(rows.constants.len()),
        }
    }

    /// The heights that hold what either holds.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            tables: core::array::from_fn(|table| self.tables[table].max(other.tables[table])),
            constants: self.constants.max(other.constants),
        }
    }

    /// The shape of a proof at rate `2^-log_inv_rate`.
    #[must_use]
    pub fn shape(&self, log_inv_rate: usize) -> Shape {
        Shape {
            log_inv_rate,
            heights: self.tables.map(Some).to_vec(),
        }
    }
}

/// The machine of these rows, and its shape.
#[derive(Clone, Debug)]
pub struct RowMachine {
    machine: Machine,
    heights: Heights,
    announced: usize,
}

impl RowMachine {
    /// The machine of rows in tables of these heights.
    ///
    /// # Panics
    /// If a table is too small.
    #[must_use]
    pub fn new(rows: &Rows, heights: Heights) -> Self {
        let mut machine = Machine {
            circuits: vec![hash::circuit()],
            ..Machine::default()
        };
        for table in Table::ALL {
            let of_table = machine_table(&mut machine.public, rows, table, heights.tables[table.number()]);
            machine.tables.push(of_table);
        }
        constants(&mut machine, rows, heights.constants);
        for (number, &next) in rows.announced_next.iter().enumerate() {
            let own = Coordinate::Constant(K(key(announced_slot(), number)));
            let next_key = Coordinate::Public(machine.public.len());
            machine.public.push(PublicColumn::Dense(vec![K(next)]));
            let keys = [(Side::Pull, own), (Side::Push, next_key)];
            machine.boundary.extend(keys.map(|(side, key)| Boundary {
                side,
                log_len: 0,
                tuple: vec![
                    Coordinate::Constant(SEPARATOR),
                    key,
                    Coordinate::Announced(number),
                ],
            }));
        }
        Self {
            machine,
            heights,
            announced: rows.announced_next.len(),
        }
    }

    /// The machine of all circuits of these heights, to verify proofs of whichever: what tells one from another, the
    /// words of public columns, is not in it. Their values in the claims that a proof leaves are another's to settle.
    #[must_use]
    pub fn blank(heights: Heights, announced: usize) -> Self {
        Self::new(&Rows::none(announced), heights)
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The heights.
    #[must_use]
    pub fn heights(&self) -> Heights {
        self.heights
    }

    /// The number of announced words.
    #[must_use]
    pub fn announced(&self) -> usize {
        self.announced
    }

    /// The layout of a proof at rate `2^-log_inv_rate`.
    ///
    /// # Errors
    /// The rows are too many.
    pub fn layout(&self, log_inv_rate: usize) -> Result<Layout<'_>, LayoutError> {
        Layout::new(&self.machine, &self.heights.shape(log_inv_rate))
    }
}

/// A table, whose public columns are added to those of the machine.
fn machine_table(public: &mut Vec<PublicColumn>, rows: &Rows, table: Table, log_rows: usize) -> MachineTable {
    let (height, count) = (1 << log_rows, rows.count(table));
    assert!(
        count <= height,
        "{} has {count} rows, and 2^{log_rows} fit",
        table.name()
    );
    let first = public.len();
    let (slots, next) = (table.slot_count(), &rows.next[table.number()]);
    for slot in 0..slots {
        let number = first_slot(table) + slot;
        let next_keys = (0..height).map(|row| match next.get(row * slots + slot) {
            Some(&next) => K(next),
            None => K(key(number, row)),
        });
        public.push(PublicColumn::Dense(next_keys.collect()));
    }
    let columns = table.columns();
    let mut identities = table.identities();
    if table == Table::Hash {
        let mut controls: Vec<K> = rows.controls.iter().copied().map(K).collect();
        controls.resize(height, K::ZERO);
        public.push(PublicColumn::Dense(controls));
        identities.push(Form::column(hash::CONTROL) + Form::column(columns + slots));
    }
    let index = columns + public.len() - first;
    let mut flushes = Vec::new();
    for (slot, description) in table.slots().into_iter().enumerate() {
        let own = Form::column(index) + Form::constant(K(key(first_slot(table) + slot, 0)));
        let next = Form::column(columns + slot);
        for (side, key) in [(Side::Pull, own), (Side::Push, next)] {
            let mut tuple = vec![Form::constant(SEPARATOR), key];
            tuple.extend(description.words.iter().cloned());
            // Coordinates that are missing are zero.
            while tuple.last() == Some(&Form::default()) {
                tuple.pop();
            }
            flushes.push(Flush { side, tuple });
        }
    }
    let (committed, blocks, ports) = match table {
        Table::Hash => {
            let ports = (0..hash::PORTS).map(|word| Port { block: 0, word });
            (0, vec![0], ports.collect())
        }
        _ => (columns, vec![], vec![]),
    };
    MachineTable {
        name: table.name(),
        columns: committed,
        blocks,
        ports,
        public: (first..public.len()).collect(),
        index: vec![Index { base: 0, shift: 0 }],
        flushes,
        identities,
    }
}

/// The boundaries of constants. Those that fill it are zeros, each connected to itself.
fn constants(machine: &mut Machine, rows: &Rows, log_len: usize) {
    let (height, count) = (1 << log_len, rows.constants.len());
    assert!(
        count <= height,
        "there are {count} constants, and 2^{log_len} fit"
    );
    let first = machine.public.len();
    let next = (0..height).map(|number| {
        let own = key(constant_slot(), number);
        K(rows.constant_next.get(number).copied().unwrap_or(own))
    });
    machine.public.push(PublicColumn::Dense(next.collect()));
    for word in 0..4 {
        let words = (0..height).map(|number| K(rows.constants.get(number).map_or(0, |value| value[word])));
        machine.public.push(PublicColumn::Dense(words.collect()));
    }
    let own = Coordinate::Index {
        base: key(constant_slot(), 0),
        shift: 0,
    };
    for (side, key) in [(Side::Pull, own), (Side::Push, Coordinate::Public(first))] {
        let mut tuple = vec![Coordinate::Constant(SEPARATOR), key];
        tuple.extend((1..5).map(|word| Coordinate::Public(first + word)));
        machine.boundary.push(Boundary { side, log_len, tuple });
    }
}
