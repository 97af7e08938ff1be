//! A proof of rows, verified: natively, or by rows.

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

use argument::Deferred;
use argument::layout::Layout;
use fiat_shamir::{Channel, Digest, Kind, Native, Proof, Source, VerifyError};
use primitives::field::K;

use crate::machine::RowMachine;

/// What a proof of rows leaves.
#[derive(Clone, Debug)]
#[must_use = "a proof shows nothing until its deferred claims are settled"]
pub struct Core<S, W, D> {
    /// The announced words.
    pub announced: Vec<W>,
    /// The claims on what everybody knows.
    pub deferred: Deferred<S>,
    /// The final state of the transcript.
    pub state: D,
}

/// Checks a proof of rows, as far as the proof alone tells.
///
/// # Transcript
/// Shape and kind; the announced words are read; then [`argument::verify_core`].
///
/// # Errors
/// Those of [`argument::verify_core`], and messages that are left.
///
/// # Soundness
/// The caller owes the deferred claims, and compares the announced words with what it knows.
#[expect(clippy::type_complexity, reason = "the three types of values of an instance")]
pub fn verify_core<A: Source>(
    arith: &A,
    machine: &RowMachine,
    layout: &Layout<'_>,
) -> Result<Core<A::Scalar, A::Word, A::Digest>, A::Error> {
    let shape = machine
        .heights()
        .shape(layout.parameters.log_inv_rate())
        .to_words();
    let mut channel = Channel::new(arith, Kind::Tree, &shape);
    let announced = (0..machine.announced()).map(|_| channel.read_word());
    let announced: Vec<A::Word> = announced.collect::<Result<_, _>>()?;
    let deferred = argument::verify_core(&mut channel, machine.machine(), layout, &announced)?;
    Ok(Core {
        announced,
        deferred,
        state: channel.finish()?,
    })
}

/// Checks a proof of rows, and gives the announced words and the final state.
///
/// # Errors
/// Those of [`verify_core`] and of [`argument::check_deferred`].
pub fn verify(
    proof: &Proof,
    machine: &RowMachine,
    layout: &Layout<'_>,
) -> Result<(Vec<K>, Digest), VerifyError> {
    let core = verify_core(&Native::new(proof), machine, layout)?;
    argument::check_deferred(machine.machine(), layout, &core.deferred)?;
    Ok((core.announced, core.state))
}
