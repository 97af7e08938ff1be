//! The prover of a run.

use core::ops::ControlFlow;

use argument::prove::Witness;
use fiat_shamir::{Kind, Proof, Prover};
use primitives::field::K;
use rv::{Limits, Program};
use tracing::info_span;

use crate::riscv::Riscv;
use crate::witness::{self, RunWitness, Target, WitnessError};

/// A part of proving a run; they come in this order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// The program is run, and the witness of its run is written.
    Witness,
    /// A part of the argument.
    Argument(argument::prove::Stage),
}

/// Why there is no proof of a run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// There is no run, or no proof holds it.
    #[error(transparent)]
    Witness(#[from] WitnessError),
    /// The caller did not want to go on.
    #[error("proving was cancelled")]
    Cancelled,
}

/// Proves that the program, whose machine this is, exits on this advice.
///
/// The proof's bytes depend on program, advice and target alone. Before each stage `next` is asked whether to go on.
///
/// # Errors
/// The run traps, exceeds the limits, or does not fit the target, which is found before anything is allocated for a
/// proof; or `next` said no.
///
/// # Panics
/// If `riscv` is another program's.
pub fn prove(
    riscv: &Riscv,
    program: &Program,
    advice: &[u64],
    limits: Limits,
    target: Target<'_>,
    next: &mut dyn FnMut(Stage) -> ControlFlow<()>,
) -> Result<Proof, ProveError> {
    if next(Stage::Witness).is_break() {
        return Err(ProveError::Cancelled);
    }
    let run = info_span!("witness")
        .in_scope(|| witness::witness(riscv.machine(), program, advice, limits, target))?;
    match prove_witness(riscv, &run, &mut |stage| next(Stage::Argument(stage))) {
        ControlFlow::Continue(proof) => Ok(proof),
        ControlFlow::Break(()) => Err(ProveError::Cancelled),
    }
}

/// The proof of a run whose witness this is, unless `next` says before a stage not to go on.
///
/// # Soundness
/// A witness of no run gives a proof that is refused.
pub fn prove_witness(
    riscv: &Riscv,
    run: &RunWitness<'_>,
    next: &mut dyn FnMut(argument::prove::Stage) -> ControlFlow<()>,
) -> ControlFlow<(), Proof> {
    let mut prover = Prover::new(Kind::Run, run.shape.to_words());
    prover.observe_digest(riscv.digest_words());
    for word in run.announced {
        prover.send_word(K(word));
    }
    let witness = Witness {
        stack: &run.stack,
        live: &run.live,
    };
    argument::prove::prove(
        &mut prover,
        riscv.machine(),
        &run.layout,
        &run.announced,
        &witness,
        next,
    )?;
    let (proof, _) = prover.finish();
    ControlFlow::Continue(proof)
}
