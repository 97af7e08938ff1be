//! The blocks of clock circuits, computed on words: one instance in each lane of vectors.

use primitives::dispatch;

use super::{CYCLE, EIGHTEEN, FAILURE, LIVE, THREE};
use crate::fields::carry_products;

/// Instances computed at once.
const LANES: usize = 8;

/// A word of each instance.
type Word = [u64; LANES];

/// Words of a block of [`THREE`] slots.
pub const WORDS_OF_THREE: usize = 8;

/// Words of a block of [`EIGHTEEN`] slots.
pub const WORDS_OF_EIGHTEEN: usize = 32;

/// Completes blocks of [`circuit`](super::circuit) of [`THREE`] slots whose input ports are written: the same words as
/// [`Circuit::fill`](crate::Circuit::fill).
///
/// # Panics
/// If the length is no multiple of a block.
pub fn fill_three(blocks: &mut [u64]) {
    let (blocks, rest) = blocks.as_chunks_mut::<WORDS_OF_THREE>();
    assert!(rest.is_empty(), "whole blocks of {WORDS_OF_THREE} words");
    dispatch!(|_be| fill_groups(THREE, blocks));
}

/// Completes blocks of [`circuit`](super::circuit) of [`EIGHTEEN`] slots whose input ports are written: the same words
/// as [`Circuit::fill`](crate::Circuit::fill).
///
/// # Panics
/// If the length is no multiple of a block.
pub fn fill_eighteen(blocks: &mut [u64]) {
    let (blocks, rest) = blocks.as_chunks_mut::<WORDS_OF_EIGHTEEN>();
    assert!(rest.is_empty(), "whole blocks of {WORDS_OF_EIGHTEEN} words");
    dispatch!(|_be| fill_groups(EIGHTEEN, blocks));
}

// Loops over lanes are written out: a closure that some library function calls would not be compiled for the back
// end's instructions.

#[inline(always)]
fn fill_groups<const SLOTS: usize, const WORDS: usize>(slots: [u64; SLOTS], blocks: &mut [[u64; WORDS]]) {
    for group in blocks.chunks_mut(LANES) {
        let (mut ts, mut prev) = ([0; LANES], [[0; LANES]; SLOTS]);
        for (lane, block) in group.iter().enumerate() {
            ts[lane] = block[0];
            for k in 0..SLOTS {
                prev[k][lane] = block[1 + k];
            }
        }
        let words: [Word; WORDS] = complete(slots, ts, prev);
        for (lane, block) in group.iter_mut().enumerate() {
            for word in 1 + SLOTS..WORDS {
                block[word] = words[word][lane];
            }
        }
    }
}

/// The words of the blocks behind the input ports; those before are not computed.
#[inline(always)]
fn complete<const SLOTS: usize, const WORDS: usize>(
    slots: [u64; SLOTS],
    ts: Word,
    prev: [Word; SLOTS],
) -> [Word; WORDS] {
    const BELOW_LIVE: u64 = (1 << LIVE) - 1;
    let mut fields = Fields::<WORDS>::after(SLOTS + 2);

    // Bit 0: whether all accesses so far come after what they replace; bit k of the list: that of accesses 0 to k. The
    // same of whether both are live, or both not.
    let (mut all_before, mut list_before) = ([1; LANES], [0; LANES]);
    let (mut all_fine, mut list_fine) = ([1; LANES], [0; LANES]);
    for k in 0..SLOTS {
        // Bits of a constant: up to its lowest set bit no carry is a product.
        let first = match slots[k] {
            0 => CYCLE,
            slot => slot.trailing_zeros() as usize + 1,
        };
        let mut products = [0; LANES];
        for lane in 0..LANES {
            let (a, b) = (!prev[k][lane] & BELOW_LIVE, (ts[lane] ^ slots[k]) & BELOW_LIVE);
            // Bit i is the carry into bit i of the sum whose carry out says `prev < ts ^ k`.
            let carries = a ^ b ^ (a + b);
            products[lane] = (carry_products(carries) & BELOW_LIVE) >> first;
            all_before[lane] &= carries >> LIVE;
            list_before[lane] |= all_before[lane] << k;
            all_fine[lane] &= !((prev[k][lane] ^ ts[lane]) >> LIVE);
            list_fine[lane] |= all_fine[lane] << k;
        }
        fields.push(&products, LIVE - first);
    }

    let (mut steps, mut overflows, mut lates) = ([0; LANES], [0; LANES], [0; LANES]);
    for lane in 0..LANES {
        let live = ts[lane] >> LIVE & 1;
        let cycle = ts[lane] & BELOW_LIVE & !((1 << CYCLE) - 1);
        let carries = cycle ^ (cycle + (live << CYCLE));
        let overflow = carries >> LIVE;
        let late = live & !all_before[lane];
        all_fine[lane] &= !late;
        list_fine[lane] |= all_fine[lane] << SLOTS;
        all_fine[lane] &= !overflow;
        list_fine[lane] |= all_fine[lane] << (SLOTS + 1);
        steps[lane] = carries & BELOW_LIVE | (all_fine[lane] ^ 1) << FAILURE;
        (overflows[lane], lates[lane]) = (overflow, late);
        // The first of each list is no product.
        list_before[lane] >>= 1;
        list_fine[lane] >>= 1;
    }
    fields.push(&overflows, 1);
    fields.push(&list_before, SLOTS - 1);
    fields.push(&lates, 1);
    fields.push(&list_fine, SLOTS + 1);
    fields.words[SLOTS + 1] = steps;
    fields.words
}

/// Fields of bits, one after another, of each instance.
struct Fields<const WORDS: usize> {
    words: [Word; WORDS],
    position: usize,
}

impl<const WORDS: usize> Fields<WORDS> {
    /// The constant one behind so many ports, which are left out.
    #[inline(always)]
    fn after(ports: usize) -> Self {
        let mut words = [[0; LANES]; WORDS];
        words[ports] = [1; LANES];
        Self {
            words,
            position: 64 * ports + 1,
        }
    }

    /// Appends a field of `bits` bits.
    #[inline(always)]
    fn push(&mut self, field: &Word, bits: usize) {
        let (word, bit) = (self.position / 64, self.position % 64);
        for (to, field) in self.words[word].iter_mut().zip(field) {
            *to |= field << bit;
        }
        if bit + bits > 64 {
            for (to, field) in self.words[word + 1].iter_mut().zip(field) {
                *to = field >> (64 - bit);
            }
        }
        self.position += bits;
    }
}
