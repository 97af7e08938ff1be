//! Rows of a codeword as lines of 64 bytes, and the symbols that they are made of.

use bytemuck::{Pod, Zeroable};
use primitives::backend::{Backend, MAX_LANES};
use primitives::dispatch;
use primitives::field::{E, K};
use primitives::vectors::transpose_square;

use super::Interleaving;

/// Words in a [`Block`].
pub const BLOCK_WORDS: usize = 8;

/// Eight words: a line of the cache, and a block of the hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Block(pub [K; BLOCK_WORDS]);

/// What a message and its codeword are made of: [`K`], or [`E`] as three words. Nobody else can implement it,
/// since `Comb` has no name outside.
pub trait Symbol: Pod + Send + Sync + PartialEq + core::fmt::Debug {
    /// Words in a symbol.
    const WORDS: usize;

    /// Writes block `column` of some rows of the message to `out`: of `rows` adjacent ones in every
    /// `distance`, from row `first` on. The words of a block are words `8 column..8 column + 8` of the row.
    fn gather(message: &[Self], shape: &Interleaving, column: usize, comb: Comb, out: &mut [Block]);
}

/// Rows: `rows` adjacent ones in every `distance`, the first being `first`.
#[derive(Clone, Copy, Debug)]
pub struct Comb {
    /// The first row.
    pub first: usize,
    /// Adjacent rows.
    pub rows: usize,
    /// From the first of some adjacent rows to the first of the next.
    pub distance: usize,
}

impl Symbol for K {
    const WORDS: usize = 1;

    fn gather(message: &[Self], shape: &Interleaving, column: usize, comb: Comb, out: &mut [Block]) {
        dispatch!(|be| gather_squares(be, message, shape, column, comb, out));
    }
}

impl Symbol for E {
    const WORDS: usize = 3;

    /// Word by word: messages over E are short beside their codewords.
    fn gather(message: &[Self], shape: &Interleaving, column: usize, comb: Comb, out: &mut [Block]) {
        gather_words(message, shape, column, comb, out);
    }
}

/// [`Symbol::gather`] by its definition.
fn gather_words<T: Symbol>(
    message: &[T],
    shape: &Interleaving,
    column: usize,
    comb: Comb,
    out: &mut [Block],
) {
    let words: &[K] = bytemuck::cast_slice(message);
    let padding = shape.padding_words::<T>();
    for (tooth, out) in out.chunks_exact_mut(comb.rows).enumerate() {
        let row = comb.first + tooth * comb.distance;
        for j in 0..BLOCK_WORDS {
            let Some(word) = (column * BLOCK_WORDS + j).checked_sub(padding) else {
                out.iter_mut().for_each(|block| block.0[j] = K::ZERO);
                continue;
            };
            let (lane, limb) = (word / T::WORDS, word % T::WORDS);
            let first = ((lane << shape.log_message) + row) * T::WORDS + limb;
            for (block, word) in out.iter_mut().zip(words[first..].iter().step_by(T::WORDS)) {
                block.0[j] = *word;
            }
        }
    }
}

/// [`Symbol::gather`] of words, by squares of `LANES` coordinates and lanes that are transposed in registers.
#[inline(always)]
fn gather_squares<B: Backend>(
    be: B,
    message: &[K],
    shape: &Interleaving,
    column: usize,
    comb: Comb,
    out: &mut [Block],
) {
    if !comb.rows.is_multiple_of(B::LANES) {
        return gather_words(message, shape, column, comb, out);
    }
    let padding = shape.padding_words::<K>();
    for (tooth, out) in out.chunks_exact_mut(comb.rows).enumerate() {
        for (square, blocks) in out.chunks_exact_mut(B::LANES).enumerate() {
            let row = comb.first + tooth * comb.distance + square * B::LANES;
            for part in (0..BLOCK_WORDS).step_by(B::LANES) {
                let mut vectors = [be.splat(K::ZERO); MAX_LANES];
                for (i, vector) in vectors.iter_mut().enumerate().take(B::LANES) {
                    if let Some(lane) = (column * BLOCK_WORDS + part + i).checked_sub(padding) {
                        *vector = be.load(&message[(lane << shape.log_message) + row..]);
                    }
                }
                transpose_square(be, &mut vectors);
                for (block, vector) in blocks.iter_mut().zip(vectors) {
                    be.store(vector, &mut block.0[part..]);
                }
            }
        }
    }
}
