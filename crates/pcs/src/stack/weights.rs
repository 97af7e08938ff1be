//! The weights of a statement, chunk by chunk.
//!
//! A *piece* is the weight of one claim on its region: `scale eq(point, .)`. Within a chunk it is a scalar times a
//! row that is the same in every chunk of the piece: the *pattern* has the variables below [`CHUNK`], the scalar
//! those above. So
//!
//! 1. a piece costs one product a word, and the table of scalars is one for all pieces that share a point;
//! 2. the words of a block within a chunk are a pattern with gaps; of a larger block, a pattern with one entry,
//!    in every 2^s-th chunk; regions smaller than a chunk are a pattern too;
//! 3. pieces that differ in their patterns alone are one piece, with the sum of the patterns;
//! 4. of a packed column the map is in the pattern where the region is no larger than a chunk; a larger one is a piece
//!    of its own kind ([`packed`](super::packed)).

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use primitives::backend::Backend;
use primitives::dispatch;
use primitives::field::{E, K};
use primitives::multilinear::eq_table;

use super::packed::Packed;
use super::{Region, Statement};
use crate::ring_switch::CHALLENGES;
use crate::whir::weights::{CHUNK, Chunk, Weights, add_scaled};

/// log2 of the weights in a chunk.
const LOG_CHUNK: usize = CHUNK.ilog2() as usize;

/// The challenges that make one weighted sum of all claims.
pub(super) struct Batching {
    /// The families', 1 if there is one family.
    pub(super) families: E,
    pub(super) map: Option<[E; CHALLENGES]>,
    /// The claims', 1 if there is one claim.
    pub(super) claims: E,
}

/// What tells pieces apart but for their patterns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    first_chunk: usize,
    log_chunks: usize,
    /// The piece has every 2^`log_stride`-th chunk, from number `phase` on.
    log_stride: usize,
    phase: usize,
    /// The point whose coordinates from `skip` on the scalars are of; `None` where there is one chunk.
    scalars: Option<(usize, usize)>,
}

struct Piece {
    key: Key,
    /// By the piece's own chunks.
    scalars: Arc<[E]>,
    pattern: Chunk,
}

/// Chunks in which the same pieces are.
struct Segment {
    first_chunk: usize,
    packed: Vec<usize>,
    others: Vec<usize>,
}

/// The weights of a statement's claims, batched.
pub(super) struct StackWeights {
    packed: Option<Packed>,
    others: Vec<Piece>,
    /// In order, the first one from chunk 0 on.
    segments: Vec<Segment>,
}

impl StackWeights {
    pub(super) fn new(statement: &Statement<E>, batching: &Batching) -> Self {
        Self::by(statement, batching, dispatch!(|be| be.maps_bytes()))
    }

    /// `by_maps`: whether packed columns go by maps of bytes.
    fn by(statement: &Statement<E>, batching: &Batching, by_maps: bool) -> Self {
        let mut builder = Builder {
            points: statement.points(),
            scalars: BTreeMap::new(),
            others: BTreeMap::new(),
        };
        let mut packed = batching.map.as_ref().map(|map| Packed::new(map, by_maps));
        if let Some(packed) = &mut packed {
            let mut family_power = E::ONE;
            for family in statement.families() {
                for member in &family.members {
                    let scale = family_power * member.weight.unwrap_or(E::ONE);
                    builder.add_packed(packed, member.region, member.point.index, scale);
                }
                family_power *= batching.families;
            }
        }
        let mut power = if statement.families().is_empty() {
            E::ONE
        } else {
            batching.claims
        };
        for column in statement.columns() {
            builder.add(
                column.region,
                column.log_block,
                column.word,
                column.point.index,
                |eq| power * eq,
            );
            power *= batching.claims;
        }
        builder.build(packed)
    }

    #[inline(always)]
    fn add_chunk<B: Backend>(&self, be: B, chunk: usize, out: &mut Chunk) {
        let segment = self
            .segments
            .partition_point(|segment| segment.first_chunk <= chunk);
        let Some(segment) = segment.checked_sub(1).map(|segment| &self.segments[segment]) else {
            return;
        };
        if let Some(packed) = &self.packed {
            packed.add_to(be, &segment.packed, chunk, out);
        }
        let mut i = 0;
        while i < segment.others.len() {
            self.others[segment.others[i]].add_to(be, chunk, out);
            i += 1;
        }
    }
}

impl Piece {
    #[inline(always)]
    fn add_to<B: Backend>(&self, be: B, chunk: usize, out: &mut Chunk) {
        let inner = chunk - self.key.first_chunk;
        if inner & ((1 << self.key.log_stride) - 1) == self.key.phase {
            add_scaled(be, out, self.scalars[inner >> self.key.log_stride], &self.pattern);
        }
    }
}

impl Weights for StackWeights {
    fn chunks(&self) -> usize {
        // No piece reaches beyond the last bound.
        self.segments.last().map_or(0, |segment| segment.first_chunk)
    }

    fn add_to(&self, first: usize, stride: usize, out: &mut [Chunk]) {
        dispatch!(|be| {
            let mut i = 0;
            while i < out.len() {
                self.add_chunk(be, first + i * stride, &mut out[i]);
                i += 1;
            }
        });
    }
}

struct Builder<'a> {
    points: &'a [Vec<E>],
    /// `eq` of so many coordinates of a point, from one on: by the point, that coordinate, and their number.
    scalars: BTreeMap<(usize, usize, usize), Arc<[E]>>,
    others: BTreeMap<Key, Chunk>,
}

impl Builder<'_> {
    /// Adds the image of `scale eq(point, j)` at word j of the region, for all j.
    fn add_packed(&mut self, packed: &mut Packed, region: Region, point: usize, scale: E) {
        if region.log_words <= LOG_CHUNK {
            self.add(region, 0, 0, point, |eq| packed.map().apply(scale * eq));
        } else {
            let low = &self.points[point][..LOG_CHUNK];
            let scalars = self.scalars(point, LOG_CHUNK, region.log_words - LOG_CHUNK);
            packed.add(region, low, scalars, scale);
        }
    }

    /// Adds `weight(eq(point, j))` at `word + j 2^log_block` of the region, for all j; `weight` is linear over E if the
    /// region is larger than a chunk.
    fn add(&mut self, region: Region, log_block: usize, word: usize, point: usize, weight: impl Fn(E) -> E) {
        let coordinates = &self.points[point][..region.log_words - log_block];
        // The variables of the point that move within a chunk.
        let low = LOG_CHUNK
            .min(region.log_words)
            .saturating_sub(log_block)
            .min(coordinates.len());
        let at = (region.offset + word) % CHUNK;
        let key = Key {
            first_chunk: region.offset >> LOG_CHUNK,
            log_chunks: region.log_words.saturating_sub(LOG_CHUNK),
            log_stride: log_block.saturating_sub(LOG_CHUNK),
            phase: if region.log_words > LOG_CHUNK {
                word >> LOG_CHUNK
            } else {
                0
            },
            scalars: (low < coordinates.len()).then_some((point, low)),
        };
        let pattern = self.others.entry(key).or_insert([[K::ZERO; CHUNK]; 3]);
        for (j, eq) in eq_table(&coordinates[..low]).into_iter().enumerate() {
            for (row, coefficient) in pattern.iter_mut().zip(weight(eq).0) {
                row[at + (j << log_block)] += coefficient;
            }
        }
    }

    /// `eq` of so many coordinates of a point, from `low` on.
    fn scalars(&mut self, point: usize, low: usize, variables: usize) -> Arc<[E]> {
        let table = || Arc::from(eq_table(&self.points[point][low..low + variables]));
        Arc::clone(self.scalars.entry((point, low, variables)).or_insert_with(table))
    }

    fn build(mut self, packed: Option<Packed>) -> StackWeights {
        let others = core::mem::take(&mut self.others).into_iter();
        let others = others.map(|(key, pattern)| Piece {
            key,
            scalars: key.scalars.map_or_else(
                || Arc::from(vec![E::ONE]),
                |(point, low)| self.scalars(point, low, key.log_chunks - key.log_stride),
            ),
            pattern,
        });
        let others: Vec<Piece> = others.collect();
        StackWeights {
            segments: segments(packed.as_ref(), &others),
            packed,
            others,
        }
    }
}

/// Where the set of pieces changes, and what it is from there on.
fn segments(packed: Option<&Packed>, others: &[Piece]) -> Vec<Segment> {
    let of_packed: Vec<Range<usize>> = packed.into_iter().flat_map(Packed::chunks).collect();
    let of_others = others.iter().map(|piece| {
        let Key {
            first_chunk,
            log_chunks,
            ..
        } = piece.key;
        first_chunk..first_chunk + (1 << log_chunks)
    });
    let of_others: Vec<Range<usize>> = of_others.collect();
    let ranges = of_packed.iter().chain(&of_others);
    let mut bounds: Vec<usize> = ranges.flat_map(|range| [range.start, range.end]).collect();
    bounds.sort_unstable();
    bounds.dedup();
    let segment = |first_chunk: usize| {
        let here = |ranges: &[Range<usize>]| {
            let pieces = ranges.iter().enumerate();
            let here = pieces.filter(|(_, range)| range.contains(&first_chunk));
            here.map(|(piece, _)| piece).collect()
        };
        Segment {
            first_chunk,
            packed: here(&of_packed),
            others: here(&of_others),
        }
    };
    bounds.into_iter().map(segment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Parameters;
    use crate::stack::{reference, tests::case};
    use crate::whir::tests::scalars;

    #[test]
    fn the_chunks_are_the_weights_of_the_definition() {
        for log_words in [9, 10, 12] {
            let case = case(Parameters::insecure(log_words, 1, 3));
            let map = *scalars(CHALLENGES, 31).as_array().unwrap();
            let (families, claims) = (scalars(1, 32)[0], scalars(1, 33)[0]);
            let expected = reference::weights(&case.statement, families, &map, claims);
            let batching = Batching {
                families,
                map: Some(map),
                claims,
            };
            for by_maps in [false, true] {
                let weights = StackWeights::by(&case.statement, &batching, by_maps);
                for (chunk, expected) in expected.chunks(CHUNK).enumerate() {
                    let before = [K(7), K(8), K(9)];
                    let mut chunks = [before.map(|word| [word; CHUNK])];
                    weights.add_to(chunk, 1, &mut chunks);
                    let [out] = chunks;
                    let found = (0..CHUNK).map(|i| E(out.map(|row| row[i])) + E(before));
                    assert_eq!(
                        found.collect::<Vec<E>>(),
                        expected,
                        "chunk {chunk} of 2^{log_words} words, {by_maps}"
                    );
                    assert!(chunk < weights.chunks() || expected.iter().all(|&weight| weight == E::ZERO));
                }
            }
        }
    }
}
