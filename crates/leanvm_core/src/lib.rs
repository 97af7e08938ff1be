//! The RISC-V machine as tables on a bus: what is proven of a run, by whom and how it is verified.
//!
//! Use [`machine::machine`] for the machine of a program, a value of the crate `argument` made of its public part;
//! [`columns`] and [`tables`] say what a row of each class commits to and puts on the bus. It is written down in
//! `doc/riscv.md`.
//!
//! [`witness`](mod@witness) makes the witness of a run, and measures it.
//!
//! It imports `primitives`, `fiat_shamir`, `circuit`, `pcs`, `flock`, `argument` and `rv`.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod columns;
pub mod machine;
pub mod tables;
#[cfg(feature = "prover")]
pub mod witness;
