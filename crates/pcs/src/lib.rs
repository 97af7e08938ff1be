//! The polynomial commitment: additive NTT, Merkle trees, ring switching, WHIR, the stacked opening.

#![no_std]

extern crate alloc;

#[cfg(feature = "prover")]
pub mod commit;
#[cfg(feature = "prover")]
pub mod merkle;
pub mod ntt;
pub mod parameters;
pub mod ring_switch;
pub mod stack;
#[cfg(test)]
mod tests;
pub mod whir;
