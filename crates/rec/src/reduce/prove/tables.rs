//! Polynomials by low and high variables: sums over either.

use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::field::{E, K};
use primitives::vectors::{Element, reduce_e, splat_e, wide_xor_e};
use primitives::{dispatch, pool, slices};

use super::super::bits::sums_over_bits;
use super::super::catalog::{Entries, Fixed, Image, LOG_BITS, LOG_COORDINATES};

/// A table `f(x, z)` of low variables x and high variables z.
pub(super) trait Split: Sync {
    /// How many low variables and high ones there are.
    fn variables(&self) -> [usize; 2];

    /// For each table h of the high variables, `sum_z h(z) f(., z)`.
    fn sums_over_high(&self, high: &[Vec<E>]) -> Vec<Vec<E>>;

    /// `sum_x low(x) f(x, .)`.
    fn sums_over_low(&self, low: &[E]) -> Vec<E>;
}

/// A sparse table of words. Its words have high variables zero, if there are more of them than half of the variables.
pub(super) struct Words<'c> {
    words: &'c [(u32, K)],
    log_words: usize,
    low: usize,
}

impl<'c> Words<'c> {
    pub(super) fn new(image: &'c Image) -> Self {
        let last = image.words.last().map_or(0, |&(index, _)| index);
        let live = last.checked_ilog2().map_or(0, |log| log as usize + 1);
        Self {
            words: &image.words,
            log_words: image.log_words,
            low: live.max(image.log_words / 2).min(image.log_words),
        }
    }
}

impl Split for Words<'_> {
    fn variables(&self) -> [usize; 2] {
        [self.low, self.log_words - self.low]
    }

    fn sums_over_high(&self, high: &[Vec<E>]) -> Vec<Vec<E>> {
        let sums = |high: &Vec<E>| {
            let mut sums = vec![E::ZERO; 1 << self.low];
            for &(index, word) in self.words {
                let index = index as usize;
                sums[index % (1 << self.low)] += high[index >> self.low] * word;
            }
            sums
        };
        pool::map(high.len(), |term| sums(&high[term]))
    }

    fn sums_over_low(&self, low: &[E]) -> Vec<E> {
        let mut sums = vec![E::ZERO; 1 << (self.log_words - self.low)];
        for &(index, word) in self.words {
            let index = index as usize;
            sums[index >> self.low] += low[index % (1 << self.low)] * word;
        }
        sums
    }
}

/// The bits of the bytecode: a tuple's index is low, coordinate and bit are high.
pub(super) struct Bits<'c>(&'c Entries);

impl<'c> Bits<'c> {
    pub(super) fn new(entries: &'c Entries) -> Self {
        Self(entries)
    }
}

impl Split for Bits<'_> {
    fn variables(&self) -> [usize; 2] {
        [self.0.log_len, LOG_COORDINATES + LOG_BITS]
    }

    fn sums_over_high(&self, high: &[Vec<E>]) -> Vec<Vec<E>> {
        pool::map(high.len(), |term| sums_over_bits(self.0, &high[term]))
    }

    fn sums_over_low(&self, low: &[E]) -> Vec<E> {
        sums_over_tuples(self.0, low)
    }
}

/// `sum_i low[i] bit_(ijt)` at `j + 16 t`: 2^10 scalars.
///
/// `low`: a scalar for each tuple.
fn sums_over_tuples(entries: &Entries, low: &[E]) -> Vec<E> {
    let mut sums = vec![E::ZERO; 1 << (LOG_COORDINATES + LOG_BITS)];
    for (j, words) in entries.coordinates.iter().enumerate() {
        let out = sums.iter_mut().skip(j).step_by(1 << LOG_COORDINATES);
        for (out, of_bit) in out.zip(of_bits(words, low)) {
            *out = of_bit;
        }
    }
    sums
}

/// `sum_i low[i] bit_t(words[i])` for each t: sums over the words with each value of a byte first.
fn of_bits(words: &[K], low: &[E]) -> Vec<E> {
    let mut of_bytes = [[E::ZERO; 256]; 8];
    for (word, &weight) in words.iter().zip(low) {
        for (of_byte, byte) in of_bytes.iter_mut().zip(word.0.to_le_bytes()) {
            of_byte[usize::from(byte)] += weight;
        }
    }
    let of_bit = |of_byte: &[E; 256], bit: usize| -> E {
        let values = of_byte.iter().enumerate();
        values
            .filter(|(value, _)| value >> bit & 1 == 1)
            .map(|(_, &sum)| sum)
            .sum()
    };
    let bits = |of_byte| (0..8).map(move |bit| of_bit(of_byte, bit));
    of_bytes.iter().flat_map(bits).collect()
}

/// The nodes' public columns. The circuit's kind is the top variable, and so high.
pub(super) struct Columns<'c> {
    words: &'c [K],
    low: usize,
}

/// The most low variables of [`Columns`]: their sums and the weights of the high ones are short alike.
const MAX_LOW: usize = 10;

/// Low words that one task sums over.
const TILE: usize = 256;

/// Rows that are summed before anything is reduced: with [`TILE`] words each they stay in the cache for all claims.
const BLOCK: usize = 16;

impl<'c> Columns<'c> {
    pub(super) fn new(fixed: &'c Fixed) -> Self {
        assert_eq!(fixed.words.len(), 2 << fixed.log_words, "the catalog has words");
        Self {
            words: &fixed.words,
            low: fixed.log_words.min(MAX_LOW),
        }
    }

    fn rows(&self) -> impl Iterator<Item = &'c [K]> + use<'c> {
        self.words.chunks(1 << self.low)
    }
}

impl Split for Columns<'_> {
    fn variables(&self) -> [usize; 2] {
        [self.low, self.words.len().ilog2() as usize - self.low]
    }

    fn sums_over_high(&self, high: &[Vec<E>]) -> Vec<Vec<E>> {
        let (row, width) = (1 << self.low, TILE.min(1 << self.low));
        let tiles = pool::map(row / width, |tile| {
            let mut sums = vec![vec![E::ZERO; width]; high.len()];
            for (block, rows) in self.words.chunks(BLOCK * row).enumerate() {
                for (sums, high) in sums.iter_mut().zip(high) {
                    let weights = &high[block * BLOCK..][..rows.len() / row];
                    // A claim on columns of one kind has no weight on those of the other.
                    if weights.iter().any(|&weight| weight != E::ZERO) {
                        dispatch!(|be| add_rows(be, sums, weights, &rows[tile * width..], row));
                    }
                }
            }
            sums
        });
        let mut sums = vec![Vec::with_capacity(row); high.len()];
        for tile in tiles {
            for (sums, of_tile) in sums.iter_mut().zip(tile) {
                sums.extend(of_tile);
            }
        }
        sums
    }

    fn sums_over_low(&self, low: &[E]) -> Vec<E> {
        let rows: Vec<&[K]> = self.rows().collect();
        pool::map(rows.len(), |z| {
            dispatch!(|be| slices::dot_ek(be, low, rows[z])).reduce()
        })
    }
}

/// `sums[x] += sum_z weights[z] words[row z + x]`.
#[inline(always)]
fn add_rows<B: Backend>(be: B, sums: &mut [E], weights: &[E], words: &[K], row: usize) {
    for (start, sums) in (0..).step_by(B::LANES).zip(sums.chunks_mut(B::LANES)) {
        let mut wide = [be.wide_zero(); 3];
        for (&weight, words) in weights.iter().zip(words.chunks(row)) {
            let words = &words[start..][..sums.len()];
            let words = if words.len() == B::LANES {
                be.load(words)
            } else {
                be.load_partial(words)
            };
            wide = wide_xor_e(be, wide, K::mul_wide_by_e(be, splat_e(be, weight), words));
        }
        let sum = reduce_e(be, wide);
        if sums.len() == B::LANES {
            let sum = E::xor(be, be.load_e(sums), sum);
            be.store_e(sum, sums);
        } else {
            let sum = E::xor(be, be.load_e_partial(sums), sum);
            be.store_e_partial(sum, sums);
        }
    }
}
