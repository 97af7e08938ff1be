use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::merkle::{LeafSet, Opening};
use primitives::backend::{Token, available};
use primitives::field::E;
use primitives::{blake2s, pool};
use proptest::prelude::*;

use super::*;
use crate::ntt::reference;
use crate::tests::{CASES, config, symbols, words};

/// The digests of all images, by the definitions of code and leaf.
fn leaves<T>(message: &[T], shape: &Interleaving) -> Vec<Digest>
where
    T: Symbol + core::ops::Mul<K, Output = T> + core::ops::Add<Output = T> + core::ops::AddAssign,
{
    let lanes: Vec<Vec<T>> = message
        .chunks(1 << shape.log_message)
        .map(|lane| reference::encode(lane, shape.log_inv_rate))
        .collect();
    (0..1 << shape.log_rows())
        .map(|x| {
            let absent = vec![T::zeroed(); (1 << shape.log_lanes) - shape.lanes];
            let image: Vec<T> = absent
                .into_iter()
                .chain(lanes.iter().map(|lane| lane[x]))
                .collect();
            let words: &[K] = bytemuck::cast_slice(&image);
            blake2s::hash(
                &words
                    .iter()
                    .flat_map(|word| word.0.to_le_bytes())
                    .collect::<Vec<u8>>(),
            )
        })
        .collect()
}

fn check<T>(message: &[T], shape: &Interleaving)
where
    T: Symbol + core::ops::Mul<K, Output = T> + core::ops::Add<Output = T> + core::ops::AddAssign,
{
    let oracle = commit(message, shape);
    assert_eq!(oracle.tree().layer(0), leaves(message, shape), "{shape:?}");
    for (lane, message) in message.chunks(1 << shape.log_message).enumerate() {
        let word = reference::encode(message, shape.log_inv_rate);
        assert!(
            (0..word.len()).all(|x| oracle.column(x)[lane] == word[x]),
            "lane {lane} of {shape:?}"
        );
    }
}

#[test]
fn leaves_are_the_digests_of_whole_images_for_every_number_of_lanes() {
    for lanes in 1..=64 {
        for (log_message, log_inv_rate) in [(1, 1), (4, 2), (6, 1)] {
            let shape = Interleaving {
                log_message,
                log_inv_rate,
                log_lanes: 6,
                lanes,
            };
            check(&words(shape.message_symbols()), &shape);
        }
    }
    for lanes in 1..=16 {
        let shape = Interleaving {
            log_message: 3,
            log_inv_rate: 5,
            log_lanes: 4,
            lanes,
        };
        check(&symbols(shape.message_symbols()), &shape);
    }
}

#[test]
fn a_commitment_is_the_same_on_every_number_of_threads_and_every_back_end() {
    let shape = Interleaving {
        log_message: 10,
        log_inv_rate: 2,
        log_lanes: 6,
        lanes: 37,
    };
    let message = words(shape.message_symbols());
    let root = commit(&message, &shape).root();
    for kind in available().map(Token::kind) {
        primitives::backend::force(kind).unwrap();
        for threads in [1, 2, 3, 8] {
            assert_eq!(
                pool::with_threads(threads, || commit(&message, &shape).root()),
                root
            );
        }
    }
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn an_opened_column_is_a_leaf_of_the_root(
        log_message in 0usize..6,
        log_inv_rate in 1usize..5,
        lanes in 1usize..=16,
        index: usize,
    ) {
        let shape = Interleaving { log_message, log_inv_rate, log_lanes: 4, lanes };
        let oracle = commit::<E>(&symbols(shape.message_symbols()), &shape);
        let index = index % (1 << shape.log_rows());
        let set = LeafSet::new(vec![index], shape.log_rows()).unwrap();
        let leaf = shape.leaf_shape::<E>();
        let opening = Opening::extract(
            &leaf,
            &set,
            |x, out| out.extend(oracle.words(x).iter().map(|word| word.0)),
            |layer, index| oracle.tree().node(layer, index),
        );
        let opened = opening.verify(&oracle.root(), &leaf, &set).unwrap();
        let expected: Vec<u64> = oracle.column(index).iter().flat_map(|symbol| symbol.to_words()).collect();
        prop_assert_eq!(opened[&index], expected);
    }
}
