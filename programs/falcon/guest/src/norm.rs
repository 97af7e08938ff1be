//! The last layer of the way back, and the squared norm of `s1 = c - s2 h`.
//!
//! A coefficient of s1 counts as the number s of least magnitude that it is modulo q. A number t that is as much modulo
//! q, and of magnitude at most q - 5834, will do: if one of s and t has a magnitude of at most 5833, the other is the
//! same; else both squares are above the bound. So one reduction, after which the numbers take 12354 values, leaves
//! enough, and no coefficient needs to be compared with anything.

use core::array;

use crate::MODULUS;
use crate::lanes::{Lanes, SHIFT, Word};
use crate::packed::{POLY_WORDS, Packed, Point, Poly};
use crate::roots::{INVERSE, centred, power};
use crate::transform::inverse_end;

const Q: u64 = MODULUS as u64;

/// Both reductions divide by 2^12; so the point is given times this number, 2^24 modulo q.
pub(crate) const POINT_FACTOR: u64 = power(2, 2 * SHIFT as u64);

/// The product arrives 2^(7 - 7 * 12) times what it is: divided by 2^12 seven times on its way, and doubled by each of
/// the seven layers back. So with the sign changed it takes this factor, -2^101 modulo q.
pub(crate) const PRODUCT_FACTOR: u64 = centred(Q - power(2, 9 * SHIFT as u64 - 7));

/// What is added before the first reduction, as a multiple of q: in the lower and in the upper half.
pub(crate) const LIFTS: [u32; 2] = [28_551, 33_782];

/// What the second reduction yields at most.
pub(crate) const EXCESS: u32 = 68;

/// The middle of what [`EXCESS`] less the second reduction's result can be: a coefficient is this less that.
pub(crate) const MIDDLE: u32 = (12_285 + EXCESS) / 2 + 1;

/// So this is added too, before the first reduction: `2^24 (EXCESS - MIDDLE)` modulo q.
pub(crate) const SHIFTED: u32 = (POINT_FACTOR * (Q + EXCESS as u64 - MIDDLE as u64) % Q) as u32;

/// The squared norm of the point less the product, which is given as `inverse_begin` leaves it; if a coefficient is
/// above 5833, any number above the bound.
#[inline(never)]
pub(crate) fn of_difference(Packed(point): &Point, Packed(product): &Poly) -> u64 {
    let (mut squares, mut sum) = (0, Word(0));
    for i in 0..16 {
        for eight in difference(point, product, i) {
            // The middle one of three numbers is t0^2 + t1^2; the first one is t0 t1. Neither overflows in eight.
            let mut products = 0;
            for t in eight {
                sum = sum + t;
                products += t.product_low(Word(t.0.rotate_left(32))).0;
            }
            squares += products >> 32;
        }
    }
    // sum (m - t)^2 = sum t^2 - 2 m sum t + 512 m^2.
    let m = u64::from(MIDDLE);
    let sum = (sum.0 >> 32) + (sum.0 & 0xffff_ffff);
    squares + 512 * m * m - 2 * m * sum
}

/// The words i, i + 16, .. of the point less the product: [`MIDDLE`] less the coefficients, from 0 to 12353.
#[inline(always)]
pub(crate) fn difference<L: Lanes, const WORDS: usize>(
    point: &[L; WORDS],
    product: &[L; POLY_WORDS],
    i: usize,
) -> [[L; 8]; 2] {
    // Layer 1 has one node.
    const UPPER_FACTOR: u64 = upper_factor();
    let v = inverse_end(product, i);
    let lower = array::from_fn(|k| {
        let difference = (v[k] + v[k + 8]) * PRODUCT_FACTOR + point[i + 16 * k] * POINT_FACTOR;
        centre(difference + L::both(LIFTS[0] * MODULUS + SHIFTED))
    });
    let upper = array::from_fn(|k| {
        let difference = (v[k] - v[k + 8]) * UPPER_FACTOR + point[i + 16 * k + 128] * POINT_FACTOR;
        centre(difference + L::both(LIFTS[1] * MODULUS + SHIFTED))
    });
    [lower, upper]
}

/// [`EXCESS`] less a 2^24-th of the lanes, modulo q.
#[inline(always)]
fn centre<L: Lanes>(lanes: L) -> L {
    (lanes.reduce() + L::multiple(1)).reduce_negated() + L::both(EXCESS)
}

/// [`PRODUCT_FACTOR`] over the root of node 1, modulo q.
pub(crate) const fn upper_factor() -> u64 {
    // The table's inverse is times 2^12, and two's complement.
    let inverse = INVERSE[1].wrapping_add(Q) % Q;
    let factor = PRODUCT_FACTOR.wrapping_add(Q) % Q;
    // As 3 * 2^12 is -1, the inverse of 2^12 is -3.
    centred(factor * inverse % Q * (Q - 3) % Q)
}
