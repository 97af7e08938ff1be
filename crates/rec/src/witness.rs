//! What is committed of an assignment: columns, and the blocks of HASH rows.

use alloc::vec::Vec;

use argument::layout::Layout;
use bytemuck::zeroed_vec;
use circuit::blake2s::BLOCK_WORDS;
use pcs::stack::Region;
use pcs::stack::layout::present_lanes;
use primitives::field::K;
use primitives::pool;

use crate::hash;
use crate::rows::{Assignment, Rows, Value};
use crate::table::{Source, Table};

/// Blocks that a task completes.
const PIECE: usize = 64;

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
    pub fn new(rows: &Rows, assignment: &Assignment, layout: &Layout<'_>) -> Self {
        let lanes = present_lanes(&layout.parameters, layout.placed);
        // Zeroed by the allocator: pages are made when they are first written.
        let mut stack: Vec<K> = zeroed_vec(lanes << layout.parameters.log_lane_words());
        for (table, place) in Table::ALL.into_iter().zip(&layout.tables) {
            let values = &assignment.values[table.number()];
            if table == Table::Hash {
                let words = bytemuck::cast_slice_mut(&mut stack[place.blocks[0].range()]);
                fill_blocks(words, &rows.controls, values);
            } else {
                fill_columns(&mut stack, &place.columns, table, values);
            }
        }
        Self {
            stack,
            live: Table::ALL.map(|table| rows.count(table)).to_vec(),
        }
    }
}

/// Writes the columns of a table: where a column's word is a slot's, the slot's.
fn fill_columns(stack: &mut [K], columns: &[Region], table: Table, values: &[Option<Value>]) {
    let sources = table.sources();
    for (row, values) in values.chunks(table.slot_count()).enumerate() {
        for &Source { slot, word, column } in &sources {
            if let Some(value) = values[slot] {
                stack[columns[column].offset + row] = K(value[word]);
            }
        }
    }
}

/// Writes the blocks of HASH rows, and fills with those of zeros.
fn fill_blocks(words: &mut [u64], controls: &[u64], values: &[Option<Value>]) {
    let sources: Vec<Source> = Table::Hash.sources();
    let inputs: Vec<&Source> = sources
        .iter()
        .filter(|source| source.column < hash::INPUTS)
        .collect();
    let slots = Table::Hash.slot_count();
    let mut padding = [0; BLOCK_WORDS];
    hash::fill(&mut padding);
    pool::for_each_chunk_mut(words, PIECE * BLOCK_WORDS, |piece, words| {
        let first = piece * PIECE;
        let live = controls.len().saturating_sub(first);
        let (words, fill) = words.split_at_mut(words.len().min(live * BLOCK_WORDS));
        let rows = values.chunks(slots).zip(controls).skip(first);
        for (block, (values, &control)) in words.chunks_mut(BLOCK_WORDS).zip(rows) {
            block[hash::CONTROL] = control;
            for source in &inputs {
                if let Some(value) = values[source.slot] {
                    block[source.column] = value[source.word];
                }
            }
        }
        hash::fill(words);
        for block in fill.chunks_mut(BLOCK_WORDS) {
            block.copy_from_slice(&padding);
        }
    });
}
