//! Proving nodes, and what they are made of.

use alloc::vec::Vec;

use leanvm_core::riscv::Riscv;
use rec::table::Table;
use rec::tree::plan::{Arities, NodeKind};
use rec::tree::prove::JoinError;
use rec::tree::{self, TreeError};

use super::{NodeProof, Tree};
use crate::program::PublicProgram;
use crate::proof::Proof;
use crate::prover::{Measure, TableSize};
use crate::rate::Rate;

impl Tree {
    /// The tree over proofs that have the shape of one which was [measured](crate::Prover::measure): what its nodes are made
    /// of is known before there is a leaf.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of_measure(
        program: &PublicProgram,
        leaf: &Measure,
        arities: Arities,
        rate: Rate,
    ) -> Result<Self, TreeError> {
        tree::Tree::new(Riscv::new(&program.0), &leaf.shape, arities, rate.log_inv()).map(Self::from)
    }

    /// Proves a first-level node over these leaves, in order: one to as many as its arity.
    ///
    /// The bytes of the proof depend on those of the leaves and on the tree alone. Runs on the thread pool of the
    /// environment (`LEANVM_NUM_THREADS`).
    ///
    /// # Errors
    /// There are none or too many, one has another shape, or one is refused: it is named by its place.
    pub fn join_leaves(&self, leaves: &[Proof]) -> Result<NodeProof, JoinError> {
        let leaves: Vec<_> = leaves.iter().map(|leaf| leaf.0.clone()).collect();
        self.tree.prove_first_level(&leaves).map(NodeProof)
    }

    /// Proves a node over these nodes of either kind, in order: one to as many as its arity.
    ///
    /// As [`join_leaves`](Self::join_leaves) otherwise. For a root that [`verify`](Self::verify) accepts, nodes are joined
    /// level by level: each takes as many as its arity of what is left of the level below, the last one what is left.
    ///
    /// # Errors
    /// There are none or too many, one is of another tree, or one is refused: it is named by its place.
    pub fn join(&self, nodes: &[NodeProof]) -> Result<NodeProof, JoinError> {
        let nodes: Vec<_> = nodes.iter().map(|node| node.0.clone()).collect();
        self.tree.prove_node(&nodes).map(NodeProof)
    }

    /// Proves the root over these leaves, in order, and all nodes below it, one after the other.
    ///
    /// # Errors
    /// There are no leaves, one has another shape, or one is refused: it is named by its place.
    pub fn prove(&self, leaves: &[Proof]) -> Result<NodeProof, JoinError> {
        let [first_level, node] = NodeKind::ALL.map(|kind| self.arities().of(kind));
        let (first, rest) = leaves.split_at(first_level.min(leaves.len()));
        let mut level = Vec::from([self.join_leaves(first)?]);
        for (number, leaves) in rest.chunks(first_level).enumerate() {
            let before = (number + 1) * first_level;
            level.push(self.join_leaves(leaves).map_err(|error| error.after(before))?);
        }
        loop {
            if let [root] = &level[..] {
                return Ok(root.clone());
            }
            level = level
                .chunks(node)
                .map(|nodes| self.join(nodes))
                .collect::<Result<_, _>>()?;
        }
    }

    /// The tables of a node of this kind. Their heights are those of either kind.
    #[must_use]
    pub fn tables(&self, kind: NodeKind) -> Vec<TableSize> {
        let (rows, heights) = (self.tree.rows(kind), self.tree.heights());
        let size = |(table, log_height): (Table, usize)| TableSize {
            name: table.name(),
            rows: rows.count(table) as u64,
            log_heights: [log_height].into(),
        };
        Table::ALL.into_iter().zip(heights.tables).map(size).collect()
    }

    /// The words of 64 bits that the proof of a node of either kind commits to.
    #[must_use]
    pub fn committed_words(&self) -> usize {
        self.tree.committed_words().unwrap_or_default()
    }
}
