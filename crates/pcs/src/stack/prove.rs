//! The prover of a stack's opening.

use fiat_shamir::Prover;
use primitives::field::{E, K};
use tracing::info_span;

use super::Statement;
use super::weights::{Batching, StackWeights};
use crate::commit::Oracle;
use crate::parameters::Parameters;
use crate::whir;

/// Opens the claims of `statement` on `stack`.
///
/// `stack`: the present lanes, and `oracle` what was committed of them
/// ([`whir::prove::stack_shape`], [`commit`](crate::commit::commit)).
///
/// # Transcript
/// That of [`verify`](super::verify::verify).
///
/// # Panics
/// Where [`whir::prove::prove`] does.
pub fn prove(
    prover: &mut Prover,
    parameters: &Parameters,
    stack: &[K],
    oracle: &Oracle<K>,
    statement: &Statement<E>,
) {
    let batching = draw(prover, statement);
    let weights = info_span!("claims").in_scope(|| StackWeights::new(statement, &batching));
    whir::prove::prove(prover, parameters, stack, oracle, weights);
}

/// Draws the challenges of the batching.
fn draw(prover: &mut Prover, statement: &Statement<E>) -> Batching {
    let families = if statement.families().len() > 1 {
        prover.challenge()
    } else {
        E::ONE
    };
    let map = (!statement.families().is_empty()).then(|| core::array::from_fn(|_| prover.challenge()));
    let claims = if statement.batched() > 1 {
        prover.challenge()
    } else {
        E::ONE
    };
    Batching {
        families,
        map,
        claims,
    }
}
