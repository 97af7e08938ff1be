//! The prover of a run.

use argument::prove::Witness;
use fiat_shamir::{Kind, Proof, Prover};
use primitives::field::K;
use rv::{Limits, Program};
use tracing::info_span;

use crate::riscv::Riscv;
use crate::witness::{self, RunWitness, Target, WitnessError};

/// Proves that the program, whose machine this is, exits on this advice.
///
/// The proof's bytes depend on program, advice and target alone.
///
/// # Errors
/// The run traps, exceeds the limits, or does not fit the target; nothing is allocated for a proof before.
///
/// # Panics
/// If `riscv` is another program's.
pub fn prove(
    riscv: &Riscv,
    program: &Program,
    advice: &[u64],
    limits: Limits,
    target: Target<'_>,
) -> Result<Proof, WitnessError> {
    let witness = info_span!("witness");
    let run = witness.in_scope(|| witness::witness(riscv.machine(), program, advice, limits, target))?;
    Ok(prove_witness(riscv, &run))
}

/// The proof of a run whose witness this is.
///
/// # Soundness
/// A witness of no run gives a proof that is refused.
#[must_use]
pub fn prove_witness(riscv: &Riscv, run: &RunWitness<'_>) -> Proof {
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
    );
    let (proof, _) = prover.finish();
    proof
}
