//! The host side of the guest `hash`: its program, its advice and the output to expect.

use leanvm_guest::host::{Advice, PublicValues};
use primitives::blake2s;

/// The program.
pub const ELF: &[u8] = include_bytes!("../../hash.elf");

/// The advice for a message of `len` bytes.
#[must_use]
pub fn advice(len: u64) -> Vec<u64> {
    Advice::new().push(&len).into_words()
}

/// The output of the run on a message of `len` bytes, byte i being i modulo 251.
#[must_use]
pub fn output(len: u64) -> [u8; 32] {
    let message: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
    PublicValues::new()
        .commit(&blake2s::digest_to_words(&blake2s::hash(&message)))
        .output()
}

#[cfg(test)]
mod tests;
