//! Properties of batches drawn at random.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::*;

/// Cases of every property.
const CASES: u32 = 64;

/// The configuration of every property: fixed seeds, nothing written to disk.
fn config() -> Config {
    Config {
        cases: CASES,
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..Config::default()
    }
}

/// A batch of one to four members, of at most 2^10 words each, and of each member where its tail begins.
fn batches() -> impl Strategy<Value = (Case, Vec<usize>)> {
    let member = (0usize..4, 0usize..4, any::<prop::sample::Index>(), any::<bool>());
    prop::collection::vec(member, 1..5).prop_map(|members| {
        let circuits = vec![adder(), mixed(), small(), multiplier()];
        let mut parts = Vec::new();
        let mut lives = Vec::new();
        for (circuit, more, live, all) in members {
            let log = 13 - circuits[circuit].log_block() + more.min(3);
            parts.push((circuit, log));
            lives.push(if all { 1 << log } else { live.index((1 << log) + 1) });
        }
        let mut case = Case::new(circuits, &parts);
        for (member, (&(circuit, log), &live)) in parts.iter().zip(&lives).enumerate() {
            case.witnesses[member] = blocks(&case.circuits[circuit], log, live, member as u64);
        }
        (case, lives)
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_batch_is_proven_as_by_the_definitions_and_accepted((case, lives) in batches()) {
        let (proof, reduction) = case.prove(&lives);
        prop_assert!(proof == case.forge(HONEST), "the proofs differ");
        prop_assert_eq!(&case.verify(&proof).unwrap(), &reduction);
        prop_assert!(case.slices_hold(&reduction));
        prop_assert!(check_deferred(&case.batch(), &reduction.deferred).is_ok());
    }

    #[test]
    fn a_flipped_bit_is_refused_unless_its_block_still_is_one(
        (mut case, _) in batches(),
        bit: prop::sample::Index,
        member: prop::sample::Index,
    ) {
        let member = member.index(case.witnesses.len());
        let bit = bit.index(64 * case.witnesses[member].len());
        case.flip(member, bit);
        let circuit = &case.circuits[case.parts[member].0];
        let mut blocks = case.witnesses[member].chunks(circuit.block_words());
        let holds = blocks.all(|block| {
            let words: Vec<u64> = block.iter().map(|word| word.0).collect();
            circuit.check(&words).is_ok()
        });
        let (proof, _) = case.prove(&case.all_live());
        prop_assert_eq!(case.verify(&proof).is_ok(), holds);
    }

    #[test]
    fn any_change_of_a_proof_is_refused((case, lives) in batches(), word: prop::sample::Index, by in 1u64..) {
        let (mut proof, reduction) = case.prove(&lives);
        let word = word.index(proof.stream.len());
        proof.stream[word] ^= by;
        // The first words are the commitment, which the opening checks: all that follows is for other challenges.
        let verified = case.verify(&proof);
        prop_assert!(verified.is_err(), "word {}", word);
        prop_assert!(verified != Ok(reduction));
    }
}
