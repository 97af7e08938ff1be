//! The guest `fibonacci`: a Fibonacci number modulo 2^64.
//!
//! Advice: `n`. Commits one word, F(n).

#![no_std]

use leanvm_guest::{commit, read};

/// F(n) modulo 2^64, with F(0) = 0 and F(1) = 1.
#[must_use]
pub fn fibonacci(n: u64) -> u64 {
    let (mut a, mut b) = (0u64, 1u64);
    for _ in 0..n {
        (a, b) = (b, a.wrapping_add(b));
    }
    a
}

/// The guest's main function.
pub fn main() {
    commit(&fibonacci(*read()));
}
