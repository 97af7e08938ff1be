//! What z adds to the messages of the zerocheck: c is linear in it, so nothing is multiplied.
//!
//! With the fixed coordinates' 128 rows u and the others' groups v, `F(i, u) = sum_f l^f sum_v eq((r_7 ..), v) c_f(i, u, v)`
//! is one pass over z. The part of c in the skip message, and in the messages of the seven rounds that bind u, is a
//! sum over F: every member takes part in those. Then a second pass binds the seven variables of every member, and
//! what is left has an entry for 128 words.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::field::{E, K};
use primitives::multilinear::{eq_table, evaluate};
use primitives::slices::{dot_e, fold_lowest};
use primitives::{dispatch, pool};

use super::bit_sums::{BOUND, BitSums, CornerMaps, bind_by_maps};
use super::bit_tables::BitTables;
use super::fold_bits::fold_bits;
use super::grid::{CORNERS, ROUNDS};
use super::rounds::Member;
use crate::skip::{FIXED, SKIP};

/// The rows that the fixed coordinates span.
const ROWS: usize = 1 << FIXED;

/// Groups of [`ROWS`] words in a task.
const TASK: usize = 64;

/// F: the sums of every bit i of every row u, at `64 u + i`.
pub(super) struct Marginals(Vec<E>);

/// c once z is known: its part in the rounds.
pub(super) struct Linear {
    /// F at z, over what is left of the rows.
    rows: Vec<E>,
    /// Of each member its scale, and its table over what is left of its variables, once the rows are bound.
    tables: Vec<(E, Vec<E>)>,
}

impl Marginals {
    pub(super) fn new(members: &[Member<'_>], r: &[E]) -> Self {
        let mut sums = vec![E::ZERO; SKIP * ROWS];
        for member in members {
            let point = &r[FIXED..member.log_words];
            let weights = member.units.chunk_weights(FIXED, point, member.scale);
            fold_bits(member.c, FIXED, &weights, &mut sums);
        }
        Self(sums)
    }

    /// `sum_f l^f sum_v eq(r, v) c_f(i, v)` for every bit i.
    pub(super) fn skip(&self, r: &[E]) -> [E; SKIP] {
        let mut sums = [E::ZERO; SKIP];
        for (row, eq) in self.0.as_chunks::<SKIP>().0.iter().zip(eq_table(&r[..FIXED])) {
            for (sum, &bit) in sums.iter_mut().zip(row) {
                *sum += eq * bit;
            }
        }
        sums
    }

    /// `lagrange`: `L_i(z)`.
    pub(super) fn at(self, lagrange: &[E]) -> Linear {
        let rows = self.0.as_chunks::<SKIP>().0.iter();
        Linear {
            rows: rows
                .map(|row| dispatch!(|be| dot_e(be, row, lagrange)).reduce())
                .collect(),
            tables: Vec::new(),
        }
    }
}

impl Linear {
    /// c's part of `h(1)`, after binding the last round's variable to the last coordinate of `point`.
    pub(super) fn round(&mut self, members: &[Member<'_>], r: &[E], sums: &BitSums, point: &[E]) -> E {
        let round = point.len();
        self.bind(members, sums, point);
        if round < FIXED {
            return at_one(&self.rows, &r[round + 1..FIXED]);
        }
        let members = members.iter().zip(&self.tables);
        let parts = members.map(|(member, (scale, table))| match table[..] {
            [value] => *scale * value,
            _ => *scale * at_one(table, &r[round + 1..member.log_words]),
        });
        parts.sum()
    }

    /// `v_c` of each member.
    pub(super) fn finish(mut self, members: &[Member<'_>], sums: &BitSums, point: &[E]) -> Vec<E> {
        self.bind(members, sums, point);
        self.tables.into_iter().map(|(_, table)| table[0]).collect()
    }

    fn bind(&mut self, members: &[Member<'_>], sums: &BitSums, point: &[E]) {
        let Some(&last) = point.last() else { return };
        if point.len() == FIXED {
            let rows = RowSums::new(sums, point);
            self.tables = members
                .iter()
                .map(|member| (member.scale, bind_rows(member, &rows)))
                .collect();
        } else if point.len() < FIXED {
            fold(&mut self.rows, last);
        } else {
            let rest = self.tables.iter_mut().filter(|(_, table)| table.len() > 1);
            rest.for_each(|(_, table)| fold(table, last));
        }
    }
}

/// `c^(z, ..)` of a member with the rows bound: an entry for each [`ROWS`] words.
fn bind_rows(member: &Member<'_>, rows: &RowSums<'_>) -> Vec<E> {
    let mut table = vec![E::ZERO; member.units.stored() / ROWS];
    pool::for_each_chunk_mut(&mut table, TASK, |task, entries| {
        let words = &member.c[task * TASK * ROWS..][..entries.len() * ROWS];
        dispatch!(|be| bind_groups(be, words, rows, entries));
    });
    // The tail's unit stands for all that follow.
    let unit = 1 << (member.units.log_unit - FIXED);
    for entry in table.len()..1 << (member.log_words - FIXED) {
        table.push(table[entry - unit]);
    }
    table
}

/// The two ways to the value of [`ROWS`] words.
struct RowSums<'t> {
    tables: &'t BitTables,
    /// The weight of every row.
    eq: Vec<E>,
    /// With the weights of the lowest variables' corners, if there are such.
    maps: Option<Box<CornerMaps>>,
    /// The weights by the variables above.
    above: Vec<E>,
}

impl<'t> RowSums<'t> {
    fn new(sums: &'t BitSums, point: &[E]) -> Self {
        let (corners, above) = point.split_at(ROUNDS);
        Self {
            tables: &sums.tables,
            eq: eq_table(point),
            maps: sums.corner_maps(
                eq_table(corners)[..]
                    .as_array()
                    .expect("a weight for each corner"),
            ),
            above: eq_table(above),
        }
    }
}

#[inline(always)]
fn bind_groups<B: Backend>(be: B, words: &[K], rows: &RowSums<'_>, entries: &mut [E]) {
    match &rows.maps {
        Some(maps) if B::MAPS_BYTES => bind_groups_by_maps(be, words, maps, &rows.above, entries),
        _ => bind_groups_by_tables(be, words, rows.tables, &rows.eq, entries),
    }
}

#[inline(always)]
fn bind_groups_by_tables<B: Backend>(be: B, words: &[K], tables: &BitTables, eq: &[E], entries: &mut [E]) {
    // The last value is written over one word more.
    let mut row = [K::ZERO; 3 * ROWS + 1];
    for (entry, words) in entries.iter_mut().zip(words.as_chunks::<ROWS>().0) {
        for (i, word) in words.iter().enumerate() {
            let out = row[3 * i..].first_chunk_mut();
            tables.write(word.0, out.expect("a word follows the last value"));
        }
        *entry = dot_e(be, bytemuck::cast_slice(&row[..3 * ROWS]), eq).reduce();
    }
}

/// `above`: the weights by the variables that the maps do not bind.
#[inline(always)]
fn bind_groups_by_maps<B: Backend>(be: B, words: &[K], maps: &CornerMaps, above: &[E], entries: &mut [E]) {
    let mut bound = [E::ZERO; BOUND];
    for (words, entries) in words
        .chunks(BOUND * CORNERS)
        .zip(entries.chunks_mut(BOUND * CORNERS / ROWS))
    {
        let bound = &mut bound[..words.len() / CORNERS];
        bind_by_maps(be, maps, words, bound);
        for (entry, bound) in entries.iter_mut().zip(bound.chunks(ROWS / CORNERS)) {
            *entry = dot_e(be, bound, above).reduce();
        }
    }
}

fn fold(table: &mut Vec<E>, r: E) {
    let mut folded = vec![E::ZERO; table.len() / 2];
    dispatch!(|be| fold_lowest(be, table, r, &mut folded));
    *table = folded;
}

/// `sum_v eq(point, v) table(1, v)`, variable 0 being the one that is 1.
fn at_one(table: &[E], point: &[E]) -> E {
    let odd: Vec<E> = table.iter().skip(1).step_by(2).copied().collect();
    evaluate(&odd, point)
}

#[cfg(test)]
mod tests {
    use primitives::backend::available;

    use super::super::bit_sums::corner_maps;
    use super::*;
    use crate::tests::{scalars, words};

    #[test]
    fn rows_are_bound_to_their_weighted_sums() {
        let (lagrange, point) = (scalars(SKIP, 20), scalars(FIXED, 21));
        let sums = BitSums::new(&lagrange);
        let (eq, eq_corners) = (eq_table(&point), eq_table(&point[..ROUNDS]));
        let above = eq_table(&point[ROUNDS..]);
        // A tile of the maps and a part of one.
        let words = words(9 * ROWS, 22);
        let expected: Vec<E> = words
            .chunks(ROWS)
            .map(|words| {
                words
                    .iter()
                    .zip(&eq)
                    .map(|(word, &eq)| eq * sums.tables.sum(word.0))
                    .sum()
            })
            .collect();
        for token in available() {
            let (mut by_tables, mut by_maps) = ([E::ZERO; 9], [E::ZERO; 9]);
            dispatch!(token, |be| {
                bind_groups_by_tables(be, &words, &sums.tables, &eq, &mut by_tables);
                let maps = corner_maps(be, &lagrange, eq_corners[..].as_array().unwrap());
                bind_groups_by_maps(be, &words, &maps, &above, &mut by_maps);
            });
            assert_eq!(by_tables[..], expected);
            assert_eq!(by_maps[..], expected);
        }
    }
}
