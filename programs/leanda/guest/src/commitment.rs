//! The commitment to rows: two Merkle trees over the same cells.
//!
//! The row tree has the rows' payloads as leaves, for whoever wants a whole blob; the column tree has all cells, column
//! by column, for whoever samples.

use crate::{CELL, CELLS, Digest, Hasher};

/// A commitment, and the two roots that it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// The root of the rows' payloads.
    pub rows: Digest,
    /// The root of all cells.
    pub columns: Digest,
    /// The commitment: the digest of both.
    pub root: Digest,
}

impl Commitment {
    /// The commitment to rows whose cells have these digests; a row that is none is padding, all zero.
    ///
    /// # Panics
    /// If the number of rows is no power of two.
    #[inline(always)]
    #[must_use]
    pub fn new<const ROWS: usize>(hasher: &mut Hasher, rows: &[Option<[Digest; CELLS]>; ROWS]) -> Self {
        let padding = if rows.contains(&None) {
            hasher.words(&[0; CELL])
        } else {
            Digest::default()
        };
        // Cell j of row i is at (j, i): in the order of the column tree.
        let mut cells = [[padding; ROWS]; CELLS];
        let mut row_digests = [Digest::default(); ROWS];
        for (i, (row, row_digest)) in rows.iter().zip(&mut row_digests).enumerate() {
            let Some(row) = row else {
                *row_digest = hasher.words([padding; CELLS / 2].as_flattened());
                continue;
            };
            let (payload, _) = row.split_at(CELLS / 2);
            *row_digest = hasher.words(payload.as_flattened());
            for (column, digest) in cells.iter_mut().zip(row) {
                column[i] = *digest;
            }
        }
        let rows = hasher.root(&mut row_digests);
        let columns = hasher.root(cells.as_flattened_mut());
        Self {
            rows,
            columns,
            root: hasher.pair(&rows, &columns),
        }
    }
}
