//! The guest `preimage`: the prover knows bytes with a given BLAKE2s digest.
//!
//! Advice: `len`, then `ceil(len / 8)` words, the bytes above `len` zero. Commits the four words of the
//! bytes' digest.

#![no_std]

use leanvm_guest::{blake2s, commit, read, read_slice};

/// The digest of the first `len` bytes of `words`.
///
/// # Panics
/// If `words` are not `ceil(len / 8)`, or a byte above `len` is not zero.
#[must_use]
pub fn digest(len: u64, words: &[u64]) -> [u64; 4] {
    assert!(
        words.len() as u64 == len.div_ceil(8),
        "the words are not as many as the bytes need"
    );
    let mut hasher = blake2s::Blake2s::new();
    match words.split_last() {
        Some((last, whole)) if !len.is_multiple_of(8) => {
            let bytes = (len % 8) as usize;
            assert!(
                last >> (8 * bytes) == 0,
                "the bytes above the length are not zero"
            );
            hasher.update_words(whole);
            hasher.update(&last.to_le_bytes()[..bytes]);
        }
        _ => hasher.update_words(words),
    }
    hasher.digest_words()
}

/// The guest's main function.
pub fn main() {
    let len = *read::<u64>();
    commit(&digest(len, read_slice(len.div_ceil(8))));
}
