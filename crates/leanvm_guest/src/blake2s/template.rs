//! A short message hashed again and again, in place.

use super::Block;
use crate::hint::opaque;

/// A message of `BYTES` bytes, at most 64, that is hashed where it lies as often as its words change.
///
/// Between two hashes of a chain or of a tree path only a few words differ: write those, hash, and read the
/// digest, which lies beside the message.
///
/// ```
/// use leanvm_guest::blake2s::{Template, hash};
/// let mut step = Template::<16>::new();
/// step.set(0, 7);
/// step.set(1, 8);
/// let digest = *step.hash();
/// let bytes: Vec<u8> = [7u64, 8].iter().flat_map(|word| word.to_le_bytes()).collect();
/// assert_eq!(leanvm_guest::blake2s::to_bytes(&digest), hash(&bytes));
/// ```
#[derive(Clone, Debug)]
#[repr(transparent)]
pub struct Template<const BYTES: usize> {
    block: Block,
}

impl<const BYTES: usize> Default for Template<BYTES> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const BYTES: usize> Template<BYTES> {
    /// A message of zeros.
    #[inline(always)]
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(BYTES <= 64, "a template is one block") };
        Self { block: Block::new() }
    }

    /// Sets word `i` of the message (bytes `8 i..8 i + 8`, little-endian).
    ///
    /// # Panics
    /// If word `i` does not end within the message: what lies beyond stays zero, as the padding must.
    #[inline(always)]
    pub fn set(&mut self, i: usize, word: u64) {
        assert!(i < BYTES / 8, "the word is not inside the message");
        self.block.message()[i] = word;
    }

    /// Sets the `i`-th 32-bit half-word of the message (bytes `4 i..4 i + 4`, little-endian).
    ///
    /// # Panics
    /// If it does not end within the message.
    #[inline(always)]
    pub fn set_half(&mut self, i: usize, half: u32) {
        assert!(i < BYTES / 4, "the half-word is not inside the message");
        self.block.message_halves()[i] = half;
    }

    /// Hashes the message; the digest as little-endian words.
    #[inline(always)]
    pub fn hash(&mut self) -> &[u64; 4] {
        self.block.compress(0, BYTES as u64, true);
        self.block.out()
    }

    /// [`hash`](Self::hash) with the length from a register.
    #[inline(always)]
    pub fn hash_with(&mut self, length: Length<BYTES>) -> &[u64; 4] {
        self.block.compress(0, length.0, true);
        self.block.out()
    }
}

/// The length of a template's message, in a register from here on.
///
/// The instruction takes the length from a register, and a compiler that knows it for a constant may load that
/// anew in every block of code that hashes. Where many do, have it once, and use [`Template::hash_with`].
#[derive(Clone, Copy, Debug)]
pub struct Length<const BYTES: usize>(u64);

impl<const BYTES: usize> Default for Length<BYTES> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const BYTES: usize> Length<BYTES> {
    /// The length.
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        Self(opaque(BYTES as u64))
    }
}
