//! The guest `hash`: hashes `len` bytes that it makes, with the `blake2s` instruction.
//!
//! Advice: `len`. Byte i is i modulo 251. Commits the four words of the digest.

#![no_std]

use leanvm_guest::blake2s::{Block, Blocks};
use leanvm_guest::{commit, read};

/// The digest of `len` bytes, byte i being i modulo 251.
#[must_use]
pub fn digest(len: u64) -> [u64; 4] {
    let mut memory = Block::new();
    let mut hasher = Blocks::new(&mut memory);
    let (mut left, mut word) = (len, 0x0706_0504_0302_0100);
    while left > 64 {
        for i in 0..8 {
            hasher.set(i, word);
            word = next(word);
        }
        hasher.advance();
        left -= 64;
    }
    for i in 0..8 {
        // Of the last block only the message's bytes; behind them zeros.
        let bytes = left.saturating_sub(8 * i as u64);
        hasher.set(
            i,
            if bytes >= 8 {
                word
            } else {
                word & ((1 << (8 * bytes)) - 1)
            },
        );
        word = next(word);
    }
    *hasher.finish(left)
}

/// The eight bytes after these, all of them consecutive modulo 251.
fn next(word: u64) -> u64 {
    // Where no byte wraps around, here or in the next word, the last byte is the largest.
    if (7..=250 - 8).contains(&(word >> 56)) {
        word + 0x0808_0808_0808_0808
    } else {
        u64::from_le_bytes(word.to_le_bytes().map(|byte| ((u16::from(byte) + 8) % 251) as u8))
    }
}

/// The guest's main function.
pub fn main() {
    commit(&digest(*read()));
}
