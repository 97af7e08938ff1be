//! The host side of the guests `hash` and `blake2s`, which do the same, with the hash instruction and without: their
//! programs, their advice and the output to expect.

use leanvm_guest::host::{Advice, PublicValues};
use primitives::blake2s;

/// The program `hash`.
pub const ELF: &[u8] = include_bytes!("../../hash.elf");

/// The program `blake2s`.
pub const PLAIN_ELF: &[u8] = include_bytes!("../../../blake2s/blake2s.elf");

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
