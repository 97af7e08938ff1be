//! A long message of whole blocks, hashed in place.

use super::{Block, INITIAL};

/// Hashes a message that the caller writes, word by word, where the instruction reads it: nothing is copied
/// between blocks, because each result becomes the next chaining value by changing places with it.
///
/// Write the eight words of a block with [`set`](Self::set), then [`advance`](Self::advance), until the last
/// block, which [`finish`](Self::finish) hashes. A block begins with what an earlier one left in its words,
/// so write all eight, zeros behind the end included.
#[derive(Debug)]
pub struct Blocks<'a> {
    block: &'a mut Block,
    /// Where the next compression's words are: see [`Block`]; 0 or 4.
    swap: usize,
    /// Bytes compressed so far.
    counter: u64,
}

impl<'a> Blocks<'a> {
    /// The hash of nothing so far, in `block`, whose message words stay as they are.
    #[inline(always)]
    #[must_use]
    pub fn new(block: &'a mut Block) -> Self {
        let [h0, h1, h2, h3, ..] = &mut block.0;
        [*h0, *h1, *h2, *h3] = INITIAL;
        Self {
            block,
            swap: 0,
            counter: 0,
        }
    }

    /// Sets word `i` of the block at hand.
    ///
    /// # Panics
    /// If `i` is 8 or more.
    #[inline(always)]
    pub fn set(&mut self, i: usize, word: u64) {
        assert!(i < 8, "a block of the message has 8 words");
        self.block.0[(8 + i) ^ self.swap] = word;
    }

    /// Hashes the block at hand, which is not the last.
    #[inline(always)]
    pub fn advance(&mut self) {
        self.counter += 64;
        self.block.compress(self.swap, self.counter, false);
        self.swap ^= 4;
    }

    /// Hashes the block at hand, the last, of which the first `bytes` bytes belong to the message and the
    /// others are zero; the digest as little-endian words.
    ///
    /// # Panics
    /// If `bytes` is above 64.
    #[inline(always)]
    #[must_use]
    pub fn finish(self, bytes: u64) -> &'a [u64; 4] {
        assert!(bytes <= 64, "a block has 64 bytes");
        self.block.compress(self.swap, self.counter + bytes, true);
        let [even @ .., _, _, _, _, _, _, _, _] = &self.block.0;
        let (low, high) = even.split_at(4);
        let out = if self.swap == 0 { high } else { low };
        out.try_into().expect("four words")
    }
}
