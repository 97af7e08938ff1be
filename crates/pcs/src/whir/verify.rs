//! The verifier of an opening, over [`Arith`](fiat_shamir::Arith).

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

use fiat_shamir::merkle::LeafShape;
use fiat_shamir::{Arith, Channel, Source};
use primitives::field::E;

use super::query::{Symbols, code_points, out_of_domain_weight_at, weight_at};
use super::{TERMINAL, sumcheck};
use crate::parameters::Parameters;

/// An oracle as the verifier has it.
struct Oracle<A: Arith> {
    root: A::Digest,
    leaf: LeafShape,
    symbols: Symbols,
}

/// What one challenge batched after a level's rounds.
struct Batch<A: Arith> {
    challenge: A::Scalar,
    /// The variables of the weights, the lowest ones.
    variables: usize,
    out_of_domain: Option<A::Scalar>,
    /// The points of the code that were queried.
    points: Vec<A::Scalar>,
}

impl<A: Arith> Batch<A> {
    /// The weights, combined, at the terminal point: `b w_1 + b^2 w_2 + ..`.
    fn weight_at(&self, arith: &A, terminal: &[A::Scalar]) -> A::Scalar {
        let r = terminal.get(..self.variables).unwrap_or_default();
        let out_of_domain = self.out_of_domain.map(|c| out_of_domain_weight_at(arith, c, r));
        let queried = self.points.iter().map(|&x| weight_at(arith, x, r));
        let weights: Vec<_> = out_of_domain.into_iter().chain(queried).collect();
        combine(arith, self.challenge, &weights)
    }
}

/// `b t_1 + b^2 t_2 + ..`, by Horner's rule.
fn combine<A: Arith>(arith: &A, challenge: A::Scalar, terms: &[A::Scalar]) -> A::Scalar {
    let zero = arith.constant(E::ZERO);
    terms
        .iter()
        .rev()
        .fold(zero, |sum, &term| arith.mul(challenge, arith.add(term, sum)))
}

/// Checks that the stack under `root` has the weighted sum `claim`.
///
/// `present_lanes`: the lanes that hold words, the others being zero. `weight`: the multilinear extension of
/// the weights at the terminal point, which has a coordinate for each variable of the stack, variable 0 first.
///
/// # Transcript
/// Before: the root, the shape, all that fixes the weights, and the claim. Then, in the order of the
/// [module](super)'s steps: two scalars and a challenge a round; the next root, a challenge, the answer (at the
/// end the residual table); the nonce; the queries' challenges; the batching challenge.
///
/// # Errors
/// Those of the channel: messages that are missing, an opening that does not lead to its root, a nonce without
/// work; and [`TERMINAL`].
///
/// # Soundness
/// Against the list of level 0 (`doc/soundness.md`); the caller owes nothing more.
pub fn verify<A: Source>(
    channel: &mut Channel<'_, A>,
    parameters: &Parameters,
    root: A::Digest,
    present_lanes: usize,
    claim: A::Scalar,
    weight: impl FnOnce(&A, &[A::Scalar]) -> A::Scalar,
) -> Result<(), A::Error> {
    let arith = channel.arith();
    let lanes = 1usize
        .checked_shl(u32::try_from(parameters.log_lanes()).unwrap_or(u32::MAX))
        .unwrap_or(0);
    let mut oracle = Oracle::<A> {
        root,
        leaf: LeafShape::new(lanes.saturating_sub(present_lanes), present_lanes.min(lanes)),
        symbols: Symbols::Words,
    };
    let mut claim = claim;
    let mut bound = Vec::with_capacity(parameters.log_words());
    let mut batches = Vec::with_capacity(parameters.levels().len());
    let mut residual = Vec::new();
    let mut levels = parameters.levels().iter().peekable();
    while let Some(level) = levels.next() {
        let rounds = sumcheck::verify(channel, claim, level.log_fold)?;

        let mut out_of_domain = None;
        let mut answers = Vec::new();
        let mut next_root = None;
        if levels.peek().is_some() {
            next_root = Some(channel.read_digest()?);
            out_of_domain = Some(channel.challenge());
            answers.push(channel.read_scalar()?);
        } else {
            residual = channel.read_scalars(scalars(parameters.log_residual()))?;
        }

        channel.check_grinding(parameters.grinding_bits())?;
        let queries = channel.queries(level.plan);
        let leaves = channel.open(oracle.root, &oracle.leaf, &queries)?;
        let eq = sumcheck::eq_table(arith, &rounds.challenges);
        answers.extend(leaves.iter().map(|leaf| oracle.symbols.fold(arith, leaf, &eq)));

        let challenge = channel.challenge();
        claim = arith.add(rounds.claim, combine(arith, challenge, &answers));
        let points = code_points(arith, &queries);
        batches.push(Batch::<A> {
            challenge,
            variables: level.log_message,
            out_of_domain,
            points,
        });
        bound.extend(rounds.challenges);
        if let (Some(root), Some(next)) = (next_root, levels.peek()) {
            let words = scalars(next.log_fold).saturating_mul(Symbols::Scalars.words());
            oracle = Oracle {
                root,
                leaf: LeafShape::new(0, words),
                symbols: Symbols::Scalars,
            };
        }
    }

    let closing = sumcheck::verify(channel, claim, parameters.log_residual())?;
    let value = sumcheck::evaluate(arith, &residual, &closing.challenges);
    bound.extend(closing.challenges);
    let terminal = terminal_point(bound);
    let weight = batches.iter().fold(weight(arith, &terminal), |sum, batch| {
        arith.add(sum, batch.weight_at(arith, &terminal))
    });
    arith.assert_eq(closing.claim, arith.mul(weight, value), TERMINAL)
}

/// The terminal point, variable 0 first, from the challenges in the order in which they were drawn.
#[must_use]
pub fn terminal_point<S>(mut challenges: Vec<S>) -> Vec<S> {
    challenges.reverse();
    challenges
}

/// 2^`log`; it is small, or a count that no stream reaches.
fn scalars(log: usize) -> usize {
    1usize
        .checked_shl(u32::try_from(log).unwrap_or(u32::MAX))
        .unwrap_or(usize::MAX)
}
