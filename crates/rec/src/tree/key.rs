//! What names a tree: the parameters that it is made from, and a digest of all that is made.
//!
//! The digest is the BLAKE2s hash of these words, as bytes: the program's digest; the number of words of the leaves'
//! shape, the words; the arities of first-level nodes and of nodes; the negative of log2 of the nodes' rate; the heights of
//! the five tables of rows and of the constants; and the words of each public column of first-level nodes, then of nodes.

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

use argument::machine::{Machine, PublicColumn};
use fiat_shamir::Digest;
use fiat_shamir::proof::VERSION;
use leanvm_core::riscv::Riscv;
use primitives::blake2s::{Blake2s, digest_to_words};

use super::plan::{Arities, ArityError, NodeKind};
use super::{Tree, TreeError};
use crate::machine::Heights;

/// The name of a tree. Two trees of one program with one key have the same proofs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TreeKey {
    /// The words of the leaves' shape.
    pub leaf_shape: Vec<u64>,
    /// The numbers of children.
    pub arities: Arities,
    /// The negative of log2 of the nodes' rate.
    pub log_inv_rate: usize,
    /// Of all that makes the tree, the program and both circuits included.
    pub digest: Digest,
}

/// Why bytes are no key of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyDecodeError {
    /// The file does not start as a key does.
    #[error("the file does not start as the key of a tree does: it is none")]
    Magic,
    /// The file is of another version.
    #[error("the key has version {found}, and this program makes trees of version {VERSION}")]
    Version {
        /// The version of the file.
        found: u64,
    },
    /// The length is not what the file says.
    #[error("the file has {found} bytes, and the key of a tree that it starts like has {expected}")]
    Length {
        /// Bytes of the file.
        found: usize,
        /// Bytes that it should have.
        expected: usize,
    },
    /// Nodes have not so many children.
    #[error(transparent)]
    Arity(#[from] ArityError),
}

/// The first eight bytes of a key's file.
const MAGIC: [u8; 8] = *b"leanVMtk";

/// The words beside those of the shape: magic, version, two arities, rate, digest, the shape's length.
const WORDS: usize = 10;

impl TreeKey {
    pub(super) fn new(
        riscv: &Riscv,
        leaf_shape: &[u64],
        arities: Arities,
        log_inv_rate: usize,
        heights: Heights,
        machines: [&Machine; 2],
    ) -> Self {
        let mut hash = Blake2s::new();
        put_words(
            riscv,
            leaf_shape,
            arities,
            log_inv_rate,
            heights,
            machines,
            |word| {
                hash.update(&word.to_le_bytes());
            },
        );
        Self {
            leaf_shape: leaf_shape.to_vec(),
            arities,
            log_inv_rate,
            digest: digest_to_words(&hash.finalize()),
        }
    }

    /// The key as a file: words of eight bytes, little-endian. Magic; the version of the proof format; the arities, the
    /// rate, the digest; the number of words of the leaves' shape, the words.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let [first_level, node] = NodeKind::ALL.map(|kind| count(self.arities.of(kind)));
        let mut words = Vec::from([u64::from(VERSION), first_level, node, count(self.log_inv_rate)]);
        words.extend(self.digest);
        words.push(count(self.leaf_shape.len()));
        words.extend(&self.leaf_shape);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }

    /// The key in a file.
    ///
    /// # Errors
    /// The bytes are no key.
    pub fn decode(bytes: &[u8]) -> Result<Self, KeyDecodeError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(KeyDecodeError::Magic)?;
        let (words, surplus) = rest.as_chunks();
        let words: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        let length = |words: usize| KeyDecodeError::Length {
            found: bytes.len(),
            expected: words.saturating_mul(8),
        };
        let (&[version, first_level, node, rate, d0, d1, d2, d3, count], leaf_shape) =
            words.split_first_chunk().ok_or(length(WORDS))?;
        if version != u64::from(VERSION) {
            return Err(KeyDecodeError::Version { found: version });
        }
        let small = |word| usize::try_from(word).unwrap_or(usize::MAX);
        if !surplus.is_empty() || leaf_shape.len() != small(count) {
            return Err(length(WORDS.saturating_add(small(count))));
        }
        Ok(Self {
            leaf_shape: leaf_shape.to_vec(),
            arities: Arities::new(small(first_level), small(node))?,
            log_inv_rate: small(rate),
            digest: [d0, d1, d2, d3],
        })
    }
}

/// The words that the digest of a key is of, one by one.
fn put_words(
    riscv: &Riscv,
    leaf_shape: &[u64],
    arities: Arities,
    log_inv_rate: usize,
    heights: Heights,
    machines: [&Machine; 2],
    put: impl FnMut(u64),
) {
    let columns = machines.into_iter().flat_map(|machine| &machine.public);
    // Rows have dense columns alone.
    let words = columns.filter_map(|column| match column {
        PublicColumn::Dense(words) => Some(words),
        PublicColumn::Sparse { .. } => None,
    });
    (riscv.digest_words().into_iter())
        .chain([count(leaf_shape.len())])
        .chain(leaf_shape.iter().copied())
        .chain(NodeKind::ALL.map(|kind| count(arities.of(kind))))
        .chain([count(log_inv_rate)])
        .chain(heights.tables.map(count))
        .chain([count(heights.constants)])
        .chain(words.flatten().map(|word| word.0))
        .for_each(put);
}

impl Tree {
    /// The circuits as a file: the words of eight bytes, little-endian, whose digest is that of the [key](TreeKey).
    ///
    /// Whoever has it can verify roots without making the circuits, and trusts the digest in place of that.
    #[must_use]
    pub fn circuits_file(&self) -> Vec<u8> {
        let [first_level, node] = &self.circuits;
        let machines = [first_level.machine.machine(), node.machine.machine()];
        let (riscv, shape, heights) = (&self.riscv, &self.leaf_words, self.heights());
        let mut bytes = Vec::new();
        put_words(
            riscv,
            shape,
            self.arities,
            self.log_inv_rate,
            heights,
            machines,
            |word| {
                bytes.extend(word.to_le_bytes());
            },
        );
        bytes
    }

    /// The tree over runs of this machine that a key names.
    ///
    /// # Errors
    /// There is none, or it has another digest: another program's, or of another release.
    pub fn of_key(riscv: Riscv, key: &TreeKey) -> Result<Self, TreeError> {
        let tree = Self::new(riscv, &key.leaf_shape, key.arities, key.log_inv_rate)?;
        let (found, expected) = (tree.key().digest, key.digest);
        if found == expected {
            Ok(tree)
        } else {
            Err(TreeError::Key { found, expected })
        }
    }
}

/// A number of things as a word.
fn count(things: usize) -> u64 {
    u64::try_from(things).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn key() -> TreeKey {
        TreeKey {
            leaf_shape: vec![2, 9, 0, 7],
            arities: Arities::new(3, 2).unwrap(),
            log_inv_rate: 1,
            digest: [5, 6, 7, u64::MAX],
        }
    }

    #[test]
    fn a_file_decodes_to_the_key_that_it_encodes() {
        let bytes = key().encode();
        assert_eq!(bytes.len(), 8 * (WORDS + 4));
        assert_eq!(TreeKey::decode(&bytes), Ok(key()));
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let bytes = key().encode();
        let with = |word: usize, value: u64| {
            let mut bytes = bytes.clone();
            bytes[8 * word..8 * word + 8].copy_from_slice(&value.to_le_bytes());
            TreeKey::decode(&bytes)
        };
        assert_eq!(with(0, 0), Err(KeyDecodeError::Magic));
        assert_eq!(TreeKey::decode(&[]), Err(KeyDecodeError::Magic));
        assert_eq!(with(1, 9), Err(KeyDecodeError::Version { found: 9 }));
        assert!(matches!(with(2, 0), Err(KeyDecodeError::Arity(_))));
        assert!(matches!(with(3, 1), Err(KeyDecodeError::Arity(_))));
        let found = bytes.len();
        let length = |found, expected| Err(KeyDecodeError::Length { found, expected });
        assert_eq!(with(9, 5), length(found, found + 8));
        assert_eq!(with(9, u64::MAX), length(found, usize::MAX));
        assert_eq!(TreeKey::decode(&bytes[..found - 1]), length(found - 1, found));
        assert_eq!(TreeKey::decode(&bytes[..16]), length(16, 8 * WORDS));
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(TreeKey::decode(&longer), length(found + 1, found));
    }
}
