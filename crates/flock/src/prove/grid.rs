//! Three rounds from one pass: the sums on the grid {0, 1, infinity}^3.
//!
//! For the three lowest variables, `S(g) = sum_v w(v) a(g, v) b(g, v)` at the 27 points of the grid, where the value of
//! a multilinear at infinity is its coefficient, `f(1) + f(0)`. A product of two multilinears has degree two in each
//! variable, so these sums fix it, and the messages of three rounds with it, whatever the challenges.

use primitives::backend::Backend;
use primitives::field::{E, K};
use primitives::vectors::{
    Element, ProductsE, VectorE, combine, products_e, products_xor, products_zero, wide_sum_e,
};

use super::rounds::Message;

/// The rounds that one grid serves.
pub(super) const ROUNDS: usize = 3;

/// The vertices of the variables that it binds, variable 0 being bit 0.
pub(super) const CORNERS: usize = 1 << ROUNDS;

/// The points of the grid, variable 0's digit being the highest; the digit 2 is infinity.
pub(super) const POINTS: usize = 27;

/// Groups, each an entry at every corner, in a tile.
pub(super) const TILE: usize = 1 << LOG_TILE;
pub(super) const LOG_TILE: usize = 5;

/// Coefficients of 1, y and y^2, each in a row of whole lines, of a tile's groups at every corner.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Planes(pub(super) [[[K; TILE]; 3]; CORNERS]);

impl Planes {
    pub(super) const ZERO: Self = Self([[[K::ZERO; TILE]; 3]; CORNERS]);
}

/// The sums on what is left of the grid.
pub(super) struct Grid {
    sums: [E; POINTS],
    /// 3 to the rounds that are left.
    points: usize,
}

impl Grid {
    pub(super) fn new(sums: [E; POINTS]) -> Self {
        Self { sums, points: POINTS }
    }

    /// The message of the next round. `r`: the zerocheck's coordinates of the grid's variables after it.
    pub(super) fn message(&self, r: &[E]) -> Message {
        let rest = self.points / 3;
        let sum = |digit: usize| -> E {
            let sums = &self.sums[digit * rest..][..rest];
            let terms = sums.iter().enumerate();
            terms.map(|(point, &sum)| weight(r, point) * sum).sum()
        };
        Message {
            at_one: sum(1),
            leading: sum(2),
        }
    }

    /// Binds the round's variable to `c`.
    pub(super) fn bind(&mut self, c: E) {
        // The quadratic with value a at 0, b at 1 and coefficient i of X^2: a (1 + c) + b c + i (c^2 + c).
        let square = c.square() + c;
        self.points /= 3;
        for point in 0..self.points {
            let [at_0, at_1, at_infinity] = [0, 1, 2].map(|digit| self.sums[digit * self.points + point]);
            self.sums[point] = at_0 + c * (at_0 + at_1) + square * at_infinity;
        }
    }
}

/// `eq(r, point)`, the first coordinate's digit being the highest; zero if a digit is infinity.
fn weight(r: &[E], point: usize) -> E {
    let mut weight = E::ONE;
    let mut rest = point;
    for &r in r.iter().rev() {
        weight *= [E::ONE + r, r, E::ZERO][rest % 3];
        rest /= 3;
    }
    weight
}

/// The corners whose sum is the value at each point, and how many they are.
const SUMMED: [([usize; CORNERS], usize); POINTS] = {
    let mut summed = [([0; CORNERS], 0); POINTS];
    let mut point = 0;
    while point < POINTS {
        let digits = [point / 9, point / 3 % 3, point % 3];
        let mut corner = 0;
        while corner < CORNERS {
            let mut variable = 0;
            let mut is_one = true;
            while variable < ROUNDS {
                is_one &= digits[variable] == 2 || digits[variable] == corner >> variable & 1;
                variable += 1;
            }
            if is_one {
                let (corners, count) = &mut summed[point];
                corners[*count] = corner;
                *count += 1;
            }
            corner += 1;
        }
        point += 1;
    }
    summed
};

/// Sums on the grid, in vectors.
pub(super) struct Sums<B: Backend>([ProductsE<B>; POINTS]);

impl<B: Backend> Sums<B> {
    #[inline(always)]
    pub(super) fn new(be: B) -> Self {
        Self([products_zero(be); POINTS])
    }

    /// Adds the first `groups` of a tile, a multiple of the lanes.
    #[inline(always)]
    pub(super) fn add(&mut self, be: B, a: &Planes, b: &Planes, groups: usize) {
        let mut point = 0;
        while point < POINTS {
            let (corners, count) = &SUMMED[point];
            let sum = &mut self.0[point];
            match count {
                1 => add_point::<B, 1>(be, a, b, corners, groups, sum),
                2 => add_point::<B, 2>(be, a, b, corners, groups, sum),
                4 => add_point::<B, 4>(be, a, b, corners, groups, sum),
                _ => add_point::<B, 8>(be, a, b, corners, groups, sum),
            }
            point += 1;
        }
    }

    #[inline(always)]
    pub(super) fn total(self, be: B) -> [E; POINTS] {
        let mut total = [E::ZERO; POINTS];
        for (total, sum) in total.iter_mut().zip(self.0) {
            *total = wide_sum_e(be, combine(be, sum)).reduce();
        }
        total
    }
}

// Loops over vectors count by hand: what a closure or an adaptor of the standard library does may be compiled
// outside of the function that carries the target features.

/// Adds the products at a point that is the sum of N corners.
#[inline(always)]
fn add_point<B: Backend, const N: usize>(
    be: B,
    a: &Planes,
    b: &Planes,
    corners: &[usize; CORNERS],
    groups: usize,
    sum: &mut ProductsE<B>,
) {
    let mut products = *sum;
    let mut x = 0;
    while x < groups {
        let (a, b) = (
            sum_of::<B, N>(be, a, corners, x),
            sum_of::<B, N>(be, b, corners, x),
        );
        products = products_xor(be, products, products_e(be, a, b));
        x += B::LANES;
    }
    *sum = products;
}

#[inline(always)]
fn sum_of<B: Backend, const N: usize>(
    be: B,
    planes: &Planes,
    corners: &[usize; CORNERS],
    x: usize,
) -> VectorE<B> {
    let mut sum = load_planes(be, &planes.0[corners[0]], x);
    let mut i = 1;
    while i < N {
        sum = E::xor(be, sum, load_planes(be, &planes.0[corners[i]], x));
        i += 1;
    }
    sum
}

/// The vector from group `x` on.
#[inline(always)]
pub(super) fn load_planes<B: Backend>(be: B, planes: &[[K; TILE]; 3], x: usize) -> VectorE<B> {
    [
        be.load(&planes[0][x..]),
        be.load(&planes[1][x..]),
        be.load(&planes[2][x..]),
    ]
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use primitives::backend::available;
    use primitives::dispatch;
    use primitives::multilinear::eq_table;

    use super::*;
    use crate::tests::scalars;

    #[test]
    fn three_messages_of_a_grid_are_those_of_the_tables() {
        let [a, b] = [1, 2].map(|seed| scalars(TILE * CORNERS, seed));
        let r = scalars(ROUNDS, 3);
        let planes = |table: &[E]| {
            let mut planes = Planes::ZERO;
            for (i, &entry) in table.iter().enumerate() {
                for (plane, &limb) in planes.0[i % CORNERS].iter_mut().zip(&entry.0) {
                    plane[i / CORNERS] = limb;
                }
            }
            planes
        };
        for token in available() {
            let sums = dispatch!(token, |be| {
                let mut sums = Sums::new(be);
                sums.add(be, &planes(&a), &planes(&b), TILE);
                sums.total(be)
            });
            let mut grid = Grid::new(sums);
            let (mut a, mut b) = (a.clone(), b.clone());
            for (round, challenge) in scalars(ROUNDS, 4).into_iter().enumerate() {
                let at = |table: &[E], x: E| -> Vec<E> {
                    table.chunks(2).map(|t| t[0] + x * (t[0] + t[1])).collect()
                };
                let eq = eq_table(&r[round + 1..]);
                let weighted = |a: &[E], b: &[E]| -> E {
                    let terms = a.iter().zip(b).enumerate();
                    terms.map(|(i, (&a, &b))| eq[i % eq.len()] * a * b).sum()
                };
                let infinity = |table: &[E]| -> Vec<E> { table.chunks(2).map(|t| t[0] + t[1]).collect() };
                let message = grid.message(&r[round + 1..]);
                assert_eq!(message.at_one, weighted(&at(&a, E::ONE), &at(&b, E::ONE)));
                assert_eq!(message.leading, weighted(&infinity(&a), &infinity(&b)));
                grid.bind(challenge);
                (a, b) = (at(&a, challenge), at(&b, challenge));
            }
        }
    }
}
