//! Rounds over tables of scalars: a linear part, and products of pairs of factors.
//!
//! With the factor of the round's variable taken out, the polynomial of a round is
//! `sum_x eq(point, x) (t(X, x) + sum_p w_p f_p(X, x) g_p(X, x))`, and its coefficients of X and X^2 are wanted. The
//! linear part may have fewer variables: then the others are bound already, to what `eq` would bind them to.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Add;

use primitives::backend::Backend;
use primitives::field::{E, EWide};
use primitives::multilinear::SplitEq;
use primitives::slices::fold_lowest;
use primitives::vectors::{
    Element, ProductsE, VectorE, combine, mul_e, products_e, products_xor, products_zero, wide_sum_e,
};
use primitives::{dispatch, pool};

/// log2 of the pairs of a tile.
const LOG_TILE: usize = 7;

/// Pairs of a tile.
const TILE: usize = 1 << LOG_TILE;

/// Scalars of a task.
const TASK: usize = 1 << 11;

/// The coefficients of X and X^2 of a round's polynomial.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Message {
    pub(super) h_1: E,
    pub(super) h_2: E,
}

impl Add for Message {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            h_1: self.h_1 + other.h_1,
            h_2: self.h_2 + other.h_2,
        }
    }
}

/// The product of two factors, by number, and its weight.
pub(super) type Product = (usize, usize, E);

/// `sum_x eq(point, x) (t(1, x) + t(0, x))`.
///
/// `point`: at least the coordinates of the table but one.
pub(super) fn linear_message(table: &[E], point: &[E]) -> E {
    if table.len() < 2 {
        return E::ZERO;
    }
    let eq = SplitEq::new(&point[..table.len().ilog2() as usize - 1], E::ONE, LOG_TILE);
    let task = 2 * eq.low.len();
    let tasks = table.len() / task;
    let sums = pool::map(tasks, |tile| {
        let table = &table[tile * task..(tile + 1) * task];
        let sum = dispatch!(|be| sum_of_pairs(be, table, &eq.low));
        eq.high[tile].mul_wide(sum.reduce())
    });
    sums.into_iter().sum::<EWide>().reduce()
}

#[inline(always)]
fn sum_of_pairs<B: Backend>(be: B, table: &[E], weights: &[E]) -> EWide {
    let mut sum = products_zero(be);
    let mut at = 0;
    while at < weights.len() {
        let (low, high) = load_pairs(be, table, at);
        sum = products_xor(
            be,
            sum,
            products_e(be, E::xor(be, low, high), load(be, weights, at)),
        );
        at += B::LANES;
    }
    wide_sum_e(be, combine(be, sum))
}

/// The message of products of factors, all of one length.
///
/// `point`: at least the coordinates of a factor but one.
pub(super) fn products_message(factors: &[Vec<E>], products: &[Product], point: &[E]) -> Message {
    let length = factors.first().map_or(0, Vec::len);
    if length < 2 {
        return Message::default();
    }
    let eq = SplitEq::new(&point[..length.ilog2() as usize - 1], E::ONE, LOG_TILE);
    let pairs = eq.low.len();
    let tiles_of_task = (TASK / 2 / pairs).max(1);
    let sums = pool::map(eq.high.len().div_ceil(tiles_of_task), |task| {
        let mut sum = [EWide::ZERO; 2];
        for tile in task * tiles_of_task..eq.high.len().min((task + 1) * tiles_of_task) {
            let range = 2 * tile * pairs..2 * (tile + 1) * pairs;
            for &(f, g, weight) in products {
                let (f, g) = (&factors[f][range.clone()], &factors[g][range.clone()]);
                let weight = weight * eq.high[tile];
                let of_tile = dispatch!(|be| product_message(be, f, g, &eq.low));
                for (sum, of_tile) in sum.iter_mut().zip(of_tile) {
                    *sum += weight.mul_wide(of_tile.reduce());
                }
            }
        }
        sum
    });
    let mut total = [EWide::ZERO; 2];
    for [h_1, h_2] in sums {
        total[0] += h_1;
        total[1] += h_2;
    }
    let [h_1, h_2] = total.map(EWide::reduce);
    Message { h_1, h_2 }
}

/// `sum_x w(x) (f_1 g_1 + f_0 g_0 + (f_0 + f_1)(g_0 + g_1))`, and the sum of the last products alone.
#[inline(always)]
fn product_message<B: Backend>(be: B, f: &[E], g: &[E], weights: &[E]) -> [EWide; 2] {
    let [mut ends, mut leading]: [ProductsE<B>; 2] = [products_zero(be); 2];
    let mut at = 0;
    while at < weights.len() {
        let weight = load(be, weights, at);
        let ((f_0, f_1), (g_0, g_1)) = (load_pairs(be, f, at), load_pairs(be, g, at));
        let (f_0, f_1) = (mul_e(be, weight, f_0), mul_e(be, weight, f_1));
        ends = products_xor(be, ends, products_e(be, f_0, g_0));
        ends = products_xor(be, ends, products_e(be, f_1, g_1));
        let (f_i, g_i) = (E::xor(be, f_0, f_1), E::xor(be, g_0, g_1));
        leading = products_xor(be, leading, products_e(be, f_i, g_i));
        at += B::LANES;
    }
    let leading = wide_sum_e(be, combine(be, leading));
    [wide_sum_e(be, combine(be, ends)) + leading, leading]
}

/// The table with its lowest variable bound.
pub(super) fn bind(table: &[E], r: E) -> Vec<E> {
    let mut out = vec![E::ZERO; table.len() / 2];
    pool::for_each_chunk_mut(&mut out, TASK, |task, out| {
        let table = &table[2 * task * TASK..][..2 * out.len()];
        dispatch!(|be| fold_lowest(be, table, r, out));
    });
    out
}

/// The vector at `at`, zeros beyond the table.
#[inline(always)]
fn load<B: Backend>(be: B, table: &[E], at: usize) -> VectorE<B> {
    match table[at..].get(..B::LANES) {
        Some(whole) => be.load_e(whole),
        None => be.load_e_partial(&table[at..]),
    }
}

/// The even and the odd scalars from pair `at` on, zeros beyond the table.
#[inline(always)]
fn load_pairs<B: Backend>(be: B, table: &[E], at: usize) -> (VectorE<B>, VectorE<B>) {
    let table = &table[2 * at..];
    if table.len() < 2 * B::LANES {
        let (low, high) = table.split_at(table.len().min(B::LANES));
        return E::unzip(be, be.load_e_partial(low), be.load_e_partial(high));
    }
    E::unzip(be, be.load_e(table), be.load_e(&table[B::LANES..]))
}

const _: () = assert!(TILE <= TASK);
