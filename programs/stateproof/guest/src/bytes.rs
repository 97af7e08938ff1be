//! Byte strings that lie in whole words.

/// A byte string: words of which the first bytes are its, little-endian; what is behind them is ignored.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a> {
    words: &'a [u64],
    length: usize,
}

impl<'a> Bytes<'a> {
    /// The first `length` bytes of these words.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline]
    #[must_use]
    pub fn new(words: &'a [u64], length: usize) -> Self {
        assert!(length <= size_of_val(words), "a byte string is in its words");
        Self { words, length }
    }

    /// The words.
    #[inline(always)]
    #[must_use]
    pub const fn words(self) -> &'a [u64] {
        self.words
    }

    /// The bytes.
    #[inline(always)]
    #[must_use]
    pub const fn as_slice(self) -> &'a [u8] {
        // SAFETY: `new` made sure that the words have this many bytes; bytes need no alignment.
        unsafe { core::slice::from_raw_parts(self.words.as_ptr().cast(), self.length) }
    }
}
