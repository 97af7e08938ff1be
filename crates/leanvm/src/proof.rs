//! Proofs and their files.

use alloc::vec::Vec;

use fiat_shamir::proof::DecodeError;
use primitives::blake2s::{self, Digest};

/// A proof that has not been verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof(pub(crate) fiat_shamir::Proof);

impl Proof {
    /// The proof in a file.
    ///
    /// Allocates in proportion to the bytes, whatever they say.
    ///
    /// # Errors
    /// The bytes are no proof file of this version, end early, or go on after the proof.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        fiat_shamir::Proof::decode(bytes).map(Self)
    }

    /// The proof as a file; a proof has one.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.encode()
    }

    /// The BLAKE2s digest of the file.
    #[must_use]
    pub fn digest(&self) -> Digest {
        blake2s::hash(&self.to_bytes())
    }
}
