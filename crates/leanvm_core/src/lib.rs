//! The RISC-V machine as tables on a bus: what is proven of a run, by whom and how it is verified.
//!
//! Use [`columns`] to see what a row of each class commits to; the machine itself is a value of the crate
//! `argument`, made from a program's public part. The protocol is written down in `doc/riscv.md`.
//!
//! It imports `primitives`, `fiat_shamir`, `circuit`, `pcs`, `flock`, `argument` and `rv`.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod columns;
