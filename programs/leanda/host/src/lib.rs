//! The host side of the guest `leanda`: encoding of blobs, the dual codeword of a commitment, its program, its advice
//! and the output to expect.

mod benchmark;
pub mod code;
mod dual;

use leanda_guest::{CELL, CELLS, Commitment, Digest, Dual, Hasher, MAX_ROWS, Refusal, Row, Statement, check};
use leanvm_guest::host::{Advice, PublicValues};
use primitives::blake2s::hash_words;
use thiserror::Error;

pub use benchmark::benchmark_rows;
pub use dual::{challenges, dual_codeword};

/// The program.
pub const ELF: &[u8] = include_bytes!("../../leanda.elf");

/// The most blobs that the program takes.
pub const MAX_BLOBS: usize = MAX_ROWS;

/// A number of rows that the program does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{rows} rows are not what the program takes: 1 to {max}")]
pub struct Count {
    /// The rows given.
    pub rows: usize,
    /// The most that the program takes.
    pub max: usize,
}

/// The advice for these rows, with the dual codeword of their commitment.
///
/// # Errors
/// [`Count`] unless they are 1 to [`MAX_BLOBS`].
pub fn advice(dual: &Dual, rows: &[Row]) -> Result<Vec<u64>, Count> {
    if rows.is_empty() || rows.len() > MAX_BLOBS {
        return Err(Count {
            rows: rows.len(),
            max: MAX_BLOBS,
        });
    }
    Ok(Advice::new()
        .push(&(rows.len() as u64))
        .push(dual)
        .push_slice(rows)
        .into_words())
}

/// The commitment to rows; `PADDED` is their number, rounded up to a power of two.
///
/// # Panics
/// If `PADDED` is not that number.
#[must_use]
pub fn commitment<const PADDED: usize>(rows: &[Row]) -> Commitment {
    assert_eq!(
        rows.len().next_power_of_two(),
        PADDED,
        "rows are padded to a power of two"
    );
    let mut cells = [None; PADDED];
    for (cells, row) in cells.iter_mut().zip(rows) {
        *cells = Some(self::cells(row));
    }
    Commitment::new(&mut Hasher::new(), &cells)
}

/// The digests of a row's cells.
fn cells(row: &Row) -> [Digest; CELLS] {
    let (cells, _) = row.as_chunks::<CELL>();
    core::array::from_fn(|j| hash_words(&cells[j].map(|symbol| symbol.0)))
}

/// The statement of one row, and the dual codeword that is drawn from its commitment.
///
/// # Errors
/// [`Refusal::Row`] if it is no codeword.
pub fn statement(row: &Row) -> Result<(Statement, Box<Dual>), Refusal> {
    let rows = core::slice::from_ref(row);
    let dual = dual_codeword(&commitment::<1>(rows).root);
    Ok((check::<1>(&dual, rows)?, dual))
}

/// The digest of a dual codeword: of its limbs as words.
#[must_use]
pub fn dual_digest(dual: &Dual) -> Digest {
    hash_words(&dual.iter().flat_map(|entry| entry.0).collect::<Vec<_>>())
}

/// The output of the run that shows that the rows behind this commitment are codewords.
///
/// It is a function of the commitment alone: the dual codeword is drawn from it.
#[must_use]
pub fn output(root: &Digest) -> [u8; 32] {
    let dual = dual_digest(&dual_codeword(root));
    PublicValues::new().commit(root).commit(&dual).output()
}

#[cfg(test)]
mod tests;
