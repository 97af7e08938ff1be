//! The rounds that bind the first three variables of a member, over the words of `A z` and `B z`.
//!
//! In plain words: `a^(z, v)` is the sum of `L_i(z)` over the bits of a word, and so is b; sum their products for each
//! round, and bind both. The tricks:
//!
//! 1. The three messages come from one pass ([`grid`](super::grid)), so that a word is looked up twice only, and no
//!    table of all words in E is made.
//! 2. The eight words of a group go to eight rows, so that a vector holds one corner of as many groups, whose weight
//!    enters one factor, once for all points of the grid.
//! 3. Where the back end maps bytes, there are no look-ups: the eight words of a group are mapped with as many others,
//!    and the second pass has the factor of each corner in its map.
//! 4. The second pass binds the three variables, and gives the next message while its entries are in cache. They are
//!    written over the words that they come from, so that nothing is allocated.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use primitives::backend::Backend;
use primitives::bit_maps::BitMaps;
use primitives::field::{E, K};
use primitives::multilinear::eq_table;
use primitives::slices::scale;
use primitives::vectors::{
    VectorE, combine, mul_e, products_e, products_xor, products_zero, reduce_e, splat_e,
};
use primitives::{dispatch, pool};

use super::bit_sums::{BOUND, BitSums, CornerMaps, bind_by_maps, corners, map_words};
use super::bit_tables::BitTables;
use super::constraints::Words;
use super::grid::{CORNERS, Grid, LOG_TILE, POINTS, Planes, ROUNDS, Sums, TILE};
use super::rounds::{self, LOG_PAIRS, Message, Sum, Tables};
use super::units::{Segment, Units};

/// Groups of eight words in a task.
const TASK: usize = 16 * TILE;

/// The values of a tile's words: of each corner those of every group, and room that the last one is written over, in
/// whole lines.
#[repr(align(64))]
struct Values([Corner; CORNERS]);

/// The values of a corner, and the room.
type Corner = [K; 3 * TILE + 8];

impl Values {
    const ZERO: Self = Self([[K::ZERO; 3 * TILE + 8]; CORNERS]);
}

/// The grid of a member.
///
/// `words`: the stored words of `A z` and of `B z`. `r`: the zerocheck's coordinates of the member's other variables.
pub(super) fn grid(units: &Units, words: &[Words; 2], bit_sums: &BitSums, r: &[E]) -> Grid {
    let mut sums = [E::ZERO; POINTS];
    for segment in units.segments(ROUNDS, LOG_TILE, r) {
        let partial = pool::map(segment.len.div_ceil(TASK), |task| {
            let groups = segment.task(task, TASK);
            dispatch!(|be| sum_task(be, words, bit_sums, &segment, groups))
        });
        for partial in &partial {
            sums.iter_mut()
                .zip(partial)
                .for_each(|(sum, &partial)| *sum += partial);
        }
    }
    Grid::new(sums)
}

#[inline(always)]
fn sum_task<B: Backend>(
    be: B,
    words: &[Words; 2],
    bit_sums: &BitSums,
    segment: &Segment,
    groups: Range<usize>,
) -> [E; POINTS] {
    let mut sums = Sums::new(be);
    let mut values = Values::ZERO;
    let mut planes = [Planes::ZERO; 2];
    let mut weights = [E::ZERO; TILE];
    for start in groups.clone().step_by(TILE) {
        let len = TILE.min(groups.end - start);
        let first = CORNERS * (segment.start + start);
        let [a, b] = &mut planes;
        let (low, high) = segment.weights(start, len);
        scale(be, high, low, &mut weights[..len]);
        let [of_a, of_b] = words.each_ref().map(|words| &words[first..][..CORNERS * len]);
        match &bit_sums.maps {
            Some(maps) if B::MAPS_BYTES => {
                map_to_planes(be, maps, of_a, Some(&weights), a);
                map_to_planes(be, maps, of_b, None, b);
            }
            _ => {
                look_up(&bit_sums.tables, of_a, &mut values);
                to_planes(be, &values, len, Some(&weights), a);
                look_up(&bit_sums.tables, of_b, &mut values);
                to_planes(be, &values, len, None, b);
            }
        }
        sums.add(be, a, b, len);
    }
    sums.total(be)
}

/// Writes the values of whole groups.
#[inline(always)]
fn look_up(tables: &BitTables, words: &[K], values: &mut Values) {
    for (group, words) in words.as_chunks::<CORNERS>().0.iter().enumerate() {
        for (values, word) in values.0.iter_mut().zip(words) {
            let out = values[3 * group..].first_chunk_mut();
            tables.write(word.0, out.expect("room follows the last value"));
        }
    }
}

/// The values of a corner.
#[inline(always)]
fn scalars(values: &Corner) -> &[E] {
    bytemuck::cast_slice(&values[..3 * TILE])
}

/// The values' coefficients in rows, times the weights of their groups.
#[inline(always)]
fn to_planes<B: Backend>(
    be: B,
    values: &Values,
    len: usize,
    weights: Option<&[E; TILE]>,
    planes: &mut Planes,
) {
    for (values, planes) in values.0.iter().zip(&mut planes.0) {
        for x in (0..len).step_by(B::LANES) {
            let mut v = be.load_e(&scalars(values)[x..]);
            if let Some(weights) = weights {
                v = mul_e(be, v, be.load_e(&weights[x..]));
            }
            store_planes(be, v, planes, x);
        }
    }
}

/// Writes a corner's values of groups from `x` on.
#[inline(always)]
fn store_planes<B: Backend>(be: B, [v0, v1, v2]: VectorE<B>, [p0, p1, p2]: &mut [[K; TILE]; 3], x: usize) {
    be.store(v0, &mut p0[x..]);
    be.store(v1, &mut p1[x..]);
    be.store(v2, &mut p2[x..]);
}

/// [`look_up`] and [`to_planes`] at once, by maps.
#[inline(always)]
fn map_to_planes<B: Backend>(
    be: B,
    maps: &BitMaps<3>,
    words: &[K],
    weights: Option<&[E; TILE]>,
    planes: &mut Planes,
) {
    for (i, words) in words.chunks_exact(B::LANES * CORNERS).enumerate() {
        let x = i * B::LANES;
        let values = map_words(be, maps, corners(be, words));
        for (planes, mut v) in planes.0.iter_mut().zip(values) {
            if let Some(weights) = weights {
                v = mul_e(be, v, be.load_e(&weights[x..]));
            }
            store_planes(be, v, planes, x);
        }
    }
}

/// The tables with three variables bound, and the message of the next round.
///
/// `pairs`: the zerocheck's coordinates after the next variable.
pub(super) fn fold(
    units: &Units,
    mut words: [Words; 2],
    sums: &BitSums,
    challenges: &[E],
    pairs: &[E],
) -> (Tables, Message) {
    let eq = eq_table(challenges);
    let eq: &[E; CORNERS] = eq[..].as_array().expect("three challenges");
    let binding = Binding {
        tables: &sums.tables,
        eq,
        maps: sums.corner_maps(eq),
    };
    let folded = (0..ROUNDS).fold(*units, |units, _| units.halved());
    let segments = folded.segments(1, LOG_PAIRS, pairs);
    let mut pieces = Vec::new();
    let mut tasks = Vec::new();
    let [a, b] = &mut words;
    let mut rest = [&mut a[..], &mut b[..]];
    for segment in &segments {
        for task in 0..segment.len.div_ceil(TASK / 2) {
            let pairs = segment.task(task, TASK / 2);
            pieces.push(2 * CORNERS * pairs.len());
            let words = rest.each_mut().map(|rest| {
                let words = core::mem::take(rest);
                let (piece, left) = words.split_at_mut(2 * CORNERS * pairs.len());
                *rest = left;
                piece
            });
            tasks.push((segment, pairs, words));
        }
    }
    let message = rounds::run(tasks, |(segment, pairs, words)| {
        dispatch!(|be| fold_task(be, &binding, segment, pairs, words))
    });
    let tables = words.map(|words| words.into_entries(pieces.iter().map(|&words| (words, words / CORNERS))));
    (Tables::new(folded, tables), message)
}

/// The two ways to bind three variables of words.
struct Binding<'t> {
    tables: &'t BitTables,
    eq: &'t [E; CORNERS],
    maps: Option<Box<CornerMaps>>,
}

/// Binds three variables of words, two groups for each of these pairs of a segment; the entries are written over the
/// first words.
#[inline(always)]
fn fold_task<B: Backend>(
    be: B,
    binding: &Binding<'_>,
    segment: &Segment,
    pairs: Range<usize>,
    words: [&mut [K]; 2],
) -> Message {
    let mut sum = Sum::default();
    let mut entries = [[E::ZERO; BOUND]; 2];
    let groups = 2 * pairs.len();
    let [a, b] = words;
    for start in (0..groups).step_by(BOUND) {
        let len = BOUND.min(groups - start);
        for (words, entries) in [&mut *a, &mut *b].into_iter().zip(&mut entries) {
            let (bound, out) = (&words[CORNERS * start..][..CORNERS * len], &mut entries[..len]);
            match &binding.maps {
                Some(maps) if B::MAPS_BYTES => bind_by_maps(be, maps, bound, out),
                _ => bind_by_tables(be, binding.tables, binding.eq, bound, out),
            }
            // Three words of an entry take the place of eight that are read already.
            let out = bytemuck::cast_slice_mut::<K, E>(&mut words[3 * start..][..3 * len]);
            out.copy_from_slice(&entries[..len]);
        }
        let [a, b] = &entries;
        sum.tile(be, segment, pairs.start + start / 2, [&a[..len], &b[..len]]);
    }
    sum.reduce()
}

/// `out[i] = sum_corner eq[corner] value_corner(i)` for groups i of eight words.
#[inline(always)]
fn bind_by_tables<B: Backend>(be: B, tables: &BitTables, eq: &[E; CORNERS], words: &[K], out: &mut [E]) {
    let mut values = Values::ZERO;
    for (words, out) in words.chunks(TILE * CORNERS).zip(out.chunks_mut(TILE)) {
        look_up(tables, words, &mut values);
        bind(be, &values, eq, out);
    }
}

/// `out[i] = sum_corner eq[corner] values[corner][i]`.
#[inline(always)]
fn bind<B: Backend>(be: B, values: &Values, eq: &[E; CORNERS], out: &mut [E]) {
    for x in (0..out.len()).step_by(B::LANES) {
        let mut sum = products_zero(be);
        for (values, &eq) in values.0.iter().zip(eq) {
            let product = products_e(be, splat_e(be, eq), be.load_e(&scalars(values)[x..]));
            sum = products_xor(be, sum, product);
        }
        be.store_e(reduce_e(be, combine(be, sum)), &mut out[x..]);
    }
}

#[cfg(test)]
mod tests {
    use primitives::backend::available;

    use super::super::bit_sums::corner_maps;
    use super::*;
    use crate::skip::SKIP;
    use crate::tests::{scalars, words};

    #[test]
    fn planes_of_tables_and_of_maps_are_the_sums_times_the_weights() {
        let lagrange = scalars(SKIP, 30);
        let tables = BitTables::new(&lagrange);
        for token in available() {
            for len in [8, 16, TILE] {
                let (words, weights) = (words(CORNERS * len, 31), scalars(TILE, 32));
                let weights = Some(weights[..].as_array().unwrap());
                for weights in [None, weights] {
                    let mut planes = [Planes::ZERO; 2];
                    dispatch!(token, |be| {
                        let [by_tables, by_maps] = &mut planes;
                        let (mut values, mut maps) = (Values::ZERO, BitMaps::ZERO);
                        look_up(&tables, &words, &mut values);
                        to_planes(be, &values, len, weights, by_tables);
                        maps.fill_scalars(be, &lagrange);
                        map_to_planes(be, &maps, &words, weights, by_maps);
                    });
                    for (i, word) in words.iter().enumerate() {
                        let (group, corner) = (i / CORNERS, i % CORNERS);
                        let weight = weights.map_or(E::ONE, |weights| weights[group]);
                        let expected = weight * tables.sum(word.0);
                        for planes in &planes {
                            assert_eq!(E(planes.0[corner].map(|plane| plane[group])), expected);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn groups_are_bound_by_tables_and_by_maps() {
        let (lagrange, eq) = (scalars(SKIP, 33), scalars(CORNERS, 34));
        let (tables, eq) = (BitTables::new(&lagrange), eq[..].as_array().unwrap());
        for token in available() {
            for groups in [8, 56, BOUND] {
                let words = words(CORNERS * groups, 35);
                let expected = words.chunks(CORNERS).map(|words| -> E {
                    let terms = words.iter().zip(eq);
                    terms.map(|(word, &eq)| eq * tables.sum(word.0)).sum()
                });
                let expected: Vec<E> = expected.collect();
                let mut bound = [[E::ZERO; BOUND]; 2];
                dispatch!(token, |be| {
                    let [by_tables, by_maps] = &mut bound;
                    bind_by_tables(be, &tables, eq, &words, &mut by_tables[..groups]);
                    let maps = corner_maps(be, &lagrange, eq);
                    bind_by_maps(be, &maps, &words, &mut by_maps[..groups]);
                });
                assert!(
                    bound.iter().all(|bound| bound[..groups] == expected),
                    "{token:?}, {groups}"
                );
            }
        }
    }
}
