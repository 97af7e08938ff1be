//! The host side of the guest `fibonacci`: its program, its advice and the output to expect.

use leanvm_guest::host::{Advice, PublicValues};

/// The program.
pub const ELF: &[u8] = include_bytes!("../../fibonacci.elf");

/// The advice for F(n).
#[must_use]
pub fn advice(n: u64) -> Vec<u64> {
    Advice::new().push(&n).into_words()
}

/// The output of the run for F(n).
#[must_use]
pub fn output(n: u64) -> [u8; 32] {
    PublicValues::new()
        .commit(&fibonacci_guest::fibonacci(n))
        .output()
}

#[cfg(test)]
mod tests;
