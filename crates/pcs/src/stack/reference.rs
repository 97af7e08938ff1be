//! The opening of a stack from the definitions: the weight of every word by its formula.

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::{Native, Prover};
use primitives::field::{E, K};

use super::Statement;
use super::layout::present_lanes;
use crate::parameters::Parameters;
use crate::ring_switch;
use crate::whir::reference::{self, Forgery, eq_table};

/// The weights of the families combined and of each claim on a column, then batched.
pub(crate) fn weights(
    statement: &Statement<E>,
    family_challenge: E,
    map: &[E; 6],
    claim_challenge: E,
) -> Vec<E> {
    let mut weights = vec![E::ZERO; 1 << statement.log_words()];
    let mut power = E::ONE;
    if !statement.families().is_empty() {
        let mut family_power = E::ONE;
        for family in statement.families() {
            for member in &family.members {
                let point = &statement.points()[member.point.index][..member.point.variables];
                let scale = family_power * member.weight.unwrap_or(E::ONE);
                for (weight, eq) in weights[member.region.range()].iter_mut().zip(eq_table(point)) {
                    *weight += ring_switch::apply(&Native::default(), map, scale * eq);
                }
            }
            family_power *= family_challenge;
        }
        power *= claim_challenge;
    }
    for column in statement.columns() {
        let point = &statement.points()[column.point.index][..column.point.variables];
        let blocks = weights[column.region.range()].chunks_mut(1 << column.log_block);
        for (block, eq) in blocks.zip(eq_table(point)) {
            block[column.word] += power * eq;
        }
        power *= claim_challenge;
    }
    weights
}

/// Opens the claims of `statement`.
pub(crate) fn prove(
    prover: &mut Prover,
    parameters: &Parameters,
    stack: &[K],
    placed: usize,
    statement: &Statement<E>,
    forgery: Forgery,
) {
    let families = statement.families().len();
    let family_challenge = if families > 1 { prover.challenge() } else { E::ONE };
    let map = if families > 0 {
        core::array::from_fn(|_| prover.challenge())
    } else {
        [E::ONE; 6]
    };
    let claim_challenge = if statement.batched() > 1 {
        prover.challenge()
    } else {
        E::ONE
    };
    let weights = weights(statement, family_challenge, &map, claim_challenge);
    let lanes = present_lanes(parameters, placed);
    reference::prove(prover, parameters, stack, lanes, &weights, forgery);
}
