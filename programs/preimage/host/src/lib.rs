//! The host side of the guest `preimage`: its program, its advice and the output to expect.

use leanvm_guest::host::{Advice, PublicValues};
use primitives::blake2s;

/// The program.
pub const ELF: &[u8] = include_bytes!("../../preimage.elf");

/// The advice: the secret's length and bytes.
#[must_use]
pub fn advice(secret: &[u8]) -> Vec<u64> {
    let words: Vec<u64> = secret
        .chunks(8)
        .map(|bytes| {
            bytes
                .iter()
                .rev()
                .fold(0, |word, byte| word << 8 | u64::from(*byte))
        })
        .collect();
    Advice::new()
        .push(&(secret.len() as u64))
        .push_slice(&words)
        .into_words()
}

/// The output of the run on this secret: it commits to the secret's BLAKE2s digest.
#[must_use]
pub fn output(secret: &[u8]) -> [u8; 32] {
    PublicValues::new()
        .commit(&blake2s::digest_to_words(&blake2s::hash(secret)))
        .output()
}

#[cfg(test)]
mod tests;
