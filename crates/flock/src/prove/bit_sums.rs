//! Sums of scalars selected by the bits of words: one word at a time by tables, many at once by maps of bytes.

use alloc::boxed::Box;
use alloc::vec::Vec;

use primitives::backend::{Backend, MAX_LANES};
use primitives::bit_maps::BitMaps;
use primitives::dispatch;
use primitives::field::{E, K};
use primitives::vectors::{VectorE, transpose_square};

use super::bit_tables::BitTables;
use super::grid::CORNERS;

/// Both ways to `sum_i bit_i(word) scalars[i]`.
pub(super) struct BitSums {
    scalars: Vec<E>,
    pub(super) tables: BitTables,
    /// Where the back end maps bytes.
    pub(super) maps: Option<Box<BitMaps<3>>>,
}

/// The maps of scalars times a factor for each corner.
pub(super) type CornerMaps = [BitMaps<3>; CORNERS];

impl BitSums {
    /// The sums of 64 scalars.
    pub(super) fn new(scalars: &[E]) -> Self {
        Self {
            scalars: scalars.to_vec(),
            tables: BitTables::new(scalars),
            maps: dispatch!(|be| maps(be, scalars)),
        }
    }

    /// The maps to the sums times these factors, where the back end maps bytes.
    pub(super) fn corner_maps(&self, factors: &[E; CORNERS]) -> Option<Box<CornerMaps>> {
        self.maps.as_ref()?;
        Some(dispatch!(|be| corner_maps(be, &self.scalars, factors)))
    }
}

#[inline(always)]
fn maps<B: Backend>(be: B, scalars: &[E]) -> Option<Box<BitMaps<3>>> {
    if !B::MAPS_BYTES || !be.maps_bytes() {
        return None;
    }
    let mut maps = Box::new(BitMaps::ZERO);
    maps.fill_scalars(be, scalars);
    Some(maps)
}

#[inline(always)]
pub(super) fn corner_maps<B: Backend>(be: B, scalars: &[E], factors: &[E; CORNERS]) -> Box<CornerMaps> {
    let mut maps = Box::new([BitMaps::ZERO; CORNERS]);
    for (maps, &factor) in maps.iter_mut().zip(factors) {
        let scaled: Vec<E> = scalars.iter().map(|&scalar| factor * scalar).collect();
        maps.fill_scalars(be, &scaled);
    }
    maps
}

/// The words of as many groups as lanes, in a vector for each corner.
#[inline(always)]
pub(super) fn corners<B: Backend>(be: B, words: &[K]) -> [B::V; CORNERS] {
    let mut corners = [be.splat(K::ZERO); CORNERS];
    let mut first = 0;
    while first < CORNERS {
        let mut square = [be.splat(K::ZERO); MAX_LANES];
        for (group, vector) in square[..B::LANES].iter_mut().enumerate() {
            *vector = be.load(&words[group * CORNERS + first..]);
        }
        transpose_square(be, &mut square);
        corners[first..first + B::LANES].copy_from_slice(&square[..B::LANES]);
        first += B::LANES;
    }
    corners
}

/// The sums that these words select, for each vector of them.
#[inline(always)]
pub(super) fn map_words<B: Backend>(be: B, maps: &BitMaps<3>, mut words: [B::V; 8]) -> [VectorE<B>; 8] {
    be.transpose_bytes(&mut words);
    let zero = be.splat(K::ZERO);
    let mut sums = [[zero; 3]; 8];
    for limb in 0..3 {
        let mut bytes = [zero; 8];
        for (o, byte) in bytes.iter_mut().enumerate() {
            *byte = maps.add(be, limb, o, &words, zero);
        }
        be.transpose_bytes(&mut bytes);
        for (sum, byte) in sums.iter_mut().zip(bytes) {
            sum[limb] = byte;
        }
    }
    sums
}

/// Groups that are bound at a time, at most.
pub(super) const BOUND: usize = 8 * MAX_LANES;

/// `out[i] = sum_corner factor_corner value_corner(i)` for groups i of eight words, at most [`BOUND`] and a multiple of
/// the lanes.
#[inline(always)]
pub(super) fn bind_by_maps<B: Backend>(be: B, maps: &CornerMaps, words: &[K], out: &mut [E]) {
    let zero = be.splat(K::ZERO);
    let tiles = words
        .chunks(8 * B::LANES * CORNERS)
        .zip(out.chunks_mut(8 * B::LANES));
    for (words, out) in tiles {
        // Of each corner the vectors of groups, then their bytes.
        let mut planes = [[zero; 8]; CORNERS];
        for (i, words) in words.chunks_exact(B::LANES * CORNERS).enumerate() {
            for (planes, corner) in planes.iter_mut().zip(corners(be, words)) {
                planes[i] = corner;
            }
        }
        for planes in &mut planes {
            be.transpose_bytes(planes);
        }
        let mut sums = [[zero; 8]; 3];
        for (limb, bytes) in sums.iter_mut().enumerate() {
            for (maps, planes) in maps.iter().zip(&planes) {
                for (o, byte) in bytes.iter_mut().enumerate() {
                    *byte = maps.add(be, limb, o, planes, *byte);
                }
            }
            be.transpose_bytes(bytes);
        }
        let [s0, s1, s2] = sums;
        for (i, out) in out.chunks_exact_mut(B::LANES).enumerate() {
            be.store_e([s0[i], s1[i], s2[i]], out);
        }
    }
}
