//! The prover of a batch: equal, byte for byte, to the prover from the definitions that the tests have.
//!
//! 1. `A z` and `B z` of all blocks, packed as z is (`constraints`).
//! 2. The skip message: products by bytes (`skip`), and what c = z adds, which is linear (`linear`).
//! 3. The rounds: three from one pass over words (`first_rounds`, `grid`), which another one folds; each further one
//!    folds and gives the next message in one pass (`rounds`).
//! 4. The lincheck: one backward walk a group, one pass over the blocks a member (`lincheck`).
//!
//! The identical tail of a batch is summed once everywhere (`units`).

use alloc::vec::Vec;

use circuit::Products;
use fiat_shamir::{Native, Prover};
use primitives::field::{E, K};
use tracing::info_span;

use crate::lincheck::Bound;
use crate::skip::{FIXED, Subspace, fixed_coordinates};
use crate::zerocheck::{Values, next_claim};
use crate::{Batch, Reduction};

mod bit_sums;
mod bit_tables;
mod constraints;
mod first_rounds;
mod fold_bits;
mod grid;
mod lincheck;
mod linear;
mod rounds;
mod skip;
mod skip_maps;
mod units;

use bit_sums::BitSums;
use linear::Marginals;
use rounds::Member;

/// The packed witness of a member: all its blocks, one after another.
#[derive(Clone, Copy, Debug)]
pub struct Witness<'w> {
    /// `2^log_words` words, read in place.
    pub words: &'w [K],
    /// How many instances come before those that are all equal, at the end; all of them, if no such tail is
    /// known. The proof does not depend on it.
    pub live: usize,
}

/// Proves that every block of these witnesses satisfies its circuit.
///
/// # Transcript
/// As [`verify_core`](crate::verify_core).
///
/// # Soundness
/// A witness that does not satisfy its circuits gives a proof that is refused.
///
/// # Panics
/// If there is not one witness for each member, of its number of words.
pub fn prove(prover: &mut Prover, batch: &Batch<'_>, witnesses: &[Witness<'_>]) -> Reduction<E> {
    let values = zerocheck(prover, batch, witnesses);
    let bound = lincheck(prover, batch, witnesses, &values);
    Reduction::new(batch, values, &bound)
}

/// The second part of [`prove`]: proves that the values are those of the witnesses.
///
/// # Transcript
/// As [`lincheck::verify`](crate::lincheck::verify).
///
/// # Panics
/// As [`prove`].
pub fn lincheck(
    prover: &mut Prover,
    batch: &Batch<'_>,
    witnesses: &[Witness<'_>],
    values: &Values<E>,
) -> Bound<E> {
    assert_witnesses(batch, witnesses);
    let _lincheck = info_span!("lincheck", words = live_words(batch, witnesses)).entered();
    lincheck::prove(prover, batch, witnesses, values)
}

/// The first part of [`prove`].
///
/// # Transcript
/// As [`zerocheck::verify`](crate::zerocheck::verify).
///
/// # Panics
/// As [`prove`].
pub fn zerocheck(prover: &mut Prover, batch: &Batch<'_>, witnesses: &[Witness<'_>]) -> Values<E> {
    assert_witnesses(batch, witnesses);
    let _zerocheck = info_span!("zerocheck", words = live_words(batch, witnesses)).entered();
    let arith = Native::default();
    let mut r = fixed_coordinates().to_vec();
    r.extend(prover.challenges(batch.log_words() - FIXED));
    let batching = prover.challenge();

    let products = info_span!("products").entered();
    let schedules: Vec<Products> = batch
        .groups()
        .iter()
        .map(|group| group.circuit.products())
        .collect();
    let mut scale = E::ONE;
    let mut members = Vec::new();
    for (witness, member) in witnesses.iter().zip(batch.members()) {
        let log_block_words = batch.groups()[member.group].log_block_words();
        let schedule = &schedules[member.group];
        members.push(Member::new(schedule, log_block_words, member, witness, scale));
        scale *= batching;
    }
    products.exit();
    let marginals = info_span!("linear").in_scope(|| Marginals::new(&members, &r));
    let message = info_span!("skip").in_scope(|| skip::message(&members, &marginals, &r));
    prover.send_scalars(&message);
    let z = prover.challenge();
    let subspace = Subspace::new(&arith, z);
    let lagrange = subspace.lagrange(&arith);
    let mut claim = subspace.extend(&arith, &message);

    let rounds = info_span!("rounds").entered();
    let sums = BitSums::new(&lagrange);
    let mut linear = marginals.at(&lagrange);
    let mut point = Vec::new();
    for &r_round in &r {
        let mut at_one = info_span!("linear").in_scope(|| linear.round(&members, &r, &sums, &point));
        let mut h_2 = E::ZERO;
        for member in &mut members {
            let message = member.round(&r, &sums, &point);
            at_one += message.at_one;
            h_2 += message.leading;
        }
        // claim = (1 + r) h(0) + r h(1).
        let h_0 = (claim + r_round * at_one) * (E::ONE + r_round).inverse_or_zero();
        let h_1 = at_one + h_0 + h_2;
        prover.send_scalars(&[h_1, h_2]);
        let challenge = prover.challenge();
        claim = next_claim(&arith, claim, r_round, [h_1, h_2], challenge);
        point.push(challenge);
    }
    rounds.exit();
    let c = linear.finish(&members, &sums, &point);
    let values = members.into_iter().zip(c).map(|(member, c)| {
        let [a, b] = member.finish(&point);
        [a, b, c]
    });
    let values: Vec<[E; 3]> = values.collect();
    for values in &values {
        prover.send_scalars(values);
    }
    Values {
        z,
        lagrange,
        point,
        values,
    }
}

/// The words of the instances that are read: all but the identical ones at the end, of which one stands for all.
fn live_words(batch: &Batch<'_>, witnesses: &[Witness<'_>]) -> usize {
    let members = witnesses.iter().zip(batch.members());
    members
        .map(|(witness, member)| {
            let instances = witness.live.saturating_add(1).min(1 << member.log_instances);
            instances << batch.groups()[member.group].log_block_words()
        })
        .sum()
}

fn assert_witnesses(batch: &Batch<'_>, witnesses: &[Witness<'_>]) {
    assert_eq!(
        witnesses.len(),
        batch.members().len(),
        "a witness for each member"
    );
    for (witness, member) in witnesses.iter().zip(batch.members()) {
        assert_eq!(
            witness.words.len(),
            1 << member.log_words,
            "the words of a member"
        );
    }
}
