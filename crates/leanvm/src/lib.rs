//! Proves that a RISC-V program, run on some private advice, halted with a given output; and verifies it.
//!
//! A guest is an ELF file for `riscv64im`, written with the crate `leanvm_guest`. A verifier needs the program's
//! public part and the proof, and learns the output:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use leanvm::{Program, Proof, Prover, Verifier};
//!
//! // F(10) is computed by this guest, whose advice is the number.
//! let program = Program::from_elf(fibonacci_host::ELF)?;
//! let file = Prover::new(&program).prove(&[10])?.to_bytes();
//!
//! let verifier = Verifier::new(program.public());
//! let output = verifier.verify(&Proof::from_bytes(&file)?)?;
//! assert_eq!(output.to_bytes(), fibonacci_host::output(10));
//! # Ok(())
//! # }
//! ```
//!
//! What a proof says: the program with this digest, on *some* advice, executed its exit with this output. It says
//! nothing of the advice; a guest checks what it reads. Proofs are not zero knowledge.
//!
//! Many proofs of one program are joined into one of constant size by [`aggregate`].
//!
//! Without the default feature `prover` the crate verifies only, needs no operating system and no thread pool.

#![no_std]

extern crate alloc;

pub mod aggregate;
mod output;
mod program;
mod proof;
#[cfg(feature = "prover")]
mod prover;
mod rate;
mod verifier;

#[cfg(feature = "prover")]
pub use argument::security::{RoundError, Security};
pub use fiat_shamir::proof::DecodeError;
pub use leanvm_core::verify::VerifyError;
pub use output::Output;
pub use program::{Digest, LoadError, Program, PublicError, PublicProgram};
pub use proof::Proof;
#[cfg(feature = "prover")]
pub use prover::{Measure, ProveError, Prover, ShapeError, Stage, TableSize, WitnessError};
pub use rate::Rate;
pub use verifier::Verifier;
