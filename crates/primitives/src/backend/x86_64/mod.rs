//! The back ends of x86-64: intrinsics only.

mod avx2;
mod avx512;

mod pclmul;
mod tower;
mod ymm;

use core::arch::x86_64::{_mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_unpackhi_epi64};

pub use avx2::Avx2;
pub use avx512::Avx512;
pub use pclmul::Pclmul;

/// Table for a byte shuffle: entry c is the carry-less product of c < 16 and the modulus' tail.
///
/// A product's high word times the tail has degree at most 67; the four bits above bit 63, times the tail
/// once more, complete the reduction.
const TAIL_MULTIPLES: [u8; 16] = {
    let mut table = [0; 16];
    let mut c = 0;
    while c < 16 {
        table[c] = (c ^ c << 1 ^ c << 3 ^ c << 4) as u8;
        c += 1;
    }
    table
};

/// The carry-less product of two words.
#[target_feature(enable = "pclmulqdq")]
#[inline]
pub(super) fn clmul(a: u64, b: u64) -> u128 {
    let product = _mm_clmulepi64_si128::<0>(_mm_cvtsi64_si128(a as i64), _mm_cvtsi64_si128(b as i64));
    let low = _mm_cvtsi128_si64(product) as u64;
    let high = _mm_cvtsi128_si64(_mm_unpackhi_epi64(product, product)) as u64;
    u128::from(high) << 64 | u128::from(low)
}

/// Makes a token that only detection, or a previous detection, gives out.
macro_rules! token {
    ($(#[$doc:meta])* $name:ident, $($feature:tt)+) => {
        cpufeatures::new!(detection, $($feature),+);

        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(());

        impl $name {
            /// The token, if the CPU and the operating system support the instructions.
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
    };
}
use token;

/// [`Backend::run`](super::Backend::run) with these target features.
macro_rules! run_with {
    ($features:literal) => {
        #[inline(always)]
        fn run<R>(self, f: impl FnOnce() -> R) -> R {
            #[target_feature(enable = $features)]
            fn inner<R>(f: impl FnOnce() -> R) -> R {
                f()
            }
            // SAFETY: the token exists, so the CPU has the features.
            unsafe { inner(f) }
        }
    };
}
use run_with;
