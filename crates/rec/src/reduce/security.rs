//! The soundness of a reduction, message by message (`doc/recursion.md`, "Reduction").
//!
//! Nothing is committed, so nothing pays the size of a list. Floating point: nothing here is read by a prover or a
//! verifier.

extern crate std;

use alloc::vec::Vec;
use core::fmt;

use super::Catalog;

/// log2 of the challenges.
const LOG_CHALLENGES: f64 = 192.0;

/// A message of the verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Message {
    /// The challenge that batches the dense claims.
    Dense,
    /// A round of the dense sumcheck.
    DenseRound,
    /// The challenge that batches the claims on matrices.
    Rows,
    /// A round over rows.
    RowRound,
    /// The challenge that batches the values of `A V` and `B V`.
    Columns,
    /// A round over columns.
    ColumnRound,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dense => "batching of dense claims",
            Self::DenseRound => "round of the dense claims",
            Self::Rows => "batching of claims on matrices",
            Self::RowRound => "round over rows",
            Self::Columns => "batching of products",
            Self::ColumnRound => "round over columns",
        })
    }
}

/// The error of one message of the verifier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundError {
    /// The message.
    pub message: Message,
    /// The error is 2^-`bits`.
    pub bits: f64,
}

/// The claims of the children of a node, as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Children that are runs.
    pub runs: usize,
    /// Children that are trees.
    pub trees: usize,
    /// Claims that the proof of a tree leaves on fixed columns.
    pub fixed: usize,
}

/// The error in bits of every message, in the order of the protocol.
#[must_use]
pub fn security(catalog: &Catalog, claims: Claims) -> Vec<RoundError> {
    let Claims { runs, trees, fixed } = claims;
    let dense = runs * 2 + trees * (fixed + 3);
    let fresh = runs * catalog.run_groups.len() + trees;
    let carried = trees * catalog.circuits();
    let mut rounds = Vec::new();
    // An error of `terms / |E|`.
    let mut push = |message, terms: usize| {
        rounds.push(RoundError {
            message,
            bits: LOG_CHALLENGES - (terms.max(1) as f64).log2(),
        });
    };
    push(Message::Dense, dense.saturating_sub(1));
    for _ in 0..catalog.point_variables() {
        push(Message::DenseRound, 2);
    }
    push(Message::Rows, (fresh + 2 * carried).saturating_sub(1));
    for _ in 0..catalog.block_variables() {
        push(Message::RowRound, 2);
    }
    push(Message::Columns, (2 * (fresh + carried)).saturating_sub(1));
    for _ in 0..catalog.block_variables() {
        push(Message::ColumnRound, 2);
    }
    rounds
}
