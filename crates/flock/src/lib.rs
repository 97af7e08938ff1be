//! Batches of Boolean circuits proven at once: zerocheck with a univariate skip, lincheck.
//!
//! Use it to reduce "every block of these packed witnesses satisfies its circuit" to claims on the packed
//! witnesses, which a stack's opening settles ([`Reduction::families`]), and claims on the circuits' matrices
//! alone ([`Deferred`], settled by [`check_deferred`]). A [`Batch`] says which circuits, and how many instances
//! of each; [`verify_core`] is the verifier, over any [`Source`](fiat_shamir::Source); `prove::prove` (feature
//! `prover`) the prover. The protocol is written down in `doc/flock.md`.
//!
//! It imports `primitives`, `fiat_shamir`, `circuit` and `pcs`.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod batch;
#[cfg(test)]
mod fixtures;
pub mod lincheck;
#[cfg(feature = "prover")]
pub mod prove;
mod reduction;
#[cfg(test)]
mod reference;
pub mod skip;
#[cfg(test)]
mod tests;
pub mod zerocheck;

pub use batch::{Batch, BatchError, Group, Member, Part};
pub use reduction::{
    Deferred, GroupClaim, MATRIX, MatrixClaim, MemberClaim, Reduction, check_deferred, verify_core,
};
