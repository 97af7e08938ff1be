//! The lincheck of a batch: the values of `A z`, `B z` and z at the zerocheck's point are those of one committed z,
//! whose constant wires are one.
//!
//! Position j of a block is bit i of word u, `j = 64 u + i`. Member f has `Z_f(j) = sum_v eq(out_f, v) z_f(j, v)`
//! over its blocks v, `out_f` being the coordinates of the zerocheck's point after the word's; with the row
//! weights `e_p = L_i(z) eq(in, u)` of a position `p = 64 u + i`, and a challenge a,
//!
//! ```text
//! v_a + a v_b + a^2 v_c + a^3 = sum_j M(j) Z_f(j),   M = A^T e + a B^T e + a^2 e + a^3 [j = j_const],
//! ```
//!
//! and member f is weighted by `w_f = a^(4f)`. Members of a group have the same M, so the sum over them is
//! `sum_j M(j) Z(j)`, `Z = sum_f w_f Z_f`. The rounds bind the variables of u, the top one first, all groups at
//! once: round polynomials are sent as [`pcs::whir::sumcheck`] does; a group whose variables are all bound has a
//! value V, and its polynomial is `V X`. Then, of each group, 64 slices `s_i = sum_u eq(point, u) Z(64 u + i)`
//! and the value `m = sum_p e_p ((A w)_p + a (B w)_p)`, `w_(64 u + i) = s_i eq(point, u)`, are sent, and
//!
//! ```text
//! V = m + a^2 eq(in, point) sum_i L_i(z) s_i + a^3 s_(j_const mod 64) eq(j_const / 64, point).
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

use fiat_shamir::{Arith, Channel, Label, Source};
use pcs::ring_switch::SLICES;
use pcs::whir::sumcheck;
use primitives::field::E;

use crate::skip::{LOG_SKIP, SKIP};
use crate::zerocheck::Values;
use crate::{Batch, Group};

/// The check that slices and matrix values are those that the rounds lead to.
pub const TERMINAL: Label = Label::new("flock: lincheck");

/// What a lincheck leaves.
#[derive(Clone, Debug)]
#[must_use = "the slices and the matrix values are still to be checked"]
pub struct Bound<S> {
    /// The challenge a.
    pub batching: S,
    /// `a^(4f)` for each member.
    pub weights: Vec<S>,
    /// The rounds' challenges, in order.
    pub challenges: Vec<S>,
    /// Of each group its slices and its matrix value.
    pub groups: Vec<(Vec<S>, S)>,
}

impl<S: Copy> Bound<S> {
    /// The point in the words of a block of `2^variables` words, variable 0 first.
    #[must_use]
    pub fn block_point(&self, variables: usize) -> Vec<S> {
        block_point(&self.challenges, variables)
    }
}

/// The first challenges, those that bind a block of `2^variables` words, variable 0 first.
fn block_point<S: Copy>(challenges: &[S], variables: usize) -> Vec<S> {
    let mut point: Vec<S> = challenges.iter().copied().take(variables).collect();
    point.reverse();
    point
}

/// Checks a lincheck of these values.
///
/// # Transcript
/// Before: the values. Then the challenge a; of each round two scalars and its challenge; of each group 64 slices
/// and the matrix value.
///
/// # Errors
/// The stream has ended, or [`TERMINAL`].
///
/// # Soundness
/// The caller owes the opening of the slices and the check of the matrix values.
pub fn verify<A: Source>(
    channel: &mut Channel<'_, A>,
    batch: &Batch<'_>,
    values: &Values<A::Scalar>,
) -> Result<Bound<A::Scalar>, A::Error> {
    let arith = channel.arith();
    let batching = channel.challenge();
    let rounds = sumcheck::verify(
        channel,
        claim(arith, batching, &values.values),
        batch.log_block_words(),
    )?;
    let read = |_: &Group<'_>| Ok((channel.read_scalars(SLICES)?, channel.read_scalar()?));
    let groups: Vec<_> = batch.groups().iter().map(read).collect::<Result<_, A::Error>>()?;

    let mut expected = arith.constant(E::ZERO);
    for (group, (slices, matrix)) in batch.groups().iter().zip(&groups) {
        let point = block_point(&rounds.challenges, group.log_block_words());
        let value = arith.add(
            *matrix,
            public_part(arith, batching, values, group, &point, slices),
        );
        let later = rounds.challenges.iter().skip(group.log_block_words());
        expected = arith.add(expected, later.fold(value, |value, &c| arith.mul(value, c)));
    }
    arith.assert_eq(rounds.claim, expected, TERMINAL)?;
    Ok(Bound {
        batching,
        weights: weights(arith, batching, batch.members().len()),
        challenges: rounds.challenges,
        groups,
    })
}

/// `sum_f a^(4f) (v_a + a v_b + a^2 v_c + a^3)`, by Horner's rule.
pub(crate) fn claim<A: Arith>(arith: &A, batching: A::Scalar, values: &[[A::Scalar; 3]]) -> A::Scalar {
    let one = arith.constant(E::ONE);
    let terms = values.iter().rev().flat_map(|&[a, b, c]| [one, c, b, a]);
    terms
        .reduce(|sum, term| arith.mul_add(batching, sum, term))
        .unwrap_or(one)
}

/// `a^(4f)` for f below `count`.
pub(crate) fn weights<A: Arith>(arith: &A, batching: A::Scalar, count: usize) -> Vec<A::Scalar> {
    let step = arith.square(arith.square(batching));
    let powers = core::iter::successors(Some(step), |&power| Some(arith.mul(power, step)));
    core::iter::once(arith.constant(E::ONE))
        .chain(powers)
        .take(count)
        .collect()
}

/// `a^2 eq(in, point) sum_i L_i(z) s_i + a^3 s_(j_const mod 64) eq(j_const / 64, point)`.
pub(crate) fn public_part<A: Arith>(
    arith: &A,
    batching: A::Scalar,
    values: &Values<A::Scalar>,
    group: &Group<'_>,
    point: &[A::Scalar],
    slices: &[A::Scalar],
) -> A::Scalar {
    let (zero, one) = (arith.constant(E::ZERO), arith.constant(E::ONE));
    let product = |factors: Vec<A::Scalar>| {
        let product = factors
            .into_iter()
            .reduce(|product, factor| arith.mul(product, factor));
        product.unwrap_or(one)
    };
    let eq = point.iter().zip(&values.point);
    let eq = product(eq.map(|(&p, &r)| arith.add(arith.add(one, p), r)).collect());
    let row = values.lagrange.iter().zip(slices);
    let row = row.fold(zero, |sum, (&l, &slice)| arith.mul_add(l, slice, sum));

    let position = group.circuit.constant_position();
    let word = core::iter::successors(Some(position >> LOG_SKIP), |bits| Some(bits >> 1));
    let selector = point.iter().zip(word);
    let selector = selector.map(|(&p, bits)| if bits & 1 == 1 { p } else { arith.add(one, p) });
    let selector = product(selector.collect());
    let slice = slices.get(position % SKIP).copied().unwrap_or(zero);

    let constant = arith.mul(batching, arith.mul(selector, slice));
    let square = arith.square(batching);
    arith.mul(square, arith.mul_add(eq, row, constant))
}
