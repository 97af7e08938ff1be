//! Quotients and remainders. Inputs v1, v2, the flags signed, remainder, W, and two hints, the magnitudes q and
//! r of quotient and remainder. Outputs: the result, and the verdict, 0 or 1, which must be 0.
//!
//! With a and b the operands, extended from 32 bits in the W forms, and |a|, |b| their magnitudes below 2^64,
//! the verdict is 0 iff
//!
//! 1. `|a| = q |b| + r` over the integers, and
//! 2. `r < |b|`, or b is 0.
//!
//! So q and r are determined, but for q where b is 0. The signs are not hinted: the quotient is q or -q by
//! `sign(a) + sign(b)`, the remainder r or -r by `sign(a)`. That settles the cases apart: where b is 0, r is |a|
//! by 1 and the remainder a, and the quotient is set to all ones; for the least number divided by -1, q is 2^63
//! and so is the quotient, the remainder 0.
//!
//! *Over the integers.* Let i and j be the places of the highest bits of q and |b|. If `i + j >= 64`, the product
//! is at least 2^64 and 1 fails: `q_i` and "|b| has a bit at 64 - i or above" are both set for some i, which
//! is tested. Otherwise, given 2, `q |b| + r < (q + 1) |b| <= 2^(i+1) 2^(j+1) <= 2^65`, so the sum modulo 2^65 is the
//! sum, and a product of 65 columns suffices. Where q or b is 0 the sum is r.

use alloc::vec::Vec;

use circuit::gadgets::{Number, Sum};
use circuit::{Builder, Circuit, Wire};

use super::sign_extend;

/// The magnitudes of quotient and remainder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hints {
    /// That of the quotient; 0 where the divisor is 0.
    pub q: u64,
    /// That of the remainder.
    pub r: u64,
}

const SIGNED: u64 = 1;
const REMAINDER: u64 = 2;
const HALVED: u64 = 4;

pub(super) fn circuit() -> Circuit {
    let mut b = Builder::new();
    let (v1, v2) = (b.input(), b.input());
    let flags = b.input_with_bits(7);
    let (q, r) = (b.input(), b.input());
    let (signed, remainder, halved) = (flags[0], flags[1], flags[2]);

    let (dividend, dividend_sign) = magnitude(&mut b, &v1, signed, halved);
    let (divisor, divisor_sign) = magnitude(&mut b, &v2, signed, halved);

    // Bit j: whether the divisor has a bit at j or above.
    let mut at_or_above = divisor.clone();
    for j in (0..63).rev() {
        at_or_above[j] = b.or(divisor[j], at_or_above[j + 1]);
    }
    let no_divisor = b.not(at_or_above[0]);

    let mut sum = Sum::new(65);
    sum.add_product(&mut b, 0, Number::unsigned(&q), Number::unsigned(&divisor));
    sum.add(&mut b, 0, Number::unsigned(&r));
    let sum = sum.finish(&mut b);
    let mut wrong = b.xor_words(&sum[..64], &dividend);
    wrong.push(sum[64]);
    wrong.extend((1..64).map(|i| b.and(q[i], at_or_above[64 - i])));
    let below = b.less(&r, &divisor);
    wrong.push(b.xor_all([below, no_divisor, Wire::ONE]));
    let bad = b.any(&wrong);

    let quotient_sign = b.xor(dividend_sign, divisor_sign);
    let quotient = b.negate_if(quotient_sign, &q);
    let quotient: Vec<Wire> = quotient.into_iter().map(|bit| b.or(bit, no_divisor)).collect();
    let rest = b.negate_if(dividend_sign, &r);
    let result = b.mux_words(remainder, &rest, &quotient);
    let result = super::halve_if(&mut b, halved, &result, result[31]);
    b.output(&result);
    b.output(&[bad]);
    b.build()
}

/// The magnitude of an operand, and whether it is negative.
fn magnitude(b: &mut Builder, v: &[Wire], signed: Wire, halved: Wire) -> (Vec<Wire>, Wire) {
    let top = b.mux(halved, v[31], v[63]);
    let sign = b.and(signed, top);
    let word = super::halve_if(b, halved, v, sign);
    (b.negate_if(sign, &word), sign)
}

/// An operand's magnitude and sign.
const fn split(v: u64, flags: u64) -> (u64, bool) {
    let word = match (flags & SIGNED != 0, flags & HALVED != 0) {
        (_, false) => v,
        (true, true) => sign_extend(v, 32),
        (false, true) => v & 0xffff_ffff,
    };
    if flags & SIGNED != 0 {
        (word.cast_signed().unsigned_abs(), word >> 63 == 1)
    } else {
        (word, false)
    }
}

/// The hints of an honest row.
#[must_use]
pub const fn hints(v1: u64, v2: u64, flags: u64) -> Hints {
    let ((dividend, _), (divisor, _)) = (split(v1, flags), split(v2, flags));
    match dividend.checked_div(divisor) {
        Some(q) => Hints {
            q,
            r: dividend % divisor,
        },
        None => Hints { q: 0, r: dividend },
    }
}

pub(super) fn reference(v1: u64, v2: u64, flags: u64, Hints { q, r }: Hints) -> [u64; 2] {
    let ((dividend, dividend_sign), (divisor, divisor_sign)) = (split(v1, flags), split(v2, flags));
    let equal = u128::from(q) * u128::from(divisor) + u128::from(r) == u128::from(dividend);
    let good = equal && (r < divisor || divisor == 0);
    let negate_if = |negative: bool, word: u64| if negative { word.wrapping_neg() } else { word };
    let result = match (flags & REMAINDER != 0, divisor) {
        (true, _) => negate_if(dividend_sign, r),
        (false, 0) => u64::MAX,
        (false, _) => negate_if(dividend_sign != divisor_sign, q),
    };
    [
        if flags & HALVED != 0 {
            sign_extend(result, 32)
        } else {
            result
        },
        u64::from(!good),
    ]
}
