//! Merkle trees, stored whole: what a prover opens.
//!
//! A node is `BLAKE2s(left || right)`, one compression; layer 0 is the leaves, whose digests the caller
//! makes. The form of openings, and their checks, are [`fiat_shamir::merkle`]'s.

use alloc::boxed::Box;
use alloc::vec;

use primitives::blake2s::lanes::{Prefix, hash_many};
use primitives::blake2s::{self, Digest};
use primitives::{dispatch, pool};

/// A Merkle tree: all of its nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MerkleTree {
    log_leaves: usize,
    /// The layers from the leaves up: `2^log_leaves` digests, then half as many, down to the root.
    nodes: Box<[Digest]>,
}

impl MerkleTree {
    /// The tree over the leaves that `leaves` writes.
    ///
    /// `leaves` gets `2^log_leaves` digests, all zero, and what it returns is returned beside the tree.
    pub fn build<R>(log_leaves: usize, leaves: impl FnOnce(&mut [Digest]) -> R) -> (Self, R) {
        let mut nodes = vec![[0; 32]; (2 << log_leaves) - 1].into_boxed_slice();
        let (mut layer, mut above) = nodes.split_at_mut(1 << log_leaves);
        let result = leaves(layer);
        while !above.is_empty() {
            let (next, rest) = above.split_at_mut(layer.len() / 2);
            hash_layer(layer, next);
            (layer, above) = (next, rest);
        }
        (Self { log_leaves, nodes }, result)
    }

    /// Log2 of the number of leaves.
    #[must_use]
    pub fn log_leaves(&self) -> usize {
        self.log_leaves
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> fiat_shamir::Digest {
        self.node(self.log_leaves, 0)
    }

    /// Node `index` of layer `layer`, as the transcript writes digests.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn node(&self, layer: usize, index: usize) -> fiat_shamir::Digest {
        blake2s::digest_to_words(&self.layer(layer)[index])
    }

    /// The digests of layer `layer`, `2^(log_leaves - layer)` of them: the cap of `2^k` strata is layer
    /// `log_leaves - k`.
    ///
    /// # Panics
    /// If there is no such layer.
    #[must_use]
    pub fn layer(&self, layer: usize) -> &[Digest] {
        assert!(layer <= self.log_leaves, "layer {layer} of {}", self.log_leaves);
        let width = 1 << (self.log_leaves - layer);
        let end = self.nodes.len() + 1 - width;
        &self.nodes[end - width..end]
    }
}

/// Each node of `above` from its two children in `layer`.
fn hash_layer(layer: &[Digest], above: &mut [Digest]) {
    pool::for_each_chunk_mut(above, TASK_NODES, |task, nodes| {
        let children = &layer[2 * TASK_NODES * task..][..2 * nodes.len()];
        hash_messages(&Prefix::EMPTY, children.as_flattened(), 64, nodes);
    });
}

/// [`hash_many`] on the selected back end: the one place of this crate where it is compiled.
pub(crate) fn hash_messages(prefix: &Prefix, messages: &[u8], length: usize, out: &mut [Digest]) {
    dispatch!(|be| hash_many(be, prefix, messages, length, out));
}

/// Nodes hashed by one task.
const TASK_NODES: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use fiat_shamir::merkle::{LeafSet, LeafShape, Opening};
    use primitives::field::K;

    use super::*;
    use crate::tests::words;

    /// The root by recursion on the definition.
    fn root(leaves: &[Digest]) -> Digest {
        match leaves {
            [leaf] => *leaf,
            _ => {
                let (left, right) = leaves.split_at(leaves.len() / 2);
                blake2s::hash(&[root(left), root(right)].concat())
            }
        }
    }

    fn leaves(count: usize) -> Vec<Digest> {
        words(count)
            .iter()
            .map(|word| blake2s::hash(&word.0.to_le_bytes()))
            .collect()
    }

    fn tree(leaves: &[Digest]) -> MerkleTree {
        MerkleTree::build(leaves.len().ilog2() as usize, |out| out.copy_from_slice(leaves)).0
    }

    #[test]
    fn every_node_is_the_root_of_its_subtree() {
        for log_leaves in 0..9 {
            let leaves = leaves(1 << log_leaves);
            let tree = tree(&leaves);
            assert_eq!(tree.log_leaves(), log_leaves);
            for layer in 0..=log_leaves {
                let expected: Vec<Digest> = leaves.chunks(1 << layer).map(root).collect();
                assert_eq!(tree.layer(layer), expected);
                for (index, node) in expected.iter().enumerate() {
                    assert_eq!(tree.node(layer, index), blake2s::digest_to_words(node));
                }
            }
            assert_eq!(tree.root(), blake2s::digest_to_words(&root(&leaves)));
        }
    }

    #[test]
    fn a_tree_of_several_tasks_is_the_same_on_every_number_of_threads() {
        let leaves = leaves(4 * TASK_NODES);
        let sequential = pool::with_threads(1, || tree(&leaves));
        assert_eq!(sequential.root(), blake2s::digest_to_words(&root(&leaves)));
        for threads in [2, 3, 8] {
            assert_eq!(pool::with_threads(threads, || tree(&leaves)), sequential);
        }
    }

    #[test]
    fn an_opening_from_the_tree_verifies_and_one_from_another_leaf_does_not() {
        let leaves = leaves(64);
        let tree = tree(&leaves);
        let leaf_words = words(64);
        let shape = LeafShape::new(0, 1);
        let set = LeafSet::new(vec![3, 5, 4, 63, 3], 6).unwrap();
        let extract = |offset: usize| {
            Opening::extract(
                &shape,
                &set,
                |leaf, out| out.push(leaf_words[(leaf + offset) % 64].0),
                |layer, index| tree.node(layer, index),
            )
        };
        let opened = extract(0);
        let verified = opened.verify(&tree.root(), &shape, &set).unwrap();
        for (leaf, words) in verified {
            assert_eq!(
                words.iter().copied().map(K).collect::<Vec<_>>(),
                [leaf_words[leaf]]
            );
        }
        assert!(matches!(
            extract(1).verify(&tree.root(), &shape, &set),
            Err(fiat_shamir::merkle::OpeningError::Root { .. })
        ));
    }
}
