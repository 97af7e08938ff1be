//! keccak256, Ethereum's hash: Keccak-f\[1600\] at a rate of 136 bytes, with the padding that came before FIPS 202.

use leanvm_guest::keccak::State;

use crate::bytes::Bytes;

/// A digest, and all else of 32 bytes, as little-endian words.
pub type Hash = [u64; 4];

/// Words of a block of a message.
const RATE: usize = 17;

/// Hashes messages, one after the other, in memory that is laid out once.
#[derive(Debug, Default)]
pub struct Keccak {
    state: State,
}

impl Keccak {
    /// Ready for any message.
    #[must_use]
    pub const fn new() -> Self {
        Self { state: State::new() }
    }

    /// The digest of a byte string.
    #[inline(never)]
    #[must_use]
    pub fn hash(&mut self, message: Bytes<'_>) -> Hash {
        self.state.clear();
        let length = message.as_slice().len();
        let (blocks, tail) = message.words().split_at(length / (8 * RATE) * RATE);
        for block in blocks.as_chunks::<RATE>().0 {
            self.state.absorb(block);
            self.state.permute();
        }
        self.absorb_last(tail, length % (8 * RATE));
        [0, 1, 2, 3].map(|i| self.state.lane(i))
    }

    /// Absorbs the last `length` bytes, fewer than a block, and the padding.
    #[inline(always)]
    fn absorb_last(&mut self, words: &[u64], length: usize) {
        let (whole, bytes) = (length / 8, length % 8);
        self.state.absorb(&words[..whole]);
        let end = 1 << (8 * bytes);
        if bytes != 0 {
            self.state.add(whole, words[whole] & (end - 1));
        }
        self.state.add(whole, end);
        self.state.add(RATE - 1, 1 << 63);
        self.state.permute();
    }
}

/// Whether two digests are the same. (The operator would call a function that compares bytes.)
#[inline(always)]
pub(crate) const fn equal(a: &Hash, b: &Hash) -> bool {
    (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) == 0
}
