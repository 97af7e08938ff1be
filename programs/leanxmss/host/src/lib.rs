//! The host side of the guest `leanxmss`: keys and signatures, its program, its advice and the output to expect.
//!
//! Everything is deterministic and kept in memory only. Keys are *restricted* to one leaf: every node that
//! the leaf's path needs is a pseudorandom filler, so a key costs 42 chains instead of 2^32 leaves, and its
//! signatures are ordinary ones. Signing is for tests and benchmarks: it guards no secret against timing.

mod benchmark;
mod hash;
mod key;

use leanvm_guest::host::{Advice, PublicValues};
use leanxmss_guest::{Claim, Entry};
use thiserror::Error;

pub use benchmark::{BENCHMARK_LEAF, BENCHMARK_MESSAGE, benchmark_entries, benchmark_entry};
pub use key::{GaveUp, SecretKey};

/// The program.
pub const ELF: &[u8] = include_bytes!("../../leanxmss.elf");

/// The most entries that the program's advice region holds.
pub const MAX_ENTRIES: usize = ((1 << 16) - 1) / (size_of::<Entry>() / 8);

/// More entries than the program's advice region holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{entries} entries do not fit the program's advice region: at most {max} do")]
pub struct TooMany {
    /// The entries given.
    pub entries: usize,
    /// The most that fit.
    pub max: usize,
}

/// The advice for these entries.
///
/// # Errors
/// [`TooMany`] beyond [`MAX_ENTRIES`].
pub fn advice(entries: &[Entry]) -> Result<Vec<u64>, TooMany> {
    if entries.len() > MAX_ENTRIES {
        return Err(TooMany {
            entries: entries.len(),
            max: MAX_ENTRIES,
        });
    }
    Ok(Advice::new()
        .push(&(entries.len() as u64))
        .push_slice(entries)
        .into_words())
}

/// The output of the run that verifies signatures of these claims.
#[must_use]
pub fn output<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> [u8; 32] {
    claims
        .into_iter()
        .fold(PublicValues::new(), PublicValues::commit)
        .output()
}

#[cfg(test)]
mod tests;
