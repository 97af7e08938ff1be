//! Hashes of a tag byte and words behind it.
//!
//! The tag shifts every word of the message by a byte, so word i of the hash's input is the low 56 bits of the
//! message's word i above the high 8 bits of the word before, and the last byte of a message of eight words is the
//! only one of its second block.

use leanvm_guest::blake2s::{Block, Blocks};
use leanvm_guest::hint::opaque;

/// A digest, and all else of 32 bytes, as little-endian words.
pub type Digest = [u64; 4];

/// The first byte of a message: what is hashed.
pub mod tag {
    /// The owner of a note, from a spend key.
    pub const OWNER: u64 = 1;
    /// A note, from its inner hash and its value.
    pub const COMMITMENT: u64 = 2;
    /// A nullifier, from a nullifier key and an occurrence.
    pub const NULLIFIER: u64 = 3;
    /// A node of the tree.
    pub const NODE: u64 = 4;
    /// The part of a note that hides its owner, from owner and randomness.
    pub const INNER: u64 = 5;
    /// A nullifier key, from domain and spend key.
    pub const NULLIFIER_KEY: u64 = 6;
    /// A note at its place in the tree.
    pub const OCCURRENCE: u64 = 7;
    /// The statement of a spend.
    pub const STATEMENT: u64 = 8;
}

/// Memory for the hashes, laid out once: of each block the words that its messages do not reach stay zero.
#[derive(Debug)]
pub struct Hasher {
    /// Messages of a tag and at most 39 bytes.
    short: Block,
    /// Messages of a tag and 48 bytes.
    medium: Block,
    /// The first block of a tag and 64 bytes.
    first: Block,
    /// The second, whose message is one byte.
    second: Block,
    /// The longer hashes.
    long: Block,
}

/// The two counters of a hash of a tag and 64 bytes, in registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counters {
    first: u64,
    second: u64,
}

impl Counters {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            first: opaque(64),
            second: opaque(65),
        }
    }
}

impl Default for Hasher {
    fn default() -> Self {
        Self::new()
    }
}

impl Hasher {
    /// Ready for any message.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            short: Block::new(),
            medium: Block::new(),
            first: Block::new(),
            second: Block::new(),
            long: Block::new(),
        }
    }

    /// The hash of a tag and 32 bytes.
    #[inline(always)]
    pub fn one(&mut self, tag: u64, [a, b, c, d]: Digest) -> Digest {
        put(self.short.message(), tag, [a, b, c, d, 0]);
        self.short.compress(0, 33, true);
        *self.short.out()
    }

    /// The hash of a tag, 32 bytes and four bytes.
    #[inline(always)]
    pub fn one_and_half(&mut self, tag: u64, [a, b, c, d]: Digest, half: u32) -> Digest {
        put(self.short.message(), tag, [a, b, c, d, half.into()]);
        self.short.compress(0, 37, true);
        *self.short.out()
    }

    /// The hash of a tag, 32 bytes and 16 bytes.
    #[inline(always)]
    pub fn one_and_two(&mut self, tag: u64, [a, b, c, d]: Digest, [e, f]: [u64; 2]) -> Digest {
        put(self.medium.message(), tag, [a, b, c, d, e, f, 0]);
        self.medium.compress(0, 49, true);
        *self.medium.out()
    }

    /// The hash of a tag and twice 32 bytes.
    #[inline(always)]
    pub fn two(&mut self, tag: u64, left: &Digest, right: &Digest) -> Digest {
        let last = self.put_two(tag, left, right);
        self.finish_two(Counters::new(), last)
    }

    /// Writes the first block of a tag and twice 32 bytes; the byte that is left.
    #[inline(always)]
    pub(crate) fn put_two(&mut self, tag: u64, left: &Digest, right: &Digest) -> u64 {
        let [a, b, c, d] = *left;
        let [e, f, g, h] = *right;
        put(self.first.message(), tag, [a, b, c, d, e, f, g, h]);
        h >> 56
    }

    /// Where [`put_two`](Self::put_two) writes.
    #[inline(always)]
    pub(crate) fn first(&mut self) -> &mut Block {
        &mut self.first
    }

    /// The hash of a written first block and a byte.
    #[inline(always)]
    pub(crate) fn finish_two(&mut self, counters: Counters, last: u64) -> Digest {
        self.first.compress(0, counters.first, false);
        let [h0, h1, h2, h3, ..] = &mut self.second.0;
        [*h0, *h1, *h2, *h3] = *self.first.out();
        self.second.message()[0] = last;
        self.second.compress(0, counters.second, true);
        *self.second.out()
    }

    /// The hash of a tag, 64 bytes four times, and eight bytes.
    #[inline(always)]
    pub fn four_pairs(&mut self, tag: u64, pairs: [[&Digest; 2]; 4], last: u64) -> Digest {
        let mut hasher = Blocks::new(&mut self.long);
        let mut carry = tag;
        for [&[a, b, c, d], &[e, f, g, h]] in pairs {
            carry = advance(&mut hasher, carry, [a, b, c, d, e, f, g, h]);
        }
        hasher.set(0, carry | last << 8);
        hasher.set(1, last >> 56);
        for i in 2..8 {
            hasher.set(i, 0);
        }
        *hasher.finish(9)
    }
}

/// Whether two digests are the same. (The operator would call a function that compares bytes.)
#[inline(always)]
pub(crate) const fn equal(a: &Digest, b: &Digest) -> bool {
    (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) == 0
}

/// Writes a tag and words into a message, which holds all but the last word's last byte.
#[inline(always)]
fn put<const N: usize>(message: &mut [u64; 8], tag: u64, words: [u64; N]) {
    let mut carry = tag;
    for (message, word) in message.iter_mut().zip(words) {
        *message = carry | word << 8;
        carry = word >> 56;
    }
}

/// Hashes a block of what is left and eight words; what is left then.
#[inline(always)]
fn advance(hasher: &mut Blocks<'_>, mut carry: u64, words: [u64; 8]) -> u64 {
    for (i, word) in words.into_iter().enumerate() {
        hasher.set(i, carry | word << 8);
        carry = word >> 56;
    }
    hasher.advance();
    carry
}
