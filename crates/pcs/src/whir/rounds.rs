//! The rounds over two tables of scalars: weights and function.

use alloc::vec::Vec;
use core::ops::Add;

use primitives::backend::Backend;
use primitives::field::{E, EWide};
use primitives::slices::interpolate;
use primitives::vectors::{
    Element, VectorE, combine, products_e, products_xor, products_zero, splat_e, wide_sum_e,
};
use primitives::{dispatch, pool};

/// Scalars of a piece of one task.
const TASK_SCALARS: usize = 1 << 11;

/// The coefficients of 1 and X^2 of a round's polynomial, not reduced.
#[derive(Clone, Copy)]
pub(super) struct Message(pub(super) [EWide; 2]);

impl Message {
    pub(super) const ZERO: Self = Self([EWide::ZERO; 2]);

    pub(super) fn reduce(self) -> [E; 2] {
        self.0.map(EWide::reduce)
    }
}

impl Add for Message {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let ([a_0, a_2], [b_0, b_2]) = (self.0, other.0);
        Self([a_0 + b_0, a_2 + b_2])
    }
}

/// Weights and function, of one length.
pub(super) struct Tables {
    pub(super) weights: Vec<E>,
    pub(super) f: Vec<E>,
}

impl Tables {
    /// The message of the round that binds the top variable.
    pub(super) fn message(&self) -> [E; 2] {
        let half = self.f.len() / 2;
        let (w_0, w_1) = self.weights.split_at(half);
        let (f_0, f_1) = self.f.split_at(half);
        let pieces = pool::map(half.div_ceil(TASK_SCALARS), |task| {
            let range = task * TASK_SCALARS..half.min((task + 1) * TASK_SCALARS);
            let [w_0, w_1, f_0, f_1] = [w_0, w_1, f_0, f_1].map(|table| &table[range.clone()]);
            dispatch!(|be| message(be, [w_0, w_1], [f_0, f_1]))
        });
        pieces.into_iter().fold(Message::ZERO, Add::add).reduce()
    }

    /// Gives back the memory of what was bound: after level 0 most of it, just before the next oracle needs as much.
    pub(super) fn shrink(&mut self) {
        self.weights.shrink_to_fit();
        self.f.shrink_to_fit();
    }

    /// Binds the top variable to `c`, and gives the message of the next round, zero if there is none.
    pub(super) fn bind(&mut self, c: E) -> [E; 2] {
        let quarter = self.f.len() / 4;
        if quarter == 0 {
            for table in [&mut self.weights, &mut self.f] {
                if let [low, high] = table[..] {
                    table[0] = low + c * (low + high);
                    table.truncate(1);
                }
            }
            return [E::ZERO; 2];
        }
        let pieces = quarter.div_ceil(TASK_SCALARS);
        let mut messages = alloc::vec![Message::ZERO; pieces];
        let tasks = quarters(&mut self.weights, quarter)
            .zip(quarters(&mut self.f, quarter))
            .zip(&mut messages);
        pool::for_each_item(tasks.collect(), |((weights, f), sum)| {
            *sum = dispatch!(|be| fold_and_message(be, c, weights, f));
        });
        for table in [&mut self.weights, &mut self.f] {
            table.truncate(2 * quarter);
        }
        messages.into_iter().fold(Message::ZERO, Add::add).reduce()
    }
}

/// Pieces of a table's four quarters; the first two are where its fold goes.
struct Quarters<'a> {
    out: [&'a mut [E]; 2],
    high: [&'a [E]; 2],
}

fn quarters(table: &mut [E], quarter: usize) -> impl Iterator<Item = Quarters<'_>> {
    let (low, high) = table.split_at_mut(2 * quarter);
    let (q_0, q_1) = low.split_at_mut(quarter);
    let (q_2, q_3) = high.split_at(quarter);
    let out = q_0.chunks_mut(TASK_SCALARS).zip(q_1.chunks_mut(TASK_SCALARS));
    let high = q_2.chunks(TASK_SCALARS).zip(q_3.chunks(TASK_SCALARS));
    out.zip(high).map(|((q_0, q_1), (q_2, q_3))| Quarters {
        out: [q_0, q_1],
        high: [q_2, q_3],
    })
}

/// The message of halves of weights and function.
#[inline(always)]
fn message<B: Backend>(be: B, [w_0, w_1]: [&[E]; 2], [f_0, f_1]: [&[E]; 2]) -> Message {
    let (mut at_0, mut at_infinity) = (products_zero(be), products_zero(be));
    let mut x = 0;
    while x < f_0.len() {
        let (w_0, w_1) = (load(be, w_0, x), load(be, w_1, x));
        let (f_0, f_1) = (load(be, f_0, x), load(be, f_1, x));
        at_0 = products_xor(be, at_0, products_e(be, w_0, f_0));
        let (w_i, f_i) = (E::xor(be, w_0, w_1), E::xor(be, f_0, f_1));
        at_infinity = products_xor(be, at_infinity, products_e(be, w_i, f_i));
        x += B::LANES;
    }
    Message([
        wide_sum_e(be, combine(be, at_0)),
        wide_sum_e(be, combine(be, at_infinity)),
    ])
}

/// Folds both tables in place, and sums the message of what they become.
#[inline(always)]
fn fold_and_message<B: Backend>(be: B, c: E, weights: Quarters<'_>, f: Quarters<'_>) -> Message {
    let c = splat_e(be, c);
    let (mut at_0, mut at_infinity) = (products_zero(be), products_zero(be));
    let length = f.high[0].len();
    let (mut w, mut f) = (weights, f);
    let mut x = 0;
    while x < length {
        let [w_0, w_1] = fold_at(be, c, &mut w, x);
        let [f_0, f_1] = fold_at(be, c, &mut f, x);
        at_0 = products_xor(be, at_0, products_e(be, w_0, f_0));
        let (w_i, f_i) = (E::xor(be, w_0, w_1), E::xor(be, f_0, f_1));
        at_infinity = products_xor(be, at_infinity, products_e(be, w_i, f_i));
        x += B::LANES;
    }
    Message([
        wide_sum_e(be, combine(be, at_0)),
        wide_sum_e(be, combine(be, at_infinity)),
    ])
}

/// Folds the vectors at `x` in place.
#[inline(always)]
fn fold_at<B: Backend>(be: B, c: VectorE<B>, table: &mut Quarters<'_>, x: usize) -> [VectorE<B>; 2] {
    let [out_0, out_1] = &mut table.out;
    let [high_0, high_1] = table.high;
    let low = interpolate::<B, E>(be, load(be, out_0, x), load(be, high_0, x), c);
    let high = interpolate::<B, E>(be, load(be, out_1, x), load(be, high_1, x), c);
    store(be, low, out_0, x);
    store(be, high, out_1, x);
    [low, high]
}

/// The vector at `x`, zeros beyond the table.
#[inline(always)]
fn load<B: Backend>(be: B, table: &[E], x: usize) -> VectorE<B> {
    match table[x..].get(..B::LANES) {
        Some(whole) => be.load_e(whole),
        None => be.load_e_partial(&table[x..]),
    }
}

/// Writes the vector at `x`, as far as the table goes.
#[inline(always)]
fn store<B: Backend>(be: B, vector: VectorE<B>, table: &mut [E], x: usize) {
    let rest = &mut table[x..];
    if rest.len() < B::LANES {
        be.store_e_partial(vector, rest);
    } else {
        be.store_e(vector, rest);
    }
}
