//! The rounds of one layer of the grand product, on one side.
//!
//! With `p(X)` and `q(X)` the products of a pair's first two and last two lines, each of degree two, a round's
//! polynomial is a weighted sum of `p q`. It is summed at 1, infinity, y and y + 1; its value at 0 follows from the
//! claim. The weight goes into one line, so that every last product is summed before it is reduced.
//!
//! Ones add a constant, which is their weight.

use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::field::{E, EWide, K};
use primitives::multilinear::{eq_table, fill_eq_table};
use primitives::slices::interpolate;
use primitives::vectors::{
    Element, ProductsE, VectorE, WideE, combine, mul_e, products_e, products_xor, products_zero, reduce_e,
    splat_e, wide_sum_e, wide_xor_e,
};
use primitives::{dispatch, pool};

use super::chunks::{CHUNK, Chunk, Chunks, LOG_CHUNK, LOG_ROWS, ROW, TASK, load, store};
use super::mass::mass_from;

/// A polynomial of degree at most four: its values at 1, y and y + 1, and its coefficient of X^4.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Values {
    pub(super) at_one: E,
    pub(super) leading: E,
    pub(super) at_y: E,
    pub(super) at_y_plus_one: E,
}

impl Values {
    /// The sum with `l` times another.
    pub(super) fn plus(self, l: E, other: Self) -> Self {
        Self {
            at_one: self.at_one + l * other.at_one,
            leading: self.leading + l * other.leading,
            at_y: self.at_y + l * other.at_y,
            at_y_plus_one: self.at_y_plus_one + l * other.at_y_plus_one,
        }
    }

    /// The sum with a constant.
    fn plus_constant(self, c: E) -> Self {
        Self {
            at_one: self.at_one + c,
            at_y: self.at_y + c,
            at_y_plus_one: self.at_y_plus_one + c,
            ..self
        }
    }

    /// The coefficients of `1, X, .., X^4`, for the polynomial with this value at 0.
    pub(super) fn coefficients(self, at_zero: E) -> [E; 5] {
        // q(X) = (h(X) - h_0 - h_4 X^4) / X = h_1 + h_2 X + h_3 X^2 by Newton's formula at 1, y and y + 1 = y^3,
        // where 1 + y = y^3, 1 + y^3 = y, y + y^3 = 1, and 1/y = y^2 + 1 = y^6, 1/y^3 = y^4 as y^7 = 1.
        let [y, y_2, y_4] = [E::Y, E::Y.square(), E::Y.square().square()];
        let (inverse_y, inverse_y_3) = (y_2 + E::ONE, y_4);
        let h_4 = self.leading;
        let at_one = self.at_one + at_zero + h_4;
        let at_y = (self.at_y + at_zero + h_4 * y_4) * inverse_y;
        // (y^3)^4 = y^5 = y^4 y.
        let at_y_3 = (self.at_y_plus_one + at_zero + h_4 * y_4.mul_y()) * inverse_y_3;
        let c_1 = (at_y + at_one) * inverse_y_3;
        let h_3 = (at_y_3 + at_one + c_1 * y) * inverse_y;
        let h_2 = c_1 + h_3 + h_3 * y;
        let h_1 = at_one + c_1 + h_3 * y;
        [at_zero, h_1, h_2, h_3, h_4]
    }
}

/// A table of groups whose lowest variables are bound one after another.
pub(super) enum Table {
    /// In chunks, of which so many rows are left.
    Chunks(Chunks, usize),
    /// All groups, in order.
    Groups(Vec<[E; 4]>),
}

impl Table {
    /// The table of these scalars.
    pub(super) fn new(layer: Layer) -> Self {
        match layer {
            Layer::Chunks(chunks) => Self::Chunks(chunks, 1 << LOG_ROWS),
            Layer::Scalars(scalars) => Self::Groups(scalars.as_chunks().0.to_vec()),
        }
    }

    /// Binds the lowest variable to `bound`, if there is one, and gives the polynomial of the next.
    ///
    /// `point`: the coordinates of the variables after that.
    pub(super) fn round(&mut self, bound: Option<E>, point: &[E]) -> Values {
        match self {
            Self::Groups(groups) => {
                if let Some(bound) = bound {
                    *groups = fold_groups(groups, bound);
                }
                groups_message(groups, point)
            }
            Self::Chunks(chunks, rows) => {
                if bound.is_some() {
                    *rows /= 2;
                }
                if *rows > 1 {
                    return chunks_message(chunks, bound, *rows, point);
                }
                if let Some(bound) = bound {
                    fold_last_rows(chunks, bound);
                }
                *self = if point.len() + 1 >= LOG_CHUNK {
                    Self::Chunks(chunks.repack(), 1 << LOG_ROWS)
                } else {
                    Self::Groups(chunks.groups(point.len() + 1))
                };
                self.round(None, point)
            }
        }
    }

    /// Binds the last variable, if there is one; what is left is a group.
    pub(super) fn finish(self, bound: Option<E>) -> [E; 4] {
        match (self, bound) {
            (Self::Groups(groups), Some(bound)) => fold_groups(&groups, bound)[0],
            (Self::Groups(groups), None) => groups[0],
            (Self::Chunks(..), _) => unreachable!("the last variables are never in chunks"),
        }
    }
}

/// Scalars of a layer: the values of all nodes, the ones at the end left out.
pub(super) enum Layer {
    /// A layer of at least a chunk.
    Chunks(Chunks),
    /// All scalars of a smaller one.
    Scalars(Vec<E>),
}

fn fold_groups(groups: &[[E; 4]], r: E) -> Vec<[E; 4]> {
    let fold = |[low, high]: &[[E; 4]; 2]| core::array::from_fn(|a| low[a] + r * (low[a] + high[a]));
    groups.as_chunks().0.iter().map(fold).collect()
}

fn groups_message(groups: &[[E; 4]], point: &[E]) -> Values {
    let weights = eq_table(point);
    let mut sum = [EWide::ZERO; 4];
    for ([low, high], &weight) in groups.as_chunks().0.iter().zip(&weights) {
        let pair = |a: usize, b: usize, weight: E| {
            let (a_0, a_1) = (weight * low[a], weight * high[a]);
            let at_zero = a_0 * low[b];
            let at_one = a_1 * high[b];
            let leading = (a_0 + a_1) * (low[b] + high[b]);
            let at_y = at_zero + (at_zero + at_one + leading.mul_y() + leading).mul_y();
            [at_one, leading, at_y, at_y + at_zero + at_one]
        };
        let (p, q) = (pair(0, 1, weight), pair(2, 3, E::ONE));
        for (sum, (p, q)) in sum.iter_mut().zip(p.into_iter().zip(q)) {
            *sum += p.mul_wide(q);
        }
    }
    values(sum.map(EWide::reduce))
}

fn values([at_one, leading, at_y, at_y_plus_one]: [E; 4]) -> Values {
    Values {
        at_one,
        leading,
        at_y,
        at_y_plus_one,
    }
}

/// Binds the last row variable.
fn fold_last_rows(chunks: &mut Chunks, r: E) {
    pool::for_each_chunk_mut(&mut chunks.stored, TASK, |_, chunks| {
        dispatch!(|be| {
            let r = splat_e(be, r);
            for chunk in chunks {
                for planes in chunk {
                    let mut at = 0;
                    while at < ROW {
                        let [low, high] = [load(be, planes, at), load(be, planes, ROW + at)];
                        store(be, interpolate::<_, E>(be, low, high, r), planes, at);
                        at += lanes(be);
                    }
                }
            }
        });
    });
}

fn lanes<B: Backend>(_: B) -> usize {
    B::LANES
}

/// Binds a variable, if there is one to bind; `rows` are left then, of which it gives the polynomial.
fn chunks_message(chunks: &mut Chunks, fold: Option<E>, rows: usize, point: &[E]) -> Values {
    let (low, high) = point.split_at((rows * ROW / 2).ilog2() as usize);
    let low = Weights::new(low, rows / 2);
    let high_weights = slot_weights(chunks, high);
    let tasks = chunks.stored.len().div_ceil(TASK);
    let mut sums = vec![[EWide::ZERO; 4]; tasks];
    let items = (chunks.stored.chunks_mut(TASK))
        .zip(high_weights.chunks(TASK))
        .zip(&mut sums);
    pool::for_each_item(items.collect(), |((chunks, weights), sums)| {
        *sums = dispatch!(|be| {
            let mut total = [products_zero(be); 4];
            for (chunk, &weight) in chunks.iter_mut().zip(weights) {
                let sums = match fold {
                    Some(bound) => fold_and_message(be, chunk, bound, rows, &low),
                    None => message(be, chunk, rows, &low),
                };
                total = add_scaled(be, total, splat_e(be, weight), sums);
            }
            let [t_1, t_i, t_y, t_z] = total;
            [
                wide_sum_e(be, combine(be, t_1)),
                wide_sum_e(be, combine(be, t_i)),
                wide_sum_e(be, combine(be, t_y)),
                wide_sum_e(be, combine(be, t_z)),
            ]
        });
    });
    let mut total = [EWide::ZERO; 4];
    for sums in sums {
        for (total, sum) in total.iter_mut().zip(sums) {
            *total += sum;
        }
    }
    let ones = mass_from(high, chunks.slots.len());
    values(total.map(EWide::reduce)).plus_constant(ones)
}

/// The weight of each stored chunk: the sum over those that it stands for.
fn slot_weights(chunks: &Chunks, point: &[E]) -> Vec<E> {
    let eq = eq_table(point);
    let mut weights = vec![E::ZERO; chunks.stored.len()];
    for (&slot, eq) in chunks.slots.iter().zip(eq) {
        weights[slot as usize] += eq;
    }
    weights
}

/// The weights of a chunk's pairs, as they stand in a plane.
struct Weights([[K; CHUNK / 2]; 3]);

impl Weights {
    /// `eq(point, .)`, of so many rows of pairs.
    fn new(point: &[E], rows: usize) -> Self {
        let mut eq = [E::ZERO; CHUNK / 2];
        let eq = &mut eq[..1 << point.len()];
        dispatch!(|be| fill_eq_table(be, point, E::ONE, eq));
        let mut planes = [[K::ZERO; CHUNK / 2]; 3];
        for (y, eq) in eq.iter().enumerate() {
            for (plane, word) in planes.iter_mut().zip(eq.0) {
                plane[y % rows * ROW + y / rows] = word;
            }
        }
        Self(planes)
    }

    #[inline(always)]
    fn load<B: Backend>(&self, be: B, at: usize) -> VectorE<B> {
        let [w0, w1, w2] = &self.0;
        [be.load(&w0[at..]), be.load(&w1[at..]), be.load(&w2[at..])]
    }
}

/// A round's polynomial, not reduced.
type Sums<B> = [WideE<B>; 4];

#[inline(always)]
fn message<B: Backend>(be: B, chunk: &Chunk, rows: usize, weights: &Weights) -> Sums<B> {
    let [a, b, c, d] = chunk;
    let mut sums: Sums<B> = [[be.wide_zero(); 3]; 4];
    let mut pair = 0;
    while pair < rows * ROW / 2 {
        // Vectors of one row, and of the next.
        let low = pair / ROW * 2 * ROW + pair % ROW;
        let high = low + ROW;
        let lines = [
            [load(be, a, low), load(be, a, high)],
            [load(be, b, low), load(be, b, high)],
            [load(be, c, low), load(be, c, high)],
            [load(be, d, low), load(be, d, high)],
        ];
        sums = add_pair(be, sums, weights.load(be, pair), lines);
        pair += B::LANES;
    }
    sums
}

/// Binds the variable of twice as many rows in place, and gives the polynomial of the next.
#[inline(always)]
fn fold_and_message<B: Backend>(
    be: B,
    chunk: &mut Chunk,
    bound: E,
    rows: usize,
    weights: &Weights,
) -> Sums<B> {
    let r = splat_e(be, bound);
    let [a, b, c, d] = chunk;
    let mut sums: Sums<B> = [[be.wide_zero(); 3]; 4];
    let mut pair = 0;
    while pair < rows * ROW / 2 {
        let low = pair / ROW * 2 * ROW + pair % ROW;
        let lines = [
            fold_at(be, r, a, low),
            fold_at(be, r, b, low),
            fold_at(be, r, c, low),
            fold_at(be, r, d, low),
        ];
        sums = add_pair(be, sums, weights.load(be, pair), lines);
        pair += B::LANES;
    }
    sums
}

/// Binds the variable of two pairs of rows, so that the vectors at `low` and in the row after are bound.
#[inline(always)]
fn fold_at<B: Backend>(
    be: B,
    r: VectorE<B>,
    planes: &mut super::chunks::Planes,
    low: usize,
) -> [VectorE<B>; 2] {
    let from = low / ROW * 2 * ROW + low % ROW;
    let rows = [
        load(be, planes, from),
        load(be, planes, from + ROW),
        load(be, planes, from + 2 * ROW),
        load(be, planes, from + 3 * ROW),
    ];
    let [r_0, r_1, r_2, r_3] = rows;
    let bound = [
        interpolate::<B, E>(be, r_0, r_1, r),
        interpolate::<B, E>(be, r_2, r_3, r),
    ];
    store(be, bound[0], planes, low);
    store(be, bound[1], planes, low + ROW);
    bound
}

#[inline(always)]
fn add_pair<B: Backend>(
    be: B,
    [s_1, s_i, s_y, s_z]: Sums<B>,
    weight: VectorE<B>,
    [[a_0, a_1], b, c, d]: [[VectorE<B>; 2]; 4],
) -> Sums<B> {
    let a = [mul_e(be, weight, a_0), mul_e(be, weight, a_1)];
    let [p_1, p_i, p_y, p_z] = product(be, a, b);
    let [q_1, q_i, q_y, q_z] = product(be, c, d);
    [
        wide_xor_e(be, s_1, E::mul_wide_by_e(be, p_1, q_1)),
        wide_xor_e(be, s_i, E::mul_wide_by_e(be, p_i, q_i)),
        wide_xor_e(be, s_y, E::mul_wide_by_e(be, p_y, q_y)),
        wide_xor_e(be, s_z, E::mul_wide_by_e(be, p_z, q_z)),
    ]
}

/// The product of two lines at 1, infinity, y and y + 1.
#[inline(always)]
fn product<B: Backend>(be: B, [a_0, a_1]: [VectorE<B>; 2], [b_0, b_1]: [VectorE<B>; 2]) -> [VectorE<B>; 4] {
    let at_zero = mul_e(be, a_0, b_0);
    let at_one = mul_e(be, a_1, b_1);
    let leading = mul_e(be, E::xor(be, a_0, a_1), E::xor(be, b_0, b_1));
    // p(X) = p_0 + X (p(1) + p_0 + p_2 + X p_2), and p(y + 1) = p(y) + p_1 + p_2 = p(y) + p_0 + p(1).
    let both = E::xor(be, at_zero, at_one);
    let slope = E::xor(be, E::xor(be, both, leading), mul_y(be, leading));
    let at_y = E::xor(be, at_zero, mul_y(be, slope));
    [at_one, leading, at_y, E::xor(be, at_y, both)]
}

/// The product with y.
#[inline(always)]
fn mul_y<B: Backend>(be: B, [a_0, a_1, a_2]: VectorE<B>) -> VectorE<B> {
    [a_2, be.xor(a_0, a_2), a_1]
}

/// Adds the sums of a chunk, with its weight.
#[inline(always)]
fn add_scaled<B: Backend>(
    be: B,
    [t_1, t_i, t_y, t_z]: [ProductsE<B>; 4],
    weight: VectorE<B>,
    [s_1, s_i, s_y, s_z]: Sums<B>,
) -> [ProductsE<B>; 4] {
    [
        products_xor(be, t_1, products_e(be, weight, reduce_e(be, s_1))),
        products_xor(be, t_i, products_e(be, weight, reduce_e(be, s_i))),
        products_xor(be, t_y, products_e(be, weight, reduce_e(be, s_y))),
        products_xor(be, t_z, products_e(be, weight, reduce_e(be, s_z))),
    ]
}
