//! Tables on a bus, proven: a grand product, one sumcheck over all tables, the circuits of their rows, one opening.
//!
//! Use it to prove that committed tables satisfy a [`Machine`](machine::Machine), a value that says what rows push
//! and pull, which identities they keep and which circuits their blocks satisfy. The protocol is written down in
//! `doc/argument.md`.
//!
//! It imports `primitives`, `fiat_shamir`, `circuit`, `pcs` and `flock`.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod blocks;
mod check;
mod deferred;
#[cfg(feature = "prover")]
pub mod diagnose;
mod dump;
mod form;
pub mod gkr;
pub mod layout;
pub mod machine;
mod opening;
#[cfg(feature = "prover")]
pub mod prove;
#[cfg(test)]
mod reference;
#[cfg(feature = "prover")]
pub mod security;
pub mod shape;
pub mod tables;
#[cfg(test)]
mod tests;
mod verify;

pub use check::{MachineError, Tuple};
pub use deferred::{PRODUCER, PUBLIC, check_deferred};
pub use verify::{CALL, Deferred, ProducerClaim, PublicClaim, verify_core};
