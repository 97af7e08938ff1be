//! The leaves of both sides.
//!
//! Tables are read a tile of rows at a time, and all leaves of the tile, of both sides, are made from it. The tiles of
//! a table that are all equal are one chunk.

use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::field::{E, K};
use primitives::vectors::VectorE;
use primitives::{dispatch, pool};

use super::Input;
use super::chunks::{self, Chunk, Chunks, LOG_SCALARS, SCALARS, write_in_order};
use super::columns::{Combination, LOG_TILE, Plan, TILE, TileColumn, TileScalars, combine_columns};
use super::rounds::Layer;
use crate::layout::{Leaves, Place, Source};
use crate::machine::{Coordinate, Form, PublicColumn};

const _: () = assert!(LOG_TILE == LOG_SCALARS, "a tile of leaves is a chunk");

/// Leaves that are made together.
enum Job<'c> {
    /// A tile of a table: of each flush its chunk.
    Table(usize, usize, Vec<&'c mut Chunk>),
    /// A tile of a boundary.
    Boundary(usize, usize, &'c mut Chunk),
    /// A tile of a producer: of each bit its chunk.
    Producer(usize, usize, Vec<&'c mut Chunk>),
}

impl Input<'_> {
    /// The leaves of both sides, push first.
    pub(super) fn leaves(&self) -> [Layer; 2] {
        if self.layout.log_leaves < LOG_SCALARS {
            return [0, 1].map(|side| {
                let mut scalars = self.small_leaves(&self.layout.leaves[side]);
                scalars.resize(1 << self.layout.log_leaves, E::ONE);
                Layer::Scalars(scalars)
            });
        }
        self.chunks().map(Layer::Chunks)
    }

    fn chunks(&self) -> [Chunks; 2] {
        let mut places = [Vec::new(), Vec::new()];
        let mut sides = [0, 1].map(|side| {
            let blocks = &self.layout.leaves[side];
            let large = blocks.iter().take_while(|block| block.log_len >= LOG_SCALARS);
            let mut slots = Vec::new();
            let mut count = 0;
            for block in large {
                let chunks = 1 << (block.log_len - LOG_SCALARS);
                let distinct = match block.source {
                    Source::Flush { place, .. } => self.columns[place].distinct_tiles(),
                    _ => chunks,
                };
                places[side].push(count..count + distinct);
                slots.extend((0..chunks).map(|chunk| (count + chunk.min(distinct - 1)) as u32));
                count += distinct;
            }
            let small = self.small_leaves(&blocks[places[side].len()..]);
            let first_small = count;
            count += small.len().div_ceil(SCALARS);
            slots.extend((first_small..count).map(|slot| slot as u32));
            let mut stored = chunks::zeroed(count);
            for (chunk, scalars) in stored[first_small..].iter_mut().zip(small.chunks(SCALARS)) {
                chunks::write(chunk, scalars);
            }
            Chunks { slots, stored }
        });
        let [push, pull] = &mut sides;
        let jobs = self.jobs(&places, [&mut push.stored, &mut pull.stored]);
        let plans = self.plans();
        pool::for_each_item(jobs, |job| self.run(job, &plans));
        sides
    }

    /// The jobs that write the chunks of large blocks.
    fn jobs<'c>(
        &self,
        places: &[Vec<core::ops::Range<usize>>; 2],
        stored: [&'c mut Vec<Chunk>; 2],
    ) -> Vec<Job<'c>> {
        let mut free = stored.map(|chunks| chunks.iter_mut().map(Some).collect::<Vec<_>>());
        let mut take = |side: usize, block: usize, tile: usize| {
            let slot = places[side][block].start + tile;
            free[side][slot].take().expect("a chunk of one block")
        };
        let blocks = |of: &dyn Fn(Source) -> bool| -> Vec<(usize, usize, Leaves)> {
            let mut found = Vec::new();
            for (side, places) in places.iter().enumerate() {
                let blocks = self.layout.leaves[side].iter().take(places.len()).enumerate();
                let blocks = blocks.filter(|(_, block)| of(block.source));
                found.extend(blocks.map(|(number, block)| (side, number, *block)));
            }
            found
        };
        let mut jobs = Vec::new();
        for (place, columns) in self.columns.iter().enumerate() {
            let mut of_table =
                blocks(&|source| matches!(source, Source::Flush { place: other, .. } if other == place));
            if of_table.is_empty() {
                continue;
            }
            of_table.sort_by_key(|(_, _, block)| match block.source {
                Source::Flush { flush, .. } => flush,
                _ => 0,
            });
            for tile in 0..columns.distinct_tiles() {
                let chunks = of_table.iter().map(|&(side, block, _)| take(side, block, tile));
                jobs.push(Job::Table(place, tile, chunks.collect()));
            }
        }
        for (side, number, block) in blocks(&|source| matches!(source, Source::Boundary(_))) {
            let Source::Boundary(boundary) = block.source else {
                continue;
            };
            let tiles = 1 << (block.log_len - LOG_SCALARS);
            jobs.extend((0..tiles).map(|tile| Job::Boundary(boundary, tile, take(side, number, tile))));
        }
        for (producer, place) in self.layout.producers.iter().enumerate() {
            let of_producer =
                blocks(&|source| matches!(source, Source::Bit { producer: other, .. } if other == producer));
            if of_producer.is_empty() {
                continue;
            }
            for tile in 0..1 << (place.region.log_words - LOG_SCALARS) {
                let chunks = of_producer
                    .iter()
                    .map(|&(side, block, _)| take(side, block, tile));
                jobs.push(Job::Producer(producer, tile, chunks.collect()));
            }
        }
        jobs
    }

    /// What is to be computed of each table's rows: a combination for each flush.
    fn plans(&self) -> Vec<Plan> {
        let plan = |place: &Place<'_>| {
            let flushes = place.table.flushes.iter();
            let combinations: Vec<_> = flushes.map(|flush| self.combination(&flush.tuple)).collect();
            Plan::new(&combinations)
        };
        self.layout.tables.iter().map(plan).collect()
    }

    /// The leaf of a tuple of forms.
    fn combination(&self, tuple: &[Form]) -> Combination {
        let mut combination = Combination {
            constant: self.fingerprint.beta,
            ..Combination::default()
        };
        for (&weight, form) in self.fingerprint.weights.iter().zip(tuple) {
            combination.add(weight, form);
        }
        combination
    }

    fn run(&self, job: Job<'_>, plans: &[Plan]) {
        match job {
            Job::Table(place, tile, mut out) => {
                let plan = &plans[place];
                self.columns[place].with_tile(tile, &plan.columns, &mut Vec::new(), |columns| {
                    plan.run(columns, |flush, leaves| {
                        dispatch!(|be| write_in_order(be, leaves, out[flush]));
                    });
                });
            }
            Job::Boundary(boundary, tile, out) => {
                let boundary = &self.machine.boundary[boundary];
                let leaves = self.tuple_tile(&boundary.tuple, boundary.log_len, tile);
                dispatch!(|be| write_in_order(be, &leaves, out));
            }
            Job::Producer(producer, tile, out) => {
                let entries = &self.machine.producers[producer];
                let region = self.layout.producers[producer].region;
                let mut powers = self.tuple_tile(&entries.tuple, region.log_words, tile);
                let times = &self.stack[region.range()][tile * TILE..(tile + 1) * TILE];
                let mut leaves = [[K::ZERO; TILE]; 3];
                for (bit, out) in out.into_iter().enumerate() {
                    dispatch!(|be| bit_leaves(be, bit, times, &mut powers, &mut leaves));
                    dispatch!(|be| write_in_order(be, &leaves, out));
                }
            }
        }
    }

    /// The leaves of blocks that are smaller than a chunk, in order.
    fn small_leaves(&self, blocks: &[Leaves]) -> Vec<E> {
        let mut scalars = Vec::new();
        for block in blocks {
            let values = match block.source {
                Source::Flush { place, flush } => {
                    let flush = &self.layout.tables[place].table.flushes[flush];
                    let plan = Plan::new(&[self.combination(&flush.tuple)]);
                    let mut values = [[K::ZERO; TILE]; 3];
                    self.columns[place].with_tile(0, &plan.columns, &mut Vec::new(), |columns| {
                        plan.run(columns, |_, leaves| values = *leaves);
                    });
                    values
                }
                Source::Boundary(number) => {
                    self.tuple_tile(&self.machine.boundary[number].tuple, block.log_len, 0)
                }
                Source::Bit { producer, bit } => {
                    let entries = &self.machine.producers[producer];
                    let mut powers = self.tuple_tile(&entries.tuple, block.log_len, 0);
                    let region = self.layout.producers[producer].region;
                    let mut times = [K::ZERO; TILE];
                    times[..1 << block.log_len].copy_from_slice(&self.stack[region.range()]);
                    let mut leaves = [[K::ZERO; TILE]; 3];
                    for bit in 0..=bit {
                        dispatch!(|be| bit_leaves(be, bit, &times, &mut powers, &mut leaves));
                    }
                    leaves
                }
            };
            scalars.extend((0..1 << block.log_len).map(|i| E(values.map(|plane| plane[i]))));
        }
        scalars
    }

    /// `beta + pi(t)` of the tuples of a tile, of 2^`log_len` in all.
    pub(super) fn tuple_tile(&self, tuple: &[Coordinate], log_len: usize, tile: usize) -> TileScalars {
        let rows = tile * TILE..(1 << log_len).min((tile + 1) * TILE);
        let mut constant = self.fingerprint.beta;
        let mut terms = Vec::new();
        let mut columns: Vec<TileColumn> = Vec::new();
        for (&weight, coordinate) in self.fingerprint.weights.iter().zip(tuple) {
            let mut words = [K::ZERO; TILE];
            match *coordinate {
                Coordinate::Constant(k) => {
                    constant += weight * k;
                    continue;
                }
                Coordinate::Announced(word) => {
                    constant += weight * K(self.announced[word]);
                    continue;
                }
                Coordinate::Index { base, shift } => {
                    for (word, row) in words.iter_mut().zip(rows.clone()) {
                        *word = K(base ^ (row as u64) << shift);
                    }
                }
                Coordinate::Column(column) => {
                    let column = &self.stack[self.layout.columns[column].range()];
                    words[..rows.len()].copy_from_slice(&column[rows.clone()]);
                }
                Coordinate::Public(column) => public_words(&self.machine.public[column], &rows, &mut words),
            }
            terms.push((columns.len(), weight));
            columns.push(words);
        }
        let columns: Vec<&TileColumn> = columns.iter().collect();
        let mut out = [[K::ZERO; TILE]; 3];
        dispatch!(|be| combine_columns(be, constant, &terms, &columns, &mut out));
        out
    }
}

/// The words of a public column in these rows; `out` is zero before.
fn public_words(column: &PublicColumn, rows: &core::ops::Range<usize>, out: &mut TileColumn) {
    match column {
        PublicColumn::Dense(words) => out[..rows.len()].copy_from_slice(&words[rows.clone()]),
        PublicColumn::Sparse { words, .. } => {
            let from = words.partition_point(|&(index, _)| (index as usize) < rows.start);
            for &(index, word) in words[from..]
                .iter()
                .take_while(|&&(index, _)| (index as usize) < rows.end)
            {
                out[index as usize - rows.start] = word;
            }
        }
    }
}

/// The leaves of a bit of how often entries are pushed; `powers` are squared after.
#[inline(always)]
fn bit_leaves<B: Backend>(
    be: B,
    bit: usize,
    times: &[K],
    powers: &mut TileScalars,
    leaves: &mut TileScalars,
) {
    let mut at = 0;
    while at < TILE {
        for i in at..at + B::LANES {
            let mask = 0u64.wrapping_sub(times[i].0 >> bit & 1);
            leaves[0][i] = K(powers[0][i].0 & mask | 1 & !mask);
            leaves[1][i] = K(powers[1][i].0 & mask);
            leaves[2][i] = K(powers[2][i].0 & mask);
        }
        let [p_0, p_1, p_2] = powers;
        let [s_0, s_1, s_2] = square(
            be,
            [be.load(&p_0[at..]), be.load(&p_1[at..]), be.load(&p_2[at..])],
        );
        be.store(s_0, &mut p_0[at..]);
        be.store(s_1, &mut p_1[at..]);
        be.store(s_2, &mut p_2[at..]);
        at += B::LANES;
    }
}

/// The square: `a_0^2 + a_1^2 y^2 + a_2^2 (y^2 + y)`.
#[inline(always)]
pub(super) fn square<B: Backend>(be: B, [a_0, a_1, a_2]: VectorE<B>) -> VectorE<B> {
    let [s_0, s_1, s_2] = [be.mul(a_0, a_0), be.mul(a_1, a_1), be.mul(a_2, a_2)];
    [s_0, s_2, be.xor(s_1, s_2)]
}
