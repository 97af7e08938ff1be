//! NEON with PMULL: intrinsics only.

use core::arch::aarch64::*;

use super::{Backend, Kind};
use crate::field::{B8, E, K, KWide};

cpufeatures::new!(detection, "aes");

/// The token of [`Kind::Neon`].
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

impl Neon {
    /// The token, if the CPU has the instructions. NEON is part of the architecture, PMULL an extension.
    #[must_use]
    pub fn detect() -> Option<Self> {
        detection::get().then_some(Self(()))
    }

    /// The token without a look at the CPU.
    ///
    /// # Safety
    /// [`detect`](Self::detect) has given the token before.
    #[inline(always)]
    pub(in crate::backend) const unsafe fn new_unchecked() -> Self {
        Self(())
    }
}

/// The carry-less product of two words.
#[target_feature(enable = "neon,aes")]
#[inline]
pub(super) fn clmul(a: u64, b: u64) -> u128 {
    vmull_p64(a, b)
}

/// The carry-less product of the words in lane 0.
#[target_feature(enable = "neon,aes")]
#[inline]
fn clmul_even(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vreinterpretq_u64_p128(vmull_p64(vgetq_lane_u64::<0>(a), vgetq_lane_u64::<0>(b)))
}

/// The carry-less product of the words in lane 1.
#[target_feature(enable = "neon,aes")]
#[inline]
fn clmul_odd(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vreinterpretq_u64_p128(vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b)))
}

const LANES: usize = 2;
const HASH_LANES: usize = 4;

/// The product of lane 0 and that of lane 1.
#[derive(Clone, Copy)]
pub struct Wide([uint64x2_t; 2]);

/// Entry c is the carry-less product of c < 16 and the tail of K's modulus.
const TAIL_MULTIPLES: [u8; 16] = {
    let mut table = [0; 16];
    let mut c = 0;
    while c < 16 {
        table[c] = (c ^ c << 1 ^ c << 3 ^ c << 4) as u8;
        c += 1;
    }
    table
};

/// Entry c is `c t^8`, and `c t^12`, in the byte field.
const LOW_NIBBLE_ABOVE: [u8; 16] = byte_multiples(B8(0x1b));
const HIGH_NIBBLE_ABOVE: [u8; 16] = byte_multiples(B8(0x1b).mul_const(B8(0x10)));

const fn byte_multiples(factor: B8) -> [u8; 16] {
    let mut table = [0; 16];
    let mut c = 0;
    while c < 16 {
        table[c] = B8(c as u8).mul_const(factor).0;
        c += 1;
    }
    table
}

// SAFETY (of every block below): the token exists, so the CPU has the instructions; loads and stores are within
// slices whose lengths are asserted.
#[expect(clippy::undocumented_unsafe_blocks, reason = "one argument for all, above")]
impl Backend for Neon {
    const KIND: Kind = Kind::Neon;
    const LANES: usize = LANES;
    const HASH_LANES: usize = HASH_LANES;

    type V = uint64x2_t;
    type Wide = Wide;
    type H = uint32x4_t;

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "neon,aes")]
        fn inner<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        unsafe { inner(f) }
    }

    #[inline(always)]
    fn splat(self, word: K) -> uint64x2_t {
        unsafe { vdupq_n_u64(word.0) }
    }

    #[inline(always)]
    fn load(self, words: &[K]) -> uint64x2_t {
        assert!(words.len() >= LANES);
        unsafe { vld1q_u64(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, v: uint64x2_t, out: &mut [K]) {
        assert!(out.len() >= LANES);
        unsafe { vst1q_u64(out.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn xor(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { veorq_u64(a, b) }
    }

    #[inline(always)]
    fn and(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vandq_u64(a, b) }
    }

    #[inline(always)]
    fn shl<const N: u32>(self, v: uint64x2_t) -> uint64x2_t {
        unsafe { vshlq_u64(v, vdupq_n_s64(i64::from(N))) }
    }

    #[inline(always)]
    fn shr<const N: u32>(self, v: uint64x2_t) -> uint64x2_t {
        unsafe { vshlq_u64(v, vdupq_n_s64(-i64::from(N))) }
    }

    #[inline(always)]
    fn unzip(self, a: uint64x2_t, b: uint64x2_t) -> (uint64x2_t, uint64x2_t) {
        unsafe { (vuzp1q_u64(a, b), vuzp2q_u64(a, b)) }
    }

    #[inline(always)]
    fn zip(self, a: uint64x2_t, b: uint64x2_t) -> (uint64x2_t, uint64x2_t) {
        unsafe { (vzip1q_u64(a, b), vzip2q_u64(a, b)) }
    }

    #[inline(always)]
    fn load_e(self, elements: &[E]) -> [uint64x2_t; 3] {
        assert!(elements.len() >= LANES);
        let uint64x2x3_t(c0, c1, c2) = unsafe { vld3q_u64(elements.as_ptr().cast()) };
        [c0, c1, c2]
    }

    #[inline(always)]
    fn store_e(self, [c0, c1, c2]: [uint64x2_t; 3], out: &mut [E]) {
        assert!(out.len() >= LANES);
        unsafe { vst3q_u64(out.as_mut_ptr().cast(), uint64x2x3_t(c0, c1, c2)) }
    }

    #[inline(always)]
    fn sum(self, v: uint64x2_t) -> K {
        unsafe { K(vgetq_lane_u64::<0>(v) ^ vgetq_lane_u64::<1>(v)) }
    }

    #[inline(always)]
    fn wide_zero(self) -> Wide {
        Wide([self.splat(K::ZERO); 2])
    }

    #[inline(always)]
    fn mul_wide(self, a: uint64x2_t, b: uint64x2_t) -> Wide {
        unsafe { Wide([clmul_even(a, b), clmul_odd(a, b)]) }
    }

    #[inline(always)]
    fn wide_xor(self, a: Wide, b: Wide) -> Wide {
        Wide([self.xor(a.0[0], b.0[0]), self.xor(a.0[1], b.0[1])])
    }

    #[inline(always)]
    fn reduce(self, wide: Wide) -> uint64x2_t {
        unsafe {
            let tail = vdupq_n_u64(K::MODULUS_TAIL);
            let [even, odd] = wide.0;
            let even_tail = clmul_odd(even, tail);
            let odd_tail = clmul_odd(odd, tail);
            let low = vzip1q_u64(self.xor(even, even_tail), self.xor(odd, odd_tail));
            let over = vreinterpretq_u8_u64(vzip2q_u64(even_tail, odd_tail));
            let table = vld1q_u8(TAIL_MULTIPLES.as_ptr());
            self.xor(low, vreinterpretq_u64_u8(vqtbl1q_u8(table, over)))
        }
    }

    #[inline(always)]
    fn wide_sum(self, wide: Wide) -> KWide {
        unsafe {
            let sum = self.xor(wide.0[0], wide.0[1]);
            let (low, high) = (vgetq_lane_u64::<0>(sum), vgetq_lane_u64::<1>(sum));
            KWide(u128::from(high) << 64 | u128::from(low))
        }
    }

    /// Polynomial products of bytes, whose high bytes two table lookups bring back.
    #[inline(always)]
    fn mul_bytes(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe {
            let (a, b) = (vreinterpretq_p8_u64(a), vreinterpretq_p8_u64(b));
            let first = vreinterpretq_u8_p16(vmull_p8(vget_low_p8(a), vget_low_p8(b)));
            let second = vreinterpretq_u8_p16(vmull_high_p8(a, b));
            let (low, high) = (vuzp1q_u8(first, second), vuzp2q_u8(first, second));
            let low_nibble = vandq_u8(high, vdupq_n_u8(15));
            let above = veorq_u8(
                vqtbl1q_u8(vld1q_u8(LOW_NIBBLE_ABOVE.as_ptr()), low_nibble),
                vqtbl1q_u8(vld1q_u8(HIGH_NIBBLE_ABOVE.as_ptr()), vshrq_n_u8::<4>(high)),
            );
            vreinterpretq_u64_u8(veorq_u8(low, above))
        }
    }

    #[inline(always)]
    fn hash_splat(self, word: u32) -> uint32x4_t {
        unsafe { vdupq_n_u32(word) }
    }

    #[inline(always)]
    fn hash_load(self, words: &[u32]) -> uint32x4_t {
        assert!(words.len() >= HASH_LANES);
        unsafe { vld1q_u32(words.as_ptr()) }
    }

    #[inline(always)]
    fn hash_store(self, h: uint32x4_t, out: &mut [u32]) {
        assert!(out.len() >= HASH_LANES);
        unsafe { vst1q_u32(out.as_mut_ptr(), h) }
    }

    #[inline(always)]
    fn hash_add(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        unsafe { vaddq_u32(a, b) }
    }

    #[inline(always)]
    fn hash_xor(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        unsafe { veorq_u32(a, b) }
    }

    #[inline(always)]
    fn hash_rotate_16(self, h: uint32x4_t) -> uint32x4_t {
        unsafe { vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(h))) }
    }

    #[inline(always)]
    fn hash_rotate_12(self, h: uint32x4_t) -> uint32x4_t {
        unsafe { vsliq_n_u32::<20>(vshrq_n_u32::<12>(h), h) }
    }

    #[inline(always)]
    fn hash_rotate_8(self, h: uint32x4_t) -> uint32x4_t {
        unsafe { vsliq_n_u32::<24>(vshrq_n_u32::<8>(h), h) }
    }

    #[inline(always)]
    fn hash_rotate_7(self, h: uint32x4_t) -> uint32x4_t {
        unsafe { vsliq_n_u32::<25>(vshrq_n_u32::<7>(h), h) }
    }

    #[inline(always)]
    fn hash_load_blocks(self, bytes: &[u8], stride: usize) -> [uint32x4_t; 16] {
        let mut words = [self.hash_splat(0); 16];
        for quarter in 0..4 {
            let mut rows = [self.hash_splat(0); 4];
            for (message, row) in rows.iter_mut().enumerate() {
                let bytes = &bytes[message * stride + 16 * quarter..][..16];
                *row = unsafe { vreinterpretq_u32_u8(vld1q_u8(bytes.as_ptr())) };
            }
            words[4 * quarter..][..4].copy_from_slice(&unsafe { transpose_4x4(rows) });
        }
        words
    }

    #[inline(always)]
    fn hash_store_digests(self, words: [uint32x4_t; 8], out: &mut [[u8; 32]]) {
        let [w0, w1, w2, w3, w4, w5, w6, w7] = words;
        let halves = unsafe { [transpose_4x4([w0, w1, w2, w3]), transpose_4x4([w4, w5, w6, w7])] };
        for (message, out) in out[..HASH_LANES].iter_mut().enumerate() {
            let (low, high) = out.split_at_mut(16);
            unsafe {
                vst1q_u8(low.as_mut_ptr(), vreinterpretq_u8_u32(halves[0][message]));
                vst1q_u8(high.as_mut_ptr(), vreinterpretq_u8_u32(halves[1][message]));
            }
        }
    }
}

/// The transpose of four rows of four words.
///
/// # Safety
/// The CPU has NEON.
#[inline(always)]
unsafe fn transpose_4x4([r0, r1, r2, r3]: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
    // SAFETY: the caller's.
    unsafe {
        let (even_01, odd_01) = (vtrn1q_u32(r0, r1), vtrn2q_u32(r0, r1));
        let (even_23, odd_23) = (vtrn1q_u32(r2, r3), vtrn2q_u32(r2, r3));
        let (even_01, odd_01) = (vreinterpretq_u64_u32(even_01), vreinterpretq_u64_u32(odd_01));
        let (even_23, odd_23) = (vreinterpretq_u64_u32(even_23), vreinterpretq_u64_u32(odd_23));
        [
            vreinterpretq_u32_u64(vtrn1q_u64(even_01, even_23)),
            vreinterpretq_u32_u64(vtrn1q_u64(odd_01, odd_23)),
            vreinterpretq_u32_u64(vtrn2q_u64(even_01, even_23)),
            vreinterpretq_u32_u64(vtrn2q_u64(odd_01, odd_23)),
        ]
    }
}
