//! The transform of a polynomial to its remainders modulo the leaves of the tree (`roots`), and back.
//!
//! A number-theoretic transform of seven layers, not nine: the leaves have degree 4, so the two coefficients of a word
//! always have the same factor, and a product of leaves is a few products of whole words (`product`).
//!
//! Words are taken from memory in two passes: sixteen at a time, 16 words apart, for the layers 1 to 4, and eight at a
//! time, 2 words apart, for the layers 5 to 7. After a pass each word is reduced, which divides the polynomial by
//! 2^12 modulo q; who calls this knows how often.

use core::array;

use crate::lanes::Lanes;
use crate::packed::POLY_WORDS;
use crate::roots::{FORWARD, INVERSE};

/// What is added to the difference of each forward layer, as a multiple of q: no lane gets negative.
pub(crate) const FORWARD_OFFSETS: [u32; 7] = [0, 7, 9, 23, 5, 12, 27];

/// What is added before the reduction of each layer on the way back, as a multiple of q. (The first is in `norm`.)
pub(crate) const INVERSE_OFFSETS: [u32; 7] = [0, 31_823, 13_449, 5_328, 56_776, 18_466, 5_613];

/// What is added after layers 1 to 4, and after layers 5 to 7.
pub(crate) const FORWARD_LIFTS: [u32; 2] = [4, 1];

/// What is added before the reduction after layers 7 to 5.
pub(crate) const INVERSE_LIFT: u32 = 8;

/// Transforms a polynomial. Its coefficients must lie from 4 q to 5 q + 2047.
///
/// Those of the transform lie from 4 to q + 158, and are divided by 2^24 modulo q.
#[inline(never)]
pub(crate) fn forward<L: Lanes>(words: &mut [L; POLY_WORDS]) {
    for i in 0..16 {
        let mut v: [L; 16] = array::from_fn(|k| words[i + 16 * k]);
        forward_layer::<8, _, _>(&mut v, 1, 0);
        forward_layer::<4, _, _>(&mut v, 2, 1);
        forward_layer::<2, _, _>(&mut v, 4, 2);
        forward_layer::<1, _, _>(&mut v, 8, 3);
        for k in 0..16 {
            words[i + 16 * k] = v[k].reduce() + L::multiple(FORWARD_LIFTS[0]);
        }
    }
    for (block, words) in words.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        for i in 0..2 {
            let mut v: [L; 8] = array::from_fn(|k| words[i + 2 * k]);
            forward_layer::<4, _, _>(&mut v, 16 + block, 4);
            forward_layer::<2, _, _>(&mut v, 32 + 2 * block, 5);
            forward_layer::<1, _, _>(&mut v, 64 + 4 * block, 6);
            for k in 0..8 {
                words[i + 2 * k] = v[k].reduce() + L::multiple(FORWARD_LIFTS[1]);
            }
        }
    }
}

/// Splits polynomials of `2 HALF` words at the nodes from `node` on: from (a, b) to (a + w b, a - w b).
#[inline(always)]
fn forward_layer<const HALF: usize, const N: usize, L: Lanes>(v: &mut [L; N], node: usize, layer: usize) {
    for n in 0..N / (2 * HALF) {
        let w = FORWARD[node + n];
        for i in 2 * HALF * n..2 * HALF * n + HALF {
            let (a, b) = (v[i], (v[i + HALF] * w).reduce());
            v[i] = a + b;
            v[i + HALF] = a - b + L::multiple(FORWARD_OFFSETS[layer]);
        }
    }
}

/// The first pass of the way back, layers 7 to 5. Coefficients must lie from -12285 to 122.
///
/// Those of the result lie there too. It is eight times what it should be, and divided by 2^12 modulo q.
#[inline(never)]
pub(crate) fn inverse_begin<L: Lanes>(words: &mut [L; POLY_WORDS]) {
    for (block, words) in words.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        for i in 0..2 {
            let mut v: [L; 8] = array::from_fn(|k| words[i + 2 * k]);
            inverse_layer::<1, _, _>(&mut v, 64 + 4 * block, 6);
            inverse_layer::<2, _, _>(&mut v, 32 + 2 * block, 5);
            inverse_layer::<4, _, _>(&mut v, 16 + block, 4);
            for k in 0..8 {
                words[i + 2 * k] = (v[k] + L::multiple(INVERSE_LIFT)).reduce();
            }
        }
    }
}

/// The last pass of the way back but for layer 1: layers 4 to 2, on the words i, i + 16, .. of a polynomial.
///
/// The result is eight times what it should be.
#[inline(always)]
pub(crate) fn inverse_end<L: Lanes>(words: &[L; POLY_WORDS], i: usize) -> [L; 16] {
    let mut v: [L; 16] = array::from_fn(|k| words[i + 16 * k]);
    inverse_layer::<1, _, _>(&mut v, 8, 3);
    inverse_layer::<2, _, _>(&mut v, 4, 2);
    inverse_layer::<4, _, _>(&mut v, 2, 1);
    v
}

/// Joins polynomials of `HALF` words at the nodes from `node` on, twofold: from (c, d) to (c + d, (c - d) / w).
#[inline(always)]
fn inverse_layer<const HALF: usize, const N: usize, L: Lanes>(v: &mut [L; N], node: usize, layer: usize) {
    for n in 0..N / (2 * HALF) {
        let w = INVERSE[node + n];
        for i in 2 * HALF * n..2 * HALF * n + HALF {
            let (c, d) = (v[i], v[i + HALF]);
            v[i] = c + d;
            v[i + HALF] = ((c - d) * w + L::multiple(INVERSE_OFFSETS[layer])).reduce();
        }
    }
}
