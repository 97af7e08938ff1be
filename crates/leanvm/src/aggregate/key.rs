//! Keys of trees.

use alloc::vec::Vec;

use primitives::blake2s::{Digest, digest_from_words};
use rec::tree::{self, KeyDecodeError};

/// What names a [`Tree`](super::Tree): the shape of its leaves, its arities, its nodes' rate, and a digest of all that is
/// made of these and of the program, both circuits included.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TreeKey(pub(super) tree::TreeKey);

impl TreeKey {
    /// The key in a file.
    ///
    /// # Errors
    /// The bytes are no key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyDecodeError> {
        tree::TreeKey::decode(bytes).map(Self)
    }

    /// The key as a file; a key has one.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.encode()
    }

    /// The digest: two trees with one digest have the same program, shape, arities, rate and circuits.
    #[must_use]
    pub fn digest(&self) -> Digest {
        digest_from_words(&self.0.digest)
    }

    /// The words of the leaves' shape.
    #[cfg(feature = "prover")]
    pub(crate) fn leaf_shape(&self) -> &[u64] {
        &self.0.leaf_shape
    }
}
