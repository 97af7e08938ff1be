//! A node over one run: the verifier of the run's proof as rows, proven.
//!
//! The node announces the [digest](crate::statement) of the run's output and of the claims that its proof leaves. Who
//! verifies the node is given both; the claims are settled natively.

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
use argument::shape::{Shape, ShapeError};
use argument::{Deferred, check_deferred};
use fiat_shamir::{Arith, Channel, Kind, Label, Native, Proof, VerifyError};
use leanvm_core::riscv::Riscv;
use leanvm_core::verify::OUTPUT_WORDS;
use primitives::field::{E, K};

use crate::machine::{Heights, RowMachine};
use crate::rows::{Assignment, Rows};
use crate::{Recorder, Wire, statement, verify};

/// The check that a node announces the digest of what is claimed to be its child's.
pub const STATEMENT: Label = Label::new("node: statement");

/// What a node's proof is given with: what its child shows, but for the claims.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use = "the claims are to be settled"]
pub struct Claims {
    /// Registers a0 to a3 at the exit of the run.
    pub output: [u64; OUTPUT_WORDS],
    /// What the run's proof leaves.
    pub deferred: Deferred<E>,
}

/// Why there is no node, or its proof was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NodeError {
    /// The shape is none of a run of this program.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The run or the rows are too large.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The proof of the run, or of the node, was refused.
    #[error(transparent)]
    Check(#[from] VerifyError),
    /// The claims are not those of a run of this shape, whatever their values are.
    #[error("the claims given with the proof are not of the form that a run of this shape leaves")]
    Form,
}

/// A node over a run of one program, of one shape.
#[derive(Clone, Debug)]
pub struct Node<'r> {
    riscv: &'r Riscv,
    /// The words of the run's shape.
    shape: Vec<u64>,
    log_inv_rate: usize,
    rows: Rows,
    machine: RowMachine,
    /// The claims that a run leaves, but for their values.
    form: Deferred<()>,
}

impl<'r> Node<'r> {
    /// The node over runs of this program and shape, proven at rate `2^-log_inv_rate`. Everybody makes it: it is made of
    /// no proof.
    ///
    /// # Errors
    /// The shape is none of this program, or too large.
    pub fn new(riscv: &'r Riscv, shape: &[u64], log_inv_rate: usize) -> Result<Self, NodeError> {
        let recorder = Recorder::without_values();
        let claims = record(&recorder, riscv, shape, None)?;
        let (rows, _) = recorder.finish();
        let machine = RowMachine::new(&rows, Heights::of(&rows));
        machine.layout(log_inv_rate)?;
        Ok(Self {
            riscv,
            shape: shape.to_vec(),
            log_inv_rate,
            rows,
            machine,
            form: statement::map(&claims.deferred, |_| ()),
        })
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The machine that proves them.
    #[must_use]
    pub fn machine(&self) -> &RowMachine {
        &self.machine
    }

    /// The values of the rows for the proof of a run, and what it leaves.
    ///
    /// # Errors
    /// The proof is refused.
    pub fn assign(&self, run: &Proof) -> Result<(Assignment, Claims), NodeError> {
        let recorder = Recorder::new();
        let claims = record(&recorder, self.riscv, &self.shape, Some(run))?;
        Ok((recorder.finish().1, claims))
    }

    /// Proves that the proof of a run is one.
    ///
    /// # Errors
    /// It is none.
    #[cfg(feature = "prover")]
    pub fn prove(&self, run: &Proof) -> Result<(Proof, Claims), NodeError> {
        let (assignment, claims) = self.assign(run)?;
        let layout = self.machine.layout(self.log_inv_rate)?;
        let proof = crate::prove::prove(&self.rows, &assignment, &self.machine, &layout);
        Ok((proof, claims))
    }

    /// Verifies a node: there is a proof of a run with this output, and its claims hold.
    ///
    /// # Errors
    /// A check of the rows' proof, [`STATEMENT`], or one of the claims is false; [`NodeError::Form`].
    pub fn verify(&self, proof: &Proof, claims: &Claims) -> Result<(), NodeError> {
        // The digest is of a list of scalars: what each of them is has to be fixed beside it.
        if statement::map(&claims.deferred, |_| ()) != self.form {
            return Err(NodeError::Form);
        }
        let layout = self.machine.layout(self.log_inv_rate)?;
        let (announced, _) = verify::verify(proof, &self.machine, &layout)?;
        let arith = Native::default();
        let digest = statement::digest(&arith, &claims.output.map(K), &claims.deferred);
        for (word, (announced, expected)) in announced.into_iter().zip(digest).enumerate() {
            arith.assert_eq_word(announced, K(expected), STATEMENT.at(word))?;
        }
        let machine = self.riscv.machine();
        let layout = Layout::new(machine, &Shape::parse(machine, &self.shape)?)?;
        Ok(check_deferred(machine, &layout, &claims.deferred)?)
    }
}

/// Records the verifier of a run, and announces the statement.
fn record<'p>(
    recorder: &Recorder<'p>,
    riscv: &Riscv,
    shape: &[u64],
    run: Option<&'p Proof>,
) -> Result<Claims, NodeError> {
    let machine = riscv.machine();
    let layout = Layout::new(machine, &Shape::parse(machine, shape)?)?;
    recorder.read(run);
    let mut channel = Channel::new(recorder, Kind::Run, shape);
    let reduction = leanvm_core::verify::verify_core(&mut channel, riscv, &layout)?;
    channel.finish()?;
    let digest = statement::digest(recorder, &reduction.output, &reduction.deferred);
    for word in recorder.digest_words(digest) {
        recorder.announce(word);
    }
    let scalar = |wire: Wire| {
        let [a0, a1, a2, _] = recorder.value(wire);
        E::from_words([a0, a1, a2])
    };
    Ok(Claims {
        output: reduction.output.map(|wire| recorder.value(wire)[0]),
        deferred: statement::map(&reduction.deferred, scalar),
    })
}
