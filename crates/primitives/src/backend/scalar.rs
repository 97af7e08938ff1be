//! One carry-less product at a time, for code outside of [`dispatch!`](crate::dispatch): transcripts, verifiers, set-up.

use crate::field::{E, EWide, KWide, karatsuba};

/// The carry-less product of two words: bit `k` is the parity of the pairs `i + j = k` of set bits.
#[inline(always)]
pub(crate) fn clmul(a: u64, b: u64) -> u128 {
    #[cfg(target_arch = "x86_64")]
    if !portable_is_selected() {
        // SAFETY: all back ends of x86-64 but the portable one have PCLMULQDQ.
        return unsafe { super::x86_64::clmul(a, b) };
    }
    #[cfg(target_arch = "aarch64")]
    if !portable_is_selected() {
        // SAFETY: the one back end of AArch64 but the portable one has PMULL.
        return unsafe { super::aarch64::clmul(a, b) };
    }
    clmul_portable(a, b)
}

/// The product in E, not reduced in K: one look at the selection for its six products.
#[inline(always)]
pub(crate) fn mul_e_wide(a: E, b: E) -> EWide {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "pclmulqdq")]
        fn accelerated(a: E, b: E) -> EWide {
            karatsuba(a, b, |a, b| KWide(super::x86_64::clmul(a.0, b.0)))
        }
        if !portable_is_selected() {
            // SAFETY: as in `clmul`.
            return unsafe { accelerated(a, b) };
        }
    }
    #[cfg(target_arch = "aarch64")]
    {
        #[target_feature(enable = "neon,aes")]
        fn accelerated(a: E, b: E) -> EWide {
            karatsuba(a, b, |a, b| KWide(super::aarch64::clmul(a.0, b.0)))
        }
        if !portable_is_selected() {
            // SAFETY: as in `clmul`.
            return unsafe { accelerated(a, b) };
        }
    }
    karatsuba(a, b, |a, b| KWide(clmul_portable(a.0, b.0)))
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::select::portable_is_selected;

/// The carry-less product by integer products.
///
/// Bits are split by their index modulo 4, so that a product of two parts has its terms four bits
/// apart. With the top four bits of `a` set aside, at most 15 terms meet in one place, and a count of
/// at most 15 does not reach the next place: its low bit is the parity that is wanted.
#[inline]
pub(crate) const fn clmul_portable(a: u64, b: u64) -> u128 {
    const EVERY_FOURTH: u64 = 0x1111_1111_1111_1111;
    const EVERY_FOURTH_WIDE: u128 = (EVERY_FOURTH as u128) << 64 | EVERY_FOURTH as u128;
    let low = a & (u64::MAX >> 4);
    let mut product = 0u128;
    let mut place = 0;
    while place < 4 {
        let mut terms = 0u128;
        let mut i = 0;
        while i < 4 {
            let j = (place + 4 - i) % 4;
            let (a_part, b_part) = (low & EVERY_FOURTH << i, b & EVERY_FOURTH << j);
            terms ^= a_part as u128 * b_part as u128;
            i += 1;
        }
        product ^= terms & EVERY_FOURTH_WIDE << place;
        place += 1;
    }
    let mut i = 60;
    while i < 64 {
        product ^= ((b as u128) << i) & (a >> i & 1).wrapping_neg() as i64 as i128 as u128;
        i += 1;
    }
    product
}
