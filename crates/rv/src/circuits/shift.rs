//! Shifts by a register or a constant, of 64 or 32 bits. Inputs v1, v2, and the entry's immediate: the amount
//! of a constant shift in bits 0 to 5, then the flags right, arithmetic, W. Output: the shifted word.
//!
//! A constant shift has `v2 = 0`, a shift by a register has amount 0 in the immediate, so their sum is the
//! amount. A left shift is a right shift of the mirrored word.

use circuit::{Builder, Circuit};

use super::{halve_if, sign_extend};
use crate::isa::{ARITHMETIC, HALVED, RIGHT};

pub(super) fn circuit() -> Circuit {
    let mut b = Builder::new();
    let (v1, v2) = (b.input(), b.input());
    let imm = b.input_with_bits(0x1ff);
    let (right, arithmetic, halved) = (imm[6], imm[7], imm[8]);

    let mut amount = b.xor_words(&v2[..6], &imm[..6]);
    let full = b.not(halved);
    amount[5] = b.and(amount[5], full);

    let sign = b.mux(halved, v1[31], v1[63]);
    let fill = b.and(arithmetic, sign);
    let word = halve_if(&mut b, halved, &v1, fill);

    let left = b.not(right);
    let mirrored = b.reverse_if(left, &word);
    let shifted = b.shift_right_by(&mirrored, &amount, fill);
    let shifted = b.reverse_if(left, &shifted);
    let out = halve_if(&mut b, halved, &shifted, shifted[31]);
    b.output(&out);
    b.build()
}

pub(super) const fn reference(v1: u64, v2: u64, imm: u64) -> u64 {
    let amount = v2 ^ imm & 63;
    let (right, arithmetic) = (imm & RIGHT != 0, imm & ARITHMETIC != 0);
    if imm & HALVED != 0 {
        let (word, amount) = (v1 as u32, amount & 31);
        let shifted = match (right, arithmetic) {
            (false, _) => word << amount,
            (true, false) => word >> amount,
            (true, true) => (word.cast_signed() >> amount).cast_unsigned(),
        };
        return sign_extend(shifted as u64, 32);
    }
    let amount = amount & 63;
    match (right, arithmetic) {
        (false, _) => v1 << amount,
        (true, false) => v1 >> amount,
        (true, true) => (v1.cast_signed() >> amount).cast_unsigned(),
    }
}
