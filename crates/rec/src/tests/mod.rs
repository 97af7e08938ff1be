//! Tests of rows: against values, against the checker, against the argument.

mod arithmetic;
mod checker;
#[cfg(feature = "prover")]
mod proof;
#[cfg(feature = "prover")]
mod replay;
#[cfg(feature = "prover")]
mod tree;

use alloc::vec::Vec;

use primitives::field::{E, K};

use crate::check::check;
use crate::rows::{Assignment, Rows};
use crate::table::Table;
use crate::{Counts, Recorder};

/// Words without a pattern.
pub(crate) fn words(count: usize, seed: u64) -> Vec<u64> {
    (1..=count as u64)
        .map(|i| {
            K((i + (seed << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .square()
                .0
        })
        .collect()
}

/// Elements of E without a pattern.
pub(crate) fn scalars(count: usize, seed: u64) -> Vec<E> {
    let limbs = words(3 * count, seed);
    limbs
        .chunks_exact(3)
        .map(|w| E::from_words([w[0], w[1], w[2]]))
        .collect()
}

/// The rows of a recording, which hold.
pub(crate) fn checked(recorder: &Recorder<'_>) -> (Rows, Assignment) {
    let (rows, assignment) = recorder.finish();
    if let Err(violation) = check(&rows, &assignment) {
        panic!("{violation}");
    }
    (rows, assignment)
}

/// The number of rows of each table, by name.
pub(crate) fn rows_of(counts: &Counts) -> Vec<(&'static str, usize)> {
    let counts = Table::ALL.iter().zip(counts.rows);
    counts
        .filter(|(_, count)| *count > 0)
        .map(|(table, count)| (table.name(), count))
        .collect()
}
