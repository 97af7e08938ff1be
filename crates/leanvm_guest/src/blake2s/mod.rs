//! BLAKE2s-256 (RFC 7693), unkeyed, 32-byte digests; on the machine each compression is one instruction.
//!
//! - [`hash`]: one message of bytes.
//! - [`Blake2s`]: a message that arrives in pieces.
//! - [`Template`]: a short message hashed again and again with a few words changed, in place: chains, tree
//!   nodes.
//! - [`Blocks`]: a long message of whole blocks that the caller writes where the instruction reads them.
//! - [`Block`]: the instruction itself.
//! - [`portable`]: the compression in plain Rust.

mod block;
mod blocks;
pub mod portable;
mod template;

pub use block::Block;
pub use blocks::Blocks;
pub use template::{Length, Template};

/// The initialisation vector (RFC 7693, section 2.6), as little-endian words.
const IV: [u64; 4] = [
    0xbb67_ae85_6a09_e667,
    0xa54f_f53a_3c6e_f372,
    0x9b05_688c_510e_527f,
    0x5be0_cd19_1f83_d9ab,
];

/// The chaining value before the first block of an unkeyed hash of 32 bytes, as little-endian words.
pub const INITIAL: [u64; 4] = [IV[0] ^ 0x0101_0020, IV[1], IV[2], IV[3]];

/// The digest of `message`.
#[must_use]
pub fn hash(message: &[u8]) -> [u8; 32] {
    let mut hasher = Blake2s::new();
    hasher.update(message);
    hasher.digest()
}

/// The bytes of a digest's four words.
#[must_use]
pub fn to_bytes(digest: &[u64; 4]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(digest) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

/// Hashes a message that arrives in pieces.
#[derive(Clone, Debug)]
pub struct Blake2s {
    block: Block,
    /// Bytes compressed so far.
    counter: u64,
    /// Bytes of the message that wait in the block; a full block waits for more, since the last is marked.
    pending: usize,
}

impl Default for Blake2s {
    fn default() -> Self {
        Self::new()
    }
}

impl Blake2s {
    /// The hash of nothing so far.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            block: Block::new(),
            counter: 0,
            pending: 0,
        }
    }

    /// Appends `bytes` to the message.
    pub fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            self.make_room();
            let (now, rest) = bytes.split_at(bytes.len().min(64 - self.pending));
            self.block.message_bytes()[self.pending..self.pending + now.len()].copy_from_slice(now);
            self.pending += now.len();
            bytes = rest;
        }
    }

    /// Appends words to the message, each as eight little-endian bytes: the cheapest way in.
    #[inline]
    pub fn update_words(&mut self, words: &[u64]) {
        if self.pending.is_multiple_of(8) {
            self.update_words_aligned(words);
        } else {
            for word in words {
                self.update(&word.to_le_bytes());
            }
        }
    }

    /// [`update_words`](Self::update_words) where only whole words came before.
    #[inline(always)]
    pub(crate) fn update_words_aligned(&mut self, words: &[u64]) {
        let mut pending = self.pending;
        for word in words {
            if pending == 64 {
                self.compress_full();
                pending = 0;
            }
            // Below 64 here; the remainder spares the check of an index.
            self.block.message()[pending / 8 % 8] = *word;
            pending += 8;
        }
        self.pending = pending;
    }

    /// The digest of all that was appended. The hasher goes on from there.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        to_bytes(&self.digest_words())
    }

    /// [`digest`](Self::digest) as little-endian words.
    #[must_use]
    pub fn digest_words(&self) -> [u64; 4] {
        let mut last = self.clone();
        let pending = last.pending;
        for byte in last.block.message_bytes().iter_mut().skip(pending) {
            *byte = 0;
        }
        last.finish()
    }

    /// The digest where only whole words came before; the hasher is spent.
    #[cfg(target_os = "none")]
    pub(crate) fn digest_words_aligned(&mut self) -> [u64; 4] {
        let pending = self.pending / 8;
        for (i, word) in self.block.message().iter_mut().enumerate() {
            if i >= pending {
                *word = 0;
            }
        }
        self.finish()
    }

    /// Compresses the last block, whose bytes behind the message are zero.
    fn finish(&mut self) -> [u64; 4] {
        self.block.compress(0, self.counter + self.pending as u64, true);
        *self.block.out()
    }

    /// Compresses a full block, so that at least a byte fits.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.pending == 64 {
            self.compress_full();
            self.pending = 0;
        }
    }

    /// Compresses a full block that is not the last.
    #[inline(always)]
    fn compress_full(&mut self) {
        self.counter += 64;
        self.block.compress(0, self.counter, false);
        self.block.chain();
    }
}
