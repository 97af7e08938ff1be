//! The skip message by maps of bytes: what [`skip`](super::skip) does by tables, without look-ups.
//!
//! 64 rows at a time: a plane holds one byte of every row, or the value of every row at one point.

use alloc::boxed::Box;
use core::ops::Range;

use primitives::backend::{Backend, MAX_LANES};
use primitives::bit_maps::BitMaps;
use primitives::field::{E, K};

use super::skip::{Points, ROWS, add_weighted, reduce};
use crate::skip::SKIP;

/// What the tables give, as maps of bytes.
pub(super) struct Maps {
    /// The extension of a word's bits to Lambda.
    extension: Extension,
    /// `sum_k x^k phi(byte k)`.
    shifted: BitMaps<1>,
}

impl Maps {
    /// None where the back end does not map bytes. `extensions` and `shifted`: the tables of the bytes at every place.
    #[inline(always)]
    pub(super) fn detect<B: Backend>(
        be: B,
        extensions: &[[Points; 256]],
        shifted: &[[K; 256]; 8],
    ) -> Option<Box<Self>> {
        if B::MAPS_BYTES && be.maps_bytes() {
            Some(Self::new(be, extensions, shifted))
        } else {
            None
        }
    }

    #[inline(always)]
    pub(super) fn new<B: Backend>(be: B, extensions: &[[Points; 256]], shifted: &[[K; 256]; 8]) -> Box<Self> {
        let (mut images, mut sums) = ([[K::ZERO; 8]; SKIP], [[K::ZERO]; SKIP]);
        for (bit, (image, sum)) in images.iter_mut().zip(&mut sums).enumerate() {
            let (place, byte) = (bit / 8, 1 << (bit % 8));
            *image = extensions[place][byte].0;
            *sum = [shifted[place][byte]];
        }
        let mut maps = Box::new(Self {
            extension: Extension::new(be, &images),
            shifted: BitMaps::ZERO,
        });
        maps.shifted.fill(be, &sums);
        maps
    }
}

/// Of every point of Lambda the sum of the products, over groups of rows. Row `8 k + l` is byte k of lane l.
#[inline(always)]
pub(super) fn sum_groups<B: Backend>(
    be: B,
    maps: &Maps,
    words: [&[K]; 2],
    groups: Range<usize>,
    weights: &[E],
) -> [E; SKIP] {
    let mut products = [[be.wide_zero(); 3]; SKIP];
    let mut limbs = [[K::ZERO; SKIP]; 2];
    for group in groups {
        for (half, limbs) in limbs.iter_mut().enumerate() {
            let [a, b] = words.map(|words| {
                let rows = words[group * ROWS + half * 64..].first_chunk();
                rows.expect("whole groups")
            });
            bytes_of_rows(be, &maps.extension, a, b, limbs);
            shift_bytes(be, &maps.shifted, limbs);
        }
        add_weighted(be, &limbs, weights[group], &mut products);
    }
    let products = reduce(be, &products);
    let mut in_order = products;
    for (at, &product) in products.iter().enumerate() {
        in_order[at % 8 * 8 + at / 8] = product;
    }
    in_order
}

/// The extension of planes to Lambda.
///
/// `L_i(phi(64 + y)) = L_0(phi(64 + (y + i)))`, since S is a group. So the byte at `y = 8 h + o` is a sum over the bytes p
/// of a word of maps `M_(o, h + p)`: for each o a product in the group ring of (Z/2)^3. As in
///
/// ```text
/// (a_0 + a_1 X)(m_0 + m_1 X) = (P + Q_1) + (P + Q_0) X,   X^2 = 1,
/// P = a_0 (m_0 + m_1),   Q_1 = (a_0 + a_1) m_1,   Q_0 = (a_0 + a_1) m_0,
/// ```
///
/// it takes 27 maps, of eight sums of planes, and not 64.
struct Extension([[K; 27]; 8]);

impl Extension {
    #[inline(always)]
    fn new<B: Backend>(be: B, images: &[[K; 8]; SKIP]) -> Self {
        let mut maps = BitMaps::ZERO;
        maps.fill(be, images);
        let mut products = [[K::ZERO; 27]; 8];
        for (o, products) in products.iter_mut().enumerate() {
            for (i, product) in products.iter_mut().enumerate() {
                // Of each variable, the highest first: P has both matrices, Q_1 the second, Q_0 the first.
                let takes = |shift: usize, digit: usize, at: usize| {
                    [true, at >> shift & 1 == 1, at >> shift & 1 == 0][digit]
                };
                for at in 0..8 {
                    if takes(2, i / 9, at) && takes(1, i / 3 % 3, at) && takes(0, i % 3, at) {
                        *product += maps.matrix(at, o, 0);
                    }
                }
            }
        }
        Self(products)
    }

    /// What is mapped: in place of plane p, the sum of all planes whose number is in p, bit by bit.
    #[inline(always)]
    fn sums<B: Backend>(be: B, planes: &mut [B::V; 8]) {
        let mut variable = 1;
        while variable < 8 {
            let mut p = 0;
            while p < 8 {
                if p & variable != 0 {
                    planes[p] = be.xor(planes[p], planes[p - variable]);
                }
                p += 1;
            }
            variable *= 2;
        }
    }

    /// The bytes at the points `8 h + o`, for every h. `sums`: of the planes.
    #[inline(always)]
    fn at<B: Backend>(&self, be: B, o: usize, sums: &[B::V; 8]) -> [B::V; 8] {
        let matrices = &self.0[o];
        let [p0, p1, p2, p3] = product_of_4(be, &matrices[..9], &sums[..4]);
        let [q0, q1, q2, q3] = product_of_4(be, &matrices[9..18], &sums[4..]);
        let [r0, r1, r2, r3] = product_of_4(be, &matrices[18..], &sums[4..]);
        [
            be.xor(p0, q0),
            be.xor(p1, q1),
            be.xor(p2, q2),
            be.xor(p3, q3),
            be.xor(p0, r0),
            be.xor(p1, r1),
            be.xor(p2, r2),
            be.xor(p3, r3),
        ]
    }
}

/// [`Extension::at`] in two variables.
#[inline(always)]
fn product_of_4<B: Backend>(be: B, matrices: &[K], sums: &[B::V]) -> [B::V; 4] {
    let [p0, p1] = product_of_2(be, &matrices[..3], &sums[..2]);
    let [q0, q1] = product_of_2(be, &matrices[3..6], &sums[2..]);
    let [r0, r1] = product_of_2(be, &matrices[6..9], &sums[2..]);
    [be.xor(p0, q0), be.xor(p1, q1), be.xor(p0, r0), be.xor(p1, r1)]
}

/// [`Extension::at`] in one variable.
#[inline(always)]
fn product_of_2<B: Backend>(be: B, matrices: &[K], sums: &[B::V]) -> [B::V; 2] {
    let p = be.map_bytes(be.splat(matrices[0]), sums[0]);
    let q = be.map_bytes(be.splat(matrices[1]), sums[1]);
    let r = be.map_bytes(be.splat(matrices[2]), sums[1]);
    [be.xor(p, q), be.xor(p, r)]
}

/// For every point `8 h + o` of Lambda, at `8 o + h`: in byte k of its word, `sum_l t^l a b` over the rows `8 k + l`.
#[inline(always)]
fn bytes_of_rows<B: Backend>(be: B, extension: &Extension, a: &[K; 64], b: &[K; 64], out: &mut [K; SKIP]) {
    let zero = be.splat(K::ZERO);
    *out = [K::ZERO; SKIP];
    let mut l = 0;
    while l < 8 {
        let mut sums = [[zero; 8]; 2];
        for (sums, rows) in sums.iter_mut().zip([a, b]) {
            for (k, vector) in sums.iter_mut().enumerate() {
                *vector = be.load(&rows[8 * k + l..]);
            }
            be.transpose_bytes(sums);
            Extension::sums(be, sums);
        }
        let [a, b] = &sums;
        let powers = be.load(&POWERS[l..]);
        for (o, out) in out.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let (a, b) = (extension.at(be, o, a), extension.at(be, o, b));
            let mut h = 0;
            while h < 8 {
                let mut products = [zero; MAX_LANES];
                let mut i = 0;
                while i < B::LANES {
                    products[i] = be.mul_bytes(be.mul_bytes(a[h + i], b[h + i]), powers);
                    i += 1;
                }
                let sum = be.xor(be.load(&out[h..]), sum_lanes(be, &mut products));
                be.store(sum, &mut out[h..]);
                h += B::LANES;
            }
        }
        l += B::LANES;
    }
}

/// The sum over the lanes of each of the first `LANES` vectors, in its lane.
#[inline(always)]
fn sum_lanes<B: Backend>(be: B, vectors: &mut [B::V; MAX_LANES]) -> B::V {
    let mut count = B::LANES;
    while count > 1 {
        count /= 2;
        let mut i = 0;
        while i < count {
            let (even, odd) = be.unzip(vectors[2 * i], vectors[2 * i + 1]);
            vectors[i] = be.xor(even, odd);
            i += 1;
        }
    }
    vectors[0]
}

/// Replaces every word by `sum_k x^k phi(byte k)`.
#[inline(always)]
fn shift_bytes<B: Backend>(be: B, shifted: &BitMaps<1>, words: &mut [K; SKIP]) {
    let zero = be.splat(K::ZERO);
    for words in words.chunks_exact_mut(8 * B::LANES) {
        let mut planes = [zero; 8];
        for (plane, words) in planes.iter_mut().zip(words.chunks_exact(B::LANES)) {
            *plane = be.load(words);
        }
        be.transpose_bytes(&mut planes);
        let mut bytes = [zero; 8];
        for (o, byte) in bytes.iter_mut().enumerate() {
            *byte = shifted.add(be, 0, o, &planes, zero);
        }
        be.transpose_bytes(&mut bytes);
        for (byte, words) in bytes.into_iter().zip(words.chunks_exact_mut(B::LANES)) {
            be.store(byte, words);
        }
    }
}

/// Words l of which every byte is `t^l`.
const POWERS: [K; 8] = {
    let mut powers = [K::ZERO; 8];
    let mut l = 0;
    while l < 8 {
        powers[l] = K(0x0101_0101_0101_0101 << l);
        l += 1;
    }
    powers
};
