//! The prover's form of the map: an F2-linear map of E by one table of 256 for each of the 24 bytes.

use alloc::boxed::Box;

use fiat_shamir::Native;
use primitives::field::E;

use super::{CHALLENGES, apply};
use crate::whir::weights::{CHUNK, Chunk};

/// Bytes of an element of E.
const BYTES: usize = 24;

/// The images of every byte at every place.
pub struct Tables {
    images: Box<[[E; 256]; BYTES]>,
}

impl Tables {
    /// The map of these challenges.
    #[must_use]
    pub fn new(challenges: &[E; CHALLENGES]) -> Self {
        let arith = Native::default();
        let mut images: Box<[[E; 256]; BYTES]> = bytemuck::allocation::zeroed_box();
        for (byte, table) in images.iter_mut().enumerate() {
            for bit in 0..8 {
                let mut words = [0; 3];
                words[byte / 8] = 1 << (byte % 8 * 8 + bit);
                let image = apply(&arith, challenges, E::from_words(words));
                let (low, high) = table.split_at_mut(1 << bit);
                for (low, high) in low.iter().zip(high) {
                    *high = *low + image;
                }
            }
        }
        Self { images }
    }

    /// The image of `a`.
    #[inline(always)]
    #[must_use]
    pub fn apply(&self, a: E) -> E {
        let words = a.to_words();
        let mut image = E::ZERO;
        let mut byte = 0;
        while byte < BYTES {
            let index = words[byte / 8] >> (byte % 8 * 8) & 0xff;
            image += self.images[byte][index as usize];
            byte += 1;
        }
        image
    }

    /// Replaces every scalar of a chunk by its image.
    #[inline(always)]
    pub fn apply_to_chunk(&self, [c0, c1, c2]: &mut Chunk) {
        let mut x = 0;
        while x < CHUNK {
            E([c0[x], c1[x], c2[x]]) = self.apply(E([c0[x], c1[x], c2[x]]));
            x += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whir::tests::scalars;

    #[test]
    fn the_tables_are_the_map() {
        let challenges = *scalars(CHALLENGES, 1).as_array().unwrap();
        let tables = Tables::new(&challenges);
        for a in scalars(100, 2) {
            assert_eq!(tables.apply(a), apply(&Native::default(), &challenges, a));
        }
    }
}
