//! Proofs of nodes, and their files.

use alloc::vec::Vec;

use primitives::blake2s::{self, Digest};
use rec::tree::plan::NodeKind;
use rec::tree::proof::{self, NodeDecodeError};

/// The proof of a node of a tree, which has not been verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeProof(pub(super) proof::NodeProof);

impl NodeProof {
    /// The proof in a file.
    ///
    /// Allocates in proportion to the bytes, whatever they say.
    ///
    /// # Errors
    /// The bytes are no proof file of this version, or not of a node.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NodeDecodeError> {
        proof::NodeProof::decode(bytes).map(Self)
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

    /// The kind of node that the proof says it is of.
    #[must_use]
    pub const fn kind(&self) -> NodeKind {
        self.0.kind
    }
}
