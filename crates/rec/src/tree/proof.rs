//! The proof of a node, and its file.
//!
//! It is a proof file of kind tree (`doc/transcript.md`), whose stream begins with what the proof of rows announces the
//! digest of: the number of the node's kind, the digest of its leaves' outputs, how many claims are left, and these. The
//! other parts are those of the proof of rows.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use alloc::vec::Vec;

use fiat_shamir::proof::DecodeError;
use fiat_shamir::{Digest, Kind, Proof};
use primitives::field::E;

use super::plan::NodeKind;

/// The words of a claim's scalar.
const SCALAR_WORDS: usize = 3;

/// The proof of a node of a tree, which has not been verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeProof {
    /// The kind of node.
    pub kind: NodeKind,
    /// The digest of the outputs of all leaves below.
    pub outputs: Digest,
    /// The scalars of the claims that are left.
    pub claims: Vec<E>,
    /// The proof of its rows, which announces the digest of outputs and claims.
    pub rows: Proof,
}

/// Why bytes are no proof of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NodeDecodeError {
    /// They are no proof file of this version.
    #[error(transparent)]
    File(#[from] DecodeError),
    /// The proof shows something else.
    #[error("the proof is of kind {0:?}, and one of a node of a tree is read")]
    Kind(Kind),
    /// The kind of node is none.
    #[error(
        "the proof is of a node of kind {0}, and there are 0, first-level nodes, and 1, nodes: it is malformed"
    )]
    NodeKind(u64),
    /// The stream ends before the claims do.
    #[error("the stream of the proof has {length} words, and its claims end after {needed}: it is malformed")]
    Ended {
        /// Words of the stream.
        length: usize,
        /// Words that the claims need.
        needed: u128,
    },
}

impl NodeProof {
    /// The proof as a file; a proof has one.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut stream = Vec::from([self.kind.number()]);
        stream.extend(self.outputs);
        stream.push(u64::try_from(self.claims.len()).unwrap_or(u64::MAX));
        stream.extend(self.claims.iter().flat_map(|claim| claim.to_words()));
        stream.extend(&self.rows.stream);
        Proof {
            kind: Kind::Tree,
            shape: self.rows.shape.clone(),
            stream,
            openings: self.rows.openings.clone(),
        }
        .encode()
    }

    /// The proof in a file.
    ///
    /// Allocates in proportion to `bytes`, whatever they say.
    ///
    /// # Errors
    /// The bytes are no proof file of this version, or not of a node.
    pub fn decode(bytes: &[u8]) -> Result<Self, NodeDecodeError> {
        let Proof {
            kind,
            shape,
            stream,
            openings,
        } = Proof::decode(bytes)?;
        if kind != Kind::Tree {
            return Err(NodeDecodeError::Kind(kind));
        }
        let length = stream.len();
        let ended = |needed| NodeDecodeError::Ended { length, needed };
        let (&[number, d0, d1, d2, d3, count], rest) = stream.split_first_chunk().ok_or(ended(HEAD_WORDS))?;
        let kind = NodeKind::ALL.into_iter().find(|kind| kind.number() == number);
        let kind = kind.ok_or(NodeDecodeError::NodeKind(number))?;
        let words = usize::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(SCALAR_WORDS));
        let split = words.and_then(|words| rest.split_at_checked(words));
        let needed = u128::from(count).saturating_mul(3).saturating_add(HEAD_WORDS);
        let (claims, rows) = split.ok_or(ended(needed))?;
        Ok(Self {
            kind,
            outputs: [d0, d1, d2, d3],
            claims: claims
                .as_chunks()
                .0
                .iter()
                .map(|&words| E::from_words(words))
                .collect(),
            rows: Proof {
                kind: Kind::Tree,
                shape,
                stream: rows.to_vec(),
                openings,
            },
        })
    }
}

/// The words before the claims: kind, digest, count.
const HEAD_WORDS: u128 = 6;

#[cfg(test)]
mod tests {
    use alloc::vec;

    use fiat_shamir::merkle::Opening;

    use super::*;
    use crate::tests::scalars;

    fn proof(kind: NodeKind, claims: usize) -> NodeProof {
        NodeProof {
            kind,
            outputs: [1, 2, 3, 4],
            claims: scalars(claims, 5),
            rows: Proof {
                kind: Kind::Tree,
                shape: vec![1, 5, 6, 7, 8, 9],
                stream: vec![10, 11, 12, 13, 14],
                openings: vec![Opening {
                    words: vec![15, 16],
                    siblings: vec![[17; 4]],
                }],
            },
        }
    }

    #[test]
    fn a_file_decodes_to_the_proof_that_it_encodes() {
        for kind in NodeKind::ALL {
            for claims in [0, 1, 50] {
                let proof = proof(kind, claims);
                assert_eq!(NodeProof::decode(&proof.encode()), Ok(proof));
            }
        }
    }

    #[test]
    fn malformed_files_are_refused() {
        let decode = |proof: &Proof| NodeProof::decode(&proof.encode());
        let good = Proof::decode(&proof(NodeKind::Node, 2).encode()).unwrap();
        let mut bad = good.clone();
        bad.kind = Kind::Run;
        assert_eq!(decode(&bad), Err(NodeDecodeError::Kind(Kind::Run)));
        let mut bad = good.clone();
        bad.stream[0] = 2;
        assert_eq!(decode(&bad), Err(NodeDecodeError::NodeKind(2)));
        // Six words, two scalars, and five of the rows' proof.
        let length = good.stream.len();
        assert_eq!(length, 17);
        for (count, needed) in [(4, 18), (u64::MAX, 3 * u128::from(u64::MAX) + 6)] {
            let mut bad = good.clone();
            bad.stream[5] = count;
            assert_eq!(decode(&bad), Err(NodeDecodeError::Ended { length, needed }));
        }
        for length in 0..12 {
            let mut bad = good.clone();
            bad.stream.truncate(length);
            let needed = if length < 6 { 6 } else { 12 };
            assert_eq!(decode(&bad), Err(NodeDecodeError::Ended { length, needed }));
        }
        let bytes = good.encode();
        assert!(matches!(
            NodeProof::decode(&bytes[..bytes.len() - 1]),
            Err(NodeDecodeError::File(_))
        ));
    }
}
