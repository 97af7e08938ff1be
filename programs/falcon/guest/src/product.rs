//! The product of transforms: at each leaf `x^4 - z`, the product of two polynomials of four coefficients.
//!
//! A polynomial is `A0 + A1 x^2` with `A0 = a0 + a1 x` and `A1 = a2 + a3 x` a word each, x standing for 2^32. The
//! product of two words is that of two such polynomials: its lower word holds the coefficients of 1 and x, its upper
//! word that of x^2. With `A' = z A` modulo q, as `z = x^4`:
//!
//! - coefficients 0 and 1: `lower(A0 B0) + lower(A1' B1) + upper(A0' B1) + upper(A1' B0)`;
//! - coefficients 2 and 3: `lower(A0 B1) + lower(A1 B0) + upper(A0 B0) + upper(A1' B1)`.

use crate::MODULUS;
use crate::lanes::Lanes;
use crate::packed::POLY_WORDS;
use crate::roots::FORWARD;

/// What is added to z A, and to the product after its first reduction, as a multiple of q.
pub(crate) const LIFT: u32 = 1;

/// Multiplies `a` by `b`, two transforms, of coefficients from 4 to q + 158.
///
/// Those of the product lie from -12285 to 122, and are divided by 2^24 modulo q.
#[inline(never)]
pub(crate) fn multiply<L: Lanes>(a: &mut [L; POLY_WORDS], b: &[L; POLY_WORDS]) {
    let pairs = a.as_chunks_mut::<4>().0.iter_mut().zip(b.as_chunks::<4>().0);
    for (([a0, a1, a2, a3], [b0, b1, b2, b3]), w) in pairs.zip(&FORWARD[64..]) {
        // The two leaves of a node are x^4 - w and x^4 + w.
        multiply_leaf([a0, a1], [*b0, *b1], *w);
        multiply_leaf([a2, a3], [*b2, *b3], u64::from(MODULUS) - w);
    }
}

/// The product at the leaf `x^4 - z`; `z` is given times 2^12, from 0 to q.
#[inline(always)]
fn multiply_leaf<L: Lanes>(a: [&mut L; 2], [b0, b1]: [L; 2], z: u64) {
    let [a0, a1] = [*a[0], *a[1]];
    let [za0, za1] = [a0, a1].map(|a| (a * z).reduce() + L::multiple(LIFT));
    let c0 = a0.product_low(b0) + za1.product_low(b1) + za0.product_high(b1) + za1.product_high(b0);
    let c1 = a0.product_low(b1) + a1.product_low(b0) + a0.product_high(b0) + za1.product_high(b1);
    for (a, c) in a.into_iter().zip([c0, c1]) {
        *a = (c.reduce() + L::multiple(LIFT)).reduce();
    }
}
