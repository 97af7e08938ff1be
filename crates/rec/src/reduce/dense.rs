//! The first step: the dense claims become one value of each dense polynomial at one point.
//!
//! With a challenge gamma, `T = sum_c gamma^c v_c = sum_p sum_x f_p(x) W_p(x)`. The rounds bind variable 0 first, of all
//! polynomials that have a variable left; one that has none is a value V, and its polynomial is `V X`. Rounds are sent as
//! [`pcs::whir::sumcheck`] sends them. Then the three values `f_p(rho)` are sent, and
//!
//! ```text
//! T = sum_p (product of the challenges that f_p has no variable for) f_p(rho) W_p(rho).
//! ```

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

use argument::ProducerClaim;
use fiat_shamir::{Arith, Channel, Label, Source};
use pcs::stack::selectors::Selectors;
use pcs::whir::sumcheck;
use primitives::field::{E, K};

use super::Catalog;
use super::catalog::{LOG_BITS, LOG_COORDINATES};
use super::claims::{DenseClaim, Polynomial, Weight, horner, powers, tails};

/// The check that the values of the dense polynomials are those that the rounds lead to.
pub const DENSE: Label = Label::new("reduction: dense");

/// The point, and image, entries, fixed there.
pub(super) type Reduced<S> = (Vec<S>, [S; 3]);

/// Checks the sumcheck of the dense claims.
///
/// # Transcript
/// The challenge gamma; a round for each variable; the three values.
///
/// # Errors
/// The stream has ended, or [`DENSE`].
pub(super) fn verify<A: Source>(
    channel: &mut Channel<'_, A>,
    catalog: &Catalog,
    claims: &[DenseClaim<'_, A::Scalar>],
) -> Result<Reduced<A::Scalar>, A::Error> {
    let arith = channel.arith();
    let gamma = channel.challenge();
    let values: Vec<A::Scalar> = claims.iter().map(|claim| claim.value).collect();
    let total = horner(arith, gamma, &values);
    let bound = sumcheck::verify(channel, total, catalog.point_variables())?;
    let values = channel.read_array()?;

    let zero = arith.constant(E::ZERO);
    let tails = tails(arith, &bound.challenges);
    let weights = weights(arith, catalog, claims, gamma, &bound.challenges);
    let mut expected = zero;
    for polynomial in Polynomial::ALL {
        let tail = tails.get(polynomial.of(catalog.variables())).copied();
        let value = arith.mul(polynomial.of(values), polynomial.of(weights));
        expected = arith.mul_add(value, tail.unwrap_or(zero), expected);
    }
    arith.assert_eq(bound.claim, expected, DENSE)?;
    Ok((bound.challenges, values))
}

/// `W_p(rho)` of each polynomial, claim c having the weight `gamma^c`.
pub(super) fn weights<A: Arith>(
    arith: &A,
    catalog: &Catalog,
    claims: &[DenseClaim<'_, A::Scalar>],
    gamma: A::Scalar,
    rho: &[A::Scalar],
) -> [A::Scalar; 3] {
    let one = arith.constant(E::ONE);
    let complement: Vec<A::Scalar> = rho.iter().map(|&r| arith.add(one, r)).collect();
    let fixed = rho.get(..catalog.fixed.log_words).unwrap_or_default();
    let mut at = At {
        arith,
        catalog,
        rho,
        complement: &complement,
        selectors: Selectors::new(arith, fixed),
    };
    let mut weights = [arith.constant(E::ZERO); 3];
    let [image, entries, fixed] = &mut weights;
    for (claim, power) in claims.iter().zip(powers(arith, gamma, claims.len())) {
        let sum = match claim.polynomial {
            Polynomial::Image => &mut *image,
            Polynomial::Entries => &mut *entries,
            Polynomial::Fixed => &mut *fixed,
        };
        *sum = arith.mul_add(power, at.weight(&claim.weight), *sum);
    }
    weights
}

/// A point at which weights are evaluated.
struct At<'a, A: Arith> {
    arith: &'a A,
    catalog: &'a Catalog,
    rho: &'a [A::Scalar],
    /// `1 + rho_i`.
    complement: &'a [A::Scalar],
    /// Of the regions of fixed columns.
    selectors: Selectors<'a, A>,
}

impl<A: Arith> At<'_, A> {
    fn weight(&mut self, weight: &Weight<'_, A::Scalar>) -> A::Scalar {
        match *weight {
            Weight::Point(point) => eq(self.arith, point, self.complement),
            Weight::Column { region, point, kind } => {
                let column = self.selectors.of(region);
                let eq = eq(self.arith, point, self.complement);
                let kind = self.kind(kind);
                self.arith.mul(self.arith.mul(column, eq), kind)
            }
            Weight::Producer(claim) => {
                let eq = eq(self.arith, &claim.point, self.complement);
                self.arith.mul(eq, self.producer(claim))
            }
        }
    }

    /// `1 + kind + rho`, of the top variable of the fixed polynomial.
    fn kind(&self, kind: A::Scalar) -> A::Scalar {
        let top = self.complement.get(self.catalog.fixed.log_words).copied();
        self.arith.add(kind, top.unwrap_or(kind))
    }

    /// `sum_b c_b prod_(k < 4) (1 + s_k + alpha_k^(2^b)) prod_(k < 6) (1 + t_k + t_k x^(2^(k + b)))`, s and t being the
    /// coordinates for coordinates and bits: the extension of `sum_b c_b (eq(alpha, j) x^t)^(2^b)`.
    fn producer(&self, claim: &ProducerClaim<A::Scalar>) -> A::Scalar {
        let (arith, from) = (self.arith, self.catalog.entries.log_len);
        let coordinates = self.complement.iter().skip(from);
        let bits = self.rho.iter().skip(from.saturating_add(LOG_COORDINATES));
        let one = arith.constant(E::ONE);
        let mut alpha = claim.alpha;
        let mut sum = arith.constant(E::ZERO);
        for (b, &weight) in claim.weights.iter().enumerate() {
            if b > 0 {
                alpha = alpha.map(|a| arith.square(a));
            }
            // Constants and the point first: that product is the same for all children.
            let factor = |(t, k): (&A::Scalar, usize)| {
                let step = step_of_bit(k.saturating_add(b));
                arith.add(one, arith.mul_k(*t, step))
            };
            let bits = bits.clone().zip(0..LOG_BITS).map(factor);
            let of_bits = bits.reduce(|product, factor| arith.mul(product, factor));
            let mut product = arith.mul(of_bits.unwrap_or(one), weight);
            for (&s, a) in coordinates.clone().zip(alpha) {
                product = arith.mul(arith.add(s, a), product);
            }
            sum = arith.add(sum, product);
        }
        sum
    }
}

/// `1 + x^(2^k)`, for bit k of t.
fn step_of_bit(k: usize) -> K {
    let power = K::X.frobenius(u32::try_from(k).unwrap_or(0));
    K(power.0 ^ 1)
}

/// `eq(point, rho)` of the first coordinates of rho, given `1 + rho_i`.
pub(super) fn eq<A: Arith>(arith: &A, point: &[A::Scalar], complement: &[A::Scalar]) -> A::Scalar {
    let factors = point.iter().zip(complement);
    let factors = factors.map(|(&p, &c)| arith.add(c, p));
    let product = factors.reduce(|product, factor| arith.mul(factor, product));
    product.unwrap_or_else(|| arith.constant(E::ONE))
}
