//! The transcript against a twin written from `doc/transcript.md`, and against forgeries of what it absorbs.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use primitives::blake2s;
use primitives::field::{E, K};
use proptest::prelude::*;

use super::{config, scalars};
use crate::proof::{Kind, header};
use crate::{Arith, Channel, Counting, Digest, Item, Native, Prover, Step, Transcript};

/// One turn of a conversation.
#[derive(Clone, PartialEq, Debug)]
enum Turn {
    Scalar(E),
    Word(u64),
    Digest(Digest),
    Challenge,
    Grind,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        4 => scalars().prop_map(Turn::Scalar),
        4 => any::<u64>().prop_map(Turn::Word),
        2 => any::<Digest>().prop_map(Turn::Digest),
        2 => Just(Turn::Challenge),
        1 => Just(Turn::Grind),
    ];
    prop::collection::vec(turn, 0..24)
}

const BITS: usize = 3;

/// The definition: a list of the words that wait, and of where its items begin.
struct Twin {
    state: Digest,
    words: Vec<u64>,
    starts: Vec<usize>,
}

impl Twin {
    fn new(kind: Kind, shape: &[u64]) -> Self {
        let state = blake2s::digest_to_words(&blake2s::hash(&header(kind)));
        let mut twin = Self {
            state,
            words: vec![],
            starts: vec![],
        };
        twin.item(&[shape.len() as u64]);
        shape.iter().for_each(|&word| twin.item(&[word]));
        twin
    }

    fn item(&mut self, words: &[u64]) {
        if self.words.len() + words.len() > 8 {
            self.step(1);
        }
        self.starts.push(self.words.len());
        self.words.extend_from_slice(words);
    }

    fn step(&mut self, kind: u64) {
        self.starts.push(self.words.len());
        let layout: u64 = self.starts.iter().map(|start| 1 << start).sum();
        self.words.resize(8, 0);
        let message = self.words.as_slice().try_into().unwrap();
        self.state = blake2s::compress_words(&self.state, message, kind << 32 | layout, true);
        self.words.clear();
        self.starts.clear();
    }

    fn flush(&mut self) -> Digest {
        if !self.words.is_empty() {
            self.step(1);
        }
        self.state
    }

    fn challenge(&mut self) -> E {
        self.step(2);
        E::from_words([self.state[0], self.state[1], self.state[2]])
    }

    fn grind(&mut self) -> u64 {
        let before = self.flush();
        for nonce in 0.. {
            self.state = before;
            self.item(&[nonce]);
            self.step(3);
            if self.state[0].trailing_zeros() >= BITS as u32 {
                return nonce;
            }
        }
        unreachable!()
    }
}

/// The final state of the prover.
fn run(turns: &[Turn]) -> Digest {
    let mut prover = Prover::new(Kind::Run, vec![1, 2, 3]);
    for turn in turns {
        match turn {
            Turn::Scalar(value) => prover.send_scalar(*value),
            Turn::Word(value) => prover.send_word(K(*value)),
            Turn::Digest(value) => prover.send_digest(*value),
            Turn::Challenge => {
                let _ = prover.challenge();
            }
            Turn::Grind => prover.grind(BITS),
        }
    }
    prover.finish().1
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn both_sides_equal_the_twin(turns in turns(), kind in prop_oneof![Just(Kind::Run), Just(Kind::Tree)],
                                 shape in prop::collection::vec(any::<u64>(), 0..12)) {
        let mut twin = Twin::new(kind, &shape);
        let mut prover = Prover::new(kind, shape.clone());
        let mut sent = vec![];
        for turn in &turns {
            match turn {
                Turn::Scalar(value) => {
                    twin.item(&value.to_words());
                    prover.send_scalar(*value);
                    sent.extend(value.to_words());
                }
                Turn::Word(value) => {
                    twin.item(&[*value]);
                    prover.send_word(K(*value));
                    sent.push(*value);
                }
                // Digests are what both sides know here; the others are sent.
                Turn::Digest(value) => {
                    twin.item(value);
                    prover.observe_digest(*value);
                }
                Turn::Challenge => prop_assert_eq!(prover.challenge(), twin.challenge()),
                Turn::Grind => {
                    prover.grind(BITS);
                    sent.push(twin.grind());
                }
            }
        }
        let (proof, state) = prover.finish();
        prop_assert_eq!(state, twin.flush());
        prop_assert_eq!(&proof.stream, &sent);

        let native = Native::new(&proof);
        let mut channel = Channel::new(&native, kind, &shape);
        for turn in &turns {
            match turn {
                Turn::Scalar(value) => prop_assert_eq!(channel.read_scalar(), Ok(*value)),
                Turn::Word(value) => prop_assert_eq!(channel.read_word(), Ok(K(*value))),
                Turn::Digest(value) => channel.observe_digest(*value),
                Turn::Challenge => {
                    channel.challenge();
                }
                Turn::Grind => prop_assert_eq!(channel.check_grinding(BITS), Ok(())),
            }
        }
        prop_assert_eq!(channel.finish(), Ok(state));
    }

    #[test]
    fn a_flipped_dropped_repeated_or_swapped_turn_changes_the_state(
        turns in turns().prop_filter("has a turn", |turns| !turns.is_empty()),
        place in any::<prop::sample::Index>(),
        bit in 0..64,
    ) {
        let honest = run(&turns);
        let place = place.index(turns.len());

        let mut flipped = turns.clone();
        match &mut flipped[place] {
            Turn::Scalar(value) => value.0[bit as usize % 3].0 ^= 1u64 << bit,
            Turn::Word(value) => *value ^= 1u64 << bit,
            Turn::Digest(value) => value[bit as usize % 4] ^= 1u64 << bit,
            turn @ Turn::Challenge => *turn = Turn::Grind,
            turn @ Turn::Grind => *turn = Turn::Challenge,
        }
        prop_assert_ne!(run(&flipped), honest);

        let mut dropped = turns.clone();
        dropped.remove(place);
        prop_assert_ne!(run(&dropped), honest);

        let mut repeated = turns.clone();
        repeated.insert(place, turns[place].clone());
        prop_assert_ne!(run(&repeated), honest);

        let mut swapped = turns.clone();
        swapped.swap(place, (place + 1) % turns.len());
        prop_assert_eq!(run(&swapped) == honest, swapped == turns);
    }

    #[test]
    fn the_same_words_as_other_items_change_the_state(scalar in scalars(), last in any::<u64>()) {
        let [w0, w1, w2] = scalar.to_words();
        let words = |list: &[u64]| list.iter().map(|&word| Turn::Word(word)).collect::<Vec<_>>();
        let conversations = [
            words(&[w0, w1, w2, last]),
            vec![Turn::Scalar(scalar), Turn::Word(last)],
            vec![Turn::Word(w0), Turn::Scalar(E::from_words([w1, w2, last]))],
            vec![Turn::Digest([w0, w1, w2, last])],
            // Zeros that were absorbed are not padding.
            words(&[w0, w1, w2, last, 0]),
        ];
        for (i, a) in conversations.iter().enumerate() {
            for b in &conversations[..i] {
                prop_assert_ne!(run(a), run(b));
            }
        }
    }
}

/// Every list of item widths of at most eight words.
fn width_lists(left: usize) -> Vec<Vec<usize>> {
    let longer = [1, 3, 4]
        .into_iter()
        .filter(|&width| width <= left)
        .flat_map(|width| {
            width_lists(left - width)
                .into_iter()
                .map(move |rest| [vec![width], rest].concat())
        });
    core::iter::once(vec![]).chain(longer).collect()
}

#[test]
fn every_kind_of_step_and_list_of_items_has_a_tag_of_its_own() {
    let mut tags = BTreeMap::new();
    for widths in width_lists(8) {
        let items: Vec<Item<Counting>> = widths
            .iter()
            .map(|width| match width {
                1 => Item::Word(()),
                3 => Item::Scalar(()),
                _ => Item::Digest(()),
            })
            .collect();
        for step in [Step::Absorb, Step::Challenge, Step::Grind] {
            let tag = step.tag(&items);
            // No byte counter of a message below 2^32 bytes.
            assert!(tag > u64::from(u32::MAX));
            assert_eq!(tags.insert(tag, (step, widths.clone())), None);
        }
    }
    // Lists of 1, 3, 4 with sums up to 8: 1, 1, 1, 2, 4, 6, 9, 15, 25 by sum.
    assert_eq!(tags.len(), 3 * 64);
}

#[test]
fn the_tags_of_the_document() {
    let native = Native::default();
    let scalar = Item::<Native<'_>>::Scalar(native.constant(E::ONE));
    let digest = Item::<Native<'_>>::Digest([0; 4]);
    assert_eq!(Step::Challenge.tag::<Native<'_>>(&[]), 2 << 32 | 1);
    assert_eq!(Step::Absorb.tag(&[scalar]), 1 << 32 | 0b1001);
    assert_eq!(Step::Challenge.tag(&[scalar, scalar]), 2 << 32 | 0b100_1001);
    assert_eq!(Step::Absorb.tag(&[digest, digest]), 1 << 32 | 0b1_0001_0001);
    assert_eq!(Step::Grind.tag::<Native<'_>>(&[Item::Word(K(9))]), 3 << 32 | 0b11);
}

#[test]
fn a_round_of_a_quadratic_sumcheck_is_one_compression() {
    let counting = Counting::default();
    let mut transcript = Transcript::new(&counting, Kind::Run, &[]);
    transcript.flush(&counting);
    let before = counting.counts().compress;
    for round in 1..=5 {
        transcript.absorb(&counting, Item::Scalar(()));
        transcript.absorb(&counting, Item::Scalar(()));
        transcript.challenge(&counting);
        assert_eq!(counting.counts().compress, before + round);
    }
}

#[test]
fn shapes_and_kinds_have_transcripts_of_their_own() {
    let native = Native::default();
    let state = |kind, shape: &[u64]| Transcript::new(&native, kind, shape).flush(&native);
    let states = [
        state(Kind::Run, &[]),
        state(Kind::Tree, &[]),
        state(Kind::Opening, &[]),
        state(Kind::Run, &[0]),
        state(Kind::Run, &[1]),
        state(Kind::Run, &[0, 0]),
        state(Kind::Run, &[0; 9]),
        state(Kind::Run, &[0; 10]),
    ];
    for (i, a) in states.iter().enumerate() {
        assert!(!states[..i].contains(a), "{i}");
    }
    // A word of the shape is not a word of what follows.
    let mut transcript = Transcript::new(&native, Kind::Run, &[5]);
    transcript.absorb(&native, Item::Word(K(6)));
    assert_ne!(transcript.flush(&native), state(Kind::Run, &[5, 6]));
}
