//! What the tests of this crate share.

use alloc::vec::Vec;

use primitives::field::{E, K};
use proptest::test_runner::{Config, RngAlgorithm, RngSeed};

/// Cases of a property test.
pub(crate) const CASES: u32 = 64;

/// Property tests of `cases` cases, the same in every run.
pub(crate) fn config(cases: u32) -> Config {
    Config {
        cases,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(0x1ea7),
        failure_persistence: None,
        ..Config::default()
    }
}

/// Words without a pattern.
pub(crate) fn words(count: usize) -> Vec<K> {
    (1..=count as u64)
        .map(|i| K(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).square())
        .collect()
}

/// Elements of E without a pattern.
pub(crate) fn symbols(count: usize) -> Vec<E> {
    words(3 * count)
        .chunks_exact(3)
        .map(|w| E([w[0], w[1], w[2]]))
        .collect()
}
