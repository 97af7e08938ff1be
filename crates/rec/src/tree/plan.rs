//! Which nodes the tree over a number of leaves has: a function of this number and of the arities alone.

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
use core::num::NonZeroUsize;

use fiat_shamir::{Digest, Native};
use leanvm_core::verify::OUTPUT_WORDS;
use primitives::field::K;

use super::statement;

/// The most children of a node.
pub const MAX_ARITY: usize = 64;

/// How many children the two kinds of nodes have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arities {
    first_level: NonZeroUsize,
    node: NonZeroUsize,
}

/// Nodes have not so many children.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a {kind} has {found} children, and {min} to {} are possible", MAX_ARITY)]
pub struct ArityError {
    /// The kind of node.
    pub kind: NodeKind,
    /// How many were asked for.
    pub found: usize,
    /// The fewest.
    pub min: usize,
}

/// The two kinds of nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NodeKind {
    /// Its children are leaves: proofs of runs.
    FirstLevel,
    /// Its children are nodes of either kind.
    Node,
}

impl NodeKind {
    /// Both, in the order of their numbers.
    pub const ALL: [Self; 2] = [Self::FirstLevel, Self::Node];

    /// The number of the kind: 0 or 1.
    #[must_use]
    pub const fn number(self) -> u64 {
        match self {
            Self::FirstLevel => 0,
            Self::Node => 1,
        }
    }
}

impl core::fmt::Display for NodeKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::FirstLevel => "first-level node",
            Self::Node => "node",
        })
    }
}

impl Arities {
    /// First-level nodes of `first_level` leaves, and nodes of `node` children.
    ///
    /// # Errors
    /// There is no such node.
    pub fn new(first_level: usize, node: usize) -> Result<Self, ArityError> {
        let arity = |kind, found, min| {
            let error = ArityError { kind, found, min };
            let fits = (min..=MAX_ARITY).contains(&found);
            NonZeroUsize::new(found).filter(|_| fits).ok_or(error)
        };
        Ok(Self {
            first_level: arity(NodeKind::FirstLevel, first_level, 1)?,
            node: arity(NodeKind::Node, node, 2)?,
        })
    }

    /// The children of a node.
    #[must_use]
    pub const fn of(self, kind: NodeKind) -> usize {
        match kind {
            NodeKind::FirstLevel => self.first_level.get(),
            NodeKind::Node => self.node.get(),
        }
    }

    /// The kind of the root of the tree over so many leaves.
    #[must_use]
    pub const fn root(self, leaves: NonZeroUsize) -> NodeKind {
        if leaves.get() <= self.first_level.get() {
            NodeKind::FirstLevel
        } else {
            NodeKind::Node
        }
    }

    /// The number of nodes of each level of the tree over so many leaves, first-level nodes first and the root last.
    ///
    /// Each node takes as many of what is left of the level below, in order, as it has children; the last of a level takes
    /// what is left.
    #[must_use]
    pub fn levels(self, leaves: NonZeroUsize) -> Vec<usize> {
        let first = leaves.get().div_ceil(self.first_level.get());
        let level = |&below: &usize| (below > 1).then(|| below.div_ceil(self.node.get()));
        core::iter::successors(Some(first), level).collect()
    }

    /// The digest of the outputs of the leaves of a tree, in order, as its root states it; `None` if there are none.
    #[must_use]
    pub fn digest(self, outputs: &[[u64; OUTPUT_WORDS]]) -> Option<Digest> {
        let arith = Native::default();
        let mut level: Vec<Digest> = (outputs.chunks(self.first_level.get()))
            .map(|leaves| {
                let leaves: Vec<_> = leaves.iter().map(|output| output.map(K)).collect();
                let padded = padded(&leaves, self.first_level.get());
                statement::first_level(&arith, live(&leaves), &padded)
            })
            .collect();
        while level.len() > 1 {
            let nodes = level.chunks(self.node.get());
            let nodes = nodes
                .map(|children| statement::node(&arith, live(children), &padded(children, self.node.get())));
            level = nodes.collect();
        }
        level.pop()
    }
}

/// The children of a node that has so many: a short one has the last again.
#[must_use]
pub fn padded<T: Clone>(children: &[T], arity: usize) -> Vec<T> {
    let again = children.last().into_iter().cycle();
    children.iter().chain(again).take(arity).cloned().collect()
}

/// The number of children as a word.
fn live<T>(children: &[T]) -> K {
    K(u64::try_from(children.len()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use std::collections::BTreeSet;

    use super::*;

    fn arities(first_level: usize, node: usize) -> Arities {
        Arities::new(first_level, node).unwrap()
    }

    fn leaves(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    fn outputs(count: u64) -> Vec<[u64; OUTPUT_WORDS]> {
        (0..count).map(|leaf| [leaf, 1, 2, 3]).collect()
    }

    #[test]
    fn a_tree_has_the_fewest_nodes_that_hold_its_leaves() {
        let two = arities(2, 2);
        let cases = [(1, vec![1]), (2, vec![1]), (3, vec![2, 1]), (5, vec![3, 2, 1])];
        for (count, levels) in cases {
            assert_eq!(two.levels(leaves(count)), levels, "{count} leaves");
        }
        assert_eq!(arities(4, 3).levels(leaves(41)), [11, 4, 2, 1]);
        assert_eq!(arities(1, 2).levels(leaves(3)), [3, 2, 1]);
        for count in 1..40 {
            let last = *arities(3, 2).levels(leaves(count)).last().unwrap();
            assert_eq!(last, 1);
            let kind = if count <= 3 {
                NodeKind::FirstLevel
            } else {
                NodeKind::Node
            };
            assert_eq!(arities(3, 2).root(leaves(count)), kind);
        }
    }

    #[test]
    fn arities_that_make_no_tree_are_refused_by_their_kind() {
        for (first_level, node, kind, found) in [
            (0, 2, NodeKind::FirstLevel, 0),
            (MAX_ARITY + 1, 2, NodeKind::FirstLevel, MAX_ARITY + 1),
            (1, 1, NodeKind::Node, 1),
            (1, 0, NodeKind::Node, 0),
            (1, MAX_ARITY + 1, NodeKind::Node, MAX_ARITY + 1),
        ] {
            let refused = Arities::new(first_level, node).unwrap_err();
            assert_eq!((refused.kind, refused.found), (kind, found));
        }
        assert!(Arities::new(1, 2).is_ok() && Arities::new(MAX_ARITY, MAX_ARITY).is_ok());
    }

    #[test]
    fn the_digest_is_that_of_the_definition() {
        let arith = Native::default();
        let [a, b, c] = [0, 1, 2].map(|leaf| [leaf, 1, 2, 3].map(K));
        let left = statement::first_level(&arith, K(2), &[a, b]);
        assert_eq!(arities(2, 2).digest(&outputs(2)), Some(left));
        let right = statement::first_level(&arith, K(1), &[c, c]);
        let root = statement::node(&arith, K(2), &[left, right]);
        assert_eq!(arities(2, 2).digest(&outputs(3)), Some(root));
        // A third level, whose last node has one child.
        let short = statement::node(&arith, K(1), &[right, right]);
        let mut five = outputs(2);
        five.extend([outputs(2), outputs(3)[2..].to_vec()].concat());
        let full = statement::node(&arith, K(2), &[left, left]);
        let root = statement::node(&arith, K(2), &[full, short]);
        assert_eq!(arities(2, 2).digest(&five), Some(root));
        assert_eq!(arities(2, 2).digest(&[]), None);
    }

    #[test]
    fn lists_of_outputs_have_different_digests() {
        // Repeated leaves and nodes, lists that begin alike, leaves in another order.
        let mut lists: Vec<_> = (1..=9).map(outputs).collect();
        for count in 1..=8 {
            let mut repeated = outputs(count);
            repeated.push([count - 1, 1, 2, 3]);
            lists.push(repeated.clone());
            repeated.push([count - 1, 1, 2, 3]);
            lists.push(repeated);
        }
        let mut swapped = outputs(4);
        swapped.swap(1, 2);
        lists.push(swapped);
        let mut swapped = outputs(8);
        swapped.rotate_left(4);
        lists.push(swapped);
        for arities in [arities(2, 2), arities(4, 2), arities(2, 3)] {
            let mut digests = BTreeSet::new();
            for list in &lists {
                let digest = arities.digest(list).unwrap();
                assert!(digests.insert(digest), "{list:?}, {arities:?}");
            }
        }
    }

    #[test]
    fn the_digests_are_these() {
        let digest = |arities: Arities, count| {
            let words = arities.digest(&outputs(count)).unwrap();
            words[0]
        };
        let found = [
            digest(arities(2, 2), 1),
            digest(arities(2, 2), 2),
            digest(arities(2, 2), 3),
        ];
        assert_eq!(
            found,
            [
                4_292_830_271_327_571_616,
                6_639_324_489_398_249_662,
                14_764_403_148_166_796_065
            ]
        );
    }
}
