//! The verifiers of which nodes are proofs, over any [`Source`]: natively, or as rows.
//!
//! A first-level node verifies proofs of runs ([`leaf`]), a node proofs of rows ([`verify_core`]); then either reduces
//! the claims that these leave ([`first_level`], [`node`]) and states the outputs of all leaves below it, and the claims
//! that are left.
//!
//! The messages of the last part are those of one more proof, the *reduction's*. It begins with what is not absorbed:
//! `live`, which only the statement has, and of each child of a node the statement, which is that of the digest that its
//! proof announces.

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

use argument::Deferred;
use argument::layout::Layout;
use fiat_shamir::{Arith, Channel, Kind, Label, Source};
use leanvm_core::riscv::Riscv;
use leanvm_core::verify::OUTPUT_WORDS;
use primitives::field::K;

use super::plan::{Arities, NodeKind};
use super::statement;
use crate::machine::RowMachine;
use crate::reduce::{self, Catalog, Child, Merged};
use crate::verify::Core;

/// The check that a child's statement is that of the digest which its proof announces, four words
/// for each child.
pub const STATEMENT: Label = Label::new("node: statement");

/// The words that a node announces: the digest of its statement.
pub(super) const ANNOUNCED: usize = 4;

/// What the nodes of a tree are made of.
#[derive(Debug)]
pub(crate) struct Parts<'t> {
    pub(crate) riscv: &'t Riscv,
    /// The words of the leaves' shape.
    pub(crate) leaf_shape: &'t [u64],
    pub(crate) leaf_layout: Layout<'t>,
    /// The machine of nodes of either kind, [blank](RowMachine::blank).
    pub(crate) rows: &'t RowMachine,
    pub(crate) rows_layout: Layout<'t>,
    pub(crate) catalog: &'t Catalog,
    pub(crate) arities: Arities,
}

/// What the proof of a leaf shows.
#[derive(Clone, Debug)]
pub(crate) struct Leaf<A: Arith> {
    pub(crate) output: [A::Word; OUTPUT_WORDS],
    pub(crate) deferred: Deferred<A::Scalar>,
    /// The final state of its transcript.
    pub(crate) state: A::Digest,
}

/// What the proof of a node shows, but for the claims on its public columns.
pub(crate) type Node<A> = Core<<A as Arith>::Scalar, <A as Arith>::Word, <A as Arith>::Digest>;

/// What a node states.
#[derive(Clone, Debug)]
pub(crate) struct Statement<A: Arith> {
    /// The digest of the outputs of all leaves below.
    pub(crate) outputs: A::Digest,
    /// The claims that are left.
    pub(crate) claims: Merged<A::Scalar>,
}

impl<A: Arith> Statement<A> {
    /// What is announced.
    pub(crate) fn digest(&self, arith: &A) -> A::Digest {
        statement::statement(arith, self.outputs, &self.claims.scalars())
    }
}

/// Checks the proof of a leaf.
///
/// # Errors
/// Those of the verifier of runs.
pub(crate) fn leaf<A: Source>(arith: &A, parts: &Parts<'_>) -> Result<Leaf<A>, A::Error> {
    let mut channel = Channel::new(arith, Kind::Run, parts.leaf_shape);
    let reduction = leanvm_core::verify::verify_core(&mut channel, parts.riscv, &parts.leaf_layout)?;
    Ok(Leaf {
        output: reduction.output,
        deferred: reduction.deferred,
        state: channel.finish()?,
    })
}

/// Checks the proof of a child of a node.
///
/// # Errors
/// Those of the verifier of rows.
pub(crate) fn verify_core<A: Source>(arith: &A, parts: &Parts<'_>) -> Result<Node<A>, A::Error> {
    crate::verify::verify_core(arith, parts.rows, &parts.rows_layout)
}

/// Reduces what the leaves of a first-level node leave.
///
/// # Errors
/// Those of the verifier of reductions.
pub(crate) fn first_level<A: Source>(
    arith: &A,
    parts: &Parts<'_>,
    leaves: Vec<Leaf<A>>,
) -> Result<Statement<A>, A::Error> {
    let live = arith.next_word()?;
    let outputs: Vec<_> = leaves.iter().map(|leaf| leaf.output).collect();
    let states: Vec<_> = leaves.iter().map(|leaf| leaf.state).collect();
    let leaves = leaves.into_iter().map(|leaf| Child::Run(leaf.deferred));
    let claims = reduce(
        arith,
        parts,
        NodeKind::FirstLevel,
        &states,
        &leaves.collect::<Vec<_>>(),
    )?;
    Ok(Statement {
        outputs: statement::first_level(arith, live, &outputs),
        claims,
    })
}

/// Reduces what the children of a node leave.
///
/// # Errors
/// [`STATEMENT`], and those of the verifier of reductions.
pub(crate) fn node<A: Source>(
    arith: &A,
    parts: &Parts<'_>,
    children: Vec<Node<A>>,
) -> Result<Statement<A>, A::Error> {
    let live = arith.next_word()?;
    let (mut outputs, mut states, mut reduced) = (Vec::new(), Vec::new(), Vec::new());
    for (number, child) in children.into_iter().enumerate() {
        let carried = Statement {
            outputs: arith.next_digest()?,
            claims: read_claims(arith, parts.catalog)?,
        };
        check_statement(arith, &carried, &child.announced, number)?;
        outputs.push(carried.outputs);
        states.push(child.state);
        reduced.push(Child::Tree {
            deferred: child.deferred,
            carried: carried.claims,
        });
    }
    let claims = reduce(arith, parts, NodeKind::Node, &states, &reduced)?;
    Ok(Statement {
        outputs: statement::node(arith, live, &outputs),
        claims,
    })
}

/// Checks that a child announces the digest of its statement.
///
/// # Errors
/// [`STATEMENT`].
pub(crate) fn check_statement<A: Arith>(
    arith: &A,
    statement: &Statement<A>,
    announced: &[A::Word],
    number: usize,
) -> Result<(), A::Error> {
    let zero = arith.constant_word(K::ZERO);
    for (place, expected) in arith
        .digest_words(statement.digest(arith))
        .into_iter()
        .enumerate()
    {
        let announced = announced.get(place).copied().unwrap_or(zero);
        let word = number.saturating_mul(ANNOUNCED).saturating_add(place);
        arith.assert_eq_word(announced, expected, STATEMENT.at(word))?;
    }
    Ok(())
}

/// Reads the claims that a child carries, in the order of [`Merged::scalars`].
fn read_claims<A: Source>(arith: &A, catalog: &Catalog) -> Result<Merged<A::Scalar>, A::Error> {
    let read = |count: usize| (0..count).map(|_| arith.next_scalar()).collect::<Result<_, _>>();
    Ok(Merged {
        point: read(catalog.point_variables())?,
        image: arith.next_scalar()?,
        entries: arith.next_scalar()?,
        fixed: arith.next_scalar()?,
        row_point: read(catalog.block_variables())?,
        column_point: read(catalog.block_variables())?,
        matrices: (0..catalog.circuits())
            .map(|_| Ok([arith.next_scalar()?, arith.next_scalar()?]))
            .collect::<Result<_, _>>()?,
    })
}

/// The reduction, whose transcript begins with the final states of the children's.
fn reduce<A: Source>(
    arith: &A,
    parts: &Parts<'_>,
    kind: NodeKind,
    states: &[A::Digest],
    children: &[Child<A::Scalar>],
) -> Result<Merged<A::Scalar>, A::Error> {
    let shape = statement::reduction_shape(kind, parts.arities);
    let mut channel = Channel::new(arith, Kind::Tree, &shape);
    for &state in states {
        channel.observe_digest(state);
    }
    let merged = reduce::verify_core(&mut channel, parts.catalog, children)?;
    channel.finish()?;
    Ok(merged)
}
