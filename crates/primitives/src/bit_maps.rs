//! Sums selected by the bits of many words at once, by maps of bytes.
//!
//! What the bits of a word select is linear over GF(2) in them. Where a back end maps bytes ([`Backend::maps_bytes`]),
//! byte o of the sums of `8 LANES` words takes eight instructions: one for each byte p of the words, by the 8x8 matrix
//! that leads from byte p to byte o. Bytes are in *planes* for that: plane p has byte p of every word.

use crate::backend::Backend;
use crate::field::{E, K};

/// The matrices from a word to an image of so many limbs: of limb l, for byte o of it, those of all bytes p.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct BitMaps<const LIMBS: usize>([[[K; 8]; 8]; LIMBS]);

/// The bytes 1, 2, 4, .. of a word: as bytes that are mapped they make of a matrix its transpose, in the order
/// that [`transpose_bits`] states.
const UNITS: K = K(0x8040_2010_0804_0201);

impl<const LIMBS: usize> BitMaps<LIMBS> {
    /// All images are zero.
    pub const ZERO: Self = Self([[[K::ZERO; 8]; 8]; LIMBS]);

    /// Replaces the images of the 64 bits.
    #[inline(always)]
    pub fn fill<B: Backend>(&mut self, be: B, images: &[[K; LIMBS]; 64]) {
        for (limb, matrices) in self.0.iter_mut().enumerate() {
            // Of eight bits each, from the last one on: a place for each byte p.
            let mut rows = [[K::ZERO; 8]; 8];
            for (p, images) in images.as_chunks::<8>().0.iter().enumerate() {
                for (row, image) in rows.iter_mut().rev().zip(images) {
                    row[p] = image[limb];
                }
            }
            let mut p = 0;
            while p < 8 {
                let mut vectors = [be.splat(K::ZERO); 8];
                for (vector, row) in vectors.iter_mut().zip(&rows) {
                    *vector = be.load(&row[p..]);
                }
                be.transpose_bytes(&mut vectors);
                for (&vector, matrices) in vectors.iter().zip(matrices.iter_mut()) {
                    // Row r of a matrix is its byte 7 - r.
                    let reversed = be.splat(K(UNITS.0.swap_bytes()));
                    be.store(be.map_bytes(vector, reversed), &mut matrices[p..]);
                }
                p += B::LANES;
            }
        }
    }

    /// The matrix from byte `p` to byte `o` of limb `limb`.
    #[inline(always)]
    #[must_use]
    pub fn matrix(&self, limb: usize, o: usize, p: usize) -> K {
        self.0[limb][o][p]
    }

    /// Adds byte `o` of limb `limb` of the images to `sum`. `planes`: the bytes of the words.
    #[inline(always)]
    pub fn add<B: Backend>(&self, be: B, limb: usize, o: usize, planes: &[B::V; 8], sum: B::V) -> B::V {
        let matrices = &self.0[limb][o];
        let mut sum = sum;
        let mut p = 0;
        while p < 8 {
            // Two at a time, for a three-way XOR where there is one.
            let even = be.map_bytes(be.splat(matrices[p]), planes[p]);
            let odd = be.map_bytes(be.splat(matrices[p + 1]), planes[p + 1]);
            sum = be.xor(sum, be.xor(even, odd));
            p += 2;
        }
        sum
    }
}

impl BitMaps<3> {
    /// Replaces the images by at most 64 scalars; missing ones are zero.
    ///
    /// # Panics
    /// If there are more.
    #[inline(always)]
    pub fn fill_scalars<B: Backend>(&mut self, be: B, scalars: &[E]) {
        let mut images = [[K::ZERO; 3]; 64];
        images[..scalars.len()].copy_from_slice(bytemuck::cast_slice(scalars));
        self.fill(be, &images);
    }
}

/// In every lane: bit j of byte i goes to bit 7 - i of byte j.
#[inline(always)]
pub fn transpose_bits<B: Backend>(be: B, v: B::V) -> B::V {
    be.map_bytes(v, be.splat(UNITS))
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::backend::{MAX_LANES, available};
    use crate::dispatch;

    /// Deterministic words.
    fn words(count: usize, seed: u64) -> Vec<K> {
        let word = |i| K::X.pow(u64::wrapping_mul(i, 0x9e37_79b9_7f4a_7c15) ^ seed);
        (1..).map(word).take(count).collect()
    }

    /// Deterministic scalars.
    fn scalars(count: usize, seed: u64) -> Vec<E> {
        words(3 * count, seed)
            .as_chunks()
            .0
            .iter()
            .copied()
            .map(E)
            .collect()
    }

    /// The scalars that 64 words select.
    #[inline(always)]
    fn sums<B: Backend>(be: B, scalars: &[E], words: &[K]) -> Vec<E> {
        let mut maps = BitMaps::ZERO;
        maps.fill_scalars(be, scalars);
        let mut sums = vec![E::ZERO; words.len()];
        for (words, sums) in words.chunks(8 * B::LANES).zip(sums.chunks_mut(8 * B::LANES)) {
            let mut planes = [be.splat(K::ZERO); 8];
            for (plane, words) in planes.iter_mut().zip(words.chunks(B::LANES)) {
                *plane = be.load(words);
            }
            be.transpose_bytes(&mut planes);
            for limb in 0..3 {
                let mut image = [be.splat(K::ZERO); 8];
                for (o, image) in image.iter_mut().enumerate() {
                    *image = maps.add(be, limb, o, &planes, *image);
                }
                be.transpose_bytes(&mut image);
                for (&image, sums) in image.iter().zip(sums.chunks_mut(B::LANES)) {
                    let mut limbs = [K::ZERO; MAX_LANES];
                    be.store(image, &mut limbs);
                    sums.iter_mut()
                        .zip(limbs)
                        .for_each(|(sum, value)| sum.0[limb] = value);
                }
            }
        }
        sums
    }

    #[test]
    fn maps_of_planes_are_the_sums_over_the_bits() {
        for token in available() {
            for count in [0, 1, 9, 63, 64] {
                let (scalars, words) = (scalars(count, 5), words(64, 6));
                let sums = dispatch!(token, |be| sums(be, &scalars, &words));
                for (sum, word) in sums.into_iter().zip(&words) {
                    let selected = scalars.iter().enumerate().filter(|(i, _)| word.0 >> i & 1 == 1);
                    assert_eq!(sum, selected.map(|(_, &s)| s).sum());
                }
            }
        }
    }

    #[test]
    fn bits_of_bytes_are_transposed() {
        for token in available() {
            let word = words(1, 7)[0];
            let mut out = [K::ZERO; MAX_LANES];
            dispatch!(token, |be| be.store(transpose_bits(be, be.splat(word)), &mut out));
            for (i, j) in (0..64).map(|n| (n % 8, n / 8)) {
                assert_eq!(out[0].0 >> (8 * j + 7 - i) & 1, word.0 >> (8 * i + j) & 1);
            }
        }
    }
}
