//! Each reduction leaves what the definition of the next claim says.

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::{Channel, Counting, Kind, Native};
use pcs::stack::selectors::Selectors;
use primitives::field::{E, K};
use primitives::multilinear::eq_at_index;
use proptest::prelude::*;

use super::case::Case;
use super::machines;
use crate::blocks::{Bus, Fingerprint, form, named};
use crate::gkr;
use crate::layout::{Leaves, Source};
use crate::machine::{Coordinate, Form, Machine, Producer, PublicColumn};
use crate::reference::{Message, extension};
use crate::{PRODUCER, PUBLIC, ProducerClaim, PublicClaim, check_deferred, tables};

fn scalars(count: usize, seed: u64) -> Vec<E> {
    let words = machines::words(3 * count, seed);
    words
        .chunks(3)
        .map(|words| E::from_words([words[0], words[1], words[2]]))
        .collect()
}

/// The honest leaves, and the proof without its opening.
fn leaves(case: &Case) -> ([Vec<E>; 2], fiat_shamir::Proof) {
    let mut leaves = [const { Vec::new() }; 2];
    let proof = case.reduce(|message, scalars| {
        if let Message::Leaves(side) = message {
            leaves[side] = scalars.to_vec();
        }
    });
    (leaves, proof)
}

#[test]
fn a_reduction_leaves_the_claims_that_the_definitions_give() {
    for case in machines::all() {
        let (leaves, proof) = leaves(&case);
        let layout = case.layout();
        let arith = Native::new(&proof);
        let mut channel = Channel::new(&arith, Kind::Opening, &proof.shape);
        let announced: Vec<K> = case
            .announced
            .iter()
            .map(|_| channel.read_word().unwrap())
            .collect();
        channel.read_digest().unwrap();
        let fingerprint = Fingerprint::draw(&mut channel);

        // The grand product leaves the extensions of the leaves.
        let claims = gkr::verify(&mut channel, layout.log_leaves).unwrap();
        assert_eq!(claims.point.len(), layout.log_leaves);
        let extensions = leaves.each_ref().map(|leaves| extension(leaves, &claims.point));
        assert_eq!(claims.values, extensions, "{}", case.name);

        // Without boundaries and ones the blocks of tables and producers are left.
        let bus = Bus::new(&arith, &layout, fingerprint, claims.point);
        let named = channel.read_scalars(named(&case.machine).count()).unwrap();
        let rest = bus.rest(&arith, &case.machine, &layout, claims.values, &announced, &named);
        for side in 0..2 {
            let block = |block: &Leaves| {
                let of_block = &leaves[side][block.offset..][..1 << block.log_len];
                let (low, high) = bus.point.split_at(block.log_len);
                eq_at_index(high, block.offset >> block.log_len) * extension(of_block, low)
            };
            let blocks = layout.leaves[side].iter();
            let blocks = blocks.filter(|block| !matches!(block.source, Source::Boundary(_)));
            assert_eq!(rest[side], blocks.map(block).sum(), "{}", case.name);
        }

        // The tables leave values of columns.
        let values = tables::verify(&mut channel, &layout, &bus, rest).unwrap();
        assert_eq!(values.point.len(), layout.log_rows);
        let at = |words: &[u64]| {
            let words: Vec<K> = words.iter().map(|&word| K(word)).collect();
            extension(&words, &values.point[..words.len().ilog2() as usize])
        };
        let present = case.tables.iter().flatten();
        for ((place, rows), values) in layout.tables.iter().zip(present).zip(&values.tables) {
            let ports = place.table.ports.iter().map(|port| {
                let words = 1 << place.log_block_words[port.block];
                let block = rows.blocks[port.block].iter();
                at(&block.skip(port.word).step_by(words).copied().collect::<Vec<_>>())
            });
            let columns = rows.columns.iter().map(|column| at(column));
            let public = place
                .table
                .public
                .iter()
                .map(|&column| match &case.machine.public[column] {
                    PublicColumn::Dense(words) => at(&words.iter().map(|word| word.0).collect::<Vec<_>>()),
                    PublicColumn::Sparse { .. } => panic!("a table has a sparse column"),
                });
            let index = place.table.index.iter().map(|index| {
                let words = (0..1u64 << place.log_rows).map(|row| index.base ^ (row << index.shift));
                at(&words.collect::<Vec<_>>())
            });
            let expected = columns.chain(ports).chain(public).chain(index);
            assert_eq!(*values, expected.collect::<Vec<_>>(), "{}", case.name);
        }
        for ((place, counts), values) in layout.producers.iter().zip(&case.counts).zip(&values.producers) {
            let bit = |bit: usize| counts.iter().map(|count| count >> bit & 1).collect::<Vec<_>>();
            let slices = (0..place.bits).map(|b| at(&bit(b)));
            assert_eq!(values.slices, slices.collect::<Vec<_>>(), "{}", case.name);
        }
    }
}

#[test]
fn a_claim_passes_through_a_round_as_its_polynomial_says() {
    let arith = Native::default();
    let s = scalars(7, 3);
    let (h, z, x) = (&s[..5], s[5], s[6]);
    let at = |x: E| h.iter().rev().fold(E::ZERO, |value, &h| value * x + h);
    let claim = (E::ONE + z) * at(E::ZERO) + z * at(E::ONE);
    let next = gkr::next_claim(&arith, claim, z, [h[1], h[2], h[3], h[4]], x);
    assert_eq!(next, at(x));
}

#[test]
fn a_fingerprint_weighs_coordinates_by_eq() {
    let arith = Native::default();
    let s = scalars(21, 4);
    let fingerprint = Fingerprint::new(&arith, [s[0], s[1], s[2], s[3]], s[4]);
    let weights: Vec<E> = (0..16).map(|i| eq_at_index(&s[..4], i)).collect();
    assert_eq!(fingerprint.weights, weights);
    // Columns, constants 0, 1 and others.
    for constants in [[K::ZERO, K::ONE], [K(2), K::ZERO], [K::ONE, K(u64::MAX)]] {
        let columns = (0..14).map(Form::column);
        let tuple: Vec<Form> = constants.map(Form::constant).into_iter().chain(columns).collect();
        let values = constants.map(E::from).into_iter().chain(s[5..19].iter().copied());
        let expected = s[4]
            + values
                .zip(&weights)
                .map(|(value, &weight)| value * weight)
                .sum::<E>();
        assert_eq!(fingerprint.of_flush(&arith, &tuple, &s[5..]), expected);
    }
}

#[test]
fn the_selectors_of_blocks_cost_a_product_for_each_two_and_the_way_to_them() {
    for case in machines::all() {
        let layout = case.layout();
        let arith = Counting::default();
        let point = vec![(); layout.log_leaves];
        let mut selectors = Selectors::new(&arith, &point);
        for block in layout.leaves.iter().flatten() {
            selectors.of(block.region());
        }
        let blocks = layout.leaves.iter().flatten().count();
        let products = arith.counts().mul as usize;
        assert!(
            products <= blocks + layout.log_leaves,
            "{}: {products}",
            case.name
        );
    }
}

proptest! {
    #![proptest_config(super::config())]

    #[test]
    fn a_form_has_one_value_on_words_and_on_scalars(
        constant in any::<u64>(),
        linear in prop::collection::vec((0usize..5, 0u64..3), 0..6),
        products in prop::collection::vec((0usize..5, 0usize..5, any::<u64>()), 0..4),
        row in prop::array::uniform5(any::<u64>()),
    ) {
        let of = Form {
            constant: K(constant),
            linear: linear.into_iter().map(|(i, k)| (i, K(k))).collect(),
            products: products.into_iter().map(|(i, j, k)| (i, j, K(k))).collect(),
        };
        let row = row.map(K);
        let value = form(&Native::default(), &of, &row.map(E::from));
        prop_assert_eq!(value, of.evaluate(&row).into());
    }
}

/// A machine with public columns and producers over them, of these sizes.
fn public_machine(log_len: usize) -> Machine {
    let dense = |seed| machines::words(1 << log_len, seed).into_iter().map(K).collect();
    Machine {
        public: vec![
            PublicColumn::Dense(dense(1)),
            PublicColumn::Sparse {
                log_words: log_len,
                words: (0..1 << log_len)
                    .step_by(3)
                    .map(|i| (i, K(u64::from(i) << 40 | 5)))
                    .collect(),
            },
            PublicColumn::Dense(dense(2)),
        ],
        producers: vec![Producer {
            name: "list",
            log_len,
            tuple: vec![
                Coordinate::Constant(K(0x77)),
                Coordinate::Public(0),
                Coordinate::Index {
                    base: 0xf00,
                    shift: 64 - log_len,
                },
                Coordinate::Public(2),
                Coordinate::Constant(K::ZERO),
                Coordinate::Index { base: 1, shift: 0 },
            ],
        }],
        ..Machine::default()
    }
}

#[test]
fn deferred_claims_are_settled_by_their_definitions() {
    // Sizes below and above the low table of eq.
    for log_len in [1, 4, 10, 12] {
        let machine = public_machine(log_len);
        let Machine {
            public, producers, ..
        } = &machine;
        let word = |coordinate: &Coordinate, i: usize| match *coordinate {
            Coordinate::Constant(word) => word,
            Coordinate::Index { base, shift } => K(base ^ (i as u64) << shift),
            Coordinate::Public(column) => match &public[column] {
                PublicColumn::Dense(words) => words[i],
                PublicColumn::Sparse { words, .. } => {
                    let found = words.iter().find(|&&(index, _)| index as usize == i);
                    found.map_or(K::ZERO, |&(_, word)| word)
                }
            },
            _ => unreachable!("no producer has these"),
        };
        let s = scalars(5 + log_len + 5, 9);
        let (alpha, beta) = ([s[0], s[1], s[2], s[3]], s[4]);
        let (point, weights) = s[5..].split_at(log_len);

        let mut deferred = crate::Deferred {
            circuits: None,
            public: Vec::new(),
            producers: Vec::new(),
        };
        for column in [0, 1] {
            let words: Vec<K> = (0..1 << log_len)
                .map(|i| word(&Coordinate::Public(column), i))
                .collect();
            deferred.public.push(PublicClaim {
                column,
                point: point.to_vec(),
                value: extension(&words, point),
            });
        }
        let value = (0..1 << log_len).map(|i| {
            let tuple = producers[0].tuple.iter().enumerate();
            let terms = tuple.map(|(j, coordinate)| eq_at_index(&alpha, j) * word(coordinate, i));
            let entry = beta + terms.sum::<E>();
            let powers = core::iter::successors(Some(entry), |power| Some(power.square()));
            let sum = weights
                .iter()
                .zip(powers)
                .map(|(&weight, power)| weight * power)
                .sum::<E>();
            eq_at_index(point, i) * sum
        });
        deferred.producers.push(ProducerClaim {
            alpha,
            beta,
            point: point.to_vec(),
            weights: weights.to_vec(),
            value: value.sum(),
        });
        // The layout has a say in circuits only.
        let case = machines::permutation();
        let settle = |deferred: &crate::Deferred<E>| check_deferred(&machine, &case.layout(), deferred);
        assert_eq!(settle(&deferred), Ok(()), "2^{log_len} entries");
        for number in [0, 1] {
            let mut forged = deferred.clone();
            forged.public[number].value += E::Y;
            assert_eq!(super::case::refused_by(&settle(&forged)), PUBLIC.at(number));
        }
        let mut forged = deferred.clone();
        forged.producers[0].value += E::ONE;
        assert_eq!(super::case::refused_by(&settle(&forged)), PRODUCER.at(0));
    }
}
