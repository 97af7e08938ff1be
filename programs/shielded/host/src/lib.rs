//! The host side of the guest `shielded`: spends as bytes and as words, the benchmarks' spends, its program, its
//! advice and the output to expect.

mod benchmark;
mod bytes;
mod tree;

use leanvm_guest::host::{Advice, PublicValues};
use shielded_guest::{Digest, Hasher, Refusal, Spend, check};
use thiserror::Error;

pub use benchmark::{benchmark_spend, benchmark_spends};
pub use bytes::{BYTES, IndexTooLong, from_bytes, to_bytes};

/// The program.
pub const ELF: &[u8] = include_bytes!("../../shielded.elf");

/// The most spends that the program's advice region holds.
pub const MAX_SPENDS: usize = ((1 << 18) - 1) / (size_of::<Spend>() / 8);

/// More spends than the program's advice region holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{spends} spends do not fit the program's advice region: at most {max} do")]
pub struct TooMany {
    /// The spends given.
    pub spends: usize,
    /// The most that fit.
    pub max: usize,
}

/// The advice for these spends.
///
/// # Errors
/// [`TooMany`] beyond [`MAX_SPENDS`].
pub fn advice(spends: &[Spend]) -> Result<Vec<u64>, TooMany> {
    if spends.len() > MAX_SPENDS {
        return Err(TooMany {
            spends: spends.len(),
            max: MAX_SPENDS,
        });
    }
    Ok(Advice::new()
        .push(&(spends.len() as u64))
        .push_slice(spends)
        .into_words())
}

/// The statement of a spend.
///
/// # Errors
/// Which rule it breaks.
pub fn statement(spend: &Spend) -> Result<Digest, Refusal> {
    check(&mut Hasher::new(), spend)
}

/// The output of the run that checks spends with these statements.
#[must_use]
pub fn output<'a>(statements: impl IntoIterator<Item = &'a Digest>) -> [u8; 32] {
    statements
        .into_iter()
        .fold(PublicValues::new(), PublicValues::commit)
        .output()
}

#[cfg(test)]
mod tests;
