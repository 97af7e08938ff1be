//! Sums of scalars selected by the bits of a word, by one table look-up for each byte.

use alloc::vec;
use alloc::vec::Vec;

use primitives::field::{E, K};

/// A scalar in a vector of four words: no entry lies in two lines.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Entry([K; 4]);

/// `sum_i bit_i(word) scalars[i]` for every byte at every place of a word.
pub(super) struct BitTables {
    sums: Vec<[Entry; 256]>,
}

impl BitTables {
    /// The tables of at most 64 scalars; missing ones are zero.
    pub(super) fn new(scalars: &[E]) -> Self {
        assert!(scalars.len() <= 64, "a scalar for each bit");
        let mut tables = Self {
            sums: vec![[Entry([K::ZERO; 4]); 256]; 8],
        };
        tables.fill(scalars);
        tables
    }

    /// Replaces the scalars.
    pub(super) fn fill(&mut self, scalars: &[E]) {
        for (place, table) in self.sums.iter_mut().enumerate() {
            table[0] = Entry([K::ZERO; 4]);
            for bit in 0..8 {
                let E([s0, s1, s2]) = scalars.get(8 * place + bit).copied().unwrap_or(E::ZERO);
                let (low, high) = table[..2 << bit].split_at_mut(1 << bit);
                for (low, high) in low.iter().zip(high) {
                    *high = add(*low, &Entry([s0, s1, s2, K::ZERO]));
                }
            }
        }
    }

    /// `sum_i bit_i(word) scalars[i]`.
    #[inline(always)]
    pub(super) fn sum(&self, word: u64) -> E {
        let Entry([s0, s1, s2, _]) = self.entry(word);
        E([s0, s1, s2])
    }

    /// Writes the scalar that the word selects to the first three words, and zero to the fourth: one store.
    ///
    /// A loop over this is for a back end's function, where an entry is one vector.
    #[inline(always)]
    pub(super) fn write(&self, word: u64, out: &mut [K; 4]) {
        // What the compiler cannot see through: it would take the look-ups of many words as gathers, which are slower.
        core::hint::black_box(());
        let Entry(entry) = self.entry(word);
        *out = entry;
    }

    #[inline(always)]
    fn entry(&self, word: u64) -> Entry {
        let tables: &[[Entry; 256]; 8] = self.sums[..].as_array().expect("eight places");
        let mut sum = Entry([K::ZERO; 4]);
        for (table, byte) in tables.iter().zip(word.to_le_bytes()) {
            sum = add(sum, &table[usize::from(byte)]);
        }
        sum
    }
}

#[inline(always)]
fn add(Entry([a0, a1, a2, a3]): Entry, Entry([b0, b1, b2, b3]): &Entry) -> Entry {
    Entry([a0 + *b0, a1 + *b1, a2 + *b2, a3 + *b3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{scalars, words};

    #[test]
    fn a_sum_by_bytes_is_the_sum_over_the_bits() {
        for count in [0, 1, 9, 63, 64] {
            let scalars = scalars(count, 5);
            let tables = BitTables::new(&scalars);
            for word in words(20, 6) {
                let selected = scalars.iter().enumerate().filter(|(i, _)| word.0 >> i & 1 == 1);
                let expected: E = selected.map(|(_, &s)| s).sum();
                assert_eq!(tables.sum(word.0), expected);
                let mut written = [K::ONE; 4];
                tables.write(word.0, &mut written);
                let [s0, s1, s2] = expected.0;
                assert_eq!(written, [s0, s1, s2, K::ZERO]);
            }
        }
    }
}
