//! Tables that end in equal units: a head, and one unit that stands for all that follow.

use alloc::vec::Vec;
use core::ops::Range;

use primitives::field::E;
use primitives::multilinear::SplitEq;

use super::Witness;
use crate::Member;
use crate::skip::FIXED;

/// A table of `2^log_units` units of `2^log_unit` entries each, of which the units from `head` on are equal.
///
/// Stored are the head's units, and one more unless they are all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Units {
    pub(super) log_unit: usize,
    pub(super) log_units: usize,
    pub(super) head: usize,
}

/// Stored chunks of entries with their weights.
pub(super) struct Segment {
    /// The first chunk.
    pub(super) start: usize,
    /// The number of chunks.
    pub(super) len: usize,
    /// The weight of each chunk, by its place in the segment.
    weights: SplitEq,
}

impl Segment {
    /// The chunks of a task of `size` of them.
    pub(super) fn task(&self, task: usize, size: usize) -> Range<usize> {
        task * size..self.len.min((task + 1) * size)
    }

    /// The weights of some chunks from `start` on are the product of these: one for each, and one for all. They do
    /// not cross a multiple of the low table's length.
    #[inline(always)]
    pub(super) fn weights(&self, start: usize, len: usize) -> (&[E], E) {
        let SplitEq { low, high } = &self.weights;
        let first = start % low.len();
        (&low[first..first + len], high[start / low.len()])
    }
}

impl Units {
    /// Units of `2^log_unit` entries of which those from entry `live` on are of equal units. Where there is no tail all
    /// is one unit.
    pub(super) fn new(log_entries: usize, log_unit: usize, live: usize) -> Self {
        let log_units = log_entries - log_unit;
        let head = live.div_ceil(1 << log_unit);
        if head >= 1 << log_units {
            return Self {
                log_unit: log_entries,
                log_units: 0,
                head: 1,
            };
        }
        Self {
            log_unit,
            log_units,
            head,
        }
    }

    /// Those of a member's words: of `max(block, 128 words)` each.
    pub(super) fn of_member(member: &Member, log_block_words: usize, witness: &Witness<'_>) -> Self {
        let live = witness.live.min(1 << member.log_instances) << log_block_words;
        Self::new(member.log_words, log_block_words.max(FIXED), live)
    }

    pub(super) fn has_tail(&self) -> bool {
        self.head < 1 << self.log_units
    }

    /// Entries that are stored.
    pub(super) fn stored(&self) -> usize {
        (self.head + usize::from(self.has_tail())) << self.log_unit
    }

    /// The weight of each stored chunk of `2^log_chunk` entries, at most a unit: `scale` times the sum of
    /// `eq(point, .)` over the chunks that it stands for. `point`: a coordinate for each variable of the chunks'
    /// index.
    pub(super) fn chunk_weights(&self, log_chunk: usize, point: &[E], scale: E) -> Vec<E> {
        let (inner, outer) = point.split_at(self.log_unit - log_chunk);
        let mut weights = primitives::multilinear::scaled_eq_table(point, scale);
        if self.has_tail() {
            weights.truncate(self.head << inner.len());
            let mass = scale * mass_from(outer, self.head);
            weights.extend(primitives::multilinear::scaled_eq_table(inner, mass));
        }
        weights
    }

    /// The stored chunks of `2^log_chunk` entries, at most a unit, with their weights: `eq(point, .)`, summed over all
    /// that a chunk stands for. `point`: a coordinate for each variable of the chunks' index, of which
    /// `low_variables` are weighted by a table of their own.
    pub(super) fn segments(&self, log_chunk: usize, low_variables: usize, point: &[E]) -> Vec<Segment> {
        let unit = 1 << (self.log_unit - log_chunk);
        let mut segments = Vec::new();
        if self.head > 0 {
            segments.push(Segment {
                start: 0,
                len: self.head * unit,
                weights: SplitEq::new(point, E::ONE, low_variables),
            });
        }
        if self.has_tail() {
            let (inner, outer) = point.split_at(self.log_unit - log_chunk);
            segments.push(Segment {
                start: self.head * unit,
                len: unit,
                weights: SplitEq::new(inner, mass_from(outer, self.head), low_variables),
            });
        }
        segments
    }

    /// The units once the lowest variable is bound.
    pub(super) fn halved(&self) -> Self {
        Self {
            log_unit: self.log_unit - 1,
            ..*self
        }
    }

    /// Joins units of two entries in pairs, if there are any: what is left of a unit after the next fold has to be a
    /// pair. `tables` are stored entries.
    pub(super) fn joined(&self, tables: &mut [Vec<E>; 2]) -> Self {
        if self.log_unit != 1 || self.log_units == 0 {
            return *self;
        }
        let joined = Self {
            log_unit: 2,
            log_units: self.log_units - 1,
            head: self.head.div_ceil(2),
        };
        for table in tables {
            while let (true, Some(&[even, odd])) = (table.len() < joined.stored(), table.last_chunk()) {
                table.extend([even, odd]);
            }
        }
        joined
    }
}

/// `sum_(u >= from) eq(point, u)`: the sum over all u is one, and below `from` it is a product for each bit.
fn mass_from(point: &[E], from: usize) -> E {
    let mut mass = E::ONE;
    let mut above = E::ONE;
    if from >> point.len() != 0 {
        return E::ZERO;
    }
    for (bit, &r) in point.iter().enumerate().rev() {
        if from >> bit & 1 == 1 {
            mass += above * (E::ONE + r);
            above *= r;
        } else {
            above *= E::ONE + r;
        }
    }
    mass
}

#[cfg(test)]
mod tests {
    use primitives::multilinear::eq_table;

    use super::*;
    use crate::tests::scalars;

    #[test]
    fn the_mass_of_a_tail_is_the_sum_of_its_weights() {
        for variables in 0..5 {
            let point = scalars(variables, 7);
            let eq = eq_table(&point);
            for from in 0..=eq.len() {
                assert_eq!(mass_from(&point, from), eq[from..].iter().copied().sum());
            }
        }
    }

    #[test]
    fn weights_of_stored_chunks_sum_to_those_of_the_table() {
        let point = scalars(5, 8);
        for log_unit in 0..4 {
            for live in 0..=64 >> log_unit {
                let units = Units::new(6, log_unit + 1, live << log_unit);
                let weights = units.chunk_weights(1, &point, E::Y);
                assert_eq!(weights.len(), units.stored() / 2);
                assert_eq!(weights.iter().copied().sum::<E>(), E::Y);
                let mut of_pairs = E::ZERO;
                for segment in units.segments(1, 2, &point) {
                    for pair in 0..segment.len {
                        let (low, high) = segment.weights(pair, 1);
                        of_pairs += low[0] * high;
                    }
                }
                assert_eq!(of_pairs, E::ONE);
            }
        }
    }
}
