//! AVX2 with PCLMULQDQ on 128 bits: most servers before 2020.

use core::arch::x86_64::*;

use super::ymm::{self, HASH_LANES, LANES, shared_operations};
use super::{TAIL_MULTIPLES, run_with, token, tower};
use crate::backend::{Backend, Kind};
use crate::field::{E, K, KWide};

token! {
    /// The token of [`Kind::Pclmul`].
    Pclmul, "avx2" "pclmulqdq"
}

/// The products of the four lanes.
#[derive(Clone, Copy)]
pub struct Wide([__m128i; 4]);

#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "one argument for all, at `shared_operations`"
)]
impl Backend for Pclmul {
    const KIND: Kind = Kind::Pclmul;

    type Wide = Wide;

    run_with!("avx2,pclmulqdq,bmi1,bmi2");
    shared_operations!();

    #[inline(always)]
    fn wide_zero(self) -> Wide {
        unsafe { Wide([_mm_setzero_si128(); 4]) }
    }

    #[inline(always)]
    fn mul_wide(self, a: __m256i, b: __m256i) -> Wide {
        unsafe {
            let (a_low, b_low) = (_mm256_castsi256_si128(a), _mm256_castsi256_si128(b));
            let (a_high, b_high) = (_mm256_extracti128_si256::<1>(a), _mm256_extracti128_si256::<1>(b));
            Wide([
                _mm_clmulepi64_si128::<0x00>(a_low, b_low),
                _mm_clmulepi64_si128::<0x11>(a_low, b_low),
                _mm_clmulepi64_si128::<0x00>(a_high, b_high),
                _mm_clmulepi64_si128::<0x11>(a_high, b_high),
            ])
        }
    }

    #[inline(always)]
    fn wide_xor(self, a: Wide, b: Wide) -> Wide {
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (a.0, b.0);
        unsafe {
            Wide([
                _mm_xor_si128(a0, b0),
                _mm_xor_si128(a1, b1),
                _mm_xor_si128(a2, b2),
                _mm_xor_si128(a3, b3),
            ])
        }
    }

    #[inline(always)]
    fn reduce(self, wide: Wide) -> __m256i {
        unsafe {
            let tail = _mm_cvtsi64_si128(K::MODULUS_TAIL as i64);
            let [p0, p1, p2, p3] = wide.0;
            let (t0, t1) = (
                _mm_clmulepi64_si128::<0x01>(p0, tail),
                _mm_clmulepi64_si128::<0x01>(p1, tail),
            );
            let (t2, t3) = (
                _mm_clmulepi64_si128::<0x01>(p2, tail),
                _mm_clmulepi64_si128::<0x01>(p3, tail),
            );
            let low = _mm256_set_m128i(
                _mm_unpacklo_epi64(_mm_xor_si128(p2, t2), _mm_xor_si128(p3, t3)),
                _mm_unpacklo_epi64(_mm_xor_si128(p0, t0), _mm_xor_si128(p1, t1)),
            );
            let over = _mm256_set_m128i(_mm_unpackhi_epi64(t2, t3), _mm_unpackhi_epi64(t0, t1));
            let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(TAIL_MULTIPLES.as_ptr().cast()));
            self.xor(low, _mm256_shuffle_epi8(table, over))
        }
    }

    #[inline(always)]
    fn wide_sum(self, wide: Wide) -> KWide {
        unsafe {
            let [p0, p1, p2, p3] = wide.0;
            let pair = _mm_xor_si128(_mm_xor_si128(p0, p1), _mm_xor_si128(p2, p3));
            let (low, high) = (
                _mm_cvtsi128_si64(pair) as u64,
                _mm_extract_epi64::<1>(pair) as u64,
            );
            KWide(u128::from(high) << 64 | u128::from(low))
        }
    }
}
