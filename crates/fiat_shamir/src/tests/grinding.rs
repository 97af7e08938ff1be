use primitives::backend::available;
use primitives::field::K;
use primitives::{dispatch, pool};
use proptest::prelude::*;

use super::config;
use crate::grinding::{CHUNK, Work, search, search_scalar};
use crate::transcript::grind_state;
use crate::{Channel, GRINDING, Kind, Native, Proof, Prover, Value, VerifyError};

const BITS: usize = 6;

/// A proof that is a word and a proof of work.
fn worked(word: u64) -> Proof {
    let mut prover = Prover::new(Kind::Opening, [].to_vec());
    prover.send_word(K(word));
    prover.grind(BITS);
    prover.finish().0
}

fn verify(proof: &Proof) -> Result<(), VerifyError> {
    let native = Native::new(proof);
    let mut channel = Channel::new(&native, Kind::Opening, &[]);
    channel.read_word()?;
    channel.check_grinding(BITS)?;
    channel.finish().map(drop)
}

#[test]
fn every_bit_of_the_work_is_checked() {
    // Forgery: nonces whose state has exactly the first i bits zero. Expected: the check of bit i.
    let mut seen = [false; BITS];
    let mut proof = worked(0);
    for nonce in 0..4096 {
        proof.stream[1] = nonce;
        match verify(&proof) {
            Ok(()) => {}
            Err(VerifyError::Check {
                label,
                left: Value::Bit(true),
                right: Value::Bit(false),
            }) => {
                assert_eq!(label.name, GRINDING.name);
                seen[label.at.unwrap()] = true;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(seen, [true; BITS]);
}

#[test]
fn another_nonce_with_the_work_is_accepted_and_changes_the_state() {
    // A verifier cannot know that a nonce is the least without the search.
    let honest = worked(0);
    let end = |proof: &Proof| {
        let native = Native::new(proof);
        let mut channel = Channel::new(&native, Kind::Opening, &[]);
        channel.read_word().unwrap();
        channel.check_grinding(BITS).map(|()| channel.challenge())
    };
    let mut other = honest.clone();
    let found = (honest.stream[1] + 1..).find(|&nonce| {
        other.stream[1] = nonce;
        verify(&other).is_ok()
    });
    assert!(found.is_some());
    assert_ne!(end(&honest).unwrap(), end(&other).unwrap());
}

#[test]
fn work_for_one_word_is_none_for_another() {
    // The work is sought after what is queued was absorbed, so it cannot be kept while that is varied.
    let honest = worked(0);
    let kept = (1..1000).filter(|&word| {
        let stream = [word, honest.stream[1]].to_vec();
        verify(&Proof {
            stream,
            ..honest.clone()
        })
        .is_ok()
    });
    // A share of 2^-6 passes by chance: 15 or 16 of 999, with a deviation of 4.
    assert!(kept.count() < 40);
}

#[test]
fn no_work_is_nonce_zero() {
    assert_eq!((search_scalar(&[5; 4], 0), search(&[5; 4], 0)), (0, 0));
}

#[test]
#[should_panic(expected = "at most 63")]
fn endless_work_is_refused() {
    let _ = search(&[0; 4], 64);
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_nonce_is_the_least_with_the_work(state in any::<[u64; 4]>(), bits in 0usize..8) {
        let nonce = search_scalar(&state, bits);
        let work = |nonce| grind_state(&state, nonce)[0].trailing_zeros() as usize;
        prop_assert!(work(nonce) >= bits);
        prop_assert!((0..nonce).all(|nonce| work(nonce) < bits));
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn lanes_and_threads_find_the_nonce_of_the_definition(state in any::<[u64; 4]>(), bits in 0usize..13,
                                                          threads in 1usize..4) {
        let expected = search_scalar(&state, bits);
        prop_assert_eq!(pool::with_threads(threads, || search(&state, bits)), expected);
    }

    #[test]
    fn every_back_end_finds_the_nonce_of_the_definition(state in any::<[u64; 4]>(), bits in 0usize..16,
                                                        chunk in 0u64..1 << 20) {
        // From a chunk about 2^32 on, where the high half of the nonces changes.
        let first = (1 << 32) - (CHUNK >> 1) + (chunk % 2) * CHUNK;
        let work = |nonce: &u64| grind_state(&state, *nonce)[0].trailing_zeros() as usize >= bits;
        let expected = (first..first + CHUNK).find(work);
        for token in available() {
            let found = dispatch!(token, |be| Work::new(&state, bits).search_lanes(be, first));
            prop_assert_eq!(found, expected, "{:?}", token);
        }
    }

    #[test]
    fn both_halves_of_the_word_are_looked_at(state in any::<[u64; 4]>()) {
        // Bits on both sides of the middle: as much work as a test can have there.
        let mask = 0xff << 28;
        let expected = (0..CHUNK).find(|&nonce| grind_state(&state, nonce)[0] & mask == 0);
        for token in available() {
            let work = Work { mask, ..Work::new(&state, 0) };
            let found = dispatch!(token, |be| work.search_lanes(be, 0));
            prop_assert_eq!(found, expected, "{:?}", token);
        }
    }
}
