//! The conversation as a whole, and what the tests of its parts share.

mod conversation;
mod grinding;
mod known_answers;
mod merkle;
mod native;
mod proof;
mod queries;
mod transcript;

use alloc::vec;
use alloc::vec::Vec;

use primitives::blake2s;
use primitives::field::E;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use crate::Digest;

/// Cases of each property test.
const CASES: u32 = 64;

fn config() -> Config {
    Config {
        cases: CASES,
        rng_seed: RngSeed::Fixed(3),
        failure_persistence: None,
        ..Config::default()
    }
}

fn scalars() -> impl Strategy<Value = E> {
    any::<[u64; 3]>().prop_map(E::from_words)
}

/// A Merkle tree with every node stored, from the definition.
struct Tree {
    leaves: Vec<Vec<u64>>,
    /// The leaves' digests first.
    layers: Vec<Vec<Digest>>,
}

impl Tree {
    /// A tree of `2^log_leaves` leaves of `words` words after `zero_words` zeros; all words are different.
    fn new(zero_words: usize, words: usize, log_leaves: usize) -> Self {
        let leaf = |i: usize| {
            (0..words)
                .map(move |j| 1000 * i as u64 + j as u64)
                .collect::<Vec<_>>()
        };
        let leaves: Vec<_> = (0..1 << log_leaves).map(leaf).collect();
        let image = |leaf: &Vec<u64>| [vec![0; zero_words], leaf.clone()].concat();
        let mut layers = vec![
            leaves
                .iter()
                .map(|leaf| blake2s::hash_words(&image(leaf)))
                .collect::<Vec<_>>(),
        ];
        while layers.last().unwrap().len() > 1 {
            let below = layers.last().unwrap();
            layers.push(
                below
                    .chunks(2)
                    .map(|pair| blake2s::hash_words(pair.as_flattened()))
                    .collect(),
            );
        }
        Self { leaves, layers }
    }

    fn root(&self) -> Digest {
        self.layers.last().unwrap()[0]
    }

    fn leaf(&self) -> impl Fn(usize, &mut Vec<u64>) {
        |index, words| words.extend_from_slice(&self.leaves[index])
    }

    fn node(&self) -> impl Fn(usize, usize) -> Digest {
        |layer, index| self.layers[layer][index]
    }
}
