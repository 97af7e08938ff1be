//! Machines proven and refused, by the prover from the definitions.

mod case;
mod checks;
mod diagnose;
#[cfg(feature = "prover")]
mod fixtures;
mod forgeries;
mod machines;
mod mutations;
#[cfg(feature = "prover")]
mod prover;
mod reductions;
mod transcript;

use case::HONEST;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed};

/// Property tests of 64 cases, the same in every run.
fn config() -> Config {
    Config {
        cases: 64,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(0x1ea7),
        failure_persistence: None,
        ..Config::default()
    }
}

#[test]
fn honest_proofs_are_accepted() {
    for case in machines::all() {
        assert_eq!(case.verify(&case.prove(HONEST)), Ok(()), "{}", case.name);
    }
}
