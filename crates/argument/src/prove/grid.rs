//! The first three rounds of products, from one pass over what is not bound yet.
//!
//! For weighted products of two factors, `Q(X_0, X_1, X_2) = sum_x w(x) f(X_0, X_1, X_2, x) g(X_0, X_1, X_2, x)` has
//! degree two in each variable. It is given by its values on {0, 1, infinity}^3, where a value at infinity is a
//! coefficient of the square: there a factor is the sum of its values at 0 and 1. So on the grid factors are still
//! words, or bits.

use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::field::{E, EWide, K};
use primitives::vectors::{Element, VectorE, WideE, mul_e, reduce_e, splat_e, wide_sum_e, wide_xor_e};

use super::chunks::{ROW, load, transpose};
use super::columns::{TILE, TileColumn, TileScalars};
use super::dense::Message;

/// The rounds.
pub(super) const ROUNDS: usize = 3;

/// Points of the grid.
pub(super) const POINTS: usize = 27;

/// Groups of eight rows of a tile.
pub(super) const GROUPS: usize = TILE / ROW;

/// `Q` on the grid, variable 0 lowest.
pub(super) struct Grid(Vec<E>);

impl Grid {
    pub(super) fn new(values: [E; POINTS]) -> Self {
        Self(values.to_vec())
    }

    /// The coefficients of X and X^2 of `sum_x eq(point, x) Q(X, x)`; `point`: at least the variables after X.
    pub(super) fn message(&self, point: &[E]) -> Message {
        let mut values = self.0.clone();
        let mut variables = values.len().ilog(3) as usize;
        while variables > 1 {
            variables -= 1;
            let third = values.len() / 3;
            let z = point[variables - 1];
            for i in 0..third {
                values[i] = values[i] + z * (values[i] + values[third + i]);
            }
            values.truncate(third);
        }
        let [at_zero, at_one, h_2] = [values[0], values[1], values[2]];
        Message {
            h_1: at_zero + at_one + h_2,
            h_2,
        }
    }

    /// Binds the lowest variable.
    pub(super) fn bind(&mut self, r: E) {
        let at_r = |&[at_zero, at_one, h_2]: &[E; 3]| at_zero + r * (at_zero + at_one + h_2 + r * h_2);
        self.0 = self.0.as_chunks().0.iter().map(at_r).collect();
    }
}

/// The vectors of eight rows on the grid.
#[inline(always)]
fn extend<B: Backend, X: Element>(be: B, rows: [X::Vector<B>; ROW]) -> [X::Vector<B>; POINTS] {
    let mut grid = [rows[0]; POINTS];
    for (i, &row) in rows.iter().enumerate() {
        grid[i % 2 + 3 * (i / 2 % 2) + 9 * (i / 4)] = row;
    }
    // Where a digit is two: the sum of where it is zero and where it is one.
    for step in [1, 3, 9] {
        for i in 0..POINTS {
            if i / step % 3 == 2 {
                grid[i] = X::xor(be, grid[i - 2 * step], grid[i - step]);
            }
        }
    }
    grid
}

/// The words of eight rows each, `LANES` groups from `group` on.
#[inline(always)]
fn load_rows<B: Backend>(be: B, column: &TileColumn, group: usize) -> [B::V; ROW] {
    let mut rows = [be.splat(K::ZERO); ROW];
    for first in (0..ROW).step_by(B::LANES) {
        let mut square = [be.splat(K::ZERO); ROW];
        for (i, vector) in square[..B::LANES].iter_mut().enumerate() {
            *vector = be.load(&column[(group + i) * ROW + first..]);
        }
        square = transpose(be, square);
        rows[first..first + B::LANES].copy_from_slice(&square[..B::LANES]);
    }
    rows
}

/// Adds `sum_x w(x) f g` on the grid, x being the groups of a tile.
#[inline(always)]
pub(super) fn add_words<B: Backend>(
    be: B,
    weights: &[[K; GROUPS]; 3],
    f: &TileColumn,
    g: &TileColumn,
    sums: &mut [EWide; POINTS],
) {
    let mut totals: [WideE<B>; POINTS] = [[be.wide_zero(); 3]; POINTS];
    let mut group = 0;
    while group < GROUPS {
        let weight = load(be, weights, group);
        let f = extend::<B, K>(be, load_rows(be, f, group));
        let g = extend::<B, K>(be, load_rows(be, g, group));
        for point in 0..POINTS {
            let product = be.mul(f[point], g[point]);
            totals[point] = wide_xor_e(be, totals[point], K::mul_wide_by_e(be, weight, product));
        }
        group += B::LANES;
    }
    for (sum, total) in sums.iter_mut().zip(totals) {
        *sum += wide_sum_e(be, total);
    }
}

/// Adds `sum_x w(x) m g` on the grid, m being bit `bit` of words.
#[inline(always)]
pub(super) fn add_bits<B: Backend>(
    be: B,
    weights: &[[K; GROUPS]; 3],
    words: &TileColumn,
    bit: usize,
    g: &TileScalars,
    sums: &mut [E; POINTS],
) {
    let mut totals: [VectorE<B>; POINTS] = [splat_e(be, E::ZERO); POINTS];
    let mut masks = [K::ZERO; TILE];
    for (mask, word) in masks.iter_mut().zip(words) {
        *mask = K(0u64.wrapping_sub(word.0 >> bit & 1));
    }
    let [g_0, g_1, g_2] = g;
    let mut group = 0;
    while group < GROUPS {
        let weight = load(be, weights, group);
        let masks = extend::<B, K>(be, load_rows(be, &masks, group));
        let (g_0, g_1, g_2) = (
            load_rows(be, g_0, group),
            load_rows(be, g_1, group),
            load_rows(be, g_2, group),
        );
        let mut rows = [weight; ROW];
        for i in 0..ROW {
            rows[i] = mul_e(be, weight, [g_0[i], g_1[i], g_2[i]]);
        }
        let g = extend::<B, E>(be, rows);
        for point in 0..POINTS {
            let [g_0, g_1, g_2] = g[point];
            let mask = masks[point];
            let masked = [be.and(g_0, mask), be.and(g_1, mask), be.and(g_2, mask)];
            totals[point] = E::xor(be, totals[point], masked);
        }
        group += B::LANES;
    }
    for (sum, [t_0, t_1, t_2]) in sums.iter_mut().zip(totals) {
        *sum += E([be.sum(t_0), be.sum(t_1), be.sum(t_2)]);
    }
}

/// The first three variables of a tile's words bound: a scalar for each group; `eq`: of the challenges.
#[inline(always)]
pub(super) fn bind_words<B: Backend>(be: B, column: &TileColumn, eq: &[E; ROW], out: &mut [E; GROUPS]) {
    let mut group = 0;
    while group < GROUPS {
        let rows = load_rows(be, column, group);
        let mut sum: WideE<B> = [be.wide_zero(); 3];
        for (row, &eq) in rows.into_iter().zip(eq) {
            sum = wide_xor_e(be, sum, K::mul_wide_by_e(be, splat_e(be, eq), row));
        }
        be.store_e(reduce_e(be, sum), &mut out[group..]);
        group += B::LANES;
    }
}

/// The first three variables of a tile's scalars bound.
#[inline(always)]
pub(super) fn bind_scalars<B: Backend>(
    be: B,
    [p_0, p_1, p_2]: &TileScalars,
    eq: &[E; ROW],
    out: &mut [E; GROUPS],
) {
    let mut group = 0;
    while group < GROUPS {
        let (r_0, r_1, r_2) = (
            load_rows(be, p_0, group),
            load_rows(be, p_1, group),
            load_rows(be, p_2, group),
        );
        let mut sum: WideE<B> = [be.wide_zero(); 3];
        for i in 0..ROW {
            let product = E::mul_wide_by_e(be, splat_e(be, eq[i]), [r_0[i], r_1[i], r_2[i]]);
            sum = wide_xor_e(be, sum, product);
        }
        be.store_e(reduce_e(be, sum), &mut out[group..]);
        group += B::LANES;
    }
}

/// The weights of a tile's groups, times `scale`, the coefficients of each in a row.
#[inline(always)]
pub(super) fn group_weights<B: Backend>(be: B, eq: &[E; GROUPS], scale: E) -> [[K; GROUPS]; 3] {
    let mut planes = [[K::ZERO; GROUPS]; 3];
    let scale = splat_e(be, scale);
    let mut at = 0;
    while at < GROUPS {
        let product = mul_e(be, scale, be.load_e(&eq[at..]));
        super::chunks::store(be, product, &mut planes, at);
        at += B::LANES;
    }
    planes
}
