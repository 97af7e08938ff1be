//! One pass over the dual codeword and a row: their inner product, the digest of the one, the cells' of the other.

#[cfg(not(target_os = "none"))]
mod definition;
#[cfg(target_os = "none")]
mod kernel;

use leanvm_guest::ext::E;

use crate::{CELLS, Digest, Dual, Row};

/// What a pass finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
    /// The sum of the products of symbols and entries: zero if the row is a codeword.
    pub product: E,
    /// The digest of the dual codeword.
    pub dual: Digest,
    /// The digests of the row's cells.
    pub cells: [Digest; CELLS],
}

impl Scan {
    /// Reads both, front to back.
    #[inline(always)]
    #[must_use]
    pub fn new(dual: &Dual, row: &Row) -> Self {
        #[cfg(target_os = "none")]
        return kernel::scan(dual, row);
        #[cfg(not(target_os = "none"))]
        definition::scan(dual, row)
    }
}
