//! Verifying.

use leanvm_core::riscv::Riscv;
use leanvm_core::verify::{self, VerifyError};

use crate::output::Output;
use crate::program::PublicProgram;
use crate::proof::Proof;

/// A verifier of one program's proofs.
///
/// Making it builds the machine's circuits, which takes as long as verifying: keep it where many proofs are verified.
#[derive(Clone, Debug)]
pub struct Verifier {
    riscv: Riscv,
}

impl Verifier {
    /// The verifier of a program's proofs.
    #[must_use]
    pub fn new(program: &PublicProgram) -> Self {
        Self {
            riscv: Riscv::new(&program.0),
        }
    }

    /// The output with which the program exited, as the proof shows; compare it with the one that is expected.
    ///
    /// # Errors
    /// The proof is refused: no statement follows from it.
    pub fn verify(&self, proof: &Proof) -> Result<Output, VerifyError> {
        verify::verify(&self.riscv, &proof.0).map(Output::from_words)
    }
}
