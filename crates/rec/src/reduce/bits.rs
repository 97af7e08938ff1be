//! Sums over the bits of the bytecode's tuples.
//!
//! The polynomial has variables (i, j, t): bit t of coordinate j of tuple i. With weights `h(j, t)`, the sum over (j, t) is
//! a map of the words of tuple i that is linear over GF(2): eight look-ups a word.

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

use alloc::vec;
use alloc::vec::Vec;

use primitives::field::E;

use super::catalog::{Entries, LOG_BITS, LOG_COORDINATES};

/// Bytes of a word.
const BYTES: usize = 8;

/// `sum_(j, t) high[j + 16 t] bit_(ijt)` for each tuple i.
///
/// `high`: 2^10 scalars, the variables of j lowest.
pub(super) fn sums_over_bits(entries: &Entries, high: &[E]) -> Vec<E> {
    let mut sums = vec![E::ZERO; entries.coordinates.first().map_or(0, Vec::len)];
    for (j, words) in entries.coordinates.iter().enumerate() {
        let images = high.iter().copied().skip(j).step_by(1 << LOG_COORDINATES);
        let images: Vec<E> = images.take(1 << LOG_BITS).collect();
        let tables: Vec<[E; 256]> = images.chunks(BYTES).map(byte_table).collect();
        for (sum, word) in sums.iter_mut().zip(words) {
            for (table, byte) in tables.iter().zip(word.0.to_le_bytes()) {
                if let Some(&image) = table.get(usize::from(byte)) {
                    *sum = add(*sum, image);
                }
            }
        }
    }
    sums
}

/// The images of all bytes of those of its eight bits.
fn byte_table(images: &[E]) -> [E; 256] {
    let mut table = [E::ZERO; 256];
    for (bit, &image) in images.iter().enumerate() {
        let (known, rest) = table.split_at_mut(1 << bit);
        for (entry, &low) in rest.iter_mut().zip(&*known) {
            *entry = add(low, image);
        }
    }
    table
}

/// The sum.
#[expect(clippy::arithmetic_side_effects, reason = "the field's operators are total")]
fn add(a: E, b: E) -> E {
    a + b
}
