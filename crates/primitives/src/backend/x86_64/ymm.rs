//! What the two back ends of 256-bit registers share: all but the carry-less products.

use core::arch::x86_64::*;

/// Words in a vector.
pub(super) const LANES: usize = 4;

/// Messages hashed at once.
pub(super) const HASH_LANES: usize = 8;

/// The operations of [`Backend`](crate::backend::Backend) that need AVX2 alone.
///
/// Every block is safe because the token exists, so the CPU has the instructions; loads and stores are
/// unaligned ones within slices whose lengths are asserted, and streaming stores check the alignment.
macro_rules! shared_operations {
    () => {
        const LANES: usize = LANES;
        const HASH_LANES: usize = HASH_LANES;

        type V = __m256i;
        type H = __m256i;

        #[inline(always)]
        fn splat(self, word: K) -> __m256i {
            unsafe { _mm256_set1_epi64x(word.0 as i64) }
        }

        #[inline(always)]
        fn load(self, words: &[K]) -> __m256i {
            assert!(words.len() >= LANES);
            unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
        }

        #[inline(always)]
        fn store(self, v: __m256i, out: &mut [K]) {
            assert!(out.len() >= LANES);
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), v) }
        }

        #[inline(always)]
        fn store_streaming(self, v: __m256i, out: &mut [K]) {
            assert!(out.len() >= LANES);
            let to: *mut __m256i = out.as_mut_ptr().cast();
            if to.is_aligned() {
                unsafe { _mm256_stream_si256(to, v) }
            } else {
                unsafe { _mm256_storeu_si256(to, v) }
            }
        }

        #[inline(always)]
        fn fence(self) {
            unsafe { _mm_sfence() }
        }

        #[inline(always)]
        fn xor(self, a: __m256i, b: __m256i) -> __m256i {
            unsafe { _mm256_xor_si256(a, b) }
        }

        #[inline(always)]
        fn and(self, a: __m256i, b: __m256i) -> __m256i {
            unsafe { _mm256_and_si256(a, b) }
        }

        #[inline(always)]
        fn shl<const N: u32>(self, v: __m256i) -> __m256i {
            unsafe { _mm256_sll_epi64(v, _mm_cvtsi32_si128(N as i32)) }
        }

        #[inline(always)]
        fn shr<const N: u32>(self, v: __m256i) -> __m256i {
            unsafe { _mm256_srl_epi64(v, _mm_cvtsi32_si128(N as i32)) }
        }

        #[inline(always)]
        fn unzip(self, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
            unsafe {
                // a0 b0 a2 b2 and a1 b1 a3 b3; then the middle lanes change places.
                let (even, odd) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
                (
                    _mm256_permute4x64_epi64::<0b11_01_10_00>(even),
                    _mm256_permute4x64_epi64::<0b11_01_10_00>(odd),
                )
            }
        }

        #[inline(always)]
        fn zip(self, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
            unsafe {
                let a = _mm256_permute4x64_epi64::<0b11_01_10_00>(a);
                let b = _mm256_permute4x64_epi64::<0b11_01_10_00>(b);
                (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b))
            }
        }

        #[inline(always)]
        fn load_e(self, elements: &[E]) -> [__m256i; 3] {
            assert!(elements.len() >= LANES);
            unsafe { ymm::load_e(elements.as_ptr().cast()) }
        }

        #[inline(always)]
        fn store_e(self, coefficients: [__m256i; 3], out: &mut [E]) {
            assert!(out.len() >= LANES);
            unsafe { ymm::store_e(coefficients, out.as_mut_ptr().cast()) }
        }

        #[inline(always)]
        fn sum(self, v: __m256i) -> K {
            unsafe {
                let pair = _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
                K((_mm_cvtsi128_si64(pair) ^ _mm_extract_epi64::<1>(pair)) as u64)
            }
        }

        #[inline(always)]
        fn mul_bytes(self, a: __m256i, b: __m256i) -> __m256i {
            unsafe { tower::mul_bytes(a, b) }
        }

        #[inline(always)]
        fn hash_splat(self, word: u32) -> __m256i {
            unsafe { _mm256_set1_epi32(word as i32) }
        }

        #[inline(always)]
        fn hash_load(self, words: &[u32]) -> __m256i {
            assert!(words.len() >= HASH_LANES);
            unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
        }

        #[inline(always)]
        fn hash_store(self, h: __m256i, out: &mut [u32]) {
            assert!(out.len() >= HASH_LANES);
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), h) }
        }

        #[inline(always)]
        fn hash_add(self, a: __m256i, b: __m256i) -> __m256i {
            unsafe { _mm256_add_epi32(a, b) }
        }

        #[inline(always)]
        fn hash_xor(self, a: __m256i, b: __m256i) -> __m256i {
            unsafe { _mm256_xor_si256(a, b) }
        }

        #[inline(always)]
        fn hash_rotate_16(self, h: __m256i) -> __m256i {
            unsafe { ymm::rotate_16(h) }
        }

        #[inline(always)]
        fn hash_rotate_12(self, h: __m256i) -> __m256i {
            unsafe { _mm256_or_si256(_mm256_srli_epi32::<12>(h), _mm256_slli_epi32::<20>(h)) }
        }

        #[inline(always)]
        fn hash_rotate_8(self, h: __m256i) -> __m256i {
            unsafe { ymm::rotate_8(h) }
        }

        #[inline(always)]
        fn hash_rotate_7(self, h: __m256i) -> __m256i {
            unsafe { _mm256_or_si256(_mm256_srli_epi32::<7>(h), _mm256_slli_epi32::<25>(h)) }
        }

        #[inline(always)]
        fn hash_load_blocks(self, bytes: &[u8], stride: usize) -> [__m256i; 16] {
            let mut words = [self.hash_splat(0); 16];
            for half in 0..2 {
                let mut rows = [self.hash_splat(0); 8];
                for (message, row) in rows.iter_mut().enumerate() {
                    let block = &bytes[message * stride + 32 * half..][..32];
                    *row = unsafe { _mm256_loadu_si256(block.as_ptr().cast()) };
                }
                words[8 * half..][..8].copy_from_slice(&unsafe { ymm::transpose_8x8(rows) });
            }
            words
        }

        #[inline(always)]
        fn hash_store_digests(self, words: [__m256i; 8], out: &mut [[u8; 32]]) {
            let digests = unsafe { ymm::transpose_8x8(words) };
            for (digest, out) in digests.iter().zip(&mut out[..HASH_LANES]) {
                unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), *digest) }
            }
        }
    };
}
pub(super) use shared_operations;

/// The coefficients of four elements of E in twelve words.
///
/// Lane l of register z holds a coefficient of y^((z + l) mod 3), so blends collect each coefficient,
/// element i at lane 3i + c (mod 4), and one permutation, its own inverse, puts them in order.
///
/// # Safety
/// The CPU has AVX2, and twelve words can be read.
#[inline(always)]
pub(super) unsafe fn load_e(from: *const __m256i) -> [__m256i; 3] {
    // SAFETY: the caller's.
    unsafe {
        let (z0, z1) = (_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1)));
        let z2 = _mm256_loadu_si256(from.add(2));
        permute_coefficients([blend(z0, z2, z1), blend(z1, z0, z2), blend(z2, z1, z0)])
    }
}

/// The inverse of [`load_e`].
///
/// # Safety
/// The CPU has AVX2, and twelve words can be written.
#[inline(always)]
pub(super) unsafe fn store_e(coefficients: [__m256i; 3], to: *mut __m256i) {
    // SAFETY: the caller's.
    unsafe {
        let [c0, c1, c2] = permute_coefficients(coefficients);
        _mm256_storeu_si256(to, blend(c0, c1, c2));
        _mm256_storeu_si256(to.add(1), blend(c1, c2, c0));
        _mm256_storeu_si256(to.add(2), blend(c2, c0, c1));
    }
}

/// Lanes 0 and 3 of `a`, lane 1 of `b`, lane 2 of `c`.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn blend(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    // SAFETY: the caller's.
    unsafe { _mm256_blend_epi32::<0b0011_0000>(_mm256_blend_epi32::<0b0000_1100>(a, b), c) }
}

/// Lane i of coefficient c from lane c - i (mod 4).
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn permute_coefficients([c0, c1, c2]: [__m256i; 3]) -> [__m256i; 3] {
    // SAFETY: the caller's.
    unsafe {
        [
            _mm256_permute4x64_epi64::<0b01_10_11_00>(c0),
            _mm256_permute4x64_epi64::<0b10_11_00_01>(c1),
            _mm256_permute4x64_epi64::<0b11_00_01_10>(c2),
        ]
    }
}

/// Every word of 32 bits rotated right by 16.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn rotate_16(h: __m256i) -> __m256i {
    // SAFETY: the caller answers for AVX2.
    unsafe {
        let bytes = _mm_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
        _mm256_shuffle_epi8(h, _mm256_broadcastsi128_si256(bytes))
    }
}

/// Every word of 32 bits rotated right by 8.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn rotate_8(h: __m256i) -> __m256i {
    // SAFETY: the caller answers for AVX2.
    unsafe {
        let bytes = _mm_setr_epi8(1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12);
        _mm256_shuffle_epi8(h, _mm256_broadcastsi128_si256(bytes))
    }
}

/// The transpose of eight rows of eight words of 32 bits.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn transpose_8x8(rows: [__m256i; 8]) -> [__m256i; 8] {
    // SAFETY: the caller answers for AVX2.
    unsafe {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
        let low = transpose_4x4([r0, r1, r2, r3]);
        let high = transpose_4x4([r4, r5, r6, r7]);
        let mut columns = [r0; 8];
        for j in 0..4 {
            columns[j] = _mm256_permute2x128_si256::<0x20>(low[j], high[j]);
            columns[4 + j] = _mm256_permute2x128_si256::<0x31>(low[j], high[j]);
        }
        columns
    }
}

/// In every lane of 128 bits: the transpose of four rows of four words.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn transpose_4x4(rows: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: the caller answers for AVX2.
    unsafe {
        let [r0, r1, r2, r3] = rows;
        let (low_01, high_01) = (_mm256_unpacklo_epi32(r0, r1), _mm256_unpackhi_epi32(r0, r1));
        let (low_23, high_23) = (_mm256_unpacklo_epi32(r2, r3), _mm256_unpackhi_epi32(r2, r3));
        [
            _mm256_unpacklo_epi64(low_01, low_23),
            _mm256_unpackhi_epi64(low_01, low_23),
            _mm256_unpacklo_epi64(high_01, high_23),
            _mm256_unpackhi_epi64(high_01, high_23),
        ]
    }
}
