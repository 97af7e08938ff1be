//! The guest `numbers`: every arithmetic instruction on edge operands.
//!
//! No advice. Commits one word that folds all results.
//!
//! On the machine each operation is its one instruction, by inline assembly; elsewhere it is written from the
//! RISC-V unprivileged specification (chapters "RV32I", "RV64I" and "M"), so that a native run gives the word
//! that the machine must.

#![no_std]

mod operations;

use operations::{BINARY, CONSTANTS, IMMEDIATE};

/// Operands at which instructions go wrong: zero, signs, and the ends of 32 and 64 bits.
pub const EDGES: [u64; 14] = [
    0,
    1,
    2,
    31,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x5555_5555_5555_5555,
    i64::MAX as u64,
    i64::MIN as u64,
    0xffff_ffff_8000_0000,
    u64::MAX - 1,
    u64::MAX,
];

/// The word that folds the results of every operation on every edge, and on every pair of edges.
#[must_use]
pub fn fold() -> u64 {
    let mut sum = 0;
    let mut add = |result: u64| sum = (u64::rotate_left(sum, 7) ^ result).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    CONSTANTS
        .into_iter()
        .flatten()
        .for_each(|operation| add(operation()));
    for a in EDGES {
        IMMEDIATE
            .into_iter()
            .flatten()
            .for_each(|operation| add(operation(a)));
        for b in EDGES {
            BINARY
                .into_iter()
                .flatten()
                .for_each(|operation| add(operation(a, b)));
        }
    }
    sum
}

/// The guest's main function.
pub fn main() {
    leanvm_guest::commit(&fold());
}
