//! What a run leaves.

use core::fmt;

use primitives::blake2s::digest_from_words;

/// The 32 bytes that a run ends with: registers a0 to a3, little-endian.
///
/// Of a guest on `leanvm_guest` it is the BLAKE2s digest of all that the guest committed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Output([u8; 32]);

impl Output {
    /// An output that is expected.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The output in these words.
    pub(crate) fn from_words(words: [u64; 4]) -> Self {
        Self(digest_from_words(&words))
    }

    /// The bytes.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 32] {
        self.0
    }
}

/// 64 hexadecimal digits.
impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
