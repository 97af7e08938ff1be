//! Three rounds from one pass: the sums on the grid {0, 1, infinity}^3.
//!
//! For the top three variables, `S(g) = sum_x W(g, x) f(g, x)` at the 27 points of the grid, where the value of
//! a multilinear at infinity is its coefficient, `F(1) + F(0)`. A product of two multilinears has degree two in
//! each variable, so these sums fix it, and the messages of three rounds with it, whatever the challenges.

use primitives::field::E;

/// The rounds that one grid serves.
pub(super) const ROUNDS: usize = 3;

/// The points of the grid, the first round's digit being the highest; the digit 2 is infinity.
pub(super) const POINTS: usize = 27;

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

    /// The message of the next round: the coefficients of 1 and X^2.
    pub(super) fn message(&self) -> [E; 2] {
        let rest = self.points / 3;
        [0, 2].map(|digit| {
            let sums = &self.sums[digit * rest..][..rest];
            sums.iter()
                .enumerate()
                .filter(|(point, _)| is_binary(*point))
                .map(|(_, &sum)| sum)
                .sum()
        })
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

/// Whether no digit is infinity.
fn is_binary(mut point: usize) -> bool {
    while point > 0 {
        if point % 3 == 2 {
            return false;
        }
        point /= 3;
    }
    true
}
