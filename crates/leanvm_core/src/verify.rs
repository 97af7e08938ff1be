//! The verifier of a run.

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

use argument::layout::{Layout, LayoutError};
use argument::shape::{Shape, ShapeError};
use argument::{Deferred, check_deferred};
use fiat_shamir::{Arith, Channel, Kind, Label, Native, Proof, Source};
use primitives::field::K;

use crate::machine::FINAL_CLOCK;
use crate::riscv::Riscv;

/// The check that the clock at the end is one: live, with slot 0, and with nothing above the live bit.
pub const CLOCK: Label = Label::new("run: final clock");

/// The words of the output.
pub const OUTPUT_WORDS: usize = FINAL_CLOCK;

/// The words that a run announces: its output, then the clock at the end.
pub const ANNOUNCED: usize = FINAL_CLOCK + 1;

/// What a run's proof leaves: its output, and claims that only the program and the circuits fix.
#[derive(Clone, Debug)]
#[must_use = "a proof shows nothing until its deferred claims are settled"]
pub struct Reduction<A: Arith> {
    /// Registers a0 to a3 at the exit.
    pub output: [A::Word; OUTPUT_WORDS],
    /// The claims.
    pub deferred: Deferred<A::Scalar>,
}

/// Why a proof is no proof of a run of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The proof shows something else.
    #[error("the proof is of kind {0:?}, and one of a run is verified")]
    Kind(Kind),
    /// The announced sizes are none of this machine.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The announced sizes are too large.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A check refused the proof, or it is malformed.
    #[error(transparent)]
    Check(#[from] fiat_shamir::VerifyError),
}

/// Checks that the program, on some advice, exited with the output that is returned, as far as the proof alone
/// tells.
///
/// # Transcript
/// Before: the shape. Then the program's digest; the four words of the output; the clock at the end; and
/// [`argument::verify_core`].
///
/// # Errors
/// The stream has ended, [`CLOCK`], or those of the argument.
///
/// # Soundness
/// The caller owes `channel.finish()` and [`argument::check_deferred`].
pub fn verify_core<A: Source>(
    channel: &mut Channel<'_, A>,
    riscv: &Riscv,
    layout: &Layout<'_>,
) -> Result<Reduction<A>, A::Error> {
    let arith = channel.arith();
    channel.observe_digest(arith.constant_digest(riscv.digest_words()));
    let mut announced = [arith.constant_word(K::ZERO); ANNOUNCED];
    for word in &mut announced {
        *word = channel.read_word()?;
    }
    let [o0, o1, o2, o3, clock] = announced;
    check_clock(arith, clock)?;
    let deferred = argument::verify_core(channel, riscv.machine(), layout, &announced)?;
    Ok(Reduction {
        output: [o0, o1, o2, o3],
        deferred,
    })
}

fn check_clock<A: Arith>(arith: &A, clock: A::Word) -> Result<(), A::Error> {
    use circuit::clock::{CYCLE, LIVE};
    for (i, bit) in arith.bits(clock).into_iter().enumerate() {
        if i == LIVE {
            arith.assert_eq_word(arith.bit_word(bit), arith.constant_word(K::ONE), CLOCK.at(i))?;
        } else if !(CYCLE..LIVE).contains(&i) {
            arith.assert_zero_bit(bit, CLOCK.at(i))?;
        }
    }
    Ok(())
}

/// Verifies that the program, on some advice, exited with the output that is returned.
///
/// # Errors
/// [`VerifyError`].
pub fn verify(riscv: &Riscv, proof: &Proof) -> Result<[u64; OUTPUT_WORDS], VerifyError> {
    if proof.kind != Kind::Run {
        return Err(VerifyError::Kind(proof.kind));
    }
    let shape = Shape::parse(riscv.machine(), &proof.shape)?;
    let layout = Layout::new(riscv.machine(), &shape)?;
    let arith = Native::new(proof);
    let mut channel = Channel::new(&arith, Kind::Run, &proof.shape);
    let reduction = verify_core(&mut channel, riscv, &layout)?;
    channel.finish()?;
    check_deferred(riscv.machine(), &layout, &reduction.deferred)?;
    Ok(reduction.output.map(|word| word.0))
}
