use alloc::vec::Vec;

use blake2::Digest as _;
use proptest::prelude::*;

use super::*;
use crate::suite::CASES;

fn from_hex(digits: &str) -> Vec<u8> {
    (0..digits.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap())
        .collect()
}

fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i % 251) as u8).collect()
}

#[test]
fn known_answers() {
    // RFC 7693, appendix B, and the digest of nothing.
    let answers: [(&[u8], &str); 2] = [
        (
            b"abc",
            "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982",
        ),
        (
            b"",
            "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9",
        ),
    ];
    for (message, digest) in answers {
        assert_eq!(hash(message)[..], from_hex(digest));
    }
}

/// Every number of blocks up to five, and every length of the last one.
#[test]
fn every_length_equals_an_independent_implementation() {
    for length in 0..=300 {
        let message = message(length);
        let independent: [u8; 32] = blake2::Blake2s256::digest(&message).into();
        assert_eq!(hash(&message), independent, "{length} bytes");
    }
}

#[test]
fn words_are_hashed_and_compressed_as_their_bytes() {
    let bytes = message(96);
    let words = bytes
        .as_chunks::<8>()
        .0
        .iter()
        .map(|bytes| u64::from_le_bytes(*bytes))
        .collect::<Vec<_>>();
    assert_eq!(hash_words(&words), digest_to_words(&hash(&bytes)));
    assert_eq!(digest_from_words(&hash_words(&words)), hash(&bytes));

    let initial: [u64; 4] =
        core::array::from_fn(|i| u64::from(INITIAL[2 * i]) | u64::from(INITIAL[2 * i + 1]) << 32);
    let block: [u64; 8] = words[..8].try_into().unwrap();
    assert_eq!(
        compress_words(&initial, &block, 64, true),
        digest_to_words(&hash(&bytes[..64]))
    );
    let counter = 0x0123_4567_89ab_cdef;
    let in_halves = |words: &[u64]| -> Vec<u32> {
        words
            .iter()
            .flat_map(|word| [*word as u32, (*word >> 32) as u32])
            .collect()
    };
    let chaining = in_halves(&words[8..12]).try_into().unwrap();
    let halves = in_halves(&block).try_into().unwrap();
    for last in [false, true] {
        let out = compress(&chaining, &halves, counter, last);
        let words_out = compress_words(&words[8..12].try_into().unwrap(), &block, counter, last);
        assert_eq!(in_halves(&words_out), out);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES as u32))]

    #[test]
    fn pieces_give_the_digest_of_the_whole(bytes in prop::collection::vec(any::<u8>(), 0..300), cuts in any::<[u16; 3]>()) {
        let mut cuts = cuts.map(|cut| usize::from(cut) % (bytes.len() + 1));
        cuts.sort_unstable();
        let mut hasher = Blake2s::default();
        let mut start = 0;
        for cut in cuts.into_iter().chain([bytes.len()]) {
            hasher.update(&bytes[start..cut]);
            start = cut;
        }
        prop_assert_eq!(hasher.finalize(), hash(&bytes));
    }
}
