//! The verifier of roots.

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

use core::num::NonZeroUsize;

use argument::layout::LayoutError;
use fiat_shamir::{Arith, Label, Native, VerifyError};
use leanvm_core::verify::OUTPUT_WORDS;
use primitives::field::{E, K};

use super::plan::NodeKind;
use super::proof::NodeProof;
use super::{STATEMENT, Tree};
use crate::reduce::{Merged, settle};
use crate::{tree::statement, verify};

/// The check that a root's leaves have the outputs that are expected, in this order.
pub const OUTPUTS: Label = Label::new("tree: outputs");

/// Why the proof of a node was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeVerifyError {
    /// There are no outputs.
    #[error("no outputs are given, and a tree has one leaf at least")]
    NoOutputs,
    /// The root of a tree with so many leaves is of another kind.
    #[error("the proof is of a {found}, and the root of the tree over {leaves} leaves is a {expected}")]
    Kind {
        /// The kind of the proof.
        found: NodeKind,
        /// The kind of the root.
        expected: NodeKind,
        /// The number of leaves.
        leaves: usize,
    },
    /// The claims are not those of a node of this tree, whatever their values are.
    #[error("the proof has {found} scalars of claims, and one of a node of this tree has {expected}")]
    Claims {
        /// Scalars of the proof.
        found: usize,
        /// Scalars of a node of this tree.
        expected: usize,
    },
    /// The tree is too large; found when it is made.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A check refused the proof, or it is malformed.
    #[error(transparent)]
    Check(#[from] VerifyError),
}

impl Tree {
    /// Verifies that this is the root of the tree over leaves with these outputs, in this order: so for each of them the
    /// program, on some advice, exits with it.
    ///
    /// # Errors
    /// There are no outputs, the root is of another kind than that over so many leaves, [`OUTPUTS`], or the errors of
    /// [`verify_node`](Self::verify_node).
    pub fn verify(&self, proof: &NodeProof, outputs: &[[u64; OUTPUT_WORDS]]) -> Result<(), TreeVerifyError> {
        let leaves = NonZeroUsize::new(outputs.len()).ok_or(TreeVerifyError::NoOutputs)?;
        let (found, expected) = (proof.kind, self.arities.root(leaves));
        if found != expected {
            let leaves = leaves.get();
            return Err(TreeVerifyError::Kind {
                found,
                expected,
                leaves,
            });
        }
        let digest = self.arities.digest(outputs).ok_or(TreeVerifyError::NoOutputs)?;
        Native::default().assert_eq_digest(digest, proof.outputs, OUTPUTS)?;
        self.verify_node(proof)
    }

    /// Verifies that this is the proof of a node of a tree, over leaves with outputs that have the digest it says.
    ///
    /// # Errors
    /// Its claims are not as many as those of this tree; a check of the verifier of rows; [`STATEMENT`], numbered by
    /// word: it announces another digest than that of its statement; one of [`settle`].
    pub fn verify_node(&self, proof: &NodeProof) -> Result<(), TreeVerifyError> {
        let claims = Merged::from_scalars(&self.catalog, &proof.claims).ok_or(TreeVerifyError::Claims {
            found: proof.claims.len(),
            expected: Merged::<E>::count(&self.catalog),
        })?;
        let machine = &self.circuit(proof.kind).machine;
        let layout = machine.layout(self.log_inv_rate)?;
        let (announced, _) = verify::verify(&proof.rows, machine, &layout)?;
        let arith = Native::default();
        let digest = statement::statement(&arith, proof.outputs, &claims.scalars());
        for (word, expected) in digest.into_iter().enumerate() {
            let announced = announced.get(word).copied().unwrap_or(K::ZERO);
            arith.assert_eq_word(announced, K(expected), STATEMENT.at(word))?;
        }
        Ok(settle(&self.catalog, &claims)?)
    }
}
