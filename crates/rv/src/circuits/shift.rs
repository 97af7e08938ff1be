//! Shifts by a register or a constant, of 64 or 32 bits. Inputs v1, v2, and the entry's immediate: the amount
//! of a constant shift in bits 0 to 5, then the flags right, arithmetic, W. Output: the shifted word.
//!
//! A constant shift has `v2 = 0`, a shift by a register has amount 0 in the immediate, so their sum is the
//! amount. A left shift is a right shift of the mirrored word.

use circuit::fields::Fields;
use circuit::{Builder, Circuit};

use super::load::select;
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

/// The block of [`Shape::Shift`](super::Shape): the words that [`Circuit::block`] gives for these inputs.
#[inline(always)]
#[must_use]
pub fn block(v1: u64, v2: u64, imm: u64) -> [u64; 16] {
    const LOW: u64 = 0xffff_ffff;
    let (right, arithmetic, halved) = (imm >> 6 & 1, imm >> 7 & 1, imm >> 8 & 1);
    let amount = v2 ^ imm;
    let amount_5 = amount >> 5 & 1 & !halved;
    let amount = amount & 31 | amount_5 << 5;
    let sign = halved & (v1 >> 31 ^ v1 >> 63);
    let fill = arithmetic & (sign ^ v1 >> 63);
    let filled = fill.wrapping_neg();
    let halving = select(halved, (v1 >> 32 ^ filled) & LOW);
    let word = v1 ^ halving << 32;

    let left = right ^ 1;
    let mirror_in = select(left, (word ^ word.reverse_bits()) & LOW);
    let mut word = word ^ mirror_in ^ mirror_in.reverse_bits();
    let mut stages = [0; 6];
    for (bit, stage) in stages.iter_mut().enumerate() {
        let by = 1 << bit;
        let shifted = word >> by | filled & !(u64::MAX >> by);
        *stage = select(amount >> bit & 1, shifted ^ word);
        word ^= *stage;
    }
    let mirror_out = select(left, (word ^ word.reverse_bits()) & LOW);
    let shifted = word ^ mirror_out ^ mirror_out.reverse_bits();
    let extension = (shifted >> 31 & 1).wrapping_neg();
    let unhalving = select(halved, (shifted >> 32 ^ extension) & LOW);
    let out = shifted ^ unhalving << 32;

    let mut fields = Fields::after(&[v1, v2, imm, out]);
    fields.push(amount_5, 1);
    fields.push(sign, 1);
    fields.push(fill, 1);
    fields.push(halving, 32);
    fields.push(mirror_in, 32);
    for stage in stages {
        fields.push(stage, 64);
    }
    fields.push(mirror_out, 32);
    fields.push(unhalving, 32);
    fields.finish()
}
