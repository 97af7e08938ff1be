//! Products. Inputs v1, v2, flags; output: the low word, or that of 32 bits sign-extended (flag 0), or the high
//! word with the first (flag 0) and the second operand (flag 1) signed.

use alloc::vec::Vec;

use circuit::gadgets::{Number, extend};
use circuit::{Builder, Circuit, Wire};

use super::{halve_if, sign_extend};

pub(super) fn low_circuit() -> Circuit {
    let mut b = Builder::new();
    let (v1, v2) = (b.input(), b.input());
    let flags = b.input_with_bits(1);
    let product = b.multiply(Number::unsigned(&v1), Number::unsigned(&v2), 64);
    let out = halve_if(&mut b, flags[0], &product, product[31]);
    b.output(&out);
    b.build()
}

pub(super) const fn low_reference(v1: u64, v2: u64, flags: u64) -> u64 {
    let product = v1.wrapping_mul(v2);
    if flags & 1 == 1 {
        sign_extend(product, 32)
    } else {
        product
    }
}

pub(super) fn high_circuit() -> Circuit {
    let mut b = Builder::new();
    let (v1, v2) = (b.input(), b.input());
    let flags = b.input_with_bits(3);
    let operand = |b: &mut Builder, v: &[Wire], signed: Wire| -> Vec<Wire> {
        let sign = b.and(v[63], signed);
        extend(v, 65, sign)
    };
    let (x, y) = (operand(&mut b, &v1, flags[0]), operand(&mut b, &v2, flags[1]));
    // A product that is not cut off is computed by halves; no output depends on its two uppermost bits.
    let product = b.multiply(Number::signed(&x), Number::signed(&y), 130);
    b.output(&product[64..128]);
    b.build()
}

pub(super) const fn high_reference(v1: u64, v2: u64, flags: u64) -> u64 {
    let x = if flags & 1 == 1 {
        v1.cast_signed() as i128
    } else {
        v1 as i128
    };
    let y = if flags & 2 == 2 {
        v2.cast_signed() as i128
    } else {
        v2 as i128
    };
    // The product of two unsigned words may leave the signed range, and its upper bits are the same.
    (x.wrapping_mul(y) >> 64) as u64
}
