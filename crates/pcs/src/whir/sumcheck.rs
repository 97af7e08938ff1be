//! Rounds of degree two: how a round polynomial is sent, and how a claim passes from round to round.
//!
//! A round binds the top variable X of what is left. Its polynomial is
//! `h(X) = sum_b W(b, X) f(b, X) = h_0 + h_1 X + h_2 X^2`; the prover sends `h_0` and `h_2`, since the claim
//! fixes `h_1`: in characteristic two `h(0) + h(1) = h_1 + h_2`. The next claim is `h(c)`.

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

use fiat_shamir::{Arith, Channel, Source};
use primitives::field::E;

/// The claim after a round: `h(c)`, where `h(0) + h(1) = claim`.
///
/// `message`: `h_0` and `h_2`.
#[must_use]
pub fn next_claim<A: Arith>(arith: &A, claim: A::Scalar, message: [A::Scalar; 2], c: A::Scalar) -> A::Scalar {
    // h(c) = h_0 + c (h_1 + c h_2), h_1 = claim + h_2.
    let [h_0, h_2] = message;
    let linear = arith.mul_add(c, h_2, arith.add(claim, h_2));
    arith.mul_add(c, linear, h_0)
}

/// What rounds leave.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use = "the claim is still to be checked"]
pub struct Bound<S> {
    /// The claim.
    pub claim: S,
    /// The challenges in the order in which they were drawn, which is from the top variable down.
    pub challenges: Vec<S>,
}

/// Reads `rounds` rounds.
///
/// # Transcript
/// A round absorbs `h_0` and `h_2`, and draws its challenge.
///
/// # Errors
/// The stream has ended.
///
/// # Soundness
/// The caller owes the check of the claim that is left.
pub fn verify<A: Source>(
    channel: &mut Channel<'_, A>,
    mut claim: A::Scalar,
    rounds: usize,
) -> Result<Bound<A::Scalar>, A::Error> {
    let arith = channel.arith();
    let mut challenges = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let message = channel.read_array()?;
        let c = channel.challenge();
        claim = next_claim(arith, claim, message, c);
        challenges.push(c);
    }
    Ok(Bound { claim, challenges })
}

/// The multilinear extension of `table` at a point that is given from its top variable down.
///
/// `table`: 2^n scalars for the n of `challenges`.
#[must_use]
pub fn evaluate<A: Arith>(arith: &A, table: &[A::Scalar], challenges: &[A::Scalar]) -> A::Scalar {
    let mut table = table.to_vec();
    for &c in challenges {
        let high = table.split_off(table.len() / 2);
        for (low, high) in table.iter_mut().zip(high) {
            *low = arith.mul_add(c, arith.add(*low, high), *low);
        }
    }
    table.first().copied().unwrap_or_else(|| arith.constant(E::ZERO))
}

/// `eq(point, v)` for all v, `point` being given from its top variable down.
#[must_use]
pub fn eq_table<A: Arith>(arith: &A, challenges: &[A::Scalar]) -> Vec<A::Scalar> {
    let mut table = alloc::vec![arith.constant(E::ONE)];
    // The last challenge is variable 0, so the first doubles the table last.
    for &c in challenges.iter().rev() {
        let high: Vec<_> = table.iter().map(|&low| arith.mul(low, c)).collect();
        for (low, &high) in table.iter_mut().zip(&high) {
            *low = arith.add(*low, high);
        }
        table.extend(high);
    }
    table
}
