//! Weighted sums of blocks, bit by bit: 64 blocks at a time, a byte of them selects from sums of eight weights.

use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::{Backend, MAX_LANES};
use primitives::field::{E, K};
use primitives::vectors::transpose_square;
use primitives::{dispatch, pool};

use super::bit_tables::BitTables;
use crate::skip::SKIP;

/// Blocks of a task.
const TASK: usize = 32 * 64;

/// Words of a line: a block's words that are read together.
const LINE: usize = 8;

/// Adds `sum_v weights[v] bit_j(block v)` to `sums[j]`, for every bit j of blocks of `2^log_block_words` words.
///
/// `words`: a block for each weight. `sums`: one for each bit of a block.
pub(super) fn fold_bits(words: &[K], log_block_words: usize, weights: &[E], sums: &mut [E]) {
    let partial = pool::map(weights.len().div_ceil(TASK), |task| {
        let blocks = task * TASK..weights.len().min((task + 1) * TASK);
        let words = &words[blocks.start << log_block_words..blocks.end << log_block_words];
        dispatch!(|be| fold_task(be, words, log_block_words, &weights[blocks]))
    });
    for partial in partial {
        for (sum, partial) in sums.iter_mut().zip(partial) {
            *sum += partial;
        }
    }
}

#[inline(always)]
fn fold_task<B: Backend>(be: B, words: &[K], log_block_words: usize, weights: &[E]) -> Vec<E> {
    let mut sums = vec![E::ZERO; SKIP << log_block_words];
    let mut tables = BitTables::new(&[]);
    let mut line = [[0; SKIP]; LINE];
    for (blocks, weights) in words.chunks(SKIP << log_block_words).zip(weights.chunks(SKIP)) {
        tables.fill(weights);
        for (first, sums) in sums.chunks_mut(SKIP * LINE).enumerate() {
            read_line(be, blocks, 1 << log_block_words, first * LINE, &mut line);
            for (columns, sums) in line.iter_mut().zip(sums.as_chunks_mut::<SKIP>().0) {
                be.transpose_64x64(columns);
                look_up(&tables, columns, sums);
            }
        }
    }
    sums
}

/// Adds the sum that each column selects.
///
/// It stays outside of the back ends' functions: there it would become gathers, which are slower.
#[inline(never)]
fn look_up(tables: &BitTables, columns: &[u64; SKIP], sums: &mut [E; SKIP]) {
    for (sum, column) in sums.iter_mut().zip(columns) {
        *sum += tables.sum(*column);
    }
}

/// Words `first ..` of at most 64 blocks: word `first + w` of block i goes to `line[w][i]`.
#[inline(always)]
fn read_line<B: Backend>(
    be: B,
    blocks: &[K],
    block_words: usize,
    first: usize,
    line: &mut [[u64; SKIP]; LINE],
) {
    if blocks.len() < SKIP * block_words || block_words < LINE {
        return read_words(blocks, block_words, first, line);
    }
    for i in (0..SKIP).step_by(B::LANES) {
        for w in (0..LINE).step_by(B::LANES) {
            let mut square = [be.splat(K::ZERO); MAX_LANES];
            for (i, vector) in (i..i + B::LANES).zip(&mut square) {
                *vector = be.load(&blocks[i * block_words + first + w..]);
            }
            transpose_square(be, &mut square);
            for (columns, &vector) in line[w..w + B::LANES].iter_mut().zip(&square) {
                be.store(vector, bytemuck::cast_slice_mut(&mut columns[i..]));
            }
        }
    }
}

/// [`read_line`] of fewer blocks, or of shorter ones. It moves single words, and stays outside of the back ends'
/// functions: there it would become a scatter, which is slower.
#[inline(never)]
fn read_words(blocks: &[K], block_words: usize, first: usize, line: &mut [[u64; SKIP]; LINE]) {
    let count = blocks.len() / block_words;
    for columns in line.iter_mut() {
        columns[count..].fill(0);
    }
    for (i, block) in blocks.chunks_exact(block_words).enumerate() {
        for (columns, word) in line.iter_mut().zip(&block[first..]) {
            columns[i] = word.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{scalars, words};

    #[test]
    fn bits_are_summed_with_the_weights_of_their_blocks() {
        for (log_block_words, blocks) in [(0, 3), (1, 64), (2, 130), (3, 65), (5, 1), (7, 70), (0, TASK + 1)]
        {
            let words = words(blocks << log_block_words, 11);
            let weights = scalars(blocks, 12);
            let mut expected = scalars(SKIP << log_block_words, 13);
            let mut sums = expected.clone();
            fold_bits(&words, log_block_words, &weights, &mut sums);
            for (block, &weight) in words.chunks(1 << log_block_words).zip(&weights) {
                for (j, sum) in expected.iter_mut().enumerate() {
                    if block[j / SKIP].0 >> (j % SKIP) & 1 == 1 {
                        *sum += weight;
                    }
                }
            }
            assert!(sums == expected, "2^{log_block_words} words, {blocks} blocks");
        }
    }
}
