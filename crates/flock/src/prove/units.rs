//! Tables that end in equal units: a head, and one unit that stands for all that follow.

use alloc::vec::Vec;

use primitives::field::E;
use primitives::multilinear::SplitEq;

/// Variables of the low table of a segment's weights: the pairs of a tile.
pub(super) const LOG_TILE: usize = 7;

/// A table of `2^log_units` units of `2^log_unit` entries each, of which the units from `head` on are equal.
///
/// Stored are the head's units, and one more unless they are all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Units {
    pub(super) log_unit: usize,
    pub(super) log_units: usize,
    pub(super) head: usize,
}

/// Stored entries with the weights of their pairs.
pub(super) struct Segment {
    /// The first entry.
    pub(super) start: usize,
    /// The number of entries.
    pub(super) len: usize,
    /// The weight of each pair.
    pub(super) weights: SplitEq,
}

impl Units {
    /// Units of `2^log_unit` entries of which those from entry `live` on are of equal units.
    pub(super) fn new(log_entries: usize, log_unit: usize, live: usize) -> Self {
        let log_units = log_entries - log_unit;
        Self {
            log_unit,
            log_units,
            head: live.div_ceil(1 << log_unit).min(1 << log_units),
        }
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

    /// The stored entries with the weights of their pairs: `eq(point, .)`, summed over all that a pair stands
    /// for. `point`: a coordinate for each variable of the pairs' index. Units have two entries at least.
    pub(super) fn segments(&self, point: &[E]) -> Vec<Segment> {
        let unit = 1 << self.log_unit;
        let mut segments = Vec::new();
        if self.head > 0 {
            segments.push(Segment {
                start: 0,
                len: self.head * unit,
                weights: SplitEq::new(point, E::ONE, LOG_TILE),
            });
        }
        if self.has_tail() {
            let (inner, outer) = point.split_at(self.log_unit - 1);
            segments.push(Segment {
                start: self.head * unit,
                len: unit,
                weights: SplitEq::new(inner, mass_from(outer, self.head), LOG_TILE),
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

    /// Joins units of one entry in pairs, if there are any; `tables` are stored entries.
    pub(super) fn paired(&self, tables: [&mut Vec<E>; 3]) -> Self {
        if self.log_unit > 0 || self.log_units == 0 {
            return *self;
        }
        let paired = Self {
            log_unit: 1,
            log_units: self.log_units - 1,
            head: self.head.div_ceil(2),
        };
        for table in tables {
            if let (true, Some(&last)) = (self.has_tail(), table.last()) {
                table.resize(paired.stored(), last);
            }
        }
        paired
    }
}

/// `sum_(u >= from) eq(point, u)`: the sum over all u is one, and below `from` it is a product for each bit.
pub(super) fn mass_from(point: &[E], from: usize) -> E {
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
                let of_pairs: E = units
                    .segments(&point)
                    .iter()
                    .flat_map(|segment| (0..segment.len / 2).map(|pair| segment.weights.get(pair)))
                    .sum();
                assert_eq!(of_pairs, E::ONE);
            }
        }
    }
}
