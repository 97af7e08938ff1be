//! The zerocheck of a batch: `(A z)_p (B z)_p = z_p` at every position of every block.
//!
//! For member f of 2^n words, `a(i, v)`, `b(i, v)` and `c(i, v)` are bit i of word v of `A z`, `B z` and z, and
//! `a^(Y, v) = sum_i L_i(Y) a(i, v)`. With a point r whose first seven coordinates are fixed, and a challenge l,
//!
//! ```text
//! P(Y) = sum_f l^f sum_v eq(r, v) (a_f^(Y, v) b_f^(Y, v) + c_f^(Y, v))
//! ```
//!
//! is zero on S. The prover sends P on Lambda, and a challenge z leaves the claim `P(z)`. Round j binds variable j
//! of every member that has it: with the factor `eq(r_j, X)` taken out,
//! `T = (1 + r_j) h(0) + r_j h(1)` for a polynomial `h = h_0 + h_1 X + h_2 X^2`, of which `h_1` and `h_2` are
//! sent, since `h_0 = T + r_j (h_1 + h_2)`. A member that has no variable left is a constant, and is part of
//! `h_0` alone. What is left is `sum_f l^f (v_a v_b + v_c)` of the values that the prover then sends.
//!
//! Source: Gruen, ePrint 2024/108, sections 3 (eq factor) and 5 (univariate skip).

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

use crate::Batch;
use crate::skip::{FIXED, SKIP, Subspace, fixed_coordinates};

/// The check that the values at the end are those that the rounds lead to.
pub const TERMINAL: Label = Label::new("flock: zerocheck");

/// What a zerocheck leaves: `a_f^(z, point) = values[f][0]`, b and c likewise, at the first coordinates of the
/// point.
#[derive(Clone, Debug)]
#[must_use = "the values are still to be checked"]
pub struct Values<S> {
    /// The challenge z.
    pub z: S,
    /// `L_i(z)` for the 64 points of S.
    pub lagrange: Vec<S>,
    /// A coordinate for each variable of the largest member, variable 0 first.
    pub point: Vec<S>,
    /// Of each member, `v_a`, `v_b`, `v_c`.
    pub values: Vec<[S; 3]>,
}

/// Checks a zerocheck.
///
/// # Transcript
/// Before: the commitment, and the shape of the batch. Then the challenges `r_7 ..` and l; the 64 scalars of
/// the message; z; of each round `h_1`, `h_2` and its challenge; `v_a`, `v_b`, `v_c` of each member.
///
/// # Errors
/// The stream has ended, or [`TERMINAL`].
///
/// # Soundness
/// The caller owes the check of the values.
pub fn verify<A: Source>(
    channel: &mut Channel<'_, A>,
    batch: &Batch<'_>,
) -> Result<Values<A::Scalar>, A::Error> {
    let arith = channel.arith();
    let rounds = batch.log_words();
    let fixed = fixed_coordinates().map(|r| arith.constant(r));
    let mut r: Vec<_> = fixed.into();
    r.extend(channel.challenges(rounds.saturating_sub(FIXED)));
    let batching = channel.challenge();

    let message = channel.read_scalars(SKIP)?;
    let z = channel.challenge();
    let subspace = Subspace::new(arith, z);
    let mut claim = subspace.extend(arith, &message);
    let mut point = Vec::with_capacity(rounds);
    for &r in &r {
        let coefficients = channel.read_array()?;
        let challenge = channel.challenge();
        claim = next_claim(arith, claim, r, coefficients, challenge);
        point.push(challenge);
    }
    let values = (0..batch.members().len()).map(|_| channel.read_array());
    let values: Vec<[A::Scalar; 3]> = values.collect::<Result<_, _>>()?;
    arith.assert_eq(claim, terminal(arith, batching, &values), TERMINAL)?;
    Ok(Values {
        z,
        lagrange: subspace.lagrange(arith),
        point,
        values,
    })
}

/// `h(challenge)` for the polynomial with these `h_1`, `h_2` and `(1 + r) h(0) + r h(1) = claim`.
#[must_use]
pub fn next_claim<A: Arith>(
    arith: &A,
    claim: A::Scalar,
    r: A::Scalar,
    [h_1, h_2]: [A::Scalar; 2],
    challenge: A::Scalar,
) -> A::Scalar {
    let h_0 = arith.mul_add(r, arith.add(h_1, h_2), claim);
    arith.mul_add(challenge, arith.mul_add(challenge, h_2, h_1), h_0)
}

/// `sum_f l^f (v_a v_b + v_c)`, by Horner's rule.
fn terminal<A: Arith>(arith: &A, batching: A::Scalar, values: &[[A::Scalar; 3]]) -> A::Scalar {
    let terms = values.iter().rev().map(|&[a, b, c]| arith.mul_add(a, b, c));
    terms
        .reduce(|sum, term| arith.mul_add(batching, sum, term))
        .unwrap_or_else(|| arith.constant(E::ZERO))
}
