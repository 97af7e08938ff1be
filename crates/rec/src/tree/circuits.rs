//! The circuits of both kinds of nodes, in tables of the same heights.
//!
//! A node verifies proofs of rows, so its rows depend on the heights of these; and a first-level node's depend on how
//! many words the public columns of nodes have, which its claims name a point of. The heights are the first that hold both
//! circuits made for them, from small ones up.

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

use argument::layout::{Layout, LayoutError};
use fiat_shamir::{Arith, Proof, VerifyError};
use leanvm_core::riscv::Riscv;

use super::node::{self, ANNOUNCED, Parts, Statement};
use super::plan::{Arities, NodeKind};
use crate::Recorder;
use crate::machine::{Heights, RowMachine};
use crate::reduce::Catalog;
use crate::rows::Rows;
use crate::table::Table;

/// How often the heights may grow. Each step makes a table at least twice as high, and a verifier's rows grow with the
/// logarithms of heights, so that it takes a few.
const MAX_STEPS: usize = 32;

/// The heights to start from: below those of any node.
const START: Heights = Heights {
    tables: [8; Table::ALL.len()],
    constants: 4,
};

/// Why there are no circuits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CircuitError {
    /// The rows are too many for a proof.
    #[error("the rows of a node are too many for one proof: {0}")]
    Layout(#[from] LayoutError),
    /// The heights grow without end.
    #[error("the rows of a node outgrow its tables, whatever their heights: at last {heights:?}")]
    Heights {
        /// The last that were tried.
        heights: Heights,
    },
    /// A verifier without a proof refuses.
    #[error("the verifier of a {kind} refuses before there is a proof, a bug of ours: {error}")]
    Record {
        /// The kind of node.
        kind: NodeKind,
        /// Its check.
        error: VerifyError,
    },
}

/// The circuits of both kinds of nodes.
#[derive(Debug)]
pub(crate) struct Circuits {
    /// The machine of either, [blank](RowMachine::blank).
    pub(crate) blank: RowMachine,
    /// Without words.
    pub(crate) catalog: Catalog,
    /// In the order of [`NodeKind::ALL`].
    pub(crate) rows: [Rows; 2],
}

impl Circuits {
    /// The circuits of a tree over leaves of one layout, its nodes proven at rate `2^-log_inv_rate`.
    pub(crate) fn new(
        riscv: &Riscv,
        leaf_shape: &[u64],
        leaf_layout: &Layout<'_>,
        arities: Arities,
        log_inv_rate: usize,
    ) -> Result<Self, CircuitError> {
        let mut heights = START;
        for _ in 0..MAX_STEPS {
            let blank = RowMachine::blank(heights, ANNOUNCED);
            let catalog = Catalog::new(riscv.machine(), leaf_layout, blank.machine());
            let parts = Parts {
                riscv,
                leaf_shape,
                leaf_layout: leaf_layout.clone(),
                rows: &blank,
                rows_layout: blank.layout(log_inv_rate)?,
                catalog: &catalog,
                arities,
            };
            let first_level = rows(&parts, NodeKind::FirstLevel)?;
            let mut needed = heights.max(Heights::of(&first_level));
            // A node is made only once the heights hold the other kind.
            if needed == heights {
                let node = rows(&parts, NodeKind::Node)?;
                needed = heights.max(Heights::of(&node));
                if needed == heights {
                    let rows = [first_level, node];
                    return Ok(Self { blank, catalog, rows });
                }
            }
            heights = needed;
        }
        Err(CircuitError::Heights { heights })
    }
}

/// The rows of a kind of node, of no proof.
fn rows(parts: &Parts<'_>, kind: NodeKind) -> Result<Rows, CircuitError> {
    let recorder = Recorder::without_values();
    match record(&recorder, parts, kind, None) {
        Ok(_) => Ok(recorder.finish().0),
        Err(Refused::Child { error, .. } | Refused::Reduction(error)) => {
            Err(CircuitError::Record { kind, error })
        }
    }
}

/// The proofs that a node verifies.
#[derive(Clone, Debug)]
pub(crate) struct Verified<'p> {
    /// Of as many children as the node has.
    pub(crate) children: Vec<&'p Proof>,
    /// The reduction's.
    pub(crate) reduction: &'p Proof,
}

/// A proof that a node verifies was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refused {
    /// A child's.
    Child {
        /// The child, by its place.
        child: usize,
        /// The check.
        error: VerifyError,
    },
    /// The reduction's.
    Reduction(VerifyError),
}

/// Records the verifier of a node, which announces the digest of its statement.
pub(crate) fn record<'p>(
    recorder: &Recorder<'p>,
    parts: &Parts<'_>,
    kind: NodeKind,
    verified: Option<&Verified<'p>>,
) -> Result<Statement<Recorder<'p>>, Refused> {
    let read_child = |child: usize| {
        recorder.read(verified.and_then(|verified| verified.children.get(child).copied()));
    };
    let read_reduction = || recorder.read(verified.map(|verified| verified.reduction));
    let children = 0..parts.arities.of(kind);
    let stated = match kind {
        NodeKind::FirstLevel => {
            let leaf = |child| {
                read_child(child);
                node::leaf(recorder, parts).map_err(|error| Refused::Child { child, error })
            };
            let leaves = children.map(leaf).collect::<Result<_, _>>()?;
            read_reduction();
            node::first_level(recorder, parts, leaves).map_err(Refused::Reduction)?
        }
        NodeKind::Node => {
            let node = |child| {
                read_child(child);
                node::verify_core(recorder, parts).map_err(|error| Refused::Child { child, error })
            };
            let nodes = children.map(node).collect::<Result<_, _>>()?;
            read_reduction();
            node::node(recorder, parts, nodes).map_err(Refused::Reduction)?
        }
    };
    let digest = stated.digest(recorder);
    for word in recorder.digest_words(digest) {
        recorder.announce(word);
    }
    Ok(stated)
}
