//! The weights of a statement, chunk by chunk.
//!
//! A *piece* is the weight of one claim on its region: `scale eq(point, .)`, for packed columns before the map.
//! Within a chunk it is a scalar times a row that is the same in every chunk of the piece: the *pattern* has
//! the variables below [`CHUNK`], the scalar those above. So
//!
//! 1. a piece costs one product a word, and the table of scalars is one for all pieces that share a point;
//! 2. the words of a block within a chunk are a pattern with gaps; of a larger block, a pattern with one entry,
//!    in every 2^s-th chunk; regions smaller than a chunk are a pattern too;
//! 3. pieces that differ in their patterns alone are one piece, with the sum of the patterns;
//! 4. the map is linear, so the packed pieces of a chunk are summed first and mapped once.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::dispatch;
use primitives::field::{E, K};
use primitives::multilinear::eq_table;
use primitives::vectors::{mul_e, splat_e};

use super::{Region, Statement};
use crate::ring_switch::{CHALLENGES, tables::Tables};
use crate::whir::weights::{CHUNK, Chunk, Weights, load_planes};

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
    packed: bool,
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
    columns: Vec<usize>,
}

/// The weights of a statement's claims, batched.
pub(super) struct StackWeights {
    pieces: Vec<Piece>,
    /// In order, the first one from chunk 0 on.
    segments: Vec<Segment>,
    map: Option<Tables>,
}

impl StackWeights {
    pub(super) fn new(statement: &Statement<E>, batching: &Batching) -> Self {
        let mut builder = Builder {
            points: statement.points(),
            pieces: BTreeMap::new(),
        };
        let mut family_power = E::ONE;
        for family in statement.families() {
            for member in &family.members {
                let scale = family_power * member.weight.unwrap_or(E::ONE);
                builder.add(true, member.region, 0, 0, member.point.index, scale);
            }
            family_power *= batching.families;
        }
        let mut power = if statement.families().is_empty() {
            E::ONE
        } else {
            batching.claims
        };
        for column in statement.columns() {
            builder.add(
                false,
                column.region,
                column.log_block,
                column.word,
                column.point.index,
                power,
            );
            power *= batching.claims;
        }
        let pieces = builder.build();
        let segments = segments(&pieces);
        Self {
            pieces,
            segments,
            map: batching.map.as_ref().map(Tables::new),
        }
    }

    #[inline(always)]
    fn fill_chunk<B: Backend>(&self, be: B, chunk: usize, out: &mut Chunk) {
        for row in out.iter_mut() {
            row.fill(K::ZERO);
        }
        let segment = self
            .segments
            .partition_point(|segment| segment.first_chunk <= chunk);
        let Some(segment) = segment.checked_sub(1).map(|segment| &self.segments[segment]) else {
            return;
        };
        if self.add_pieces(be, &segment.packed, chunk, out)
            && let Some(map) = &self.map
        {
            map.apply_to_chunk(out);
        }
        self.add_pieces(be, &segment.columns, chunk, out);
    }

    #[inline(always)]
    fn add_pieces<B: Backend>(&self, be: B, pieces: &[usize], chunk: usize, out: &mut Chunk) -> bool {
        let mut any = false;
        let mut i = 0;
        while i < pieces.len() {
            let Piece {
                key,
                scalars,
                pattern,
            } = &self.pieces[pieces[i]];
            i += 1;
            let inner = chunk - key.first_chunk;
            if inner & ((1 << key.log_stride) - 1) == key.phase {
                add_scaled(be, out, scalars[inner >> key.log_stride], pattern);
                any = true;
            }
        }
        any
    }
}

impl Weights for StackWeights {
    fn fill(&self, first: usize, stride: usize, out: &mut [Chunk]) {
        dispatch!(|be| {
            let mut i = 0;
            while i < out.len() {
                self.fill_chunk(be, first + i * stride, &mut out[i]);
                i += 1;
            }
        });
    }
}

/// `out += scale pattern`.
#[inline(always)]
fn add_scaled<B: Backend>(be: B, out: &mut Chunk, scale: E, pattern: &Chunk) {
    let scale = splat_e(be, scale);
    let mut x = 0;
    while x < CHUNK {
        let [o0, o1, o2] = load_planes(be, out, x);
        let [p0, p1, p2] = mul_e(be, scale, load_planes(be, pattern, x));
        be.store(be.xor(o0, p0), &mut out[0][x..]);
        be.store(be.xor(o1, p1), &mut out[1][x..]);
        be.store(be.xor(o2, p2), &mut out[2][x..]);
        x += B::LANES;
    }
}

struct Builder<'a> {
    points: &'a [Vec<E>],
    pieces: BTreeMap<Key, Chunk>,
}

impl Builder<'_> {
    /// Adds `scale eq(point, j)` at `word + j 2^log_block` of the region, for all j.
    fn add(&mut self, packed: bool, region: Region, log_block: usize, word: usize, point: usize, scale: E) {
        let coordinates = &self.points[point][..region.log_words - log_block];
        // The variables of the point that move within a chunk.
        let low = LOG_CHUNK
            .min(region.log_words)
            .saturating_sub(log_block)
            .min(coordinates.len());
        let at = (region.offset + word) % CHUNK;
        let key = Key {
            packed,
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
        let pattern = self.pieces.entry(key).or_insert([[K::ZERO; CHUNK]; 3]);
        for (j, eq) in eq_table(&coordinates[..low]).into_iter().enumerate() {
            for (row, coefficient) in pattern.iter_mut().zip((scale * eq).0) {
                row[at + (j << log_block)] += coefficient;
            }
        }
    }

    fn build(self) -> Vec<Piece> {
        let mut tables: BTreeMap<(usize, usize, usize), Arc<[E]>> = BTreeMap::new();
        let points = self.points;
        let piece = |(key, pattern): (Key, Chunk)| {
            let variables = key.log_chunks - key.log_stride;
            let scalars = match key.scalars {
                None => Arc::from(vec![E::ONE]),
                Some((point, low)) => Arc::clone(
                    tables
                        .entry((point, low, variables))
                        .or_insert_with(|| Arc::from(eq_table(&points[point][low..low + variables]))),
                ),
            };
            Piece {
                key,
                scalars,
                pattern,
            }
        };
        self.pieces.into_iter().map(piece).collect()
    }
}

/// Where the set of pieces changes, and what it is from there on.
fn segments(pieces: &[Piece]) -> Vec<Segment> {
    let range = |key: &Key| key.first_chunk..key.first_chunk + (1 << key.log_chunks);
    let mut bounds: Vec<usize> = pieces
        .iter()
        .map(|piece| range(&piece.key))
        .flat_map(|range| [range.start, range.end])
        .collect();
    bounds.sort_unstable();
    bounds.dedup();
    let segment = |first_chunk: usize| {
        let of_kind = |packed: bool| {
            let here =
                |&i: &usize| pieces[i].key.packed == packed && range(&pieces[i].key).contains(&first_chunk);
            (0..pieces.len()).filter(here).collect()
        };
        Segment {
            first_chunk,
            packed: of_kind(true),
            columns: of_kind(false),
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
            let weights = StackWeights::new(
                &case.statement,
                &Batching {
                    families,
                    map: Some(map),
                    claims,
                },
            );
            for (chunk, expected) in expected.chunks(CHUNK).enumerate() {
                let mut chunks = [[[K(7); CHUNK]; 3]];
                weights.fill(chunk, 1, &mut chunks);
                let [out] = chunks;
                let found: Vec<E> = (0..CHUNK).map(|i| E(out.map(|row| row[i]))).collect();
                assert_eq!(found, expected, "chunk {chunk} of 2^{log_words} words");
            }
        }
    }
}
