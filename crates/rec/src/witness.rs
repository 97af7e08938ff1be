//! What is committed of an assignment: columns, and the blocks of HASH rows.

use alloc::vec;
use alloc::vec::Vec;

use argument::layout::Layout;
use pcs::stack::layout::present_lanes;
use primitives::field::K;

use crate::hash;
use crate::machine::RowMachine;
use crate::rows::{Assignment, Rows};
use crate::table::Table;

/// The committed words, and how many rows of each table come before those that fill it.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The present lanes of the stack.
    pub stack: Vec<K>,
    /// The rows of each table.
    pub live: Vec<usize>,
}

impl Witness {
    /// The witness of an assignment.
    ///
    /// # Panics
    /// If the parts do not belong together.
    #[must_use]
    pub fn new(rows: &Rows, assignment: &Assignment, machine: &RowMachine, layout: &Layout<'_>) -> Self {
        let lanes = present_lanes(&layout.parameters, layout.placed);
        let mut stack = vec![K::ZERO; lanes << layout.parameters.log_lane_words()];
        for (table, place) in Table::ALL.into_iter().zip(&layout.tables) {
            let (slots, values) = (table.slots(), &assignment.values[table.number()]);
            let columns = values.chunks(slots.len()).enumerate();
            let columns = columns.map(|(row, values)| rows.columns(table, &slots, row, values));
            if table == Table::Hash {
                let circuit = &machine.machine().circuits[0];
                let mut blocks = vec![0; circuit.block_words() << place.log_rows];
                for (block, columns) in blocks.chunks_mut(circuit.block_words()).zip(columns) {
                    block[..hash::INPUTS].copy_from_slice(&columns[..hash::INPUTS]);
                }
                circuit.fill(&mut blocks);
                for (slot, &word) in stack[place.blocks[0].range()].iter_mut().zip(&blocks) {
                    *slot = K(word);
                }
            } else {
                for (row, columns) in columns.enumerate() {
                    for (region, &word) in place.columns.iter().zip(&columns) {
                        stack[region.offset + row] = K(word);
                    }
                }
            }
        }
        Self {
            stack,
            live: Table::ALL.map(|table| rows.count(table)).to_vec(),
        }
    }
}
