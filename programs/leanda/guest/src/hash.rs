//! Digests of digests, in memory that is laid out once.

use leanvm_guest::blake2s::{Block, Blocks, Template};

/// A digest: 32 bytes as little-endian words.
pub type Digest = [u64; 4];

/// Hashes rows and nodes.
#[derive(Debug)]
pub struct Hasher {
    /// Two digests.
    pair: Template<64>,
    /// More of them.
    long: Block,
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
            pair: Template::new(),
            long: Block::new(),
        }
    }

    /// The digest of words.
    ///
    /// # Panics
    /// If their number is not a multiple of 16, two blocks, or is 0.
    #[inline(always)]
    pub fn words(&mut self, words: &[u64]) -> Digest {
        let mut hasher = Blocks::new(&mut self.long);
        let (pairs, rest) = words.as_chunks::<16>();
        let Some((last, pairs)) = pairs.split_last().filter(|_| rest.is_empty()) else {
            panic!("the words are no whole pairs of blocks")
        };
        // A pair a turn: after it the block's words are where they were.
        for pair in pairs {
            let (first, second) = pair.split_at(8);
            set_all(&mut hasher, first);
            hasher.advance();
            set_all(&mut hasher, second);
            hasher.advance();
        }
        let (first, second) = last.split_at(8);
        set_all(&mut hasher, first);
        hasher.advance();
        set_all(&mut hasher, second);
        *hasher.finish(64)
    }

    /// The digest of two digests: a node of a Merkle tree.
    #[inline(always)]
    pub fn pair(&mut self, left: &Digest, right: &Digest) -> Digest {
        for (i, word) in left.iter().chain(right).enumerate() {
            self.pair.set(i, *word);
        }
        *self.pair.hash()
    }

    /// The root of the binary Merkle tree over the digests, which are overwritten.
    ///
    /// # Panics
    /// If their number is no power of two.
    #[inline(always)]
    pub fn root(&mut self, digests: &mut [Digest]) -> Digest {
        let mut width = digests.len();
        assert!(width.is_power_of_two(), "a tree has a power of two of leaves");
        while width > 1 {
            width /= 2;
            for i in 0..width {
                digests[i] = self.pair(&digests[2 * i], &digests[2 * i + 1]);
            }
        }
        digests[0]
    }
}

#[inline(always)]
fn set_all(hasher: &mut Blocks<'_>, words: &[u64]) {
    for (i, word) in words.iter().enumerate() {
        hasher.set(i, *word);
    }
}
