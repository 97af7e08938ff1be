//! The proof of the first-level node over a run of the least program.

use fiat_shamir::Proof;
use leanvm_core::riscv::Riscv;
use rec::tree::Tree;
use rec::tree::plan::Arities;
use rec::tree::proof::NodeProof;

use crate::{changes, run};

/// A tree and the file of an honest node, which it accepts.
pub struct Node {
    tree: Tree,
    honest: Proof,
    file: Vec<u8>,
}

/// The node, honest.
///
/// # Panics
/// Never: the leaf is a proof of the program.
#[must_use]
pub fn subject() -> Node {
    let program = run::program();
    let leaf = run::proof(&program);
    let riscv = Riscv::new(program.public());
    let tree = Tree::new(riscv, &leaf.shape, Arities::new(1, 2).unwrap(), 4).unwrap();
    let file = tree.prove_first_level(&[leaf]).unwrap().encode();
    Node {
        tree,
        honest: Proof::decode(&file).unwrap(),
        file,
    }
}

impl Node {
    /// Tries bytes as what follows a file's header, and as [changes] of the honest node.
    ///
    /// # Panics
    /// If a node is accepted that is not the honest one, or the honest one is refused.
    pub fn try_bytes(&self, bytes: &[u8]) {
        self.try_file(&[&fiat_shamir::proof::header(self.honest.kind), bytes].concat());
        self.try_file(&changes::apply(&self.honest, bytes));
    }

    fn try_file(&self, file: &[u8]) {
        if let Ok(node) = NodeProof::decode(file) {
            assert_eq!(node.encode(), file);
            assert_eq!(self.tree.verify_node(&node).is_ok(), file == self.file);
        }
    }
}
