//! The univariate skip: the bit index inside a word as one variable over a subspace of the byte field.
//!
//! `S = phi({0..63})` and `Lambda = phi(64) + S`, phi the embedding of the byte field in K. With
//! `V_d(Y) = prod_(s < 2^d) (Y + phi(s))`, which is F2-linear, and `W_d = V_d / V_d(phi(2^d))`,
//!
//! ```text
//! W_0 = Y,   W_(d+1)(Y) = (W_d(Y)^2 + W_d(Y)) / (W_d(e)^2 + W_d(e)),   e = phi(2^(d+1)),
//! ```
//!
//! and the Lagrange basis of S is `L_i(Y) = prod_(d<6) (1 + W_d(Y) + W_d(phi(i)))`: at another point `phi(j)`,
//! with d the top bit of `i + j`, factor d is `1 + W_d(phi(i + j)) = 0`; the degree is 1 + 2 + .. + 32. So the
//! sum `sum_i f_i L_i(Y)` is six folds, with a point of its own for each pair. `W_6` is 0 on S and 1 on Lambda,
//! and so a polynomial P of degree at most 127 that is zero on S is
//! `P(Y) = W_6(Y) sum_i P(phi(64 + i)) L_i(Y + phi(64))`.
//!
//! Source: Gruen, ePrint 2024/108 (univariate skip); Lin, Chung and Han 2014 (the polynomials W).

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::Arith;
#[cfg(any(test, feature = "prover"))]
use primitives::field::B8;
use primitives::field::{E, K};

/// log2 of the points that are skipped: the bits of a word.
pub const LOG_SKIP: usize = 6;

/// The points of S, and of Lambda.
pub const SKIP: usize = 64;

/// Coordinates of the zerocheck's point that are constants.
pub const FIXED: usize = 7;

/// What the values of W_0 to W_6 at one point give.
#[derive(Clone, Debug)]
pub struct Subspace<S> {
    values: Vec<S>,
}

impl<S: Copy> Subspace<S> {
    /// The values at `y`.
    #[must_use]
    pub fn new<A: Arith<Scalar = S>>(arith: &A, y: S) -> Self {
        let mut values = vec![y];
        let mut value = y;
        for &scale in &tables::STEPS {
            value = arith.mul_k(arith.add(arith.square(value), value), scale);
            values.push(value);
        }
        Self { values }
    }

    /// The values at `y + phi(64)`.
    #[must_use]
    pub fn shifted<A: Arith<Scalar = S>>(&self, arith: &A) -> Self {
        let values = self.values.iter().zip(&tables::SHIFTS);
        Self {
            values: values
                .map(|(&value, &shift)| arith.add(value, arith.constant(shift.into())))
                .collect(),
        }
    }

    /// `L_i(y)` for all 64 points of S, in order.
    #[must_use]
    pub fn lagrange<A: Arith<Scalar = S>>(&self, arith: &A) -> Vec<S> {
        let one = arith.constant(E::ONE);
        let levels = self.values.iter().zip(&tables::OFFSETS).rev();
        levels.fold(vec![one], |weights, (&value, offsets)| {
            let pairs = weights.iter().zip(offsets).flat_map(|(&weight, &offset)| {
                let t = arith.add(value, arith.constant(offset.into()));
                let upper = arith.mul(weight, t);
                [arith.add(weight, upper), upper]
            });
            pairs.collect()
        })
    }

    /// `sum_i f_i L_i(y)`.
    ///
    /// `f`: 64 scalars, in the order of the points of S.
    #[must_use]
    pub fn interpolate<A: Arith<Scalar = S>>(&self, arith: &A, f: &[S]) -> S {
        let levels = self.values.iter().zip(&tables::OFFSETS);
        let folded = levels.fold(f.to_vec(), |f, (&value, offsets)| {
            let pairs = f.as_chunks::<2>().0.iter().zip(offsets);
            let fold = |(&[f_0, f_1], &offset): (&[S; 2], &K)| {
                let t = arith.add(value, arith.constant(offset.into()));
                arith.mul_add(t, arith.add(f_0, f_1), f_0)
            };
            pairs.map(fold).collect()
        });
        folded.first().copied().unwrap_or_else(|| arith.constant(E::ZERO))
    }

    /// `P(y)` for the polynomial of degree at most 127 that is zero on S and has these values on Lambda.
    ///
    /// `message`: 64 scalars, `P(phi(64 + i))` at `i`.
    #[must_use]
    pub fn extend<A: Arith<Scalar = S>>(&self, arith: &A, message: &[S]) -> S {
        let on_lambda = self.shifted(arith).interpolate(arith, message);
        match self.values.last() {
            Some(&vanishing) => arith.mul(vanishing, on_lambda),
            None => on_lambda,
        }
    }
}

/// The seven fixed coordinates `r_j = u_j / (1 + u_j)`, u = (phi(t), phi(t^2), phi(t^4), x, x^2, x^4, y).
///
/// The weight `eq(r, v)` of vertex v is the product of all `1 + r_j`, times
/// `phi(t^(v % 8)) x^(v / 8 % 8) y^(v / 64)`: 128 weights that are linearly independent over GF(2).
#[must_use]
pub fn fixed_coordinates() -> [E; FIXED] {
    let [t1, t2, t4, x1, x2, x4] = tables::FIXED_IN_K;
    // y^3 = 1 + y and y^7 = 1, so y / (1 + y) = y^-2 = y^5 = 1 + y + y^2.
    let last = E([K::ONE, K::ONE, K::ONE]);
    [
        t1.into(),
        t2.into(),
        t4.into(),
        x1.into(),
        x2.into(),
        x4.into(),
        last,
    ]
}

/// Constants, computed when this is compiled.
mod tables {
    #![allow(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::indexing_slicing,
        reason = "evaluated by the compiler"
    )]

    use primitives::field::{B8, K};

    use super::LOG_SKIP;

    /// `W_d(2^j)` in the byte field at `[d][j]`.
    pub(crate) const W: [[B8; LOG_SKIP + 1]; LOG_SKIP + 1] = {
        let mut w = [[B8::ZERO; LOG_SKIP + 1]; LOG_SKIP + 1];
        let mut j = 0;
        while j <= LOG_SKIP {
            w[0][j] = B8(1 << j);
            j += 1;
        }
        let mut d = 0;
        while d < LOG_SKIP {
            let scale = step(w[d][d + 1]).inverse_or_zero();
            let mut j = 0;
            while j <= LOG_SKIP {
                w[d + 1][j] = step(w[d][j]).mul_const(scale);
                j += 1;
            }
            d += 1;
        }
        w
    };

    /// `a^2 + a`.
    const fn step(a: B8) -> B8 {
        B8(a.mul_const(a).0 ^ a.0)
    }

    /// The factors of `W_(d+1)` in `W_d^2 + W_d`.
    pub(super) const STEPS: [K; LOG_SKIP] = {
        let mut steps = [K::ZERO; LOG_SKIP];
        let mut d = 0;
        while d < LOG_SKIP {
            steps[d] = step(W[d][d + 1]).inverse_or_zero().embed();
            d += 1;
        }
        steps
    };

    /// `W_d(phi(64))`.
    pub(super) const SHIFTS: [K; LOG_SKIP + 1] = {
        let mut shifts = [K::ZERO; LOG_SKIP + 1];
        let mut d = 0;
        while d <= LOG_SKIP {
            shifts[d] = W[d][LOG_SKIP].embed();
            d += 1;
        }
        shifts
    };

    /// `W_d(phi(2^(d+1) j))` at `[d][j]`, for the `2^(5-d)` pairs of level d.
    pub(super) const OFFSETS: [[K; 32]; LOG_SKIP] = {
        let mut offsets = [[K::ZERO; 32]; LOG_SKIP];
        let mut d = 0;
        while d < LOG_SKIP {
            let mut j = 0;
            while j < 32 >> d {
                let mut sum = B8::ZERO;
                let mut bit = d + 1;
                while bit < LOG_SKIP {
                    if j >> (bit - d - 1) & 1 == 1 {
                        sum = B8(sum.0 ^ W[d][bit].0);
                    }
                    bit += 1;
                }
                offsets[d][j] = sum.embed();
                j += 1;
            }
            d += 1;
        }
        offsets
    };

    /// `u / (1 + u)` for the six fixed coordinates in K.
    pub(super) const FIXED_IN_K: [K; 6] = {
        let u = [B8(2).embed(), B8(4).embed(), B8(16).embed(), K(2), K(4), K(16)];
        let mut r = [K::ZERO; 6];
        let mut j = 0;
        while j < 6 {
            // The inverse of a is a^(2^64 - 2).
            r[j] = u[j].mul_const(K(u[j].0 ^ 1).pow_const(u64::MAX - 1));
            j += 1;
        }
        r
    };
}

/// `L_i` at the point `phi(y)` of S or Lambda, in the byte field.
#[cfg(any(test, feature = "prover"))]
#[allow(
    clippy::arithmetic_side_effects,
    reason = "sums of bytes of the field, which no proof reaches"
)]
#[must_use]
pub(crate) fn lagrange_in_bytes(i: u8, y: u8) -> B8 {
    let factor = |w: &[B8; LOG_SKIP + 1]| {
        let image = w.iter().enumerate().filter(|(j, _)| (i ^ y) >> j & 1 == 1);
        B8::ONE + image.map(|(_, &w)| w).sum::<B8>()
    };
    tables::W.iter().take(LOG_SKIP).map(factor).product()
}

#[cfg(test)]
mod tests {
    use fiat_shamir::Native;

    use super::*;
    use crate::tests::scalars;

    fn s(i: usize) -> E {
        E::from(B8(i as u8).embed())
    }

    /// `L_i(y)` by its definition.
    fn lagrange(i: usize, y: E) -> E {
        let others = (0..SKIP).filter(|&j| j != i);
        others
            .map(|j| (y + s(j)) * (s(i) + s(j)).inverse_or_zero())
            .product()
    }

    #[test]
    fn the_lagrange_basis_is_its_definition() {
        let arith = Native::default();
        for y in scalars(3, 1)
            .into_iter()
            .chain([s(0), s(37), s(63), s(64), s(200)])
        {
            let subspace = Subspace::new(&arith, y);
            let expected: Vec<E> = (0..SKIP).map(|i| lagrange(i, y)).collect();
            assert_eq!(subspace.lagrange(&arith), expected);
            let f = scalars(SKIP, 2);
            let sum = f.iter().zip(&expected).map(|(&f, &l)| f * l).sum();
            assert_eq!(subspace.interpolate(&arith, &f), sum);
        }
        for y in 0..128 {
            for i in 0..64 {
                let expected = lagrange(i.into(), s(y.into()));
                assert_eq!(E::from(lagrange_in_bytes(i, y).embed()), expected);
            }
        }
    }

    #[test]
    fn a_message_is_a_polynomial_of_degree_127_that_vanishes_on_s() {
        let (arith, message) = (Native::default(), scalars(SKIP, 3));
        let at = |y| Subspace::new(&arith, y).extend(&arith, &message);
        for (i, &value) in message.iter().enumerate() {
            assert_eq!(at(s(i)), E::ZERO);
            assert_eq!(at(s(64 + i)), value);
        }
        // By the definition of interpolation over all 128 points.
        for y in scalars(3, 4) {
            let weight = |i: usize| {
                let others = (0..2 * SKIP).filter(|&j| j != i);
                others
                    .map(|j| (y + s(j)) * (s(i) + s(j)).inverse_or_zero())
                    .product::<E>()
            };
            let sum = (0..SKIP).map(|i| message[i] * weight(SKIP + i)).sum();
            assert_eq!(at(y), sum);
        }
    }

    #[test]
    fn the_weights_of_the_fixed_coordinates_have_rank_128() {
        let mut basis: Vec<[u64; 3]> = Vec::new();
        for weight in primitives::multilinear::eq_table(&fixed_coordinates()) {
            let mut words = weight.to_words();
            for pivot in &basis {
                let reduced = [0, 1, 2].map(|i| words[i] ^ pivot[i]);
                // A pivot's leading bit is set in nothing that is smaller.
                words = words.min(reduced);
            }
            assert_ne!(words, [0; 3], "the weights are dependent");
            basis.push(words);
            basis.sort_unstable_by(|a, b| b.cmp(a));
        }
        assert_eq!(basis.len(), 128);
    }

    #[test]
    fn the_weights_of_the_fixed_coordinates_are_bytes_shifts_and_a_limb() {
        let r = fixed_coordinates();
        let common: E = r.iter().map(|&r| E::ONE + r).product();
        for (v, weight) in primitives::multilinear::eq_table(&r).into_iter().enumerate() {
            let byte = (0..v % 8).fold(B8::ONE, |power, _| power * B8::T).embed();
            let in_k = byte * K::X.pow((v / 8 % 8) as u64);
            let limb = if v < 64 { E::ONE } else { E::Y };
            assert_eq!(weight, common * limb * in_k);
        }
    }
}
