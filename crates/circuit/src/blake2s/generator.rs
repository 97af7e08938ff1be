//! The witness of compressions, computed on words: one instance in each lane of vectors of 32-bit words.

use primitives::blake2s::{IV, MIXES, SIGMA};
use primitives::dispatch;

use super::{BLOCK_WORDS, CHAINING, COUNTER, FLAGS, MESSAGE, OUT};

/// Instances computed at once.
pub const LANES: usize = 16;

/// A word of 32 bits of each instance.
pub type Word = [u32; LANES];

/// Half words of the input ports.
pub const HALVES: usize = 2 * OUT.start;

/// Half words of a block after the ports.
const STREAM: usize = 2 * (BLOCK_WORDS - OUT.end);

/// A circuit around one compression: as many input ports as [`compression`](super::compression) has, then the new
/// chaining value.
pub trait Ports {
    /// What is compressed, from the half words of the input ports.
    ///
    /// `products`: the AND wires that the circuit has before those of the compression are appended. Loops over lanes are
    /// written out and `inline(always)`, so that they are compiled for the back end's instructions.
    fn inputs(ports: &[Word; HALVES], products: &mut Products) -> Inputs;
}

/// What is compressed.
pub struct Inputs {
    /// The chaining value.
    pub chaining: [Word; 8],
    /// The message.
    pub message: [Word; 16],
    /// The byte counter t0, t1, and the flags f0, f1.
    pub changes: [Word; 4],
}

/// The ports of [`compression`](super::compression).
struct Compression;

impl Ports for Compression {
    #[inline(always)]
    fn inputs(ports: &[Word; HALVES], _: &mut Products) -> Inputs {
        let mut inputs = Inputs {
            chaining: [[0; LANES]; 8],
            message: [[0; LANES]; 16],
            changes: [[0; LANES]; 4],
        };
        inputs
            .chaining
            .copy_from_slice(&ports[2 * CHAINING.start..2 * CHAINING.end]);
        inputs
            .message
            .copy_from_slice(&ports[2 * MESSAGE.start..2 * MESSAGE.end]);
        inputs.changes[..2].copy_from_slice(&ports[2 * COUNTER..2 * COUNTER + 2]);
        inputs.changes[2..].copy_from_slice(&ports[2 * FLAGS..2 * FLAGS + 2]);
        inputs
    }
}

/// Completes blocks of the compression whose input ports are written: the same words as
/// [`Circuit::fill`](crate::Circuit::fill) on [`compression`](super::compression).
///
/// `blocks`: any number of blocks of [`BLOCK_WORDS`] words each.
///
/// # Panics
/// If the length is no multiple of a block.
pub fn fill(blocks: &mut [u64]) {
    fill_with::<Compression>(blocks);
}

/// [`fill`] for a circuit around the compression.
///
/// # Panics
/// As [`fill`].
pub fn fill_with<P: Ports>(blocks: &mut [u64]) {
    let (blocks, rest) = blocks.as_chunks_mut::<BLOCK_WORDS>();
    assert!(rest.is_empty(), "whole blocks of {BLOCK_WORDS} words");
    dispatch!(|_be| fill_groups::<P>(blocks));
}

// Loops over lanes are written out: a closure that some library function calls would not be compiled for the
// back end's instructions.

#[inline(always)]
fn fill_groups<P: Ports>(blocks: &mut [[u64; BLOCK_WORDS]]) {
    for group in blocks.chunks_mut(LANES) {
        fill_group::<P>(group);
    }
}

/// Completes at most [`LANES`] blocks.
#[inline(always)]
fn fill_group<P: Ports>(blocks: &mut [[u64; BLOCK_WORDS]]) {
    let mut ports = [[0; LANES]; HALVES];
    for (lane, block) in blocks.iter().enumerate() {
        for (half, port) in ports.iter_mut().enumerate() {
            port[lane] = (block[half / 2] >> (half % 2 * 32)) as u32;
        }
    }
    let mut carries = Products::new();
    let Inputs {
        chaining,
        message,
        changes,
    } = P::inputs(&ports, &mut carries);
    let mut v = [[0; LANES]; 16];
    v[..8].copy_from_slice(&chaining);
    for (word, initial) in v[8..].iter_mut().zip(IV) {
        *word = [initial; LANES];
    }
    for (word, change) in v[12..].iter_mut().zip(changes) {
        *word = zip(*word, change, |a, b| a ^ b);
    }
    for (round, schedule) in SIGMA.iter().enumerate() {
        for (column, (mix, words)) in MIXES.iter().zip(schedule.as_chunks::<2>().0).enumerate() {
            let affine = if round == 0 && column < 4 {
                1 + IV[column].trailing_zeros()
            } else {
                0
            };
            let [a, b, c, d] = *mix;
            let sum = carries.add(v[a], v[b], 0);
            v[a] = carries.add(sum, message[words[0]], 0);
            v[d] = zip(v[d], v[a], |x, y| (x ^ y).rotate_right(16));
            v[c] = carries.add(v[c], v[d], affine);
            v[b] = zip(v[b], v[c], |x, y| (x ^ y).rotate_right(12));
            let sum = carries.add(v[a], v[b], 0);
            v[a] = carries.add(sum, message[words[1]], 0);
            v[d] = zip(v[d], v[a], |x, y| (x ^ y).rotate_right(8));
            v[c] = carries.add(v[c], v[d], 0);
            v[b] = zip(v[b], v[c], |x, y| (x ^ y).rotate_right(7));
        }
    }
    let stream = carries.finish();
    for (lane, block) in blocks.iter_mut().enumerate() {
        let (ports, rest) = block.split_at_mut(OUT.end);
        for (port, out) in ports[OUT.start..].iter_mut().enumerate() {
            let half = |i: usize| u64::from(chaining[i][lane] ^ v[i][lane] ^ v[i + 8][lane]);
            *out = half(2 * port) | half(2 * port + 1) << 32;
        }
        for (word, [low, high]) in rest.iter_mut().zip(stream.as_chunks::<2>().0) {
            *word = u64::from(low[lane]) | u64::from(high[lane]) << 32;
        }
    }
}

/// `f` in every lane.
#[inline(always)]
pub fn zip(a: Word, b: Word, f: impl Fn(u32, u32) -> u32) -> Word {
    let mut out = [0; LANES];
    for lane in 0..LANES {
        out[lane] = f(a[lane], b[lane]);
    }
    out
}

/// The bits after the ports: the constant one, then fields of products, one after another, low bit first.
pub struct Products {
    stream: [Word; STREAM],
    /// Half words of the stream that are complete.
    complete: usize,
    /// The bits that follow them, `used` of them.
    pending: Word,
    used: u32,
}

impl Products {
    /// The constant one, alone.
    #[inline(always)]
    fn new() -> Self {
        Self {
            stream: [[0; LANES]; STREAM],
            complete: 0,
            pending: [1; LANES],
            used: 1,
        }
    }

    /// `a + b`; appends the products of its carries but for the lowest `affine`, which are no products.
    #[inline(always)]
    fn add(&mut self, a: Word, b: Word, affine: u32) -> Word {
        let sum = zip(a, b, u32::wrapping_add);
        let carries = zip(sum, zip(a, b, |a, b| a ^ b), |sum, without| sum ^ without);
        let products = zip(carries, carries, |c, _| ((c ^ c >> 1) & 0x7fff_ffff) >> affine);
        self.push(products, 31 - affine);
        sum
    }

    /// Appends a field of `bits` bits: 1 to 32. The others are zero.
    #[inline(always)]
    pub fn push(&mut self, field: Word, bits: u32) {
        let used = self.used;
        self.pending = zip(self.pending, field, |pending, field| pending | field << used);
        self.used += bits;
        if self.used >= 32 {
            self.stream[self.complete] = self.pending;
            self.complete += 1;
            self.used -= 32;
            // At least one bit was pending, so the shift is below 32.
            let written = bits - self.used;
            self.pending = zip(field, field, |field, _| field >> written);
        }
    }

    /// The stream, zeros to its end.
    #[inline(always)]
    fn finish(&mut self) -> &[Word; STREAM] {
        self.stream[self.complete] = self.pending;
        &self.stream
    }
}
