//! The host side of the guest `falcon`: keys and signatures, its program, its advice and the output to expect.
//!
//! Keys and signatures are those of the crate `tide-fn-dsa`; nothing of it is in the guest.

mod benchmark;
mod bytes;

use falcon_guest::{Claim, Entry, Refusal, Verifier};
use leanvm_guest::host::{Advice, PublicValues};
use thiserror::Error;

pub use benchmark::{BENCHMARK_MESSAGE, benchmark_entries, benchmark_entry};
pub use bytes::{Malformed, PUBLIC_KEY_BYTES, public_key, signature};

/// The program.
pub const ELF: &[u8] = include_bytes!("../../falcon.elf");

/// The most entries that the program's advice region holds.
pub const MAX_ENTRIES: usize = ((1 << 14) - 1) / (size_of::<Entry>() / 8);

/// More entries than the program's advice region holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{entries} signatures do not fit the program's advice region: at most {max} do")]
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

/// Checks the signature of an entry as the guest does.
///
/// # Errors
/// Which check refused it.
pub fn verify(entry: &Entry) -> Result<(), Refusal> {
    let Claim { key, message } = &entry.claim;
    Verifier::new().verify(key, message, &entry.signature)
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
