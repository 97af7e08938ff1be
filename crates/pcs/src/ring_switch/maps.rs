//! The prover's form of the map where a back end maps bytes.

use primitives::backend::Backend;
use primitives::bit_maps::BitMaps;
use primitives::dispatch;
use primitives::field::{E, K};

use super::tables::Tables;
use crate::whir::weights::{CHUNK, Chunk};

/// An F2-linear map of E: one of K to E for each of the three coefficients.
pub struct Maps([BitMaps<3>; 3]);

impl Maps {
    /// The map that the tables have.
    #[must_use]
    pub fn new(tables: &Tables) -> Self {
        let mut maps = [BitMaps::ZERO; 3];
        for (coefficient, maps) in maps.iter_mut().enumerate() {
            let images: [E; 64] = core::array::from_fn(|bit| tables.image(64 * coefficient + bit));
            dispatch!(|be| maps.fill_scalars(be, &images));
        }
        Self(maps)
    }

    /// Adds the images of the scalars of a chunk to those of another one.
    #[inline(always)]
    pub fn add_images<B: Backend>(&self, be: B, chunk: &Chunk, out: &mut Chunk) {
        let mut x = 0;
        while x < CHUNK {
            let planes = [
                byte_planes(be, &chunk[0][x..]),
                byte_planes(be, &chunk[1][x..]),
                byte_planes(be, &chunk[2][x..]),
            ];
            let mut limb = 0;
            while limb < 3 {
                let mut image = [be.splat(K::ZERO); 8];
                let mut o = 0;
                while o < 8 {
                    let mut coefficient = 0;
                    while coefficient < 3 {
                        image[o] = self.0[coefficient].add(be, limb, o, &planes[coefficient], image[o]);
                        coefficient += 1;
                    }
                    o += 1;
                }
                be.transpose_bytes(&mut image);
                let mut i = 0;
                while i < 8 {
                    let out = &mut out[limb][x + i * B::LANES..];
                    be.store(be.xor(be.load(out), image[i]), out);
                    i += 1;
                }
                limb += 1;
            }
            x += 8 * B::LANES;
        }
    }
}

/// Byte p of each of `8 LANES` words in vector p.
#[inline(always)]
fn byte_planes<B: Backend>(be: B, words: &[K]) -> [B::V; 8] {
    let mut planes = [be.splat(K::ZERO); 8];
    let mut i = 0;
    while i < 8 {
        planes[i] = be.load(&words[i * B::LANES..]);
        i += 1;
    }
    be.transpose_bytes(&mut planes);
    planes
}

#[cfg(test)]
mod tests {
    use fiat_shamir::Native;

    use super::*;
    use crate::ring_switch::{CHALLENGES, apply};
    use crate::whir::tests::scalars;

    #[test]
    fn the_maps_are_the_map() {
        let challenges = *scalars(CHALLENGES, 1).as_array().unwrap();
        let maps = Maps::new(&Tables::new(&challenges));
        let (chunk, before) = (scalars(CHUNK, 2), scalars(CHUNK, 3));
        let planes = |scalars: &[E]| [0, 1, 2].map(|c| core::array::from_fn(|x| scalars[x].0[c]));
        for token in primitives::backend::available() {
            let mut out: Chunk = planes(&before);
            dispatch!(token, |be| maps.add_images(be, &planes(&chunk), &mut out));
            for x in 0..CHUNK {
                let image = apply(&Native::default(), &challenges, chunk[x]);
                assert_eq!(
                    E(out.map(|plane| plane[x])),
                    before[x] + image,
                    "{token:?}, scalar {x}"
                );
            }
        }
    }
}
