//! The words that a stack has for a machine: rows, and tuples with how often they are on the bus.

use alloc::vec::Vec;

use primitives::field::K;

use super::{Committed, Place};
use crate::layout;
use crate::machine::{Coordinate, Index, MAX_COORDINATES, PublicColumn, Side};

impl Committed<'_> {
    /// The columns of a row of a present table.
    pub(crate) fn row(&self, place: &layout::Place<'_>, row: usize) -> Vec<K> {
        let committed = place.columns.iter().map(|region| self.stack[region.offset + row]);
        let ports = place.table.ports.iter().map(|port| {
            let block = row << place.log_block_words[port.block];
            self.stack[place.blocks[port.block].offset + block + port.word]
        });
        let public =
            (place.table.public.iter()).map(|&column| self.coordinate(&Coordinate::Public(column), row));
        let index = (place.table.index.iter())
            .map(|&Index { base, shift }| self.coordinate(&Coordinate::Index { base, shift }, row));
        committed.chain(ports).chain(public).chain(index).collect()
    }

    /// Tuple `i` of a boundary or a producer.
    pub(crate) fn tuple(&self, tuple: &[Coordinate], i: usize) -> Vec<K> {
        tuple
            .iter()
            .map(|coordinate| self.coordinate(coordinate, i))
            .collect()
    }

    fn coordinate(&self, coordinate: &Coordinate, i: usize) -> K {
        match *coordinate {
            Coordinate::Constant(word) => word,
            Coordinate::Announced(word) => K(self.announced[word]),
            Coordinate::Index { base, shift } => K(base ^ (i as u64) << shift),
            Coordinate::Column(column) => self.stack[self.layout.columns[column].offset + i],
            Coordinate::Public(column) => match &self.machine.public[column] {
                PublicColumn::Dense(words) => words[i],
                PublicColumn::Sparse { words, .. } => {
                    let found = words.binary_search_by_key(&i, |&(index, _)| index as usize);
                    found.map_or(K::ZERO, |found| words[found].1)
                }
            },
        }
    }

    /// Calls `visit` with the side, the tuple, how often it is there, and where it is made, for all that is on the bus.
    pub(super) fn for_each_tuple(&self, mut visit: impl FnMut(Side, [K; MAX_COORDINATES], u64, Place)) {
        for place in &self.layout.tables {
            for row in 0..1 << place.log_rows {
                let columns = self.row(place, row);
                for (flush, of_flush) in place.table.flushes.iter().enumerate() {
                    let tuple = of_flush.tuple.iter().map(|form| form.evaluate(&columns));
                    let table = place.table.name;
                    visit(of_flush.side, full(tuple), 1, Place::Row { table, row, flush });
                }
            }
        }
        for (boundary, of_boundary) in self.machine.boundary.iter().enumerate() {
            for index in 0..1 << of_boundary.log_len {
                let tuple = self.tuple(&of_boundary.tuple, index).into_iter();
                visit(
                    of_boundary.side,
                    full(tuple),
                    1,
                    Place::Boundary { boundary, index },
                );
            }
        }
        for (of_producer, place) in self.machine.producers.iter().zip(&self.layout.producers) {
            let counts = &self.stack[place.region.range()];
            for (index, count) in counts.iter().enumerate() {
                let tuple = self.tuple(&of_producer.tuple, index).into_iter();
                let producer = of_producer.name;
                visit(Side::Push, full(tuple), count.0, Place::Entry { producer, index });
            }
        }
    }
}

/// The tuple with the coordinates that are missing.
fn full(words: impl Iterator<Item = K>) -> [K; MAX_COORDINATES] {
    let mut tuple = [K::ZERO; MAX_COORDINATES];
    for (i, word) in words.enumerate() {
        tuple[i] = word;
    }
    tuple
}
