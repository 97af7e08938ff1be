//! The RISC-V machine as tables on a bus: what is proven of a run, by whom and how it is verified.
//!
//! Use [`machine::machine`] for the machine of a program, a value of the crate `argument` made of its public part;
//! [`columns`] and [`tables`] say what a row of each class commits to and puts on the bus. It is written down in
//! `doc/riscv.md`. [`riscv::Riscv`] is that machine with its program's digest; [`verify::verify`] verifies a proof of a
//! run, and `prove::prove` (feature `prover`) makes one.
//!
//! It imports `primitives`, `fiat_shamir`, `circuit`, `pcs`, `flock`, `argument` and `rv`.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod columns;
pub mod machine;
pub mod parts;
#[cfg(feature = "prover")]
pub mod prove;
pub mod riscv;
pub mod tables;
pub mod verify;
#[cfg(feature = "prover")]
pub mod witness;
