//! The guest `leanda`: checks that blobs, as encoded for data availability, are codewords, and computes their
//! commitment.
//!
//! The code is the Reed-Solomon code of rate 1/2 over K with [`SYMBOLS`] points. It is its own dual: a word is a
//! codeword iff its inner product with every codeword is zero, and one random codeword stands for all of them. That
//! one, with limbs in E, is the prover's: the guest commits its digest, and whoever relies on a proof derives it
//! from the commitment. The exact description is `doc/programs.md`.
//!
//! Advice: the number of rows, the [`Dual`] codeword, the [`Row`]s. Commits the commitment, then the digest of the
//! dual codeword.

#![no_std]

mod commitment;
mod hash;
mod scan;

use leanvm_guest::ext::{E, K};
use leanvm_guest::{commit, read};

pub use commitment::Commitment;
pub use hash::{Digest, Hasher};
pub use scan::Scan;

/// The symbols of a codeword; the first half is the payload.
pub const SYMBOLS: usize = 1 << 15;

/// The symbols of a cell.
pub const CELL: usize = 256;
/// The cells of a codeword; the first half is the payload.
pub const CELLS: usize = SYMBOLS / CELL;

/// The rows that the program holds.
pub const MAX_ROWS: usize = 1;

/// An encoded blob.
pub type Row = [K; SYMBOLS];

/// A codeword with limbs in E.
pub type Dual = [E; SYMBOLS];

/// Why rows are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no row, or more than the program holds.
    Count,
    /// This row is no codeword.
    Row(usize),
}

/// What rows that are codewords have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The commitment to the rows.
    pub commitment: Commitment,
    /// The digest of the dual codeword: of its limbs as words.
    pub dual: Digest,
}

/// Checks that the rows are orthogonal to the dual codeword, and commits to them; `PADDED` is their number, rounded up
/// to a power of two.
///
/// # Errors
/// [`Refusal::Row`] of the first row that is not; [`Refusal::Count`] if there is none.
///
/// # Panics
/// If `PADDED` is not that number.
#[inline(always)]
pub fn check<const PADDED: usize>(dual: &Dual, rows: &[Row]) -> Result<Statement, Refusal> {
    assert_eq!(
        rows.len().next_power_of_two(),
        PADDED,
        "rows are padded to a power of two"
    );
    let mut cells = [None; PADDED];
    let mut dual_digest = None;
    for (i, (row, cells)) in rows.iter().zip(&mut cells).enumerate() {
        let scan = Scan::new(dual, row);
        if scan.product != E::ZERO {
            return Err(Refusal::Row(i));
        }
        dual_digest = Some(scan.dual);
        *cells = Some(scan.cells);
    }
    let dual = dual_digest.ok_or(Refusal::Count)?;
    let commitment = Commitment::new(&mut Hasher::new(), &cells);
    Ok(Statement { commitment, dual })
}

/// The guest's main function.
///
/// # Panics
/// If the number of rows is not 1, a row is no codeword, or the advice ends too soon.
pub fn main() {
    let result = if *read::<u64>() == MAX_ROWS as u64 {
        check::<MAX_ROWS>(read(), read::<[Row; MAX_ROWS]>())
    } else {
        Err(Refusal::Count)
    };
    match result {
        Ok(statement) => {
            commit(&statement.commitment.root);
            commit(&statement.dual);
        }
        Err(Refusal::Count) => panic!("the number of rows is not 1"),
        Err(Refusal::Row(_)) => panic!("a row is not a codeword"),
    }
}
