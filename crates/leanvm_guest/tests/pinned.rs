//! The portable implementations against `primitives` and `sha3`, and the ways to hash against each other.

use leanvm_guest::blake2s::{self, Blake2s, Block, Blocks, Length, Template, portable};
use leanvm_guest::ext::{E, K};
use leanvm_guest::keccak::State;
use primitives::blake2s as reference;
use primitives::field;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use sha3::Shake256;
use sha3::digest::{ExtendableOutput as _, Update as _, XofReader as _};

/// Cases of a property.
const CASES: u32 = 128;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: CASES,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Default::default()
    }
}

/// Words with the edges often among them.
fn word() -> impl Strategy<Value = u64> {
    prop_oneof![4 => any::<u64>(), 1 => Just(0), 1 => Just(u64::MAX), 1 => (0u32..64).prop_map(|i| 1 << i)]
}

fn words<const N: usize>() -> impl Strategy<Value = [u64; N]> {
    vec(word(), N).prop_map(|words| words.try_into().expect("N words"))
}

fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Byte i is i modulo 251: no two blocks of a message are alike.
fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_compression_is_that_of_primitives(h in words::<4>(), m in words::<8>(), counter in word(), last: bool) {
        let expected = reference::compress_words(&h, &m, counter, last);
        prop_assert_eq!(portable::compress_words(&h, &m, counter, last), expected);
    }

    #[test]
    fn a_block_compresses_the_words_that_its_swap_selects(
        words in words::<16>(), swap in 0usize..16, counter in word(), last: bool,
    ) {
        let at = |k: usize| words[k ^ swap];
        let h = std::array::from_fn(at);
        let m = std::array::from_fn(|i| at(8 + i));
        let out = reference::compress_words(&h, &m, counter, last);
        let mut block = Block(words);
        block.compress(swap, counter, last);
        for k in 0..16 {
            let expected = if (4..8).contains(&k) { out[k - 4] } else { at(k) };
            prop_assert_eq!(block.0[k ^ swap], expected, "word {}", k);
        }
    }

    #[test]
    fn pieces_hash_as_the_whole(pieces in vec((any::<bool>(), 0usize..20), 0..20)) {
        let (mut whole, mut hasher) = (Vec::new(), Blake2s::new());
        for (as_words, length) in pieces {
            let words: Vec<u64> = (0..length as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let bytes = bytes_of(&words);
            if as_words {
                hasher.update_words(&words);
                whole.extend(bytes);
            } else {
                let cut = bytes.len().saturating_sub(3);
                hasher.update(&bytes[..cut]);
                whole.extend(&bytes[..cut]);
            }
            // A digest on the way changes nothing.
            prop_assert_eq!(hasher.digest(), reference::hash(&whole));
        }
        prop_assert_eq!(hasher.digest(), reference::hash(&whole));
    }

    #[test]
    fn a_template_hashes_its_words_again_and_again(changes in vec((0usize..6, word()), 1..10)) {
        let (mut template, mut now) = (Template::<48>::new(), [0u64; 6]);
        for (i, word) in changes {
            template.set(i, word);
            now[i] = word;
            prop_assert_eq!(blake2s::to_bytes(template.hash()), reference::hash(&bytes_of(&now)));
            template.set_half(2 * i + 1, !word as u32);
            now[i] = now[i] & 0xffff_ffff | (!word << 32);
            prop_assert_eq!(blake2s::to_bytes(template.hash_with(Length::new())), reference::hash(&bytes_of(&now)));
        }
    }

    #[test]
    fn whole_blocks_hash_in_place(blocks in vec(words::<8>(), 1..9), tail in 1usize..9, rubbish in words::<16>()) {
        let mut memory = Block(rubbish);
        let mut hasher = Blocks::new(&mut memory);
        let mut whole: Vec<u64> = blocks.concat();
        whole.truncate(8 * blocks.len() - 8 + tail);
        for (n, block) in blocks.iter().enumerate() {
            let is_last = n + 1 == blocks.len();
            for (i, word) in block.iter().enumerate() {
                hasher.set(i, if is_last && i >= tail { 0 } else { *word });
            }
            if !is_last {
                hasher.advance();
            }
        }
        let digest = *hasher.finish(8 * tail as u64);
        prop_assert_eq!(blake2s::to_bytes(&digest), reference::hash(&bytes_of(&whole)));
    }

    /// SHAKE256, whose state every lane of goes into what is squeezed of the blocks behind the first.
    #[test]
    fn the_permutation_is_that_of_another_implementation(message in vec(word(), 0..60), blocks in 1usize..5) {
        const RATE: usize = 17;
        let mut state = State::new();
        state.add(24, 1);
        state.clear();
        let mut chunks = message.chunks_exact(RATE);
        for block in &mut chunks {
            state.absorb(block);
            state.permute();
        }
        state.absorb(chunks.remainder());
        state.add(chunks.remainder().len(), 0x1f);
        state.add(RATE - 1, 1 << 63);
        let mut squeezed = Vec::new();
        for _ in 0..blocks {
            state.permute();
            squeezed.extend((0..RATE).map(|i| state.lane(i)));
        }
        let mut shake = Shake256::default();
        shake.update(&bytes_of(&message));
        let mut expected = vec![0; blocks * RATE * 8];
        shake.finalize_xof().read(&mut expected);
        prop_assert_eq!(bytes_of(&squeezed), expected);
    }

    #[test]
    fn field_operations_are_those_of_primitives(a in words::<3>(), b in words::<3>(), c in words::<3>(), k in word()) {
        let [fa, fb, fc] = [a, b, c].map(field::E::from_words);
        let [a, b, c] = [a, b, c].map(E);
        prop_assert_eq!((a + b).0, (fa + fb).to_words());
        prop_assert_eq!((a * b).0, (fa * fb).to_words());
        prop_assert_eq!((a * K(k)).0, (fa * field::K(k)).to_words());
        prop_assert_eq!((K(k) * K(b.0[0])).0, (field::K(k) * fb.0[0]).0);
        let mut sum = c;
        sum.add_product(&a, &b);
        prop_assert_eq!(sum.0, (fc + fa * fb).to_words());
        sum.add_product_k(&b, &K(k));
        prop_assert_eq!(sum.0, (fc + fa * fb + fb * field::K(k)).to_words());
        sum *= a;
        prop_assert_eq!(sum.0, ((fc + fa * fb + fb * field::K(k)) * fa).to_words());
    }
}

#[test]
fn every_length_up_to_four_blocks_hashes_as_in_primitives() {
    for len in 0..=257 {
        let message = message(len);
        assert_eq!(blake2s::hash(&message), reference::hash(&message), "{len} bytes");
    }
}

#[test]
fn the_initial_chaining_value_is_that_of_primitives() {
    let halves = reference::INITIAL.as_chunks::<2>().0;
    let expected: Vec<u64> = halves
        .iter()
        .map(|[low, high]| u64::from(*low) | u64::from(*high) << 32)
        .collect();
    assert_eq!(blake2s::INITIAL.to_vec(), expected);
}

#[test]
#[should_panic(expected = "not inside the message")]
fn a_word_behind_a_template_cannot_be_set() {
    Template::<52>::new().set(6, 1);
}
