//! Trees.

use alloc::vec::Vec;

use leanvm_core::riscv::Riscv;
use primitives::blake2s::digest_to_words;
use rec::tree::plan::Arities;
use rec::tree::{self, TreeError, TreeVerifyError};

use super::{NodeProof, TreeKey};
use crate::output::Output;
use crate::program::PublicProgram;
use crate::proof::Proof;
use crate::rate::Rate;

/// The tree over leaves of one program and one shape: everything that its nodes have in common.
///
/// Making it builds the circuits of both kinds of nodes, which takes seconds: keep it. It holds tens of megabytes.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) tree: tree::Tree,
    key: TreeKey,
}

impl Tree {
    /// The tree over proofs of runs of this program that have the rate and the tables' heights of `leaf`, of which nothing
    /// else is looked at. Its nodes are proven at `rate`.
    ///
    /// # Errors
    /// `leaf` is of no shape of this program, or a node over such leaves is too large for one proof.
    pub fn new(
        program: &PublicProgram,
        leaf: &Proof,
        arities: Arities,
        rate: Rate,
    ) -> Result<Self, TreeError> {
        tree::Tree::new(Riscv::new(&program.0), &leaf.0.shape, arities, rate.log_inv()).map(Self::from)
    }

    /// The tree of this program that a key names.
    ///
    /// # Errors
    /// There is none, or it has another digest: the key is another program's, or of another release.
    pub fn of_key(program: &PublicProgram, key: &TreeKey) -> Result<Self, TreeError> {
        tree::Tree::of_key(Riscv::new(&program.0), &key.0).map(Self::from)
    }

    /// What names the tree.
    #[must_use]
    pub const fn key(&self) -> &TreeKey {
        &self.key
    }

    /// The circuits of both kinds of nodes as a file, for verifiers that do not make them: the words of eight bytes,
    /// little-endian, whose BLAKE2s digest is that of the [key](TreeKey::digest).
    ///
    /// Who verifies by the file trusts that this digest is the key's of a tree that somebody made.
    #[must_use]
    pub fn circuits(&self) -> Vec<u8> {
        self.tree.circuits_file()
    }

    /// The numbers of children.
    #[must_use]
    pub const fn arities(&self) -> Arities {
        self.tree.arities()
    }

    /// Verifies that this is the root over leaves with these outputs, in this order: for each of them the program, on some
    /// advice, exits with it.
    ///
    /// # Errors
    /// There are no outputs, or the proof is refused: nothing follows from it.
    pub fn verify(&self, root: &NodeProof, outputs: &[Output]) -> Result<(), TreeVerifyError> {
        let outputs: Vec<_> = outputs
            .iter()
            .map(|output| digest_to_words(&output.to_bytes()))
            .collect();
        self.tree.verify(&root.0, &outputs)
    }

    /// Verifies that this is the proof of a node of the tree, over leaves that it does not name: for joining nodes of
    /// others.
    ///
    /// # Errors
    /// The proof is refused.
    pub fn verify_node(&self, node: &NodeProof) -> Result<(), TreeVerifyError> {
        self.tree.verify_node(&node.0)
    }
}

impl From<tree::Tree> for Tree {
    fn from(tree: tree::Tree) -> Self {
        let key = TreeKey(tree.key().clone());
        Self { tree, key }
    }
}
