//! Memory for coefficients, two a word.

use crate::lanes::Word;

/// The coefficients of a polynomial: number 2 i in the lower half of word i, number 2 i + 1 in the upper one.
pub(crate) type Poly = Packed<POLY_WORDS>;

/// A polynomial, and room for what a word too many of the hash's stream has.
pub(crate) type Point = Packed<{ POLY_WORDS + 2 }>;

/// Words of a polynomial.
pub(crate) const POLY_WORDS: usize = 256;

/// Numbers of 32 bits, two a word.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Packed<const WORDS: usize>(pub(crate) [Word; WORDS]);

impl<const WORDS: usize> Packed<WORDS> {
    pub(crate) const fn zero() -> Self {
        Self([Word(0); WORDS])
    }

    /// The halves of the words, the lower one first.
    #[inline(always)]
    pub(crate) const fn halves_mut(&mut self) -> &mut [u32] {
        // SAFETY: a word is two halves, in this order since machine and hosts are little-endian; every content
        // of either is a value.
        unsafe { core::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), 2 * WORDS) }
    }
}
