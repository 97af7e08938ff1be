//! The guest `facilities`: every facility of the SDK, so that a run on the machine can be held to a native one.
//!
//! Advice: a number that says what to do. 0: the number of words and the words, from which everything is
//! computed and committed. The others end in a failure of their own.

#![no_std]

extern crate alloc;

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use leanvm_guest::blake2s::{Blake2s, Block, Blocks, Template};
use leanvm_guest::ext::{E, K};
use leanvm_guest::keccak::State;
use leanvm_guest::{commit, read, read_slice};

/// The guest's main function.
///
/// # Panics
/// By choice of the advice.
pub fn main() {
    match *read::<u64>() {
        0 => everything(read_slice(*read())),
        1 => {
            let words = read_slice::<u64>(3);
            commit(&words[*read::<u64>() as usize]);
        }
        2 => commit(&depth(*read())),
        3 => commit(&(vec![1u8; *read::<u64>() as usize].len() as u64)),
        other => panic!("{other} is none of 0 to 3"),
    }
}

fn everything(words: &[u64]) {
    streams(words);
    blocks(words);
    fields(words);
    permutations(words);
    heap(words);
}

/// Messages of bytes and words in pieces of any length.
fn streams(words: &[u64]) {
    let mut hasher = Blake2s::new();
    for (i, word) in words.iter().enumerate() {
        hasher.update(&word.to_le_bytes()[..i % 9]);
        hasher.update_words(&words[i..(2 * i).min(words.len())]);
        commit(&hasher.digest_words());
    }
}

/// Templates, long messages, and the instruction from every base.
fn blocks(words: &[u64]) {
    let mut template = Template::<52>::new();
    for (i, word) in words.iter().enumerate() {
        template.set(i % 6, *word);
        template.set_half(12, i as u32);
        commit(template.hash());
    }
    let mut memory = Block::new();
    let mut hasher = Blocks::new(&mut memory);
    let mut whole = words.chunks_exact(8).peekable();
    while let Some(block) = whole.next() {
        block
            .iter()
            .enumerate()
            .for_each(|(i, word)| hasher.set(i, *word));
        if whole.peek().is_some() {
            hasher.advance();
        }
    }
    commit(hasher.finish(64));
    for (swap, counter) in (0..16).zip(words) {
        memory.compress(swap, *counter, counter % 2 == 0);
        commit(&memory.0);
    }
}

/// The four instructions, with results that lie apart from the operands and with results that are one.
fn fields(words: &[u64]) {
    let mut sum = E::ONE;
    for (&[a0, a1, a2, b0, b1, b2, k], _) in words.as_chunks::<7>().0.iter().zip(0..20) {
        let (a, b, k) = (E([a0, a1, a2]), E([b0, b1, b2]), K(k));
        sum.add_product(&a, &b);
        sum.add_product_k(&a, &k);
        commit(&sum);
        sum *= b;
        commit(&(a * b + b * k));
        commit(&(k * K(a0)));
    }
    commit(&sum);
}

/// A sponge with a lane less than the state has, after every block; then a message of nothing.
fn permutations(words: &[u64]) {
    let mut state = State::new();
    for block in words.chunks(24) {
        state.absorb(block);
        state.permute();
        for i in 0..25 {
            commit(&state.lane(i));
        }
    }
    state.clear();
    state.add(24, words.len() as u64);
    state.permute();
    commit(&state.lane(0));
}

/// Blocks that grow in place and elsewhere, are given back, and are used again, zeroed.
fn heap(words: &[u64]) {
    let mut grown = Vec::new();
    let mut beside = Vec::new();
    for word in words {
        grown.push(*word);
        beside.push(!*word as u8);
    }
    grown.sort_unstable();
    let tree: BTreeMap<u64, u8> = grown.iter().copied().zip(beside).collect();
    for (key, value) in &tree {
        commit(&(key ^ u64::from(*value)));
    }
    drop(tree);
    for length in [1, 100, 3] {
        let dirty = Box::new([u64::MAX; 16]);
        commit(&*dirty);
        drop(dirty);
        commit(
            &vec![0u64; length]
                .iter()
                .fold(length as u64, |sum, word| sum | word),
        );
    }
}

/// `n`, by a recursion that the compiler cannot make a loop of.
fn depth(n: u64) -> u64 {
    let frame = core::hint::black_box([n; 8]);
    if n == 0 {
        frame[0]
    } else {
        1 + core::hint::black_box(depth(n - 1)) + frame[7] - n
    }
}
