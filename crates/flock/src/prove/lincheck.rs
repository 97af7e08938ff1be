//! The lincheck's prover: the batch variables are folded once, and all that follows is of the size of a block.

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::{Native, Prover};
use primitives::dispatch;
use primitives::field::E;
use primitives::slices::{dot_e, fold_highest_in_place};
use tracing::info_span;

use super::Witness;
use super::fold_bits::fold_bits;
use super::units::Units;
use crate::lincheck::{Bound, public_part, weights};
use crate::reduction::tensor;
use crate::skip::{FIXED, SKIP};
use crate::zerocheck::Values;
use crate::{Batch, Group};

/// Proves that the values are those of the witnesses.
pub(super) fn prove(
    prover: &mut Prover,
    batch: &Batch<'_>,
    witnesses: &[Witness<'_>],
    values: &Values<E>,
) -> Bound<E> {
    let arith = Native::default();
    let batching = prover.challenge();
    let weights = weights(&arith, batching, batch.members().len());
    let mut tables: Vec<Tables> = batch
        .groups()
        .iter()
        .map(|group| Tables {
            matrix: info_span!("matrices").in_scope(|| matrix(group, batching, values)),
            z: info_span!("blocks").in_scope(|| fold_members(batch, group, witnesses, values, &weights)),
        })
        .collect();

    let rounds = info_span!("rounds").entered();
    let mut challenges = Vec::new();
    for _ in 0..batch.log_block_words() {
        let mut message = [E::ZERO; 2];
        for table in tables.iter().filter(|table| table.z.len() > SKIP) {
            let [h_0, h_2] = table.message();
            message[0] += h_0;
            message[1] += h_2;
        }
        prover.send_scalars(&message);
        let challenge = prover.challenge();
        for table in tables.iter_mut().filter(|table| table.z.len() > SKIP) {
            table.bind(challenge);
        }
        challenges.push(challenge);
    }
    rounds.exit();

    let mut bound = Bound {
        batching,
        weights,
        challenges,
        groups: Vec::new(),
    };
    for (group, Tables { matrix, z: slices }) in batch.groups().iter().zip(tables) {
        let point = bound.block_point(group.log_block_words());
        let value: E = matrix.iter().zip(&slices).map(|(&m, &s)| m * s).sum();
        let value = value + public_part(&arith, batching, values, group, &point, &slices);
        prover.send_scalars(&slices);
        prover.send_scalar(value);
        bound.groups.push((slices, value));
    }
    bound
}

/// M and Z of a group, over what is left of the positions.
struct Tables {
    matrix: Vec<E>,
    z: Vec<E>,
}

impl Tables {
    /// `h_0` and `h_2` of the top variable.
    fn message(&self) -> [E; 2] {
        let half = self.z.len() / 2;
        let ((m_0, m_1), (z_0, z_1)) = (self.matrix.split_at(half), self.z.split_at(half));
        let sum = |low: &[E], high: &[E]| -> Vec<E> {
            low.iter().zip(high).map(|(&low, &high)| low + high).collect()
        };
        let (m, z) = (sum(m_0, m_1), sum(z_0, z_1));
        dispatch!(|be| [dot_e(be, m_0, z_0).reduce(), dot_e(be, &m, &z).reduce()])
    }

    fn bind(&mut self, challenge: E) {
        for table in [&mut self.matrix, &mut self.z] {
            let half = table.len() / 2;
            let (low, high) = table.split_at_mut(half);
            dispatch!(|be| fold_highest_in_place(be, low, high, challenge));
            table.truncate(half);
        }
    }
}

/// `M = A^T e + a B^T e + a^2 e + a^3 [j = j_const]`.
fn matrix(group: &Group<'_>, batching: E, values: &Values<E>) -> Vec<E> {
    let rows = tensor(&values.lagrange, &values.point[..group.log_block_words()]);
    let b_rows: Vec<E> = rows.iter().map(|&row| batching * row).collect();
    let mut columns = vec![E::ZERO; rows.len()];
    group.circuit.backward(&rows, &b_rows, &mut columns);
    let square = batching.square();
    for (column, row) in columns.iter_mut().zip(rows) {
        *column += square * row;
    }
    columns[group.circuit.constant_position()] += square * batching;
    columns
}

/// `Z = sum_f w_f Z_f` over the members of a group.
///
/// Words are summed as the zerocheck has them: in units of `max(block, 128 words)`, weighted by the coordinates above.
/// The coordinates between a block and a unit are the same for all members, and are bound last, so that short blocks
/// take no longer than others.
fn fold_members(
    batch: &Batch<'_>,
    group: &Group<'_>,
    witnesses: &[Witness<'_>],
    values: &Values<E>,
    weights: &[E],
) -> Vec<E> {
    let log_block_words = group.log_block_words();
    let log_unit = log_block_words.max(FIXED);
    let mut z = vec![E::ZERO; SKIP << log_unit];
    for &f in &group.members {
        let member = &batch.members()[f];
        let units = Units::of_member(member, log_block_words, &witnesses[f]);
        let point = &values.point[log_unit..member.log_words];
        let weights = units.chunk_weights(log_unit, point, weights[f]);
        fold_bits(&witnesses[f].words[..units.stored()], log_unit, &weights, &mut z);
    }
    for &r in values.point[log_block_words..log_unit].iter().rev() {
        let half = z.len() / 2;
        let (low, high) = z.split_at_mut(half);
        dispatch!(|be| fold_highest_in_place(be, low, high, r));
        z.truncate(half);
    }
    z
}
