//! The map on a scalar, the target of slices, and the extension of a weight under the map.

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

use alloc::vec::Vec;

use fiat_shamir::Arith;
use primitives::field::{E, K};

use super::{CHALLENGES, EXPONENTS, SLICES};

/// `Phi(a)`.
#[must_use]
pub fn apply<A: Arith>(arith: &A, challenges: &[A::Scalar; CHALLENGES], a: A::Scalar) -> A::Scalar {
    challenges.iter().zip(EXPONENTS).fold(a, |a, (&f, exponent)| {
        let power = (0..exponent).fold(a, |power, _| arith.square(power));
        arith.mul_add(f, power, a)
    })
}

/// `sum_i x^i Phi(slices[i])`: the sum that the packed witness has under the weight `Phi(V)`.
///
/// It is `sum_k (d_k sum_i (x^(2^-k))^i slices[i])^(2^k)`: powers of constants, instead of squarings of every slice. `roots`: [`roots`].
#[must_use]
pub fn target<A: Arith>(arith: &A, roots: &[A::Scalar], slices: &[A::Scalar]) -> A::Scalar {
    let zero = arith.constant(E::ZERO);
    let terms = roots.iter().zip(0..).map(|(&root, k)| {
        let x = root_of_x(k);
        let sum = slices
            .iter()
            .rev()
            .fold(zero, |sum, &slice| arith.add(arith.mul_k(sum, x), slice));
        (root, sum)
    });
    close(arith, terms.collect())
}

/// `x^(2^-k)`, for k up to 64.
fn root_of_x(k: u32) -> K {
    // Squaring 64 times is the identity of K.
    K::X.frobenius(64u32.saturating_sub(k))
}

/// `d_k = c_k^(2^-k)` for every k, with `Phi(a) = sum_k c_k a^(2^k)`.
#[must_use]
pub fn roots<A: Arith>(arith: &A, challenges: &[A::Scalar; CHALLENGES]) -> Vec<A::Scalar> {
    // c_k is the product over the set bits 2^(5-p) of k, from the high ones, of f_p to the power 2^(the
    // bits of k below). So d_k is d of k without its lowest bit, times the 2^-k-th power of that bit's f_p.
    let mut roots = Vec::with_capacity(SLICES);
    let orbits: Vec<Vec<A::Scalar>> = challenges
        .iter()
        .map(|&f| arith.inverse_frobenius_orbit(f, 64))
        .collect();
    for k in 0..SLICES {
        let lowest = EXPONENTS
            .iter()
            .position(|&exponent| k & k.wrapping_neg() == exponent);
        let without = roots.get(k & k.wrapping_sub(1)).copied();
        let factor = lowest
            .and_then(|p| orbits.get(p))
            .and_then(|orbit| orbit.get(k))
            .copied();
        roots.push(match (without, factor) {
            (Some(without), Some(factor)) if k & k.wrapping_sub(1) != 0 => arith.mul(without, factor),
            (_, Some(factor)) => factor,
            _ => arith.constant(E::ONE),
        });
    }
    roots
}

/// `sum_k (a_k b_k)^(2^k)`, by `a_0 b_0 + (a_1 b_1 + (a_2 b_2 + ..)^2)^2`.
fn close<A: Arith>(arith: &A, terms: Vec<(A::Scalar, A::Scalar)>) -> A::Scalar {
    let zero = arith.constant(E::ZERO);
    terms
        .into_iter()
        .rev()
        .fold(zero, |sum, (a, b)| arith.mul_add(a, b, arith.square(sum)))
}

/// The first variable whose factors are multiplied apart from those below.
///
/// Points of packed columns differ in the variables of a block, below this one, and agree in the others. So an instance
/// that knows what it has computed does not compute the products of these again for each point.
const SHARED: usize = 8;

/// What the extensions of all weights at one point t share: `d_k`, and `t_n^(2^-k)`.
pub struct Evaluator<S> {
    /// `d_k`.
    roots: Vec<S>,
    /// For each k the coordinates of t, each to the 2^-k.
    points: Vec<Vec<S>>,
}

/// Of a point r and each k, the factors `f_n = 1 + r_n + t_n^(2^-k)` and their products.
pub struct Products<S> {
    of: Vec<PowerProducts<S>>,
}

struct PowerProducts<S> {
    root: S,
    /// The factors below [`SHARED`].
    factors: Vec<S>,
    /// The root times all these; absent if r has not so many coordinates.
    low: Option<S>,
    /// The products of the factors from there, of one factor and more.
    high: Vec<S>,
}

impl<S: Copy> Evaluator<S> {
    /// For the map with these [`roots`] and the point `t`, variable 0 first.
    #[must_use]
    pub fn new<A: Arith<Scalar = S>>(arith: &A, roots: &[S], t: &[S]) -> Self {
        let orbits: Vec<Vec<S>> = t.iter().map(|&t| arith.inverse_frobenius_orbit(t, 64)).collect();
        let points = (0..SLICES)
            .map(|k| orbits.iter().filter_map(|orbit| orbit.get(k).copied()).collect())
            .collect();
        Self {
            roots: roots.to_vec(),
            points,
        }
    }

    /// What the weights of the point r and of its prefixes have in common.
    #[must_use]
    pub fn products<A: Arith<Scalar = S>>(&self, arith: &A, r: &[S]) -> Products<S> {
        let one = arith.constant(E::ONE);
        let of_power = |(&root, t): (&S, &Vec<S>)| {
            let factors = r.iter().zip(t).map(|(&r, &t)| arith.add(arith.add(one, r), t));
            let mut factors: Vec<S> = factors.collect();
            let above = factors.split_off(factors.len().min(SHARED));
            let high = above.into_iter().scan(None, |product, factor| {
                let next = product.map_or(factor, |product| arith.mul(product, factor));
                *product = Some(next);
                Some(next)
            });
            PowerProducts {
                root,
                low: (factors.len() == SHARED).then(|| scaled(arith, root, &factors)),
                high: high.collect(),
                factors,
            }
        };
        Products {
            of: self.roots.iter().zip(&self.points).map(of_power).collect(),
        }
    }
}

/// `root prod factors`, the factors from the last.
fn scaled<A: Arith>(arith: &A, root: A::Scalar, factors: &[A::Scalar]) -> A::Scalar {
    let product = factors.iter().rev().copied();
    let product = product.reduce(|product, factor| arith.mul(product, factor));
    product.map_or(root, |product| arith.mul(root, product))
}

impl<S: Copy> Products<S> {
    /// For each k, `d_k` times the product of the first `variables` factors.
    #[must_use]
    pub fn scaled<A: Arith<Scalar = S>>(&self, arith: &A, variables: usize) -> Vec<S> {
        let of_power = |power: &PowerProducts<S>| {
            let high = variables
                .checked_sub(SHARED.saturating_add(1))
                .and_then(|last| power.high.get(last));
            match (power.low, high) {
                (Some(low), Some(&high)) => arith.mul(low, high),
                (Some(low), None) if variables == SHARED => low,
                _ => scaled(
                    arith,
                    power.root,
                    power.factors.get(..variables).unwrap_or_default(),
                ),
            }
        };
        self.of.iter().map(of_power).collect()
    }
}

/// The extension of `Phi(w eq(r, .))` at t, from the [scaled](Products::scaled) products of r.
///
/// `w`: 1 if absent.
#[must_use]
pub fn weight_at<A: Arith>(arith: &A, scaled: &[A::Scalar], w: Option<A::Scalar>) -> A::Scalar {
    let w = w.unwrap_or_else(|| arith.constant(E::ONE));
    close(arith, scaled.iter().map(|&scaled| (scaled, w)).collect())
}

#[cfg(test)]
mod tests {
    use fiat_shamir::Native;

    use super::*;
    use crate::whir::reference::{eq_table, weighted_sum};
    use crate::whir::tests::{scalars, words};

    fn challenges() -> [E; CHALLENGES] {
        *scalars(CHALLENGES, 11).as_array().unwrap()
    }

    #[test]
    fn the_map_is_linear_and_has_every_frobenius_power_with_the_stated_coefficient() {
        let (arith, f) = (Native::default(), challenges());
        for pair in scalars(20, 3).chunks(2) {
            let sum = apply(&arith, &f, pair[0]) + apply(&arith, &f, pair[1]);
            assert_eq!(apply(&arith, &f, pair[0] + pair[1]), sum);
            let by_powers: E = (0..64u32)
                .map(|k| {
                    let mut coefficient = E::ONE;
                    let mut below = 0;
                    for p in (0..CHALLENGES).rev() {
                        if k >> (5 - p) & 1 == 1 {
                            coefficient *= f[p].frobenius(below);
                            below += 1 << (5 - p);
                        }
                    }
                    assert_eq!(below, k);
                    coefficient * pair[0].frobenius(k)
                })
                .sum();
            assert_eq!(apply(&arith, &f, pair[0]), by_powers);
        }
    }

    #[test]
    fn the_weighted_sum_is_the_target_of_the_slices() {
        let (arith, f) = (Native::default(), challenges());
        for variables in 0..6 {
            let (packed, r) = (words(1 << variables, 5), scalars(variables, 6));
            let eq = eq_table(&r);
            let bits = |i: usize| -> Vec<E> {
                packed
                    .iter()
                    .map(|word| if word.0 >> i & 1 == 1 { E::ONE } else { E::ZERO })
                    .collect()
            };
            let slices: Vec<E> = (0..SLICES).map(|i| weighted_sum(&eq, &bits(i))).collect();
            let weights: Vec<E> = eq.iter().map(|&eq| apply(&arith, &f, eq)).collect();
            let embedded: Vec<E> = packed.iter().map(|&word| word.into()).collect();
            let target = target(&arith, &roots(&arith, &f), &slices);
            assert_eq!(weighted_sum(&weights, &embedded), target);
        }
    }

    #[test]
    fn the_extension_of_a_weight_is_its_sum_over_the_cube() {
        let (arith, f) = (Native::default(), challenges());
        // Up to some variables above those that are multiplied together.
        const VARIABLES: usize = SHARED + 3;
        let (r, t, w) = (scalars(VARIABLES, 7), scalars(VARIABLES, 8), scalars(1, 9)[0]);
        let evaluator = Evaluator::new(&arith, &roots(&arith, &f), &t);
        let products = evaluator.products(&arith, &r);
        for variables in 0..=VARIABLES {
            for weight in [None, Some(w)] {
                let scale = weight.unwrap_or(E::ONE);
                let weights: Vec<E> = eq_table(&r[..variables])
                    .iter()
                    .map(|&eq| apply(&arith, &f, scale * eq))
                    .collect();
                let extension = weighted_sum(&eq_table(&t[..variables]), &weights);
                let scaled = products.scaled(&arith, variables);
                assert_eq!(weight_at(&arith, &scaled, weight), extension);
            }
        }
    }
}
