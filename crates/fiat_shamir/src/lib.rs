//! The transcript on both sides, the proof stream and its encoding, grinding, and the arithmetic of verifiers.
//!
//! A verifier is written once, over [`Arith`] (what it may compute) and a [`Channel`] (what the prover sent
//! and the challenges that follow), and runs on every instance of [`Source`]: [`Native`] checks a
//! [`Proof`], [`Counting`] has no values and counts operations, and a later crate makes rows of it. A prover
//! drives the same transcript through `Prover` (feature `prover`).
//!
//! The protocol is written down in `doc/transcript.md`. This crate imports `primitives` only, and without
//! the feature `prover` needs `core` and `alloc` only.

#![no_std]
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

extern crate alloc;

mod arith;
mod channel;
mod counting;
mod hazmat;
pub mod merkle;
mod native;
pub mod proof;
mod queries;
mod transcript;

#[cfg(feature = "prover")]
pub mod grinding;
#[cfg(feature = "prover")]
mod prover;

pub use arith::{Arith, Item, Label, Source};
pub use channel::{Channel, GRINDING};
pub use counting::{Counting, Counts};
pub use native::{Native, Value, VerifyError};
pub use proof::{Kind, Proof};
#[cfg(feature = "prover")]
pub use prover::Prover;
pub use queries::{Queries, QueryPlan, QueryPlanError};
pub use transcript::{Step, Transcript};

/// A BLAKE2s digest, or a state of the transcript: four little-endian words.
pub type Digest = [u64; 4];

#[cfg(test)]
mod tests;
