//! The witness of compressions, computed on words.

use primitives::blake2s::{IV, MIXES, SIGMA};

use super::{BLOCK_WORDS, CHAINING, COUNTER, FLAGS, MESSAGE, OUT};

/// Completes blocks of the compression whose input ports are written: the same words as
/// [`Circuit::fill`](crate::Circuit::fill) on [`compression`](super::compression).
///
/// `blocks`: any number of blocks of [`BLOCK_WORDS`] words each.
///
/// # Panics
/// If the length is no multiple of a block.
pub fn fill(blocks: &mut [u64]) {
    let (blocks, rest) = blocks.as_chunks_mut::<BLOCK_WORDS>();
    assert!(rest.is_empty(), "whole blocks of {BLOCK_WORDS} words");
    blocks.iter_mut().for_each(fill_block);
}

fn fill_block(block: &mut [u64; BLOCK_WORDS]) {
    let (ports, carries) = block.split_at_mut(OUT.end);
    let (inputs, out) = ports.split_at_mut(OUT.start);
    let half = |word: usize| (inputs[word / 2] >> (word % 2 * 32)) as u32;
    let chaining: [u32; 8] = core::array::from_fn(|i| half(2 * CHAINING.start + i));
    let message: [u32; 16] = core::array::from_fn(|i| half(2 * MESSAGE.start + i));
    let changes: [u32; 4] = [2 * COUNTER, 2 * COUNTER + 1, 2 * FLAGS, 2 * FLAGS + 1].map(half);

    let mut v: [u32; 16] = core::array::from_fn(|i| if i < 8 { chaining[i] } else { IV[i - 8] });
    v[12..]
        .iter_mut()
        .zip(changes)
        .for_each(|(word, change)| *word ^= change);
    let mut writer = Writer::new(carries);
    writer.push(1, 1);
    for (round, schedule) in SIGMA.iter().enumerate() {
        for (column, ([a, b, c, d], words)) in MIXES.into_iter().zip(schedule.as_chunks::<2>().0).enumerate()
        {
            let free = if round == 0 && column < 4 {
                1 + IV[column].trailing_zeros()
            } else {
                0
            };
            let sum = writer.add(v[a], v[b], 0);
            v[a] = writer.add(sum, message[words[0]], 0);
            v[d] = (v[d] ^ v[a]).rotate_right(16);
            v[c] = writer.add(v[c], v[d], free);
            v[b] = (v[b] ^ v[c]).rotate_right(12);
            let sum = writer.add(v[a], v[b], 0);
            v[a] = writer.add(sum, message[words[1]], 0);
            v[d] = (v[d] ^ v[a]).rotate_right(8);
            v[c] = writer.add(v[c], v[d], 0);
            v[b] = (v[b] ^ v[c]).rotate_right(7);
        }
    }
    writer.finish();
    let result: [u32; 8] = core::array::from_fn(|i| chaining[i] ^ v[i] ^ v[i + 8]);
    for (out, [low, high]) in out.iter_mut().zip(result.as_chunks().0) {
        *out = u64::from(*low) | u64::from(*high) << 32;
    }
}

/// Writes fields of bits one after another into words, low bit first.
struct Writer<'a> {
    words: core::slice::IterMut<'a, u64>,
    /// The bits not yet written, `used` of them.
    pending: u64,
    used: u32,
}

impl<'a> Writer<'a> {
    fn new(words: &'a mut [u64]) -> Self {
        Self {
            words: words.iter_mut(),
            pending: 0,
            used: 0,
        }
    }

    /// `a + b`; writes the products of its carries but for the first `free`, which are no products.
    #[inline(always)]
    fn add(&mut self, a: u32, b: u32, free: u32) -> u32 {
        let sum = a.wrapping_add(b);
        let carries = sum ^ a ^ b;
        let products = (carries ^ carries >> 1) & 0x7fff_ffff;
        self.push(u64::from(products >> free), 31 - free);
        sum
    }

    /// Appends a field of at most 32 bits.
    #[inline(always)]
    fn push(&mut self, field: u64, bits: u32) {
        self.pending |= field << self.used;
        self.used += bits;
        if self.used >= 64 {
            self.write();
            self.used -= 64;
            self.pending = field >> (bits - self.used);
        }
    }

    #[inline(always)]
    fn write(&mut self) {
        *self.words.next().expect("a block has room for all carries") = self.pending;
    }

    /// Writes what is pending, and zeros to the end.
    fn finish(mut self) {
        self.write();
        self.words.for_each(|word| *word = 0);
    }
}
