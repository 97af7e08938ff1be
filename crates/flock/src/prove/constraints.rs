//! `A z` and `B z` of packed blocks, packed as they are: a forward walk of 512 instances at a time, a bit each.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::AddAssign;

use circuit::{Circuit, Vector};
use primitives::bits::transpose_64x64;
use primitives::dispatch;
use primitives::field::K;
use primitives::pool;

/// Groups of 64 instances in one walk: reading a gate costs more than a sum of few words.
const LANES: usize = 8;

/// A bit of 512 instances.
#[derive(Clone, Copy, Default)]
struct Bits([K; LANES]);

impl AddAssign for Bits {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word += other;
        }
    }
}

impl Vector for Bits {}

/// `A z` and `B z`, for whole blocks of a circuit.
pub(super) fn constraint_words(circuit: &Circuit, blocks: &[K]) -> [Vec<K>; 2] {
    let mut a = vec![K::ZERO; blocks.len()];
    let mut b = vec![K::ZERO; blocks.len()];
    let walk = 64 * LANES * circuit.block_words();
    let tasks = blocks
        .chunks(walk)
        .zip(a.chunks_mut(walk))
        .zip(b.chunks_mut(walk));
    pool::for_each_item(tasks.collect(), |((blocks, a), b)| {
        let positions = 64 * circuit.block_words();
        let mut rows = vec![Bits::default(); 3 * positions];
        let (z, products) = rows.split_at_mut(positions);
        let (a_rows, b_rows) = products.split_at_mut(positions);
        dispatch!(|_be| read(blocks, z));
        circuit.forward(z, a_rows, b_rows);
        dispatch!(|_be| write(a_rows, a));
        dispatch!(|_be| write(b_rows, b));
    });
    [a, b]
}

/// Row p gets bit p of every block.
#[inline(always)]
fn read(blocks: &[K], rows: &mut [Bits]) {
    let block_words = rows.len() / 64;
    for (lane, blocks) in blocks.chunks(64 * block_words).enumerate() {
        for (word, rows) in rows.chunks_exact_mut(64).enumerate() {
            let mut matrix = [0; 64];
            for (row, block) in matrix.iter_mut().zip(blocks.chunks_exact(block_words)) {
                *row = block[word].0;
            }
            transpose_64x64(&mut matrix);
            for (row, bits) in rows.iter_mut().zip(matrix) {
                row.0[lane] = K(bits);
            }
        }
    }
}

/// The inverse of [`read`].
#[inline(always)]
fn write(rows: &[Bits], blocks: &mut [K]) {
    let block_words = rows.len() / 64;
    for (lane, blocks) in blocks.chunks_mut(64 * block_words).enumerate() {
        for (word, rows) in rows.chunks_exact(64).enumerate() {
            let mut matrix = [0; 64];
            for (bits, row) in matrix.iter_mut().zip(rows) {
                *bits = row.0[lane].0;
            }
            transpose_64x64(&mut matrix);
            for (block, row) in blocks.chunks_exact_mut(block_words).zip(matrix) {
                block[word] = K(row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{adder, mixed, words};

    #[test]
    fn the_packed_products_are_forward_walks_of_each_block() {
        for circuit in [adder(), mixed()] {
            for instances in [0, 1, 63, 64, 65, 511, 513] {
                let blocks = words(instances * circuit.block_words(), 9);
                let [a, b] = constraint_words(&circuit, &blocks);
                let products = blocks.chunks(circuit.block_words()).map(|block| {
                    let bits = block.iter().flat_map(|word| (0..64).map(|i| K(word.0 >> i & 1)));
                    let z: Vec<K> = bits.collect();
                    let (mut a, mut b) = (z.clone(), z.clone());
                    circuit.forward(&z, &mut a, &mut b);
                    [a, b].map(|bits| {
                        let word = |bits: &[K]| K(bits.iter().rev().fold(0, |word, bit| word << 1 | bit.0));
                        bits.chunks(64).map(word).collect::<Vec<K>>()
                    })
                });
                let [mut expected_a, mut expected_b] = [Vec::new(), Vec::new()];
                for [a, b] in products {
                    expected_a.extend(a);
                    expected_b.extend(b);
                }
                assert_eq!((a, b), (expected_a, expected_b));
            }
        }
    }
}
