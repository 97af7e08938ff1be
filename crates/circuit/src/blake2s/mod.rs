//! The compression function of BLAKE2s (RFC 7693, section 3.2) as a circuit, and its witness by words.
//!
//! Words of 32 bits are the halves of ports, the low half first, as in
//! [`compress_words`](primitives::blake2s::compress_words). A block, word by word:
//!
//! | word | content |
//! |---|---|
//! | 0 | input: the byte counter |
//! | 1 | input: the flags f0 (low half) and f1, each all ones or zero |
//! | 2..6 | input: the chaining value h |
//! | 6..14 | input: the message m |
//! | 14..18 | output: the new chaining value |
//! | 18.. | the constant at bit 0, then the carries of 480 additions of 32 bits |
//!
//! An addition `a + b` has carries `c_0 = 0`, `c_(i+1) = (a_i + c_i)(b_i + c_i) + c_i`, of which the products
//! for i = 0..31 are committed: the word `c ^ (c >> 1)` without its top bit, where `c = (a + b) ^ a ^ b`. The
//! additions are in the order of the RFC: of each mixing `a + b`, `+ m`, `c + d`, `a + b`, `+ m`, `c + d`. The
//! first of each column's `c + d` adds a constant of the initialisation vector, whose lowest bits give
//! carries that are no product: up to and with its lowest set bit, there is none.

use alloc::vec::Vec;
use core::ops::Range;

use primitives::blake2s::{IV, MIXES, SIGMA};

use crate::gadgets::rotate_right;
use crate::{Builder, Circuit, Wire};

pub mod generator;
#[cfg(test)]
mod tests;

pub use generator::fill;

/// The port, and word of a block, of the byte counter.
pub const COUNTER: usize = 0;
/// The port, and word of a block, of the flags.
pub const FLAGS: usize = 1;
/// The ports, and words of a block, of the chaining value.
pub const CHAINING: Range<usize> = 2..6;
/// The ports, and words of a block, of the message.
pub const MESSAGE: Range<usize> = 6..14;
/// The words of a block that hold the new chaining value.
pub const OUT: Range<usize> = 14..18;
/// Words of a block.
pub const BLOCK_WORDS: usize = 256;

/// The circuit of one compression: 14,874 ANDs in a block of 2^14 positions.
#[must_use]
pub fn compression() -> Circuit {
    let mut builder = Builder::new();
    let mut port = || halves(&builder.input());
    let [counter, flags] = [port(), port()];
    let chaining: Vec<Vec<Wire>> = CHAINING.flat_map(|_| port()).collect();
    let message: Vec<Vec<Wire>> = MESSAGE.flat_map(|_| port()).collect();
    for [low, high] in compress(&mut builder, &chaining, &message, &counter, &flags)
        .as_chunks()
        .0
    {
        builder.output(&[&low[..], high].concat());
    }
    builder.build()
}

/// The new chaining value, eight words of 32 wires.
///
/// `chaining`: eight words; `message`: sixteen; `counter`, `flags`: two each, t0 and t1, f0 and f1.
///
/// # Panics
/// If there are fewer words.
pub fn compress(
    builder: &mut Builder,
    chaining: &[Vec<Wire>],
    message: &[Vec<Wire>],
    counter: &[Vec<Wire>],
    flags: &[Vec<Wire>],
) -> Vec<Vec<Wire>> {
    let mut v = chaining[..8].to_vec();
    v.extend(IV.map(|word| builder.constant(u64::from(word), 32)));
    for (word, change) in v[12..].iter_mut().zip(counter.iter().chain(flags)) {
        *word = builder.xor_words(word, change);
    }
    for schedule in &SIGMA {
        for (mix, words) in MIXES.iter().zip(schedule.as_chunks::<2>().0) {
            let [m0, m1] = words.map(|word| &message[word][..]);
            mix_words(builder, &mut v, *mix, m0, [16, 12]);
            mix_words(builder, &mut v, *mix, m1, [8, 7]);
        }
    }
    let out = |word: usize| {
        let change = builder.xor_words(&v[word], &v[word + 8]);
        builder.xor_words(&chaining[word], &change)
    };
    (0..8).map(out).collect()
}

/// Half of the mixing function G: one message word and two of the four rotations.
fn mix_words(
    builder: &mut Builder,
    v: &mut [Vec<Wire>],
    [a, b, c, d]: [usize; 4],
    message: &[Wire],
    [turn_d, turn_b]: [usize; 2],
) {
    let sum = builder.add(&v[a], &v[b]);
    v[a] = builder.add(&sum, message);
    v[d] = rotate_right(&builder.xor_words(&v[d], &v[a]), turn_d);
    v[c] = builder.add(&v[c], &v[d]);
    v[b] = rotate_right(&builder.xor_words(&v[b], &v[c]), turn_b);
}

/// The two 32-bit words of a port, the low one first.
#[must_use]
pub fn halves(port: &[Wire]) -> [Vec<Wire>; 2] {
    [port[..32].to_vec(), port[32..].to_vec()]
}
