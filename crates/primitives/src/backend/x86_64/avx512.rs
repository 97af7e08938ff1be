//! AVX-512 with VPCLMULQDQ on 512 bits and GFNI: Ice Lake, Zen 4 and later.
//!
//! Shuffles and carry-less products share one port on most of these, so cross-lane moves are avoided:
//! where a permutation can be had by blends, it is.

use core::arch::x86_64::*;
use core::hint::black_box;
use core::sync::atomic::{AtomicU8, Ordering};

use super::{TAIL_MULTIPLES, run_with, token};
use crate::backend::{Backend, Kind};
use crate::bits;
use crate::field::{E, K, KWide};

token! {
    /// The token of [`Kind::Avx512`].
    Avx512, "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vbmi" "vpclmulqdq" "pclmulqdq" "gfni"
}

const LANES: usize = 8;
const HASH_LANES: usize = 16;

/// Products of the even lanes and of the odd lanes, one of 128 bits for each pair of lanes.
#[derive(Clone, Copy)]
pub struct Wide {
    even: __m512i,
    odd: __m512i,
}

/// Eight elements of E are 24 words in three registers; lane l of register z holds a coefficient of
/// y^((2z + l) mod 3). Mask m has the lanes l = m (mod 3), so coefficient c of register z stands at the
/// lanes of mask (c + z) mod 3.
const EVERY_THIRD: [__mmask8; 3] = [0b0100_1001, 0b1001_0010, 0b0010_0100];

// SAFETY (of every block below): the token exists, so the CPU has the instructions; loads and stores are
// unaligned ones within slices whose lengths are asserted, and streaming stores check the alignment.
#[expect(clippy::undocumented_unsafe_blocks, reason = "one argument for all, above")]
impl Backend for Avx512 {
    const KIND: Kind = Kind::Avx512;
    const LANES: usize = LANES;
    const HASH_LANES: usize = HASH_LANES;

    type V = __m512i;
    type Wide = Wide;
    type H = __m512i;

    run_with!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,vpclmulqdq,pclmulqdq,gfni,avx2,bmi1,bmi2");

    #[inline(always)]
    fn splat(self, word: K) -> __m512i {
        unsafe { _mm512_set1_epi64(word.0 as i64) }
    }

    #[inline(always)]
    fn load(self, words: &[K]) -> __m512i {
        assert!(words.len() >= LANES);
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, v: __m512i, out: &mut [K]) {
        assert!(out.len() >= LANES);
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn store_streaming(self, v: __m512i, out: &mut [K]) {
        assert!(out.len() >= LANES);
        let to: *mut __m512i = out.as_mut_ptr().cast();
        if to.is_aligned() {
            unsafe { _mm512_stream_si512(to, v) }
        } else {
            unsafe { _mm512_storeu_si512(to, v) }
        }
    }

    #[inline(always)]
    fn fence(self) {
        unsafe { _mm_sfence() }
    }

    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_xor_si512(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn shl<const N: u32>(self, v: __m512i) -> __m512i {
        unsafe { _mm512_slli_epi64::<N>(v) }
    }

    #[inline(always)]
    fn shr<const N: u32>(self, v: __m512i) -> __m512i {
        unsafe { _mm512_srli_epi64::<N>(v) }
    }

    #[inline(always)]
    fn unzip(self, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        unsafe {
            let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
            let odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
            (
                _mm512_permutex2var_epi64(a, even, b),
                _mm512_permutex2var_epi64(a, odd, b),
            )
        }
    }

    #[inline(always)]
    fn zip(self, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        unsafe {
            let low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
            let high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
            (
                _mm512_permutex2var_epi64(a, low, b),
                _mm512_permutex2var_epi64(a, high, b),
            )
        }
    }

    #[inline(always)]
    fn load_e(self, elements: &[E]) -> [__m512i; 3] {
        assert!(elements.len() >= LANES);
        let from: *const __m512i = elements.as_ptr().cast();
        let [m0, m1, m2] = EVERY_THIRD;
        unsafe {
            let (z0, z1) = (_mm512_loadu_si512(from), _mm512_loadu_si512(from.add(1)));
            let z2 = _mm512_loadu_si512(from.add(2));
            // Coefficient c of element i now stands at lane 3i + c (mod 8).
            let c0 = _mm512_mask_blend_epi64(m2, _mm512_mask_blend_epi64(m1, z0, z1), z2);
            let c1 = _mm512_mask_blend_epi64(m0, _mm512_mask_blend_epi64(m2, z0, z1), z2);
            let c2 = _mm512_mask_blend_epi64(m1, _mm512_mask_blend_epi64(m0, z0, z1), z2);
            [
                _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 3, 6, 1, 4, 7, 2, 5), c0),
                _mm512_permutexvar_epi64(_mm512_setr_epi64(1, 4, 7, 2, 5, 0, 3, 6), c1),
                _mm512_permutexvar_epi64(_mm512_setr_epi64(2, 5, 0, 3, 6, 1, 4, 7), c2),
            ]
        }
    }

    #[inline(always)]
    fn store_e(self, coefficients: [__m512i; 3], out: &mut [E]) {
        assert!(out.len() >= LANES);
        let to: *mut __m512i = out.as_mut_ptr().cast();
        let [m0, m1, m2] = EVERY_THIRD;
        let [c0, c1, c2] = coefficients;
        unsafe {
            // Lane l takes element 3 (l - c) (mod 8), since 3 is its own inverse.
            let c0 = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 3, 6, 1, 4, 7, 2, 5), c0);
            let c1 = _mm512_permutexvar_epi64(_mm512_setr_epi64(5, 0, 3, 6, 1, 4, 7, 2), c1);
            let c2 = _mm512_permutexvar_epi64(_mm512_setr_epi64(2, 5, 0, 3, 6, 1, 4, 7), c2);
            let z0 = _mm512_mask_blend_epi64(m2, _mm512_mask_blend_epi64(m1, c0, c1), c2);
            let z1 = _mm512_mask_blend_epi64(m0, _mm512_mask_blend_epi64(m2, c0, c1), c2);
            let z2 = _mm512_mask_blend_epi64(m1, _mm512_mask_blend_epi64(m0, c0, c1), c2);
            _mm512_storeu_si512(to, z0);
            _mm512_storeu_si512(to.add(1), z1);
            _mm512_storeu_si512(to.add(2), z2);
        }
    }

    #[inline(always)]
    fn sum(self, v: __m512i) -> K {
        unsafe {
            let half = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v));
            let pair = _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
            K((_mm_cvtsi128_si64(pair) ^ _mm_extract_epi64::<1>(pair)) as u64)
        }
    }

    #[inline(always)]
    fn wide_zero(self) -> Wide {
        unsafe {
            Wide {
                even: _mm512_setzero_si512(),
                odd: _mm512_setzero_si512(),
            }
        }
    }

    #[inline(always)]
    fn mul_wide(self, a: __m512i, b: __m512i) -> Wide {
        unsafe {
            Wide {
                even: _mm512_clmulepi64_epi128::<0x00>(a, b),
                odd: _mm512_clmulepi64_epi128::<0x11>(a, b),
            }
        }
    }

    #[inline(always)]
    fn wide_xor(self, a: Wide, b: Wide) -> Wide {
        Wide {
            even: self.xor(a.even, b.even),
            odd: self.xor(a.odd, b.odd),
        }
    }

    #[inline(always)]
    fn reduce(self, wide: Wide) -> __m512i {
        unsafe {
            let tail = _mm512_set1_epi64(K::MODULUS_TAIL as i64);
            let even = _mm512_clmulepi64_epi128::<0x01>(wide.even, tail);
            let odd = _mm512_clmulepi64_epi128::<0x01>(wide.odd, tail);
            let low = _mm512_unpacklo_epi64(self.xor(wide.even, even), self.xor(wide.odd, odd));
            let over = _mm512_unpackhi_epi64(even, odd);
            let table = _mm512_broadcast_i32x4(_mm_loadu_si128(TAIL_MULTIPLES.as_ptr().cast()));
            self.xor(low, _mm512_shuffle_epi8(table, over))
        }
    }

    #[inline(always)]
    fn wide_sum(self, wide: Wide) -> KWide {
        unsafe {
            let v = self.xor(wide.even, wide.odd);
            let half = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v));
            let pair = _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
            let (low, high) = (
                _mm_cvtsi128_si64(pair) as u64,
                _mm_extract_epi64::<1>(pair) as u64,
            );
            KWide(u128::from(high) << 64 | u128::from(low))
        }
    }

    #[inline(always)]
    fn mul_bytes(self, a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_gf2p8mul_epi8(a, b) }
    }

    const MAPS_BYTES: bool = true;

    #[inline(always)]
    fn maps_bytes(self) -> bool {
        match MAPS_BYTES.load(Ordering::Relaxed) {
            UNKNOWN => examine_map_bytes(self),
            known => known == RIGHT,
        }
    }

    #[inline(always)]
    fn map_bytes(self, matrices: __m512i, bytes: __m512i) -> __m512i {
        unsafe { _mm512_gf2p8affine_epi64_epi8::<0>(bytes, matrices) }
    }

    /// With r for a vector and, in its lanes of 128 bits, w for a word and b for a byte of it, bits from the highest on:
    /// the shuffle takes `r2 r1 r0 | w b2 b1 b0` to `r2 r1 r0 | b2 b1 b0 w`, and to unpack the halves of two vectors
    /// rotates all but the lanes' own bits by one. Three times give `b2 b1 b0 | w r2 r1 r0`.
    #[inline(always)]
    fn transpose_bytes(self, vectors: &mut [__m512i; 8]) {
        unsafe {
            let shuffle = _mm512_broadcast_i32x4(_mm_loadu_si128(WORDS_ZIPPED.as_ptr().cast()));
            for vector in vectors.iter_mut() {
                *vector = _mm512_shuffle_epi8(*vector, shuffle);
            }
            for _ in 0..3 {
                let before = *vectors;
                for i in 0..4 {
                    vectors[2 * i] = _mm512_unpacklo_epi8(before[i], before[i + 4]);
                    vectors[2 * i + 1] = _mm512_unpackhi_epi8(before[i], before[i + 4]);
                }
            }
        }
    }

    /// Eight registers of eight rows. A byte shuffle makes every word one of the 64 blocks of 8x8 bits, which are
    /// transposed each and among themselves; then the bytes of each register are shuffled back.
    #[inline(always)]
    fn transpose_64x64(self, matrix: &mut [u64; 64]) {
        let mut v = [self.splat(K::ZERO); 8];
        unsafe {
            let shuffle = _mm512_loadu_si512(BYTE_TRANSPOSE.as_ptr().cast());
            for (v, rows) in v.iter_mut().zip(matrix.as_chunks::<8>().0) {
                let block = _mm512_permutexvar_epi8(shuffle, _mm512_loadu_si512(rows.as_ptr().cast()));
                *v = transpose_8x8_bits(block);
            }
            v = transpose_8x8_words(v);
            for (v, rows) in v.iter().zip(matrix.as_chunks_mut::<8>().0) {
                _mm512_storeu_si512(rows.as_mut_ptr().cast(), _mm512_permutexvar_epi8(shuffle, *v));
            }
        }
    }

    #[inline(always)]
    fn hash_splat(self, word: u32) -> __m512i {
        unsafe { _mm512_set1_epi32(word as i32) }
    }

    #[inline(always)]
    fn hash_load(self, words: &[u32]) -> __m512i {
        assert!(words.len() >= HASH_LANES);
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn hash_store(self, h: __m512i, out: &mut [u32]) {
        assert!(out.len() >= HASH_LANES);
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), h) }
    }

    #[inline(always)]
    fn hash_add(self, a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    fn hash_xor(self, a: __m512i, b: __m512i) -> __m512i {
        self.xor(a, b)
    }

    #[inline(always)]
    fn hash_rotate_16(self, h: __m512i) -> __m512i {
        unsafe { _mm512_ror_epi32::<16>(h) }
    }

    #[inline(always)]
    fn hash_rotate_12(self, h: __m512i) -> __m512i {
        unsafe { _mm512_ror_epi32::<12>(h) }
    }

    #[inline(always)]
    fn hash_rotate_8(self, h: __m512i) -> __m512i {
        unsafe { _mm512_ror_epi32::<8>(h) }
    }

    #[inline(always)]
    fn hash_rotate_7(self, h: __m512i) -> __m512i {
        unsafe { _mm512_ror_epi32::<7>(h) }
    }

    #[inline(always)]
    fn hash_load_blocks(self, bytes: &[u8], stride: usize) -> [__m512i; 16] {
        let mut rows = [self.hash_splat(0); 16];
        for (message, row) in rows.iter_mut().enumerate() {
            let block = &bytes[message * stride..][..64];
            *row = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        }
        let mut words = [self.hash_splat(0); 16];
        unsafe {
            // Quad g holds, of its four messages, word 4L + j at 128-bit lane L of entry j.
            let [
                r0,
                r1,
                r2,
                r3,
                r4,
                r5,
                r6,
                r7,
                r8,
                r9,
                r10,
                r11,
                r12,
                r13,
                r14,
                r15,
            ] = rows;
            let (quad_0, quad_1) = (transpose_4x4([r0, r1, r2, r3]), transpose_4x4([r4, r5, r6, r7]));
            let (quad_2, quad_3) = (
                transpose_4x4([r8, r9, r10, r11]),
                transpose_4x4([r12, r13, r14, r15]),
            );
            for j in 0..4 {
                let lanes = transpose_4x4_lanes([quad_0[j], quad_1[j], quad_2[j], quad_3[j]]);
                for (lane, word) in lanes.into_iter().enumerate() {
                    words[4 * lane + j] = word;
                }
            }
        }
        words
    }

    #[inline(always)]
    fn hash_store_digests(self, words: [__m512i; 8], out: &mut [[u8; 32]]) {
        let out: &mut [[u8; 32]; HASH_LANES] = out.first_chunk_mut().expect("as many digests as messages");
        let [w0, w1, w2, w3, w4, w5, w6, w7] = words;
        unsafe {
            // Lane L of entry j holds half of the digest of message 4L + j.
            let low = transpose_4x4([w0, w1, w2, w3]);
            let high = transpose_4x4([w4, w5, w6, w7]);
            let lanes_01 = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
            let lanes_23 = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
            for j in 0..4 {
                for (first, lanes) in [(j, lanes_01), (8 + j, lanes_23)] {
                    let pair = _mm512_permutex2var_epi64(low[j], lanes, high[j]);
                    _mm256_storeu_si256(out[first].as_mut_ptr().cast(), _mm512_castsi512_si256(pair));
                    let second = _mm512_extracti64x4_epi64::<1>(pair);
                    _mm256_storeu_si256(out[first + 4].as_mut_ptr().cast(), second);
                }
            }
        }
    }

    #[inline(always)]
    fn load_partial(self, words: &[K]) -> __m512i {
        assert!(words.len() <= LANES);
        unsafe { _mm512_maskz_loadu_epi64(first_lanes(words.len()), words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_partial(self, v: __m512i, out: &mut [K]) {
        assert!(out.len() <= LANES);
        unsafe { _mm512_mask_storeu_epi64(out.as_mut_ptr().cast(), first_lanes(out.len()), v) }
    }
}

/// Whether GF2P8AFFINEQB computes what it should: [`UNKNOWN`] before the first use.
static MAPS_BYTES: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = 0;
const WRONG: u8 = 1;
const RIGHT: u8 = 2;

/// Holds the instruction to its definition: Bochs 2.7 computes it wrongly.
#[cold]
fn examine_map_bytes(be: Avx512) -> bool {
    let is_right = be.run(
        #[inline(always)]
        || maps_all_bytes(be, Avx512::map_bytes),
    );
    MAPS_BYTES.store(if is_right { RIGHT } else { WRONG }, Ordering::Relaxed);
    is_right
}

/// Whether every byte is mapped rightly by eight matrices that are not alike in any way.
#[inline(always)]
fn maps_all_bytes(be: Avx512, map: impl Fn(Avx512, __m512i, __m512i) -> __m512i) -> bool {
    let mut matrices = [K::ZERO; LANES];
    for (i, matrix) in (1..).zip(&mut matrices) {
        *matrix = K(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(i));
    }
    let mut is_right = true;
    for first in (0..=u8::MAX).step_by(8) {
        let bytes = u64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7]) + u64::from(first) * 0x0101_0101_0101_0101;
        // What the compiler cannot see through: the CPU is asked, not it.
        let (maps, lanes) = black_box((be.load(&matrices), be.splat(K(bytes))));
        let mut mapped = [K::ZERO; LANES];
        be.store(map(be, maps, lanes), &mut mapped);
        for (mapped, matrix) in mapped.iter().zip(&matrices) {
            is_right &= mapped.0 == bits::map_bytes(matrix.0, bytes);
        }
    }
    is_right
}

/// Byte b of word w of a lane of 128 bits goes to byte 2b + w.
const WORDS_ZIPPED: [u8; 16] = [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15];

/// Byte r of word c comes from byte c of word r.
const BYTE_TRANSPOSE: [u8; 64] = {
    let mut from = [0; 64];
    let mut i = 0;
    while i < 64 {
        from[i] = (i % 8 * 8 + i / 8) as u8;
        i += 1;
    }
    from
};

/// In every word: the transpose of eight bytes as rows of eight bits (Warren, Hacker's Delight, section 7-3).
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn transpose_8x8_bits(v: __m512i) -> __m512i {
    // SAFETY: the caller's.
    unsafe {
        let v = exchange_bits::<7>(v, 0x00aa_00aa_00aa_00aa);
        let v = exchange_bits::<14>(v, 0x0000_cccc_0000_cccc);
        exchange_bits::<28>(v, 0x0000_0000_f0f0_f0f0)
    }
}

/// In every word: exchanges the bits of `mask` with those `SHIFT` places above.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn exchange_bits<const SHIFT: u32>(v: __m512i, mask: u64) -> __m512i {
    // SAFETY: the caller's.
    unsafe {
        let mask = _mm512_set1_epi64(mask as i64);
        let differ = _mm512_and_si512(_mm512_xor_si512(v, _mm512_srli_epi64::<SHIFT>(v)), mask);
        _mm512_xor_si512(_mm512_xor_si512(v, differ), _mm512_slli_epi64::<SHIFT>(differ))
    }
}

/// The transpose of eight rows of eight words.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn transpose_8x8_words(rows: [__m512i; 8]) -> [__m512i; 8] {
    let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
    // SAFETY: the caller's.
    unsafe {
        let (e01, o01) = (_mm512_unpacklo_epi64(r0, r1), _mm512_unpackhi_epi64(r0, r1));
        let (e23, o23) = (_mm512_unpacklo_epi64(r2, r3), _mm512_unpackhi_epi64(r2, r3));
        let (e45, o45) = (_mm512_unpacklo_epi64(r4, r5), _mm512_unpackhi_epi64(r4, r5));
        let (e67, o67) = (_mm512_unpacklo_epi64(r6, r7), _mm512_unpackhi_epi64(r6, r7));
        let [c0, c2, c4, c6] = transpose_4x4_lanes([e01, e23, e45, e67]);
        let [c1, c3, c5, c7] = transpose_4x4_lanes([o01, o23, o45, o67]);
        [c0, c1, c2, c3, c4, c5, c6, c7]
    }
}

/// The transpose of four rows of four lanes of 128 bits.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn transpose_4x4_lanes([r0, r1, r2, r3]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: the caller's.
    unsafe {
        let low_01 = _mm512_shuffle_i64x2::<0x44>(r0, r1);
        let low_23 = _mm512_shuffle_i64x2::<0x44>(r2, r3);
        let high_01 = _mm512_shuffle_i64x2::<0xee>(r0, r1);
        let high_23 = _mm512_shuffle_i64x2::<0xee>(r2, r3);
        [
            _mm512_shuffle_i64x2::<0x88>(low_01, low_23),
            _mm512_shuffle_i64x2::<0xdd>(low_01, low_23),
            _mm512_shuffle_i64x2::<0x88>(high_01, high_23),
            _mm512_shuffle_i64x2::<0xdd>(high_01, high_23),
        ]
    }
}

/// The mask of the first `count <= 8` lanes.
#[inline(always)]
fn first_lanes(count: usize) -> __mmask8 {
    ((1u32 << count) - 1) as u8
}

/// In every lane of 128 bits: the transpose of four rows of four words.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn transpose_4x4(rows: [__m512i; 4]) -> [__m512i; 4] {
    let [r0, r1, r2, r3] = rows;
    // SAFETY: the caller's.
    unsafe {
        let (low_01, high_01) = (_mm512_unpacklo_epi32(r0, r1), _mm512_unpackhi_epi32(r0, r1));
        let (low_23, high_23) = (_mm512_unpacklo_epi32(r2, r3), _mm512_unpackhi_epi32(r2, r3));
        [
            _mm512_unpacklo_epi64(low_01, low_23),
            _mm512_unpackhi_epi64(low_01, low_23),
            _mm512_unpacklo_epi64(high_01, high_23),
            _mm512_unpackhi_epi64(high_01, high_23),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_of_bytes_are_used_where_they_are_right() {
        let Some(be) = Avx512::detect() else { return };
        assert!(be.maps_bytes(), "a CPU, not an emulator, runs this");
        // The operands exchanged, one bit too many.
        let wrong = |be: Avx512, maps, lanes| be.map_bytes(lanes, maps);
        assert!(!be.run(|| maps_all_bytes(be, wrong)));
        let wrong = |be: Avx512, maps, lanes| be.xor(be.map_bytes(maps, lanes), be.splat(K(1 << 63)));
        assert!(!be.run(|| maps_all_bytes(be, wrong)));
    }
}
