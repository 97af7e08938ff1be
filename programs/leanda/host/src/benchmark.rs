//! The input of the benchmarks.

use std::array;

use leanda_guest::Row;

use crate::code::{PAYLOAD, encode};

/// The codewords of the first `count` blobs: payload symbol number i, from 1 on and across all blobs, is
/// `0x9e3779b97f4a7c15 i` modulo 2^64.
#[must_use]
pub fn benchmark_rows(count: usize) -> Vec<Row> {
    let symbol = |i: usize| 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(i as u64);
    (0..count)
        .map(|blob| *encode(&array::from_fn(|i| symbol(PAYLOAD * blob + i + 1))))
        .collect()
}
