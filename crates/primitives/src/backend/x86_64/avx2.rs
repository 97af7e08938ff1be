//! AVX2 with VPCLMULQDQ on 256 bits: Zen 3, and CPUs since 2019 without AVX-512.

use core::arch::x86_64::*;

use super::ymm::{self, HASH_LANES, LANES, shared_operations};
use super::{TAIL_MULTIPLES, run_with, token, tower};
use crate::backend::{Backend, Kind};
use crate::field::{E, K, KWide};

token! {
    /// The token of [`Kind::Avx2`].
    Avx2, "avx2" "vpclmulqdq" "pclmulqdq"
}

/// Products of the even lanes and of the odd lanes, one of 128 bits for each pair of lanes.
#[derive(Clone, Copy)]
pub struct Wide {
    even: __m256i,
    odd: __m256i,
}

#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "one argument for all, at `shared_operations`"
)]
impl Backend for Avx2 {
    const KIND: Kind = Kind::Avx2;

    type Wide = Wide;

    run_with!("avx2,vpclmulqdq,pclmulqdq,bmi1,bmi2");
    shared_operations!();

    #[inline(always)]
    fn wide_zero(self) -> Wide {
        unsafe {
            Wide {
                even: _mm256_setzero_si256(),
                odd: _mm256_setzero_si256(),
            }
        }
    }

    #[inline(always)]
    fn mul_wide(self, a: __m256i, b: __m256i) -> Wide {
        unsafe {
            Wide {
                even: _mm256_clmulepi64_epi128::<0x00>(a, b),
                odd: _mm256_clmulepi64_epi128::<0x11>(a, b),
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
    fn reduce(self, wide: Wide) -> __m256i {
        unsafe {
            let tail = _mm256_set1_epi64x(K::MODULUS_TAIL as i64);
            let even = _mm256_clmulepi64_epi128::<0x01>(wide.even, tail);
            let odd = _mm256_clmulepi64_epi128::<0x01>(wide.odd, tail);
            let low = _mm256_unpacklo_epi64(self.xor(wide.even, even), self.xor(wide.odd, odd));
            let over = _mm256_unpackhi_epi64(even, odd);
            let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(TAIL_MULTIPLES.as_ptr().cast()));
            self.xor(low, _mm256_shuffle_epi8(table, over))
        }
    }

    #[inline(always)]
    fn wide_sum(self, wide: Wide) -> KWide {
        unsafe {
            let v = self.xor(wide.even, wide.odd);
            let pair = _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
            let (low, high) = (
                _mm_cvtsi128_si64(pair) as u64,
                _mm_extract_epi64::<1>(pair) as u64,
            );
            KWide(u128::from(high) << 64 | u128::from(low))
        }
    }
}
