//! The grand product: the leaves of both sides have one product.
//!
//! `V_M` is the table of a side's 2^M leaves, and `V_d(y) = prod_(a < 4) V_(d+2)(4 y + a)`; if M is odd, the first
//! step is one binary layer. A claim on `V_d` of either side at a point z becomes one on `V_(d+2)`: with a challenge
//! l, the rounds of
//!
//! ```text
//! c_push + l c_pull = sum_y eq(z, y) sum_sides l^side prod_(a < 4) V_(d+2)(a; y)
//! ```
//!
//! bind the variables of y from variable 0 up, with the factor `eq(z_k, X)` taken out, so that
//! `T = (1 + z_k) h(0) + z_k h(1)` for a polynomial h of degree four, of which all coefficients but `h_0` are sent.
//!
//! Source: Thaler, CRYPTO 2013, section 5 (grand products); Gruen, ePrint 2024/108, section 3 (eq factor).

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

use fiat_shamir::{Arith, Channel, Label, Source};
use primitives::field::E;

/// The check that the first values of a side, by its number, have the root as their product.
pub const ROOT: Label = Label::new("bus: root");

/// The check that the values of the layer below layer d are those that its rounds lead to; numbered by d.
pub const LAYER: Label = Label::new("bus: layer");

/// What a grand product leaves: a claim on the leaves of each side at one point.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use = "the claims are still to be checked"]
pub struct Claims<S> {
    /// A coordinate for each variable of the leaves, variable 0 first.
    pub point: Vec<S>,
    /// The values, in the order of [`Side::BOTH`](crate::machine::Side::BOTH).
    pub values: [S; 2],
}

/// Checks that the 2^`log_leaves` leaves of either side have one product.
///
/// # Transcript
/// Before: the leaves are bound. Then the root; the first values of push, of pull, and one or two challenges; of
/// each layer a challenge, four scalars and a challenge a round, four values of push, four of pull, two
/// challenges.
///
/// # Errors
/// The stream has ended, or [`ROOT`] or [`LAYER`].
///
/// # Soundness
/// The caller owes the check of the claims.
pub fn verify<A: Source>(
    channel: &mut Channel<'_, A>,
    log_leaves: usize,
) -> Result<Claims<A::Scalar>, A::Error> {
    let mut claims = first_step(channel, log_leaves)?;
    while claims.point.len() < log_leaves {
        claims = layer(channel, &claims)?;
    }
    Ok(claims)
}

/// The root, and one binary layer or two.
fn first_step<A: Source>(
    channel: &mut Channel<'_, A>,
    log_leaves: usize,
) -> Result<Claims<A::Scalar>, A::Error> {
    let arith = channel.arith();
    let root = channel.read_scalar()?;
    let variables = if log_leaves % 2 == 1 { 1 } else { 2 };
    let push = channel.read_scalars(1 << variables)?;
    let pull = channel.read_scalars(1 << variables)?;
    for (side, values) in [&push, &pull].into_iter().enumerate() {
        arith.assert_eq(product(arith, values), root, ROOT.at(side))?;
    }
    let point = channel.challenges(variables);
    Ok(Claims {
        values: [push, pull].map(|values| extension(arith, values, &point)),
        point,
    })
}

/// From the claims on one layer to those on the layer two below.
fn layer<A: Source>(
    channel: &mut Channel<'_, A>,
    claims: &Claims<A::Scalar>,
) -> Result<Claims<A::Scalar>, A::Error> {
    let arith = channel.arith();
    let batching = channel.challenge();
    let [push, pull] = claims.values;
    let mut claim = arith.mul_add(batching, pull, push);
    let mut bound = Vec::with_capacity(claims.point.len());
    for &z in &claims.point {
        let coefficients = channel.read_array()?;
        let challenge = channel.challenge();
        claim = next_claim(arith, claim, z, coefficients, challenge);
        bound.push(challenge);
    }
    let push = channel.read_scalars(4)?;
    let pull = channel.read_scalars(4)?;
    let expected = arith.mul_add(batching, product(arith, &pull), product(arith, &push));
    arith.assert_eq(claim, expected, LAYER.at(claims.point.len()))?;
    let mut point = channel.challenges(2);
    let values = [push, pull].map(|values| extension(arith, values, &point));
    point.extend(bound);
    Ok(Claims { point, values })
}

/// `h(challenge)` for the polynomial with these `h_1 .. h_4` and `(1 + z) h(0) + z h(1) = claim`.
#[must_use]
pub fn next_claim<A: Arith>(
    arith: &A,
    claim: A::Scalar,
    z: A::Scalar,
    [h_1, h_2, h_3, h_4]: [A::Scalar; 4],
    challenge: A::Scalar,
) -> A::Scalar {
    let sum = arith.add(arith.add(h_1, h_2), arith.add(h_3, h_4));
    let h_0 = arith.mul_add(z, sum, claim);
    [h_3, h_2, h_1, h_0]
        .into_iter()
        .fold(h_4, |value, h| arith.mul_add(challenge, value, h))
}

/// The product of these.
fn product<A: Arith>(arith: &A, values: &[A::Scalar]) -> A::Scalar {
    let product = values
        .iter()
        .copied()
        .reduce(|product, value| arith.mul(product, value));
    product.unwrap_or_else(|| arith.constant(E::ONE))
}

/// The multilinear extension of a table at a point, variable 0 first.
#[must_use]
pub fn extension<A: Arith>(arith: &A, mut table: Vec<A::Scalar>, point: &[A::Scalar]) -> A::Scalar {
    for &r in point {
        let (pairs, _) = table.as_chunks();
        let bind = |&[low, high]: &[A::Scalar; 2]| arith.mul_add(r, arith.add(low, high), low);
        table = pairs.iter().map(bind).collect();
    }
    let value = table.first().copied();
    value.unwrap_or_else(|| arith.constant(E::ZERO))
}
