//! Tests of the compression: against the function, its witness against the walk, its counts.

use alloc::vec;
use alloc::vec::Vec;

use primitives::blake2s::{INITIAL, compress_words, digest_to_words, hash};
use proptest::prelude::*;

use super::{BLOCK_WORDS, OUT, compression, fill};
use crate::tests::{Words, assert_flips_are_refused, config, on_every_back_end, random_inputs};

/// Inputs on which all carries are alike, or that tell the ports apart.
fn edges() -> Vec<Vec<u64>> {
    let mut edges = vec![vec![0; 14], vec![u64::MAX; 14]];
    edges.extend((0..14).map(|port| (0..14).map(|p| if p == port { u64::MAX } else { 0 }).collect()));
    edges.extend((0..14).map(|port| (0..14).map(|p| if p == port { 1 << 63 | 1 } else { 0 }).collect()));
    edges
}

fn blocks(instances: &[Vec<u64>], garbage: &mut Words) -> Vec<u64> {
    let words = |inputs: &Vec<u64>| -> Vec<u64> {
        let rest: Vec<u64> = garbage.take(BLOCK_WORDS - inputs.len()).collect();
        [&inputs[..], &rest].concat()
    };
    instances.iter().flat_map(words).collect()
}

#[test]
fn the_counts_are_these() {
    let circuit = compression();
    assert_eq!((circuit.inputs(), circuit.outputs()), (14, 4));
    assert_eq!(circuit.output_word(0), OUT.start);
    assert_eq!((circuit.log_block(), circuit.block_words()), (14, BLOCK_WORDS));
    // One AND a carry of 480 additions, less those that are no product: 1, 1, 2 and 2 of the lowest ones
    // where the first four words of the initialisation vector are added.
    assert_eq!(circuit.ands(), 480 * 31 - 6);
    assert_eq!(circuit.constant_position(), 64 * OUT.end);
    assert_eq!(circuit.positions(), 64 * OUT.end + 1 + circuit.ands());
    let digest = digest_to_words(&circuit.digest());
    assert_eq!((circuit.xors(), digest[0]), (69_794, 17_505_762_896_442_426_414));
}

#[test]
fn it_is_the_compression_of_the_hash() {
    let circuit = compression();
    let mut words = Words(7);
    for last in [false, true] {
        let (counter, chaining, message) = (
            words.word(),
            [(); 4].map(|()| words.word()),
            [(); 8].map(|()| words.word()),
        );
        let flags = if last { 0xffff_ffff } else { 0 };
        let inputs = [&[counter, flags][..], &chaining, &message].concat();
        assert_eq!(
            circuit.evaluate(&inputs),
            compress_words(&chaining, &message, counter, last)
        );
    }
    // One block of the hash of "abc".
    let initial: [u64; 4] =
        core::array::from_fn(|i| u64::from(INITIAL[2 * i]) | u64::from(INITIAL[2 * i + 1]) << 32);
    let mut inputs = vec![3, 0xffff_ffff];
    inputs.extend(initial);
    inputs.extend([0x0063_6261, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(circuit.evaluate(&inputs), digest_to_words(&hash(b"abc")));
}

#[test]
fn the_witness_by_words_is_the_walk_on_edges() {
    let circuit = compression();
    let mut by_walk = blocks(&edges(), &mut Words(2));
    circuit.fill(&mut by_walk);
    on_every_back_end(|| {
        let mut by_words = blocks(&edges(), &mut Words(1));
        fill(&mut by_words);
        assert_eq!(by_words, by_walk);
    });
    for block in by_walk.chunks(BLOCK_WORDS) {
        assert_eq!(circuit.check(block), Ok(()));
    }
}

#[test]
fn a_block_with_a_bit_flipped_is_refused() {
    let circuit = compression();
    let mut words = Words(3);
    let block = circuit.block(&random_inputs(&circuit, &mut words));
    let random = (0..40).map(|_| words.below(1 << 14)).collect::<Vec<_>>();
    let edges = [
        0,
        64 * 14 - 1,
        64 * 14,
        64 * 18 - 1,
        64 * 18,
        circuit.positions() - 1,
        circuit.positions(),
        (1 << 14) - 1,
    ];
    assert_flips_are_refused(&circuit, &block, random.into_iter().chain(edges));
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_witness_by_words_is_the_walk(seed: u64, count in 0_usize..35) {
        let circuit = compression();
        let mut words = Words(seed);
        let instances: Vec<Vec<u64>> = (0..count).map(|_| random_inputs(&circuit, &mut words)).collect();
        let mut by_walk = blocks(&instances, &mut words);
        circuit.fill(&mut by_walk);
        on_every_back_end(|| {
            let mut by_words = blocks(&instances, &mut Words(seed));
            fill(&mut by_words);
            assert_eq!(by_words, by_walk);
        });
    }
}
