//! Trees of nodes: many proofs of runs, in one.
//!
//! Leaves are proofs of runs of one program and one shape. A *first-level node* is a proof that it verified some leaves,
//! a *node* that it verified some nodes of either kind; the root stands for all leaves. A [`Tree`] is what everybody makes
//! of program, shape and arities: both circuits, and what is public about them. It proves nodes and verifies roots.
//!
//! What a verified root shows: the leaves' program exits with each of these outputs, on some advice, and in this order.

pub(crate) mod circuits;
mod key;
pub(crate) mod node;
pub mod plan;
pub mod proof;
#[cfg(feature = "prover")]
pub mod prove;
pub mod statement;
mod verify;

use alloc::vec::Vec;

use argument::layout::{Layout, LayoutError};
use argument::shape::{Shape, ShapeError};
use leanvm_core::riscv::Riscv;

pub use self::circuits::CircuitError;
use self::circuits::Circuits;
pub use self::key::{KeyDecodeError, TreeKey};
pub use self::node::STATEMENT;
use self::plan::{Arities, ArityError, NodeKind};
pub use self::verify::{OUTPUTS, TreeVerifyError};
use crate::machine::{Heights, RowMachine};
use crate::reduce::Catalog;
use crate::rows::Rows;

/// The tree over leaves of one program and one shape.
///
/// Making it builds the circuits of its nodes, which takes seconds: make it once. Its size is tens of megabytes.
#[derive(Clone, Debug)]
pub struct Tree {
    riscv: Riscv,
    leaf_shape: Shape,
    /// As the words of a proof.
    leaf_words: Vec<u64>,
    arities: Arities,
    log_inv_rate: usize,
    /// The machine of a node of either kind, [blank](RowMachine::blank).
    blank: RowMachine,
    /// Of each kind, in the order of [`NodeKind::ALL`].
    circuits: [Circuit; 2],
    pub(crate) catalog: Catalog,
    key: TreeKey,
}

/// The circuit of a kind of node.
#[derive(Clone, Debug)]
pub(crate) struct Circuit {
    pub(crate) rows: Rows,
    pub(crate) machine: RowMachine,
}

/// Why there is no tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// Nodes have not so many children.
    #[error(transparent)]
    Arity(#[from] ArityError),
    /// The shape of the leaves is none of runs of this program.
    #[error("the shape of the leaves: {0}")]
    Shape(#[from] ShapeError),
    /// The leaves are too large.
    #[error("the shape of the leaves: {0}")]
    Leaves(#[from] LayoutError),
    /// There are no circuits of nodes.
    #[error(transparent)]
    Circuits(#[from] CircuitError),
    /// The tree is not the one that was expected.
    #[error("the tree has the key digest {found:x?}, and {expected:x?} is expected: it is another release's")]
    Key {
        /// That of the tree.
        found: [u64; 4],
        /// The one that was given.
        expected: [u64; 4],
    },
}

impl Tree {
    /// The tree over runs of this machine, of this shape, with nodes of these arities, proven at rate `2^-log_inv_rate`.
    ///
    /// # Errors
    /// The shape is none of this machine, the rate is none, or a node would be too large.
    pub fn new(
        riscv: Riscv,
        leaf_shape: &[u64],
        arities: Arities,
        log_inv_rate: usize,
    ) -> Result<Self, TreeError> {
        let shape = Shape::parse(riscv.machine(), leaf_shape)?;
        let layout = Layout::new(riscv.machine(), &shape)?;
        let Circuits { blank, catalog, rows } =
            Circuits::new(&riscv, leaf_shape, &layout, arities, log_inv_rate)?;
        let heights = blank.heights();
        let circuits = rows.map(|rows| Circuit {
            machine: RowMachine::new(&rows, heights),
            rows,
        });
        let [first_level, node] = &circuits;
        let machines = [first_level.machine.machine(), node.machine.machine()];
        let catalog = catalog.with_fixed(machines);
        let key = TreeKey::new(&riscv, leaf_shape, arities, log_inv_rate, heights, machines);
        Ok(Self {
            leaf_shape: shape,
            leaf_words: leaf_shape.to_vec(),
            riscv,
            arities,
            log_inv_rate,
            blank,
            circuits,
            catalog,
            key,
        })
    }

    /// The numbers of children.
    #[must_use]
    pub const fn arities(&self) -> Arities {
        self.arities
    }

    /// The machine of the leaves' program.
    #[must_use]
    pub const fn riscv(&self) -> &Riscv {
        &self.riscv
    }

    /// The shape of the leaves.
    #[must_use]
    pub const fn leaf_shape(&self) -> &Shape {
        &self.leaf_shape
    }

    /// The words of the leaves' shape.
    #[must_use]
    pub fn leaf_words(&self) -> &[u64] {
        &self.leaf_words
    }

    /// The heights of the tables of nodes of either kind.
    #[must_use]
    pub fn heights(&self) -> Heights {
        self.blank.heights()
    }

    /// The rows of a kind of node.
    #[must_use]
    pub fn rows(&self, kind: NodeKind) -> &Rows {
        &self.circuit(kind).rows
    }

    /// The words that the proof of a node of either kind commits to.
    ///
    /// # Errors
    /// None, once the tree is made.
    pub fn committed_words(&self) -> Result<usize, LayoutError> {
        Ok(self.blank.layout(self.log_inv_rate)?.placed)
    }

    /// What names the tree.
    #[must_use]
    pub const fn key(&self) -> &TreeKey {
        &self.key
    }

    pub(crate) const fn circuit(&self, kind: NodeKind) -> &Circuit {
        let [first_level, node] = &self.circuits;
        match kind {
            NodeKind::FirstLevel => first_level,
            NodeKind::Node => node,
        }
    }
}
