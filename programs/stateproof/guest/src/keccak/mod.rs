//! keccak256, Ethereum's hash: Keccak-f\[1600\] at a rate of 136 bytes, with the padding that came before FIPS 202.

#[cfg(target_os = "none")]
mod kernel;
mod permutation;

use crate::bytes::Bytes;

/// A digest, and all else of 32 bytes, as little-endian words.
pub type Hash = [u64; 4];

/// Words of a block of a message.
const RATE: usize = 17;

/// The lanes that the state holds complemented: then a row of the step chi needs a complement once, not five times.
///
/// Lane (x, y) is word x + 5 y.
const COMPLEMENTED: [usize; 6] = [1, 2, 8, 12, 17, 20];

/// Hashes messages, one after the other, in memory that is laid out once.
#[derive(Debug)]
#[repr(C)]
pub struct Keccak {
    /// The lanes, those of [`COMPLEMENTED`] complemented.
    state: [u64; 25],
    /// Where the permutation keeps its caller's registers.
    saved: [u64; 16],
    /// The constants of the rounds, then a zero.
    constants: [u64; 25],
}

impl Default for Keccak {
    fn default() -> Self {
        Self::new()
    }
}

impl Keccak {
    /// Ready for any message.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            state: [0; 25],
            saved: [0; 16],
            constants: permutation::CONSTANTS,
        }
    }

    /// The digest of a byte string.
    #[inline(never)]
    #[must_use]
    pub fn hash(&mut self, message: Bytes<'_>) -> Hash {
        self.state = [0; 25];
        for lane in COMPLEMENTED {
            self.state[lane] = u64::MAX;
        }
        let length = message.as_slice().len();
        let (blocks, tail) = message.words().split_at(length / (8 * RATE) * RATE);
        for block in blocks.as_chunks::<RATE>().0 {
            for (lane, word) in self.state.iter_mut().zip(block) {
                *lane ^= word;
            }
            self.permute();
        }
        self.absorb_last(tail, length % (8 * RATE));
        let [l0, l1, l2, l3, ..] = self.state;
        [l0, !l1, !l2, l3]
    }

    /// Absorbs the last `length` bytes, fewer than a block, and the padding.
    #[inline(always)]
    fn absorb_last(&mut self, words: &[u64], length: usize) {
        let (whole, bytes) = (length / 8, length % 8);
        for (lane, word) in self.state.iter_mut().zip(&words[..whole]) {
            *lane ^= word;
        }
        let end = 1 << (8 * bytes);
        if bytes != 0 {
            self.state[whole] ^= words[whole] & (end - 1);
        }
        self.state[whole] ^= end;
        self.state[RATE - 1] ^= 1 << 63;
        self.permute();
    }

    #[cfg(target_os = "none")]
    #[inline(always)]
    fn permute(&mut self) {
        // SAFETY: a `Keccak` is what the kernel works on, borrowed exclusively.
        unsafe { kernel::permute(self) }
    }

    #[cfg(not(target_os = "none"))]
    fn permute(&mut self) {
        for lane in COMPLEMENTED {
            self.state[lane] ^= u64::MAX;
        }
        permutation::permute(&mut self.state);
        for lane in COMPLEMENTED {
            self.state[lane] ^= u64::MAX;
        }
    }
}

/// Whether two digests are the same. (The operator would call a function that compares bytes.)
#[inline(always)]
pub(crate) const fn equal(a: &Hash, b: &Hash) -> bool {
    (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) == 0
}
