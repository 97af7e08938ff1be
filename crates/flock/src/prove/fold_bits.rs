//! Weighted sums of blocks, bit by bit: a byte of eight blocks' bits selects from the sums of their weights.
//!
//! Two ways, of one result. By tables: 64 blocks at a time, their bits at one position are a column, which takes eight
//! look-ups. By maps of bytes, where there are such: the bits of eight blocks at 64 positions are as many bytes, and all
//! that is added at those positions is a map of them, byte by byte.

use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::{Backend, MAX_LANES};
use primitives::bit_maps::{BitMaps, transpose_bits};
use primitives::field::{E, K};
use primitives::vectors::transpose_square;
use primitives::{dispatch, pool};

use super::bit_tables::BitTables;
use crate::skip::SKIP;

/// Blocks of a task.
const TASK: usize = 32 * 64;

/// How many times 64 blocks are summed at a time by maps, so that sums are not read and written for each.
const DEPTH: usize = 4;

/// Words of a line: a block's words that are read together.
const LINE: usize = 8;

/// Adds `sum_v weights[v] bit_j(block v)` to `sums[j]`, for every bit j of blocks of `2^log_block_words` words.
///
/// `words`: a block for each weight, of a line at least. `sums`: one for each bit of a block.
pub(super) fn fold_bits(words: &[K], log_block_words: usize, weights: &[E], sums: &mut [E]) {
    let partial = pool::map(weights.len().div_ceil(TASK), |task| {
        let blocks = task * TASK..weights.len().min((task + 1) * TASK);
        let words = &words[blocks.start << log_block_words..blocks.end << log_block_words];
        let weights = &weights[blocks];
        dispatch!(|be| fold_task(be, words, log_block_words, weights))
    });
    for partial in partial {
        for (sum, partial) in sums.iter_mut().zip(partial) {
            *sum += partial;
        }
    }
}

#[inline(always)]
fn fold_task<B: Backend>(be: B, words: &[K], log_block_words: usize, weights: &[E]) -> Vec<E> {
    if B::MAPS_BYTES && be.maps_bytes() {
        fold_by_maps(be, words, log_block_words, weights)
    } else {
        fold_by_tables(be, words, log_block_words, weights)
    }
}

#[inline(always)]
fn fold_by_tables<B: Backend>(be: B, words: &[K], log_block_words: usize, weights: &[E]) -> Vec<E> {
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
    if blocks.len() < SKIP * block_words {
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

/// [`read_line`] of fewer blocks. It moves single words, and stays outside of the back ends'
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

/// Of words side by side, as many as lanes, the sums at positions 8k to 8k + 7 of each: for each k a plane for each byte
/// of a scalar.
type Planes = [[[K; MAX_LANES]; 24]; 8];

#[inline(always)]
fn fold_by_maps<B: Backend>(be: B, words: &[K], log_block_words: usize, weights: &[E]) -> Vec<E> {
    let block_words = 1 << log_block_words;
    let mut sums = vec![[[[K::ZERO; MAX_LANES]; 24]; 8]; block_words / B::LANES];
    let mut maps = [BitMaps::ZERO; DEPTH];
    for (blocks, weights) in words
        .chunks((DEPTH * SKIP) << log_block_words)
        .zip(weights.chunks(DEPTH * SKIP))
    {
        for (maps, weights) in maps.iter_mut().zip(weights.chunks(SKIP)) {
            maps.fill_scalars(be, weights);
        }
        for (line, sums) in sums.iter_mut().enumerate() {
            add_line(be, blocks, block_words, line * B::LANES, &maps, sums);
        }
    }
    let mut out = vec![E::ZERO; SKIP << log_block_words];
    for (sums, out) in sums.iter().zip(out.chunks_mut(SKIP * B::LANES)) {
        to_scalars(be, sums, out);
    }
    out
}

/// Adds what words `first ..` of the blocks, as many as lanes, select.
#[inline(always)]
fn add_line<B: Backend>(
    be: B,
    blocks: &[K],
    block_words: usize,
    first: usize,
    maps: &[BitMaps<3>; DEPTH],
    sums: &mut Planes,
) {
    let mut bits = [[[be.splat(K::ZERO); 8]; 8]; DEPTH];
    let chunks = blocks.chunks(SKIP * block_words);
    let count = chunks.len();
    for (bits, blocks) in bits.iter_mut().zip(chunks) {
        for (p, blocks) in blocks.chunks(8 * block_words).enumerate() {
            // The last of the eight comes first: the transpose reverses them once more.
            let mut vectors = [be.splat(K::ZERO); 8];
            for (vector, block) in vectors.iter_mut().rev().zip(blocks.chunks(block_words)) {
                *vector = be.load(&block[first..]);
            }
            be.transpose_bytes(&mut vectors);
            for (bits, vector) in bits.iter_mut().zip(vectors) {
                bits[p] = transpose_bits(be, vector);
            }
        }
    }
    for (k, sums) in sums.iter_mut().enumerate() {
        for (limb, sums) in sums.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            for (o, sum) in sums.iter_mut().enumerate() {
                let mut added = be.load(sum);
                for (maps, bits) in maps.iter().zip(&bits).take(count) {
                    added = maps.add(be, limb, o, &bits[k], added);
                }
                be.store(added, sum);
            }
        }
    }
}

/// The sums of words side by side, position by position.
#[inline(always)]
fn to_scalars<B: Backend>(be: B, sums: &Planes, out: &mut [E]) {
    let mut limbs = [K::ZERO; MAX_LANES];
    for (k, sums) in sums.iter().enumerate() {
        for (limb, sums) in sums.as_chunks::<8>().0.iter().enumerate() {
            let mut vectors = [be.splat(K::ZERO); 8];
            for (vector, sum) in vectors.iter_mut().zip(sums) {
                *vector = be.load(sum);
            }
            be.transpose_bytes(&mut vectors);
            for (i, &vector) in vectors.iter().enumerate() {
                be.store(vector, &mut limbs);
                for (out, &value) in out.chunks_mut(SKIP).zip(&limbs) {
                    out[8 * k + i].0[limb] = value;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use primitives::backend::available;

    use super::*;
    use crate::tests::{scalars, words};

    #[test]
    fn bits_are_summed_with_the_weights_of_their_blocks() {
        for (log_block_words, blocks) in [(3, 3), (3, 64), (4, 130), (3, 65), (5, 1), (7, 70), (3, TASK + 1)]
        {
            let words = words(blocks << log_block_words, 11);
            let weights = scalars(blocks, 12);
            let before = scalars(SKIP << log_block_words, 13);
            let mut expected = before.clone();
            for (block, &weight) in words.chunks(1 << log_block_words).zip(&weights) {
                for (j, sum) in expected.iter_mut().enumerate() {
                    if block[j / SKIP].0 >> (j % SKIP) & 1 == 1 {
                        *sum += weight;
                    }
                }
            }
            let mut sums = before.clone();
            fold_bits(&words, log_block_words, &weights, &mut sums);
            assert!(sums == expected, "2^{log_block_words} words, {blocks} blocks");
            for token in available() {
                let ways = dispatch!(token, |be| [
                    fold_by_tables(be, &words, log_block_words, &weights),
                    fold_by_maps(be, &words, log_block_words, &weights),
                ]);
                for way in ways {
                    let sums = before.iter().zip(way).map(|(&before, sum)| before + sum);
                    assert!(sums.eq(expected.iter().copied()), "{token:?}, {blocks} blocks");
                }
            }
        }
    }
}
