//! One carry-less product at a time, for code outside of [`dispatch!`](crate::dispatch): transcripts, verifiers, set-up.

/// The carry-less product of two words: bit `k` is the parity of the pairs `i + j = k` of set bits.
#[inline(always)]
pub(crate) fn clmul(a: u64, b: u64) -> u128 {
    clmul_portable(a, b)
}

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
