//! A tree of notes that is empty but for a few.

use std::collections::BTreeMap;

use shielded_guest::{Digest, HEIGHT, Hasher, tag};

/// The nodes that are not those of an empty tree.
pub(crate) struct Tree {
    /// By level, the leaves first, and number.
    nodes: Vec<BTreeMap<u64, Digest>>,
    /// The node of an empty tree at each level.
    empty: Vec<Digest>,
}

impl Tree {
    /// The tree with these leaves, by number.
    pub(crate) fn new(leaves: BTreeMap<u64, Digest>) -> Self {
        let mut hasher = Hasher::new();
        let mut tree = Self {
            nodes: vec![leaves],
            empty: vec![[0; 4]],
        };
        for level in 0..HEIGHT {
            let parents = tree.nodes[level].keys().map(|number| number >> 1);
            let nodes = parents
                .map(|parent| {
                    let [left, right] = [2 * parent, 2 * parent + 1].map(|number| tree.node(level, number));
                    (parent, hasher.two(tag::NODE, &left, &right))
                })
                .collect();
            let empty = hasher.two(tag::NODE, &tree.empty[level], &tree.empty[level]);
            tree.nodes.push(nodes);
            tree.empty.push(empty);
        }
        tree
    }

    fn node(&self, level: usize, number: u64) -> Digest {
        *self.nodes[level].get(&number).unwrap_or(&self.empty[level])
    }

    pub(crate) fn root(&self) -> Digest {
        self.node(HEIGHT, 0)
    }

    /// The siblings on the path from a leaf to the root, the leaf's first.
    pub(crate) fn path(&self, leaf: u64) -> [Digest; HEIGHT] {
        std::array::from_fn(|level| self.node(level, leaf >> level ^ 1))
    }
}
