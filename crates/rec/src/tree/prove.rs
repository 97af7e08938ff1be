//! The prover of nodes.

use alloc::vec::Vec;

use argument::layout::{Layout, LayoutError};
use argument::shape::{Shape, ShapeError};
use fiat_shamir::{Digest, Kind, Native, Proof, Prover, VerifyError};
use primitives::field::E;
use primitives::pool;
use tracing::info_span;

use super::circuits::{Refused, Verified, record};
use super::node::{self, Parts, Statement};
use super::plan::{NodeKind, padded};
use super::proof::NodeProof;
use super::{Tree, TreeVerifyError, statement};
use crate::reduce::{self, Child, Merged};
use crate::{Recorder, Wire};

/// Why there is no proof of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// A node has not so many children.
    #[error("{found} proofs are given, and a {kind} of this tree has 1 to {max} children")]
    Children {
        /// The kind of node.
        kind: NodeKind,
        /// Proofs given.
        found: usize,
        /// The arity.
        max: usize,
    },
    /// A leaf's proof is of no shape of this program.
    #[error("the shape of leaf {leaf}: {error}")]
    LeafShape {
        /// The leaf, by its place.
        leaf: usize,
        /// What is wrong.
        error: ShapeError,
    },
    /// A leaf's proof has another rate.
    #[error("leaf {leaf} has the rate 2^-{found}, and the leaves of this tree have 2^-{expected}")]
    LeafRate {
        /// The leaf, by its place.
        leaf: usize,
        /// The negative of log2 of its rate.
        found: usize,
        /// That of this tree's leaves.
        expected: usize,
    },
    /// A table of a leaf's proof has another height.
    #[error(
        "the {table} table of leaf {leaf} has {}, and those of this tree's leaves have {}: prove it in their shape",
        rows(*.found),
        rows(*.expected)
    )]
    LeafTable {
        /// The leaf, by its place.
        leaf: usize,
        /// The table.
        table: &'static str,
        /// log2 of its rows; absent if the table is.
        found: Option<usize>,
        /// That of this tree's leaves.
        expected: Option<usize>,
    },
    /// A child has claims of another tree's form.
    #[error("child {child} has {found} scalars of claims, and a node of this tree has {expected}")]
    ChildClaims {
        /// The child, by its place.
        child: usize,
        /// Its scalars.
        found: usize,
        /// A node's.
        expected: usize,
    },
    /// The proof of a child was refused.
    #[error("child {child}: {error}")]
    Child {
        /// The child, by its place.
        child: usize,
        /// The check.
        error: VerifyError,
    },
    /// The tree is too large; found when it is made.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The verifier of the reduction, which is ours, was refused.
    #[error("the node's own reduction is refused, a bug of ours: {0}")]
    Reduction(VerifyError),
}

impl JoinError {
    /// The same error, of children that come after so many others.
    #[must_use]
    pub fn after(mut self, before: usize) -> Self {
        match &mut self {
            Self::LeafShape { leaf: place, .. }
            | Self::LeafRate { leaf: place, .. }
            | Self::LeafTable { leaf: place, .. }
            | Self::ChildClaims { child: place, .. }
            | Self::Child { child: place, .. } => *place += before,
            Self::Children { .. } | Self::Layout(_) | Self::Reduction(_) => {}
        }
        self
    }
}

/// The rows of a table, in words.
fn rows(log: Option<usize>) -> alloc::string::String {
    log.map_or_else(|| "none".into(), |log| alloc::format!("2^{log} rows"))
}

impl Tree {
    /// Proves a first-level node: that these are proofs of leaves.
    ///
    /// `leaves`: one to as many as the arity, in order.
    ///
    /// # Errors
    /// There are none or too many, one has another shape, or one is refused.
    pub fn prove_first_level(&self, leaves: &[Proof]) -> Result<NodeProof, JoinError> {
        let _node = info_span!("first-level node").entered();
        let reduction = self.reduce_first_level(leaves)?;
        self.prove(
            NodeKind::FirstLevel,
            &leaves.iter().collect::<Vec<_>>(),
            &reduction,
            |leaf| {
                let leaf = leaves.get(leaf)?;
                match leanvm_core::verify::verify(&self.riscv, leaf) {
                    Err(leanvm_core::verify::VerifyError::Check(error)) => Some(error),
                    _ => None,
                }
            },
        )
    }

    /// Proves a node: that these are proofs of nodes.
    ///
    /// `children`: one to as many as the arity, in order.
    ///
    /// # Errors
    /// There are none or too many, one is of another tree, or one is refused.
    pub fn prove_node(&self, children: &[NodeProof]) -> Result<NodeProof, JoinError> {
        let _node = info_span!("node").entered();
        let reduction = self.reduce_node(children)?;
        let rows: Vec<&Proof> = children.iter().map(|child| &child.rows).collect();
        self.prove(NodeKind::Node, &rows, &reduction, |child| {
            match self.verify_node(children.get(child)?) {
                Err(TreeVerifyError::Check(error)) => Some(error),
                _ => None,
            }
        })
    }

    /// The reduction of a first-level node over these leaves.
    pub(crate) fn reduce_first_level(&self, leaves: &[Proof]) -> Result<Proof, JoinError> {
        self.check_count(NodeKind::FirstLevel, leaves.len())?;
        for (number, leaf) in leaves.iter().enumerate() {
            self.check_shape(number, leaf)?;
        }
        let parts = self.parts()?;
        let verified = |child: usize| {
            let leaf = node::leaf(&Native::new(&leaves[child]), &parts);
            let leaf = leaf.map_err(|error| JoinError::Child { child, error })?;
            Ok(Reduced {
                state: leaf.state,
                claims: Child::Run(leaf.deferred),
                stated: None,
            })
        };
        reduction(&parts, NodeKind::FirstLevel, leaves.len(), verified)
    }

    /// The reduction of a node over these children.
    pub(crate) fn reduce_node(&self, nodes: &[NodeProof]) -> Result<Proof, JoinError> {
        self.check_count(NodeKind::Node, nodes.len())?;
        let parts = self.parts()?;
        let verified = |child: usize| {
            let node = &nodes[child];
            let stated = self.statement(child, node)?;
            let refused = |error| JoinError::Child { child, error };
            let verified = node::verify_core(&Native::new(&node.rows), &parts).map_err(refused)?;
            node::check_statement(&Native::default(), &stated, &verified.announced, child)
                .map_err(refused)?;
            Ok(Reduced {
                state: verified.state,
                claims: Child::Tree {
                    deferred: verified.deferred,
                    carried: stated.claims.clone(),
                },
                stated: Some((node.kind, stated)),
            })
        };
        reduction(&parts, NodeKind::Node, nodes.len(), verified)
    }

    pub(crate) fn parts(&self) -> Result<Parts<'_>, LayoutError> {
        let machine = self.riscv.machine();
        Ok(Parts {
            riscv: &self.riscv,
            leaf_shape: &self.leaf_words,
            leaf_layout: Layout::new(machine, &self.leaf_shape)?,
            rows: &self.blank,
            rows_layout: self.blank.layout(self.log_inv_rate)?,
            catalog: &self.catalog,
            arities: self.arities,
        })
    }

    fn check_count(&self, kind: NodeKind, found: usize) -> Result<(), JoinError> {
        let max = self.arities.of(kind);
        if (1..=max).contains(&found) {
            Ok(())
        } else {
            Err(JoinError::Children { kind, found, max })
        }
    }

    /// Refuses a leaf of another shape by what differs.
    fn check_shape(&self, leaf: usize, proof: &Proof) -> Result<(), JoinError> {
        let machine = self.riscv.machine();
        let of_shape = |error| JoinError::LeafShape { leaf, error };
        let shape = Shape::parse(machine, &proof.shape).map_err(of_shape)?;
        let (found, expected) = (shape.log_inv_rate, self.leaf_shape.log_inv_rate);
        if found != expected {
            return Err(JoinError::LeafRate {
                leaf,
                found,
                expected,
            });
        }
        let heights = shape.heights.iter().zip(&self.leaf_shape.heights);
        for (table, (&found, &expected)) in machine.tables.iter().zip(heights) {
            if found != expected {
                return Err(JoinError::LeafTable {
                    leaf,
                    table: table.name,
                    found,
                    expected,
                });
            }
        }
        Ok(())
    }

    /// What a child says it states.
    fn statement(&self, number: usize, child: &NodeProof) -> Result<Statement<Native<'static>>, JoinError> {
        let claims = Merged::from_scalars(&self.catalog, &child.claims);
        let claims = claims.ok_or_else(|| JoinError::ChildClaims {
            child: number,
            found: child.claims.len(),
            expected: Merged::<E>::count(&self.catalog),
        })?;
        Ok(Statement {
            outputs: child.outputs,
            claims,
        })
    }

    /// Proves the rows of a node over these children, the last of which stands for all that are missing.
    ///
    /// A reduction of claims that are false is refused, and claims are settled only to find out whose they are: `settle`
    /// verifies a child by its place.
    fn prove(
        &self,
        kind: NodeKind,
        children: &[&Proof],
        reduction: &Proof,
        settle: impl Fn(usize) -> Option<VerifyError>,
    ) -> Result<NodeProof, JoinError> {
        let verified = Verified {
            children: padded(children, self.arities.of(kind)),
            reduction,
        };
        let proof = self.prove_recorded(&Recorder::new(), kind, &verified)?;
        proof.map_err(|refused| match refused {
            Refused::Child { child, error } => JoinError::Child { child, error },
            Refused::Reduction(error) => (0..children.len())
                .find_map(|child| settle(child).map(|error| JoinError::Child { child, error }))
                .unwrap_or(JoinError::Reduction(error)),
        })
    }

    /// Proves the rows that a recorder writes of the verifier of these proofs.
    pub(crate) fn prove_recorded<'p>(
        &self,
        recorder: &Recorder<'p>,
        kind: NodeKind,
        verified: &Verified<'p>,
    ) -> Result<Result<NodeProof, Refused>, LayoutError> {
        let (parts, circuit) = (self.parts()?, self.circuit(kind));
        recorder.reserve(&circuit.rows);
        let stated = match info_span!("record").in_scope(|| record(recorder, &parts, kind, Some(verified))) {
            Ok(stated) => stated,
            Err(refused) => return Ok(Err(refused)),
        };
        let scalar = |wire: Wire| {
            let [a0, a1, a2, _] = recorder.value(wire);
            E::from_words([a0, a1, a2])
        };
        let layout = circuit.machine.layout(self.log_inv_rate)?;
        // Rows are the same for all proofs: the circuit has them.
        let assignment = info_span!("assignment").in_scope(|| recorder.assignment());
        Ok(Ok(NodeProof {
            kind,
            outputs: recorder.value(stated.outputs),
            claims: stated.claims.scalars().into_iter().map(scalar).collect(),
            rows: crate::prove::prove(&circuit.rows, &assignment, &circuit.machine, &layout),
        }))
    }
}

/// What a child leaves for the reduction.
#[derive(Clone)]
struct Reduced {
    /// The final state of its transcript.
    state: Digest,
    claims: Child<E>,
    /// The kind and the statement of a node.
    stated: Option<(NodeKind, Statement<Native<'static>>)>,
}

/// The proof by which a node reduces its children's claims, the last child standing for all that are missing. Its stream
/// begins with what the transcript does not absorb.
///
/// `verified`: verifies the child at a place.
fn reduction(
    parts: &Parts<'_>,
    kind: NodeKind,
    children: usize,
    verified: impl Fn(usize) -> Result<Reduced, JoinError> + Sync,
) -> Result<Proof, JoinError> {
    let children = info_span!("verify").in_scope(|| pool::map(children, verified));
    let children: Vec<Reduced> = children.into_iter().collect::<Result<_, _>>()?;
    let _reduction = info_span!("reduction").entered();
    let mut stream = Vec::from([children.len() as u64]);
    let shape = statement::reduction_shape(kind, parts.arities);
    let mut prover = Prover::new(Kind::Tree, shape.to_vec());
    let (mut claims, mut kinds) = (Vec::new(), Vec::new());
    for child in padded(&children, parts.arities.of(kind)) {
        prover.observe_digest(child.state);
        if let Some((_, stated)) = &child.stated {
            stream.extend(stated.outputs);
            stream.extend(
                stated
                    .claims
                    .scalars()
                    .iter()
                    .flat_map(|scalar| scalar.to_words()),
            );
        }
        claims.push(child.claims);
        kinds.push(matches!(child.stated, Some((NodeKind::Node, _))));
    }
    // The claims that are left are read where the rows compute them.
    let _ = reduce::prove(&mut prover, parts.catalog, &claims, &kinds);
    let (mut proof, _) = prover.finish();
    stream.append(&mut proof.stream);
    Ok(Proof { stream, ..proof })
}
