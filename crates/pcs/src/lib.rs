//! The polynomial commitment: additive NTT, Merkle trees, ring switching, WHIR, the stacked opening.

#![no_std]

extern crate alloc;

pub mod ntt;
pub mod parameters;
pub mod ring_switch;
pub mod stack;
pub mod whir;
