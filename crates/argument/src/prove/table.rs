//! One table in the sumcheck of all tables.
//!
//! Let m be the variables of a tile. The linear part of the first m rounds needs the sum over all tiles, each weighted
//! by its `eq`: one tile of scalars. That of the others needs the columns with the first m variables bound: one scalar
//! a tile for each column, which are also what the values at the end are computed from. So each of them is one pass
//! over the columns, and no table of all rows is ever made for it.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::field::{E, EWide, K};
use primitives::multilinear::{eq_table, evaluate};
use primitives::vectors::{Element, WideE, mul_e, splat_e, wide_sum_e, wide_xor_e};
use primitives::{dispatch, pool};

use super::chunks::{load, store};
use super::columns::{Columns, Combination, LOG_TILE, Plan, TILE, TileColumn, TileScalars};
use super::dense::{Message, Product, bind, linear_message, products_message};
use super::mass::mass_from;

/// Tiles of one task.
const TASK: usize = 4;

/// A table, its combination of columns, and what is left of it.
pub(super) struct Table<'a> {
    columns: &'a Columns<'a>,
    combination: Combination,
    /// The linear part: over the variables of a tile, then over the others.
    linear: Vec<E>,
    /// The factors of products, by column, and the products.
    factors: Vec<Vec<E>>,
    products: Vec<Product>,
    /// The columns with the variables of a tile bound, once they are.
    folded: Vec<Vec<E>>,
}

impl<'a> Table<'a> {
    /// The table before round 0.
    pub(super) fn new(columns: &'a Columns<'a>, combination: Combination, zeta: &[E]) -> Self {
        let (factors, products) = factors(columns, &combination);
        Self {
            linear: linear_of_tiles(columns, &combination, zeta),
            columns,
            combination,
            factors,
            products,
            folded: Vec::new(),
        }
    }

    /// The message of the round after these challenges.
    pub(super) fn round(&mut self, bound: &[E], zeta: &[E]) -> Message {
        let round = bound.len();
        if round > self.columns.log_rows {
            return Message::default();
        }
        self.bind(bound);
        if round == self.columns.log_rows {
            return Message::default();
        }
        let point = &zeta[round + 1..];
        let mut message = products_message(&self.factors, &self.products, point);
        message.h_1 += linear_message(&self.linear, point);
        message
    }

    fn bind(&mut self, bound: &[E]) {
        let Some(&r) = bound.last() else {
            return;
        };
        self.linear = bind(&self.linear, r);
        for factor in &mut self.factors {
            *factor = bind(factor, r);
        }
        if bound.len() == LOG_TILE && self.columns.log_rows > LOG_TILE {
            self.folded = fold_columns(self.columns, bound);
            self.linear = vec![E::ZERO; self.columns.tiles()];
            for &(column, weight) in &self.combination.linear {
                for (sum, &value) in self.linear.iter_mut().zip(&self.folded[column]) {
                    *sum += weight * value;
                }
            }
        }
    }

    /// The values of the columns at the first coordinates of the point.
    pub(super) fn finish(mut self, point: &[E]) -> Vec<E> {
        let point = &point[..self.columns.log_rows];
        let (low, high) = point.split_at(point.len().min(LOG_TILE));
        if self.folded.is_empty() {
            self.folded = fold_columns(self.columns, low);
        }
        self.folded.iter().map(|column| evaluate(column, high)).collect()
    }
}

/// The factors of a combination's products, and the products of these.
fn factors(columns: &Columns<'_>, combination: &Combination) -> (Vec<Vec<E>>, Vec<Product>) {
    let mut numbers: Vec<usize> = combination
        .products
        .iter()
        .flat_map(|&((i, j), _)| [i, j])
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    let place = |column: usize| numbers.binary_search(&column).expect("the column of a factor");
    let products = combination.products.iter();
    let products = products
        .map(|&((i, j), weight)| (place(i), place(j), weight))
        .collect();
    let factor = |&column: &usize| {
        let rows = 0..1 << columns.log_rows;
        rows.map(|row| E::from(columns.word(column, row))).collect()
    };
    (numbers.iter().map(factor).collect(), products)
}

/// `sum over tiles of eq(zeta_>=m, tile)` times the linear part on the tile.
fn linear_of_tiles(columns: &Columns<'_>, combination: &Combination, zeta: &[E]) -> Vec<E> {
    let linear = Combination {
        linear: combination.linear.clone(),
        ..Combination::default()
    };
    let plan = Plan::new(&[linear]);
    let point = &zeta[..columns.log_rows];
    let weights = tile_weights(columns, &point[point.len().min(LOG_TILE)..]);
    let sums: Vec<Box<TileScalars>> = pool::map(weights.len().div_ceil(TASK), |task| {
        let mut sum = Box::new([[K::ZERO; TILE]; 3]);
        let mut scratch = Vec::new();
        for (tile, &weight) in weights.iter().enumerate().skip(task * TASK).take(TASK) {
            columns.with_tile(tile, &plan.columns, &mut scratch, |columns| {
                plan.run(columns, |_, values| {
                    dispatch!(|be| add_scaled(be, &mut sum, weight, values));
                });
            });
        }
        sum
    });
    let mut table = vec![E::ZERO; columns.rows()];
    for sum in sums {
        for (i, out) in table.iter_mut().enumerate() {
            *out += E(sum.each_ref().map(|plane| plane[i]));
        }
    }
    table
}

/// The weight of each distinct tile: `eq(point, .)`, summed over all that are equal to the last.
fn tile_weights(columns: &Columns<'_>, point: &[E]) -> Vec<E> {
    let mut weights = eq_table(point);
    let (live, distinct) = (columns.live_tiles(), columns.distinct_tiles());
    if distinct > live {
        weights.truncate(live);
        weights.push(mass_from(point, live));
    }
    weights
}

/// `sum += weight values`.
#[inline(always)]
fn add_scaled<B: Backend>(be: B, sum: &mut TileScalars, weight: E, values: &TileScalars) {
    let weight = splat_e(be, weight);
    let mut at = 0;
    while at < TILE {
        let product = mul_e(be, weight, load(be, values, at));
        let new = E::xor(be, load(be, sum, at), product);
        store(be, new, sum, at);
        at += B::LANES;
    }
}

/// Every column with the variables of a tile bound: a scalar for each tile.
fn fold_columns(columns: &Columns<'_>, r: &[E]) -> Vec<Vec<E>> {
    let eq = planes(&eq_table(r));
    let all: Vec<usize> = (0..columns.len()).collect();
    let distinct = columns.distinct_tiles();
    let mut folded = vec![vec![E::ZERO; columns.tiles()]; columns.len()];
    let parts = pool::map(distinct.div_ceil(TASK), |task| {
        let mut scratch = Vec::new();
        let mut out = Vec::new();
        for tile in task * TASK..distinct.min((task + 1) * TASK) {
            columns.with_tile(tile, &all, &mut scratch, |columns| {
                out.extend(
                    columns
                        .iter()
                        .map(|column| dispatch!(|be| dot(be, &eq, column)).reduce()),
                );
            });
        }
        out
    });
    let values: Vec<E> = parts.into_iter().flatten().collect();
    for (tile, values) in values.chunks(columns.len().max(1)).enumerate() {
        for (column, &value) in folded.iter_mut().zip(values) {
            column[tile] = value;
        }
    }
    for column in &mut folded {
        if let Some(&last) = column[..distinct].last() {
            column[distinct..].fill(last);
        }
    }
    folded
}

/// The coefficients of scalars, each in a row; zeros where there are none.
fn planes(scalars: &[E]) -> TileScalars {
    let mut planes = [[K::ZERO; TILE]; 3];
    for (i, scalar) in scalars.iter().enumerate() {
        for (plane, word) in planes.iter_mut().zip(scalar.0) {
            plane[i] = word;
        }
    }
    planes
}

/// `sum_i weights[i] words[i]`.
#[inline(always)]
fn dot<B: Backend>(be: B, weights: &TileScalars, words: &TileColumn) -> EWide {
    let mut sum: WideE<B> = [be.wide_zero(); 3];
    let mut at = 0;
    while at < TILE {
        let product = K::mul_wide_by_e(be, load(be, weights, at), be.load(&words[at..]));
        sum = wide_xor_e(be, sum, product);
        at += B::LANES;
    }
    wide_sum_e(be, sum)
}
