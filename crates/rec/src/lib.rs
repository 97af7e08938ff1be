//! The recursion machine: verifiers written as rows.
//!
//! Use it to turn a verifier, written over [`Source`](fiat_shamir::Source), into a fixed list of rows whose tables the
//! argument proves. A [`Recorder`] runs the verifier and writes its [`Rows`](rows::Rows); [`check`](check::check) evaluates
//! them and names the first that does not hold; [`machine`] makes them a machine of the argument.
//!
//! The machine is written down in `doc/recursion.md`. This crate imports `primitives`, `fiat_shamir`, `circuit`, `pcs`,
//! `flock`, `argument` and `leanvm_core`.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod check;
pub mod hash;
pub mod machine;
#[cfg(feature = "prover")]
pub mod prove;
mod recorder;
pub mod reduce;
pub mod rows;
pub mod table;
#[cfg(test)]
mod tests;
pub mod tree;
pub mod verify;
mod wiring;
#[cfg(feature = "prover")]
pub mod witness;

pub use recorder::{Counts, ROOT, Recorder, Wire};
