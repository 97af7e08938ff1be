//! The host side of the guest `facilities`: its program and the advice of its good run.

use leanvm_guest::host::{self, Advice};

/// The program.
pub const ELF: &[u8] = include_bytes!("../../facilities.elf");

/// The advice of the run that computes with these words.
#[must_use]
pub fn advice(words: &[u64]) -> Vec<u64> {
    Advice::new()
        .push(&0u64)
        .push(&(words.len() as u64))
        .push_slice(words)
        .into_words()
}

/// The output of that run.
#[must_use]
pub fn output(words: &[u64]) -> [u8; 32] {
    host::run(facilities_guest::main, &advice(words))
}

#[cfg(test)]
mod tests;
