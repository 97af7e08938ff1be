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
#[must_use]
pub fn target<A: Arith>(arith: &A, challenges: &[A::Scalar; CHALLENGES], slices: &[A::Scalar]) -> A::Scalar {
    // Horner's rule in x.
    let zero = arith.constant(E::ZERO);
    slices.iter().rev().fold(zero, |sum, &slice| {
        arith.add(arith.mul_k(sum, K::X), apply(arith, challenges, slice))
    })
}

/// What the extensions of all weights at one point t share: `d_k`, and `t_n^(2^-k)`.
pub struct Evaluator<S> {
    /// `d_k`.
    roots: Vec<S>,
    /// For each k the coordinates of t, each to the 2^-k.
    points: Vec<Vec<S>>,
}

impl<S: Copy> Evaluator<S> {
    /// For the map of `challenges` and the point `t`, variable 0 first.
    #[must_use]
    pub fn new<A: Arith<Scalar = S>>(arith: &A, challenges: &[S; CHALLENGES], t: &[S]) -> Self {
        // c_k is the product over the set bits 2^(5-p) of k, from the high ones, of f_p to the power 2^(the
        // bits of k below). So d_k is d of k without its lowest bit, times the 2^-k-th power of that bit's f_p.
        let mut roots = Vec::with_capacity(SLICES);
        let orbits: Vec<Vec<S>> = challenges
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
        let orbits: Vec<Vec<S>> = t.iter().map(|&t| arith.inverse_frobenius_orbit(t, 64)).collect();
        let points = (0..SLICES)
            .map(|k| orbits.iter().filter_map(|orbit| orbit.get(k).copied()).collect())
            .collect();
        Self { roots, points }
    }

    /// For each k, `prod_n (1 + r_n + t_n^(2^-k))` over the first n coordinates of r, for every n up to all.
    #[must_use]
    pub fn products<A: Arith<Scalar = S>>(&self, arith: &A, r: &[S]) -> Vec<Vec<S>> {
        let one = arith.constant(E::ONE);
        let products = |t: &Vec<S>| {
            let factors = r.iter().zip(t).map(|(&r, &t)| arith.add(arith.add(one, r), t));
            let prefixes = factors.scan(None, |product, factor| {
                let next = product.map_or(factor, |product| arith.mul(product, factor));
                *product = Some(next);
                Some(next)
            });
            core::iter::once(one).chain(prefixes).collect()
        };
        self.points.iter().map(products).collect()
    }

    /// The extension of `Phi(w eq(r, .))` at t, over the first `variables` coordinates of r and t.
    ///
    /// `products`: those of r. `w`: 1 if absent.
    #[must_use]
    pub fn weight_at<A: Arith<Scalar = S>>(
        &self,
        arith: &A,
        products: &[Vec<S>],
        variables: usize,
        w: Option<S>,
    ) -> S {
        let zero = arith.constant(E::ZERO);
        self.roots
            .iter()
            .zip(products)
            .rev()
            .fold(zero, |sum, (&root, products)| {
                let product = products.get(variables).copied().unwrap_or(zero);
                let product = w.map_or(product, |w| arith.mul(w, product));
                arith.mul_add(root, product, arith.square(sum))
            })
    }
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
            assert_eq!(weighted_sum(&weights, &embedded), target(&arith, &f, &slices));
        }
    }

    #[test]
    fn the_extension_of_a_weight_is_its_sum_over_the_cube() {
        let (arith, f) = (Native::default(), challenges());
        let (r, t, w) = (scalars(6, 7), scalars(6, 8), scalars(1, 9)[0]);
        let evaluator = Evaluator::new(&arith, &f, &t);
        let products = evaluator.products(&arith, &r);
        for variables in 0..=6 {
            for weight in [None, Some(w)] {
                let scale = weight.unwrap_or(E::ONE);
                let weights: Vec<E> = eq_table(&r[..variables])
                    .iter()
                    .map(|&eq| apply(&arith, &f, scale * eq))
                    .collect();
                let extension = weighted_sum(&eq_table(&t[..variables]), &weights);
                assert_eq!(
                    evaluator.weight_at(&arith, &products, variables, weight),
                    extension
                );
            }
        }
    }
}
