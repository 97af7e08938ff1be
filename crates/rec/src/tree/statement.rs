//! What a node says, in four words: the digest of what its leaves put out, and of the claims that are left.
//!
//! Each digest is the final state of a [`Transcript`] of kind [`Kind::Tree`] whose shape begins with a number of its own
//! and has not as many words as that of a proof of rows. So none is another's, nor the state of a proof.

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

use fiat_shamir::{Arith, Item, Kind, Transcript};
use leanvm_core::verify::OUTPUT_WORDS;

use super::plan::{Arities, NodeKind};

/// The first word of the shape of [`first_level`].
const FIRST_LEVEL: u64 = 1;
/// The first word of the shape of [`node`].
const NODE: u64 = 2;
/// The first word of the shape of [`statement`].
const STATEMENT: u64 = 3;
/// The first word of the [shape of a reduction](reduction_shape).
const REDUCTION: u64 = 4;

/// The digest of the outputs of a first-level node's leaves, in order.
///
/// Shape: 1, the number of outputs. Absorbed: `live`, which is how many of them count, the others being the last of these
/// again; then the words of each output.
#[must_use]
pub fn first_level<A: Arith>(arith: &A, live: A::Word, outputs: &[[A::Word; OUTPUT_WORDS]]) -> A::Digest {
    let mut transcript = Transcript::new(arith, Kind::Tree, &[FIRST_LEVEL, count(outputs.len())]);
    for &word in core::iter::once(&live).chain(outputs.as_flattened()) {
        transcript.absorb(arith, Item::Word(word));
    }
    transcript.flush(arith)
}

/// The digest of the outputs of a node's leaves: of the digests of its children, in order.
///
/// Shape: 2, the number of children. Absorbed: `live`, which is how many of them count, the others being the last of these
/// again; then the digest of each child.
#[must_use]
pub fn node<A: Arith>(arith: &A, live: A::Word, children: &[A::Digest]) -> A::Digest {
    let mut transcript = Transcript::new(arith, Kind::Tree, &[NODE, count(children.len())]);
    transcript.absorb(arith, Item::Word(live));
    for &child in children {
        transcript.absorb(arith, Item::Digest(child));
    }
    transcript.flush(arith)
}

/// What a node announces: the digest of that of its leaves' outputs, and of the claims that it leaves.
///
/// Shape: 3. Absorbed: the digest, the scalars of the claims.
///
/// # Soundness
/// It binds a list of scalars. What each of them is, the catalog of the tree fixes, which is the same for all its nodes.
#[must_use]
pub fn statement<A: Arith>(arith: &A, outputs: A::Digest, claims: &[A::Scalar]) -> A::Digest {
    let mut transcript = Transcript::new(arith, Kind::Tree, &[STATEMENT]);
    transcript.absorb(arith, Item::Digest(outputs));
    for &claim in claims {
        transcript.absorb(arith, Item::Scalar(claim));
    }
    transcript.flush(arith)
}

/// The shape of the proof by which a node reduces claims: 4, the number of the node's kind, the number of its children.
#[must_use]
pub fn reduction_shape(kind: NodeKind, arities: Arities) -> [u64; 3] {
    [REDUCTION, kind.number(), count(arities.of(kind))]
}

fn count(items: usize) -> u64 {
    u64::try_from(items).unwrap_or(u64::MAX)
}
