//! The input of the benchmarks.

use leansphincs_guest::Entry;
use primitives::pool;

use crate::{GaveUp, SecretKey};

/// The message that the benchmarks' signers sign.
pub const BENCHMARK_MESSAGE: [u8; 32] = [0x42; 32];

/// The entry of signer `i`: its seed is i as eight little-endian bytes, then zeros.
///
/// # Errors
/// Never in practice; see [`SecretKey::sign`].
pub fn benchmark_entry(i: u64) -> Result<Entry, GaveUp> {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&i.to_le_bytes());
    let key = SecretKey::new(&seed);
    Ok(Entry {
        claim: key.claim(&BENCHMARK_MESSAGE),
        signature: key.sign(&BENCHMARK_MESSAGE)?,
    })
}

/// The entries of the first `count` signers, made on the threads of the pool.
///
/// # Errors
/// As [`benchmark_entry`].
pub fn benchmark_entries(count: usize) -> Result<Vec<Entry>, GaveUp> {
    pool::map(count, |i| benchmark_entry(i as u64))
        .into_iter()
        .collect()
}
