//! The rounds that bind the first three variables of a member, over the words of `A z` and `B z`.
//!
//! In plain words: `a^(z, v)` is the sum of `L_i(z)` over the bits of a word, and so is b; sum their products for each
//! round, and bind both. The tricks:
//!
//! 1. The three messages come from one pass ([`grid`](super::grid)), so that a word is looked up twice only, and no
//!    table of all words in E is made.
//! 2. The eight words of a group go to eight rows, so that a vector holds one corner of as many groups, whose weight
//!    enters one factor, once for all points of the grid.
//! 3. The second pass binds the three variables, and gives the next message while its entries are in cache. They are
//!    written over the words that they come from, so that nothing is allocated.

use alloc::vec::Vec;
use core::ops::Range;

use primitives::backend::Backend;
use primitives::field::{E, K};
use primitives::multilinear::eq_table;
use primitives::slices::scale;
use primitives::vectors::{combine, mul_e, products_e, products_xor, products_zero, reduce_e, splat_e};
use primitives::{dispatch, pool};

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
pub(super) fn grid(units: &Units, words: &[Words; 2], tables: &BitTables, r: &[E]) -> Grid {
    let mut sums = [E::ZERO; POINTS];
    for segment in units.segments(ROUNDS, LOG_TILE, r) {
        let partial = pool::map(segment.len.div_ceil(TASK), |task| {
            let groups = segment.task(task, TASK);
            dispatch!(|be| sum_task(be, words, tables, &segment, groups))
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
    tables: &BitTables,
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
        look_up(tables, &words[0][first..][..CORNERS * len], &mut values);
        to_planes(be, &values, len, Some(&weights), a);
        look_up(tables, &words[1][first..][..CORNERS * len], &mut values);
        to_planes(be, &values, len, None, b);
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
            let [v0, v1, v2] = v;
            let [p0, p1, p2] = &mut *planes;
            be.store(v0, &mut p0[x..]);
            be.store(v1, &mut p1[x..]);
            be.store(v2, &mut p2[x..]);
        }
    }
}

/// The tables with three variables bound, and the message of the next round.
///
/// `pairs`: the zerocheck's coordinates after the next variable.
pub(super) fn fold(
    units: &Units,
    mut words: [Words; 2],
    tables: &BitTables,
    challenges: &[E],
    pairs: &[E],
) -> (Tables, Message) {
    let eq = eq_table(challenges);
    let eq: &[E; CORNERS] = eq[..].as_array().expect("three challenges");
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
        dispatch!(|be| fold_task(be, tables, eq, segment, pairs, words))
    });
    let tables = words.map(|words| words.into_entries(pieces.iter().map(|&words| (words, words / CORNERS))));
    (Tables::new(folded, tables), message)
}

/// Binds three variables of words, two groups for each of these pairs of a segment; the entries are written over the
/// first words.
#[inline(always)]
fn fold_task<B: Backend>(
    be: B,
    tables: &BitTables,
    eq: &[E; CORNERS],
    segment: &Segment,
    pairs: Range<usize>,
    words: [&mut [K]; 2],
) -> Message {
    let mut sum = Sum::default();
    let mut values = Values::ZERO;
    let mut entries = [[E::ZERO; TILE]; 2];
    let groups = 2 * pairs.len();
    let [a, b] = words;
    for start in (0..groups).step_by(TILE) {
        let len = TILE.min(groups - start);
        for (words, entries) in [&mut *a, &mut *b].into_iter().zip(&mut entries) {
            look_up(tables, &words[CORNERS * start..][..CORNERS * len], &mut values);
            bind(be, &values, eq, &mut entries[..len]);
            // Three words of an entry take the place of eight that are read already.
            let out = bytemuck::cast_slice_mut::<K, E>(&mut words[3 * start..][..3 * len]);
            out.copy_from_slice(&entries[..len]);
        }
        let [a, b] = &entries;
        sum.tile(be, segment, pairs.start + start / 2, [&a[..len], &b[..len]]);
    }
    sum.reduce()
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
