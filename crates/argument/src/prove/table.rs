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

use super::chunks::{ROW, load, store};
use super::columns::{Columns, Combination, LOG_TILE, TILE, TileColumn, TileScalars, combine_columns};
use super::dense::{Message, Product, bind, linear_message, products_message};
use super::grid::{self, GROUPS, Grid, POINTS, ROUNDS};
use super::mass::mass_from;

/// Tiles of one task.
pub(super) const TASK: usize = 4;

/// A table, its combination of columns, and what is left of it.
pub(super) struct Table<'a> {
    columns: &'a Columns<'a>,
    combination: Combination,
    /// The linear part: over the variables of a tile, then over the others.
    linear: Vec<E>,
    /// The columns that are factors of products.
    factor_columns: Vec<usize>,
    /// The products of these, by place.
    products: Vec<Product>,
    /// The first rounds of the products, of a table of whole tiles.
    grid: Option<Grid>,
    /// The factors, after these rounds.
    factors: Vec<Vec<E>>,
    /// The columns with the variables of a tile bound, once they are.
    folded: Vec<Vec<E>>,
}

impl<'a> Table<'a> {
    /// The table before round 0.
    pub(super) fn new(columns: &'a Columns<'a>, combination: Combination, zeta: &[E]) -> Self {
        let products = &combination.products;
        let mut factor_columns: Vec<usize> = products.iter().flat_map(|&((i, j), _)| [i, j]).collect();
        factor_columns.sort_unstable();
        factor_columns.dedup();
        let place = |column| place_of(&factor_columns, column);
        let products = products.iter();
        let products: Vec<Product> = products
            .map(|&((i, j), weight)| (place(i), place(j), weight))
            .collect();
        let zeta = &zeta[..columns.log_rows];
        let (linear, grid) = first_pass(columns, &combination, zeta);
        let factors = if grid.is_none() {
            let rows = || 0..1 << columns.log_rows;
            let factor = |&column| rows().map(|row| columns.word(column, row).into()).collect();
            factor_columns.iter().map(factor).collect()
        } else {
            Vec::new()
        };
        Self {
            columns,
            combination,
            linear,
            factor_columns,
            products,
            grid,
            factors,
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
        let mut message = match &self.grid {
            Some(grid) => grid.message(point),
            None => products_message(&self.factors, &self.products, point),
        };
        message.h_1 += linear_message(&self.linear, point);
        message
    }

    fn bind(&mut self, bound: &[E]) {
        let Some(&r) = bound.last() else {
            return;
        };
        self.linear = bind(&self.linear, r);
        match &mut self.grid {
            Some(grid) if bound.len() < ROUNDS => grid.bind(r),
            Some(_) => {
                self.grid = None;
                self.factors = bind_factors(self.columns, &self.factor_columns, bound);
            }
            None => {
                for factor in &mut self.factors {
                    *factor = bind(factor, r);
                }
            }
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

fn place_of(columns: &[usize], column: usize) -> usize {
    columns.binary_search(&column).expect("a column of the list")
}

/// What a task of the first pass sums.
struct Sums {
    linear: Box<TileScalars>,
    /// Of each product.
    grids: Vec<[EWide; POINTS]>,
}

/// `sum over tiles of eq(zeta_>=m, tile)` times the linear part on the tile; and the products on the grid, if the table
/// has whole tiles, and there are any.
fn first_pass(columns: &Columns<'_>, combination: &Combination, zeta: &[E]) -> (Vec<E>, Option<Grid>) {
    let (low, high) = zeta.split_at(zeta.len().min(LOG_TILE));
    let products = if columns.log_rows < LOG_TILE {
        &[]
    } else {
        &combination.products[..]
    };
    let mut wanted: Vec<usize> = combination.linear.iter().map(|&(column, _)| column).collect();
    wanted.extend(products.iter().flat_map(|&((i, j), _)| [i, j]));
    wanted.sort_unstable();
    wanted.dedup();
    let terms = combination.linear.iter();
    let terms: Vec<(usize, E)> = terms
        .map(|&(column, weight)| (place_of(&wanted, column), weight))
        .collect();
    let group_eq = (!products.is_empty()).then(|| group_eq(low));
    let weights = tile_weights(columns, high);

    let sums = pool::map(weights.len().div_ceil(TASK), |task| {
        let mut sums = Sums {
            linear: Box::new([[K::ZERO; TILE]; 3]),
            grids: vec![[EWide::ZERO; POINTS]; products.len()],
        };
        let mut values = [[K::ZERO; TILE]; 3];
        let mut scratch = Vec::new();
        for (tile, &weight) in weights.iter().enumerate().skip(task * TASK).take(TASK) {
            columns.with_tile(tile, &wanted, &mut scratch, |columns| {
                dispatch!(|be| {
                    combine_columns(be, E::ZERO, &terms, columns, &mut values);
                    add_scaled(be, &mut sums.linear, weight, &values);
                });
                let Some(eq) = &group_eq else {
                    return;
                };
                let weights = dispatch!(|be| grid::group_weights(be, eq, weight));
                for (&((i, j), _), sums) in products.iter().zip(&mut sums.grids) {
                    let [f, g] = [i, j].map(|column| columns[place_of(&wanted, column)]);
                    dispatch!(|be| grid::add_words(be, &weights, f, g, sums));
                }
            });
        }
        sums
    });

    let mut linear = vec![E::ZERO; columns.rows()];
    let mut grid = [EWide::ZERO; POINTS];
    for sums in &sums {
        add_planes(&mut linear, &sums.linear);
        for (&(_, weight), sums) in products.iter().zip(&sums.grids) {
            for (point, sum) in grid.iter_mut().zip(sums) {
                *point += weight.mul_wide(sum.reduce());
            }
        }
    }
    (linear, group_eq.map(|_| Grid::new(grid.map(EWide::reduce))))
}

/// `eq` of the groups of eight rows of a tile; `point`: the variables of a tile.
pub(super) fn group_eq(point: &[E]) -> Box<[E; GROUPS]> {
    Box::new(
        *eq_table(&point[ROUNDS..])
            .as_array()
            .expect("the groups of a tile"),
    )
}

/// Adds the scalars of a tile.
pub(super) fn add_planes(sum: &mut [E], planes: &TileScalars) {
    for (i, sum) in sum.iter_mut().enumerate() {
        *sum += E(planes.each_ref().map(|plane| plane[i]));
    }
}

/// The columns with the variables of the grid bound.
fn bind_factors(columns: &Columns<'_>, factors: &[usize], r: &[E]) -> Vec<Vec<E>> {
    let eq: [E; ROW] = *eq_table(r).as_array().expect("the rows of a group");
    let distinct = columns.distinct_tiles();
    let parts = pool::map(distinct, |tile| {
        let mut out = vec![[E::ZERO; GROUPS]; factors.len()];
        columns.with_tile(tile, factors, &mut Vec::new(), |columns| {
            for (column, out) in columns.iter().zip(&mut out) {
                dispatch!(|be| grid::bind_words(be, column, &eq, out));
            }
        });
        out
    });
    let mut bound: Vec<Vec<E>> = factors
        .iter()
        .map(|_| Vec::with_capacity(columns.tiles() * GROUPS))
        .collect();
    for part in &parts {
        for (bound, part) in bound.iter_mut().zip(part) {
            bound.extend_from_slice(part);
        }
    }
    for bound in &mut bound {
        if let Some(&last) = bound.last() {
            bound.resize(columns.tiles() * GROUPS, last);
        }
    }
    bound
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
pub(super) fn add_scaled<B: Backend>(be: B, sum: &mut TileScalars, weight: E, values: &TileScalars) {
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
