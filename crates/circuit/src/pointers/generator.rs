//! The blocks of the circuit of pointers, computed on words.

use super::WIDTH;
use crate::fields::Fields;

/// The block of [`circuit`](super::circuit): the words that [`Circuit::block`](crate::Circuit::block) gives.
///
/// # Panics
/// If the flags have other bits than 0 and 1, in a build with checks.
#[must_use]
pub fn block(pointers: [u64; 3], flags: u64) -> [u64; 16] {
    const LOW: u64 = (1 << WIDTH) - 1;
    debug_assert!(flags < 4, "there are two flags");
    let (accumulate, base_field) = (flags & 1, flags >> 1);
    let mut limbs = [0; 6];
    let mut carries = [(0, 0); 6];
    for (i, (limb, carries)) in limbs.iter_mut().zip(&mut carries).enumerate() {
        let pointer = pointers[i / 2];
        let log_step = 3 + i % 2;
        let low = pointer & LOW;
        let sum = (low + (1 << log_step)) & LOW;
        *limb = pointer & !LOW | sum;
        // The carry into the lowest bit is constant, and that into the next is the pointer's own bit.
        *carries = ((low ^ sum) >> (log_step + 2), WIDTH - log_step - 2);
    }
    let in_extension = base_field.wrapping_sub(1);
    let [a, b, c] = pointers;
    let [a1, a2, b1, b2, c1, c2] = limbs;
    let (b1, b2) = (b1 & in_extension, b2 & in_extension);
    let mut fields = Fields::after(&[a, b, c, flags, a1, a2, b1, b2, c1, c2, accumulate, base_field]);
    for (field, bits) in carries {
        fields.push(field, bits);
    }
    fields.finish()
}
