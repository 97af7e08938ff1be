//! The prover's forms of the map: an F2-linear map of E by one table of 256 for each of the 24 bytes.

use alloc::boxed::Box;

use fiat_shamir::Native;
use primitives::backend::Backend;
use primitives::field::{E, K};

use super::{CHALLENGES, apply};
use crate::whir::weights::{Chunk, load_planes};

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

    /// The image of a bit, the 64 of each coefficient in turn.
    #[must_use]
    pub fn image(&self, bit: usize) -> E {
        self.images[bit / 8][1 << (bit % 8)]
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
}

/// Weights of a tile: neighbours that one scalar and a fixed row of scalars make.
pub const TILE: usize = 8;

/// The coefficients of 1, y and y^2 of the weights of a tile, each in a cache line.
#[derive(Clone, Copy, bytemuck::Zeroable)]
#[repr(align(64))]
struct Tile([[K; TILE]; 3]);

/// The linear map from a to the images of `a row[j]`, for all j of a fixed row: one table of 256 tiles for each of the
/// 24 bytes, so that a look-up serves a whole tile by vectors.
pub struct TileTables {
    images: Box<[[Tile; 256]; BYTES]>,
}

impl TileTables {
    /// The tables of a row under a map.
    #[must_use]
    pub fn new(map: &Tables, row: &[E; TILE]) -> Self {
        let mut images: Box<[[Tile; 256]; BYTES]> = bytemuck::allocation::zeroed_box();
        for (byte, table) in images.iter_mut().enumerate() {
            for bit in 0..8 {
                let mut words = [0; 3];
                words[byte / 8] = 1 << (byte % 8 * 8 + bit);
                let mut image = Tile([[K::ZERO; TILE]; 3]);
                for (j, &entry) in row.iter().enumerate() {
                    let E(coefficients) = map.apply(E::from_words(words) * entry);
                    for (plane, coefficient) in image.0.iter_mut().zip(coefficients) {
                        plane[j] = coefficient;
                    }
                }
                let (low, high) = table.split_at_mut(1 << bit);
                for (low, high) in low.iter().zip(high) {
                    for ((low, image), high) in low.0.iter().zip(&image.0).zip(&mut high.0) {
                        for ((&low, &image), high) in low.iter().zip(image).zip(high) {
                            *high = low + image;
                        }
                    }
                }
            }
        }
        Self { images }
    }

    /// Adds the image of `a row[j]` to scalar `at + j` of a chunk, for all j.
    #[inline(always)]
    pub fn add_image<B: Backend>(&self, be: B, a: E, chunk: &mut Chunk, at: usize) {
        let words = a.to_words();
        let mut j = 0;
        while j < TILE {
            let [mut sum_0, mut sum_1, mut sum_2] = load_planes(be, chunk, at + j);
            let mut byte = 0;
            while byte < BYTES {
                let index = words[byte / 8] >> (byte % 8 * 8) & 0xff;
                let Tile([plane_0, plane_1, plane_2]) = &self.images[byte][index as usize];
                sum_0 = be.xor(sum_0, be.load(&plane_0[j..]));
                sum_1 = be.xor(sum_1, be.load(&plane_1[j..]));
                sum_2 = be.xor(sum_2, be.load(&plane_2[j..]));
                byte += 1;
            }
            be.store(sum_0, &mut chunk[0][at + j..]);
            be.store(sum_1, &mut chunk[1][at + j..]);
            be.store(sum_2, &mut chunk[2][at + j..]);
            j += B::LANES;
        }
    }
}

#[cfg(test)]
mod tests {
    use primitives::dispatch;

    use super::*;
    use crate::whir::tests::scalars;
    use crate::whir::weights::CHUNK;

    #[test]
    fn the_tables_are_the_map() {
        let challenges = *scalars(CHALLENGES, 1).as_array().unwrap();
        let tables = Tables::new(&challenges);
        for a in scalars(100, 2) {
            assert_eq!(tables.apply(a), apply(&Native::default(), &challenges, a));
        }
    }

    #[test]
    fn the_tables_of_a_row_are_the_map_of_its_multiples() {
        let challenges = *scalars(CHALLENGES, 3).as_array().unwrap();
        let row = *scalars(TILE, 4).as_array().unwrap();
        let tables = TileTables::new(&Tables::new(&challenges), &row);
        let before = K(0x0123_4567_89ab_cdef);
        for token in primitives::backend::available() {
            for (i, &a) in scalars(20, 5).iter().chain(&[E::ZERO, E::ONE]).enumerate() {
                let mut chunk: Chunk = [[before; CHUNK]; 3];
                let at = i % (CHUNK / TILE) * TILE;
                dispatch!(token, |be| tables.add_image(be, a, &mut chunk, at));
                for x in 0..CHUNK {
                    let mut expected = E([before; 3]);
                    if (at..at + TILE).contains(&x) {
                        expected += apply(&Native::default(), &challenges, a * row[x - at]);
                    }
                    assert_eq!(E(chunk.map(|plane| plane[x])), expected, "{token:?}, scalar {x}");
                }
            }
        }
    }
}
