//! A finished list of rows: which slots have one value, and the values.
//!
//! Slot g of the machine in row z has the *key* `g << 32 | z`. The slots that have one value form a cycle: each pulls its
//! own key with its value and pushes the next one's key with it, so the bus balances only if all have the same value.

use alloc::vec;
use alloc::vec::Vec;

use crate::table::{Source, Table};

/// Four words: the value of a wire.
pub type Value = [u64; 4];

/// The key of a slot in a row.
#[must_use]
pub const fn key(slot: usize, row: usize) -> u64 {
    (slot as u64) << 32 | row as u64
}

/// The number in the machine of a table's first slot.
#[must_use]
pub fn first_slot(table: Table) -> usize {
    let before = Table::ALL.iter().take(table.number());
    before.map(|table| table.slot_count()).sum()
}

/// The number in the machine of the slot that constants have.
#[must_use]
pub fn constant_slot() -> usize {
    Table::ALL.iter().map(|table| table.slot_count()).sum()
}

/// The number in the machine of the slot that announced words have.
#[must_use]
pub fn announced_slot() -> usize {
    constant_slot() + 1
}

/// The rows of a circuit, as everybody knows them: what they compute from what, and no value but the constants.
///
/// Two circuits are equal if their machines are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rows {
    /// Of each table the key of the next slot, for each slot of each row.
    pub next: [Vec<u64>; Table::ALL.len()],
    /// The control word of each row of [`Table::Hash`].
    pub controls: Vec<u64>,
    /// The constants.
    pub constants: Vec<Value>,
    /// The key of the slot next to each constant's.
    pub constant_next: Vec<u64>,
    /// The key of the slot next to each announced word's.
    pub announced_next: Vec<u64>,
}

/// The values of a circuit's slots.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assignment {
    /// Of each table the value of each slot of each row; none where a slot is not used.
    pub values: [Vec<Option<Value>>; Table::ALL.len()],
    /// The announced words.
    pub announced: Vec<u64>,
}

impl Rows {
    /// No rows, with so many announced words that nothing computes.
    #[must_use]
    pub fn none(announced: usize) -> Self {
        Self {
            announced_next: (0..announced)
                .map(|number| key(announced_slot(), number))
                .collect(),
            ..Self::default()
        }
    }

    /// The number of rows of a table.
    #[must_use]
    pub fn count(&self, table: Table) -> usize {
        self.next[table.number()].len() / table.slot_count()
    }

    /// The words of the columns of a row with these values of its slots; a result that no slot has as it stands is not
    /// among them.
    ///
    /// `sources`: those of the table; `values`: one for each slot.
    #[must_use]
    pub fn columns(
        &self,
        table: Table,
        sources: &[Source],
        row: usize,
        values: &[Option<Value>],
    ) -> Vec<u64> {
        let mut columns = vec![0; table.columns()];
        for &Source { slot, word, column } in sources {
            if let Some(value) = values[slot] {
                columns[column] = value[word];
            }
        }
        if table == Table::Hash {
            columns[crate::hash::CONTROL] = self.controls[row];
        }
        columns
    }
}
