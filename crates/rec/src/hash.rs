//! The circuit of a HASH row: the compression function of BLAKE2s, with the halves of its message in either order.
//!
//! A block, word by word:
//!
//! | word | content |
//! |---|---|
//! | 0 | input: the *control word*, bits 0 to 62 the byte counter, bit 63 the final block flag |
//! | 1..5 | input: the chaining value |
//! | 5..9 | input: x |
//! | 9..13 | input: y |
//! | 13 | input: the selector, bit 0 alone |
//! | 14..18 | output: the new chaining value |
//!
//! The message is `x || y` if the selector is 0 and `y || x` if it is 1. So a step of a Merkle path is one row on either
//! side: x is the node, y its sibling, the selector the bit of the index.

use alloc::vec::Vec;
use core::ops::Range;

use circuit::blake2s::generator::{self, HALVES, Inputs, LANES, Ports, Products, Word, zip};
use circuit::blake2s::{compress, halves};
use circuit::{Builder, Circuit, Wire};

use crate::table::{Slot, columns};

/// The word of the counter and the flag: a constant of the circuit of rows, so it is compared with a public column.
pub const CONTROL: usize = 0;
/// The words of the chaining value.
pub const CHAINING: Range<usize> = 1..5;
/// The words of the message, before the selector acts.
pub const MESSAGE: Range<usize> = 5..13;
/// The word of the selector.
pub const SELECTOR: usize = 13;
/// The words of the new chaining value.
pub const OUT: Range<usize> = 14..18;
/// The words of a block that are ports.
pub const PORTS: usize = OUT.end;
/// The input ports.
pub const INPUTS: usize = OUT.start;
/// The final block flag in the control word.
pub const LAST: u64 = 1 << 63;

/// The slots of a row.
pub mod slot {
    /// The chaining value.
    pub const CHAINING: usize = 0;
    /// Words 0 to 3 of the message, as a digest.
    pub const LOW: usize = 1;
    /// Words 4 to 7 of the message, as a digest.
    pub const HIGH: usize = 2;
    /// Word 0 of the message alone; the others follow.
    pub const WORDS: usize = 3;
    /// Words of the message as an element of E, from each of [`SCALAR_AT`].
    pub const SCALARS: usize = 11;
    /// Where an element of E may start.
    pub const SCALAR_AT: [usize; 3] = [0, 3, 4];
    /// The selector.
    pub const SELECTOR: usize = 14;
    /// The new chaining value.
    pub const OUT: usize = 15;
    /// Its first three words, as an element of E.
    pub const OUT_SCALAR: usize = 16;
    /// The number of slots.
    pub const COUNT: usize = 17;
}

/// The slots of a row, in order.
pub(crate) fn slots() -> Vec<Slot> {
    let slot = crate::table::slot;
    let mut slots = Vec::from([
        slot("chaining value", columns(CHAINING.start, 4)),
        slot("message 0 to 3", columns(MESSAGE.start, 4)),
        slot("message 4 to 7", columns(MESSAGE.start + 4, 4)),
    ]);
    slots.extend(MESSAGE.map(|word| slot("message word", columns(word, 1))));
    slots.extend(slot::SCALAR_AT.map(|at| slot("message scalar", columns(MESSAGE.start + at, 3))));
    slots.push(slot("selector", columns(SELECTOR, 1)));
    slots.push(slot("result", columns(OUT.start, 4)));
    slots.push(slot("result scalar", columns(OUT.start, 3)));
    slots
}

/// The circuit: 15,130 ANDs in a block of 2^14 positions.
#[must_use]
pub fn circuit() -> Circuit {
    let mut builder = Builder::new();
    let control = builder.input();
    let chaining: Vec<_> = CHAINING.flat_map(|_| halves(&builder.input())).collect();
    let [x, y] = [0, 4].map(|_| -> Vec<Wire> { (0..4).flat_map(|_| builder.input()).collect() });
    let selector = builder.input_with_bits(1)[0];
    let (low, high) = builder.swap_if(selector, &x, &y);
    let message: Vec<_> = low.chunks(64).chain(high.chunks(64)).flat_map(halves).collect();

    let [low, mut high] = halves(&control);
    let last = core::mem::replace(&mut high[31], Wire::ZERO);
    let flags = [[last; 32].to_vec(), [Wire::ZERO; 32].to_vec()];
    let out = compress(&mut builder, &chaining, &message, &[low, high], &flags);
    for [low, high] in out.as_chunks().0 {
        builder.output(&[&low[..], high].concat());
    }
    builder.build()
}

/// Completes blocks whose input ports are written: the same words as [`Circuit::fill`] on [`circuit()`].
///
/// # Panics
/// If the length is no multiple of a block.
pub fn fill(blocks: &mut [u64]) {
    generator::fill_with::<Row>(blocks);
}

/// The ports of [`circuit()`].
struct Row;

impl Ports for Row {
    #[inline(always)]
    fn inputs(ports: &[Word; HALVES], products: &mut Products) -> Inputs {
        let (x, y) = ports[2 * MESSAGE.start..2 * MESSAGE.end].split_at(8);
        let selector = ports[2 * SELECTOR];
        let mut inputs = Inputs {
            chaining: [[0; LANES]; 8],
            message: [[0; LANES]; 16],
            changes: [[0; LANES]; 4],
        };
        inputs
            .chaining
            .copy_from_slice(&ports[2 * CHAINING.start..2 * CHAINING.end]);
        for half in 0..8 {
            let difference = zip(x[half], y[half], |x, y| x ^ y);
            let change = zip(selector, difference, |bit, difference| {
                bit.wrapping_neg() & difference
            });
            products.push(change, 32);
            inputs.message[half] = zip(x[half], change, |x, change| x ^ change);
            inputs.message[8 + half] = zip(y[half], change, |y, change| y ^ change);
        }
        let [low, high] = [ports[2 * CONTROL], ports[2 * CONTROL + 1]];
        inputs.changes[0] = low;
        inputs.changes[1] = zip(high, high, |high, _| high & 0x7fff_ffff);
        inputs.changes[2] = zip(high, high, |high, _| (high >> 31).wrapping_neg());
        inputs
    }
}

/// The input ports of a row: with these, [`Circuit::fill`] completes a block.
#[cfg(test)]
pub(crate) fn inputs(control: u64, chaining: &[u64; 4], message: &[u64; 8], selector: u64) -> Vec<u64> {
    let mut inputs = Vec::from([control]);
    inputs.extend(chaining);
    inputs.extend(message);
    inputs.push(selector);
    inputs
}

#[cfg(test)]
mod tests {
    use primitives::backend::{available, force};
    use primitives::blake2s::compress_words;

    use super::*;
    use crate::tests::words;

    #[test]
    fn the_counts_are_these() {
        let circuit = circuit();
        assert_eq!((circuit.inputs(), circuit.outputs()), (INPUTS, OUT.len()));
        assert_eq!(circuit.output_word(0), OUT.start);
        assert_eq!(circuit.log_block(), 14);
        assert_eq!(circuit.ands(), 480 * 31 - 6 + 256);
        assert_eq!(circuit.positions(), 64 * PORTS + 1 + circuit.ands());
    }

    #[test]
    fn it_is_the_compression_of_the_halves_in_either_order() {
        let circuit = circuit();
        let word = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let chaining = core::array::from_fn(|i| word(i as u64));
        let message: [u64; 8] = core::array::from_fn(|i| word(100 + i as u64));
        let mut swapped = message;
        swapped.rotate_left(4);
        for counter in [64, 1 << 33 | 0b1001, LAST - 1] {
            for last in [false, true] {
                let control = if last { counter | LAST } else { counter };
                for (selector, message_read) in [(0, message), (1, swapped)] {
                    let inputs = inputs(control, &chaining, &message, selector);
                    assert_eq!(
                        circuit.evaluate(&inputs),
                        compress_words(&chaining, &message_read, counter, last)
                    );
                }
            }
        }
    }

    #[test]
    fn the_witness_by_words_is_the_walk() {
        let circuit = circuit();
        // More than a group of the generator's, and no multiple of it.
        let mut by_walk = words(37 * 256, 1);
        for (number, block) in by_walk.chunks_mut(256).enumerate() {
            let edge = [0, u64::MAX, LAST, LAST - 1];
            if let Some(&edge) = edge.get(number) {
                block[..SELECTOR].fill(edge);
            }
            block[SELECTOR] &= 1;
        }
        let blocks = by_walk.clone();
        circuit.fill(&mut by_walk);
        for token in available() {
            force(token.kind()).unwrap();
            let mut by_words = blocks.clone();
            fill(&mut by_words);
            assert!(by_words == by_walk, "{token:?}");
        }
    }
}
