//! The vocabulary of kernels, and the back ends that speak it, chosen at run time.
//!
//! [`Backend`] is implemented by zero-sized tokens. A token can only be had where the CPU has the
//! instructions, so its operations are safe to call. They are always inlined, and become those
//! instructions because the function around them, entered by [`Backend::run`], carries the target
//! features. Algorithms are generic over `B: Backend`, always inlined, and free of architecture; a
//! stage enters them once per task:
//!
//! ```
//! use primitives::{dispatch, field::K, slices};
//! let (a, b) = ([K(3); 5], [K(5); 5]);
//! let mut out = [K::ZERO; 5];
//! dispatch!(|be| slices::mul_k(be, &a, &b, &mut out));
//! assert_eq!(out, [K(15); 5]);
//! ```
//!
//! A parallel call inside of `run` loses the features: dispatch inside the task.

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod portable;
pub(crate) mod scalar;
mod select;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
pub use aarch64::Neon;
pub use portable::Portable;
#[cfg(feature = "std")]
pub use select::from_environment;
pub use select::{Kind, SelectError, Token, available, force, selected};
#[cfg(target_arch = "x86_64")]
pub use x86_64::{Avx2, Avx512, Pclmul};

use crate::bits;
use crate::field::{E, K, KWide};

/// The most words that a vector of any back end holds, in words of 64 bits.
pub const MAX_LANES: usize = 8;

/// The most messages that any back end hashes at once.
pub const MAX_HASH_LANES: usize = 16;

/// A vocabulary of vector operations: a token whose existence shows that the CPU has the instructions.
///
/// A *vector* `V` holds [`LANES`](Self::LANES) words, lane 0 first in memory. A *wide* vector holds as
/// many carry-less products, not reduced. A *hash vector* `H` holds [`HASH_LANES`](Self::HASH_LANES)
/// words of 32 bits, one for each message that is hashed.
pub trait Backend: Copy + core::fmt::Debug + Send + Sync + 'static {
    /// Which back end this is.
    const KIND: Kind;
    /// Words in a vector: a power of two, at most [`MAX_LANES`].
    const LANES: usize;
    /// Messages hashed at once: a power of two, at most [`MAX_HASH_LANES`].
    const HASH_LANES: usize;

    /// A vector of words.
    type V: Copy;
    /// A vector of carry-less products of degree at most 126.
    type Wide: Copy;
    /// A vector of words of 32 bits, one for each hashed message.
    type H: Copy;

    /// Calls `f` in a function that carries this back end's target features.
    ///
    /// All that is inlined into `f` is compiled for them; what is not inlined is not, so `f` is a
    /// closure marked `#[inline(always)]` over functions marked so ([`dispatch!`](crate::dispatch) does it).
    fn run<R>(self, f: impl FnOnce() -> R) -> R;

    /// The vector with `word` in every lane.
    fn splat(self, word: K) -> Self::V;

    /// The first `LANES` words of `words`.
    ///
    /// # Panics
    /// If there are fewer.
    fn load(self, words: &[K]) -> Self::V;

    /// Writes the lanes to the first `LANES` words of `out`.
    ///
    /// # Panics
    /// If there are fewer.
    fn store(self, v: Self::V, out: &mut [K]);

    /// [`store`](Self::store) past the caches, where `out` is aligned to a vector; for lines that nothing reads again
    /// soon. Ordered with later stores of other threads by [`fence`](Self::fence).
    ///
    /// # Panics
    /// If there are fewer than `LANES` words.
    fn store_streaming(self, v: Self::V, out: &mut [K]) {
        self.store(v, out);
    }

    /// Orders the streaming stores before all later stores; at the end of a task that makes them.
    fn fence(self) {}

    /// The sum in every lane: XOR.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;

    /// AND in every lane.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;

    /// Every lane shifted left by `N < 64` bits.
    fn shl<const N: u32>(self, v: Self::V) -> Self::V;

    /// Every lane shifted right by `N < 64` bits, zeros coming in.
    fn shr<const N: u32>(self, v: Self::V) -> Self::V;

    /// Of the lanes `a0 a1 .. b0 b1 ..`: the even ones, then the odd ones.
    fn unzip(self, a: Self::V, b: Self::V) -> (Self::V, Self::V);

    /// The inverse of [`unzip`](Self::unzip): `a0 b0 a1 b1 ..` in two vectors.
    fn zip(self, a: Self::V, b: Self::V) -> (Self::V, Self::V);

    /// The coefficients of 1, y and y^2 of the first `LANES` elements.
    ///
    /// # Panics
    /// If there are fewer.
    fn load_e(self, elements: &[E]) -> [Self::V; 3];

    /// The inverse of [`load_e`](Self::load_e).
    ///
    /// # Panics
    /// If `out` has fewer than `LANES` elements.
    fn store_e(self, coefficients: [Self::V; 3], out: &mut [E]);

    /// The sum of all lanes.
    fn sum(self, v: Self::V) -> K;

    /// The empty sum of products in every lane.
    fn wide_zero(self) -> Self::Wide;

    /// The carry-less product in every lane.
    fn mul_wide(self, a: Self::V, b: Self::V) -> Self::Wide;

    /// The sum of products in every lane.
    fn wide_xor(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;

    /// The element of K that every lane's sum of products represents.
    fn reduce(self, wide: Self::Wide) -> Self::V;

    /// The sum of all lanes, not reduced.
    fn wide_sum(self, wide: Self::Wide) -> KWide;

    /// The product in K in every lane.
    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        self.reduce(self.mul_wide(a, b))
    }

    /// The product in the byte field of each of the `8 LANES` pairs of bytes.
    fn mul_bytes(self, a: Self::V, b: Self::V) -> Self::V;

    /// Whether this back end may have an instruction for [`map_bytes`](Self::map_bytes): kernels made of it are compiled
    /// for no other.
    const MAPS_BYTES: bool = false;

    /// Whether that instruction does here what it should: some emulators compute it wrongly. Where it is false, such
    /// kernels have to be left alone.
    #[inline(always)]
    fn maps_bytes(self) -> bool {
        false
    }

    /// Linear maps over GF(2) of the `8 LANES` bytes: those of a lane by the lane's 8x8 matrix. Bit i of a result is the
    /// parity of the bits that byte 7 - i of the matrix has in common with the byte.
    ///
    /// By the definition, slowly, unless there is an instruction; see [`maps_bytes`](Self::maps_bytes).
    #[inline(always)]
    fn map_bytes(self, matrices: Self::V, bytes: Self::V) -> Self::V {
        let (mut lanes, mut maps) = ([K::ZERO; MAX_LANES], [K::ZERO; MAX_LANES]);
        self.store(bytes, &mut lanes);
        self.store(matrices, &mut maps);
        for (lane, map) in lanes.iter_mut().zip(&maps) {
            lane.0 = bits::map_bytes(map.0, lane.0);
        }
        self.load(&lanes)
    }

    /// Exchanges, in every lane, byte j of vector i with byte i of vector j.
    #[inline(always)]
    fn transpose_bytes(self, vectors: &mut [Self::V; 8]) {
        exchange_bytes::<Self, 4, 32>(self, vectors, 0x0000_0000_ffff_ffff);
        exchange_bytes::<Self, 2, 16>(self, vectors, 0x0000_ffff_0000_ffff);
        exchange_bytes::<Self, 1, 8>(self, vectors, 0x00ff_00ff_00ff_00ff);
    }

    /// Transposes a 64x64 bit matrix: bit `j` of word `i` becomes bit `i` of word `j`.
    #[inline(always)]
    fn transpose_64x64(self, matrix: &mut [u64; 64]) {
        bits::transpose_64x64(matrix);
    }

    /// The hash vector with `word` in every lane.
    fn hash_splat(self, word: u32) -> Self::H;

    /// The first `HASH_LANES` words.
    ///
    /// # Panics
    /// If there are fewer.
    fn hash_load(self, words: &[u32]) -> Self::H;

    /// Writes the lanes to the first `HASH_LANES` words of `out`.
    ///
    /// # Panics
    /// If there are fewer.
    fn hash_store(self, h: Self::H, out: &mut [u32]);

    /// The sum modulo 2^32 in every lane.
    fn hash_add(self, a: Self::H, b: Self::H) -> Self::H;

    /// XOR in every lane.
    fn hash_xor(self, a: Self::H, b: Self::H) -> Self::H;

    /// Every lane rotated right by 16 bits.
    fn hash_rotate_16(self, h: Self::H) -> Self::H;
    /// Every lane rotated right by 12 bits.
    fn hash_rotate_12(self, h: Self::H) -> Self::H;
    /// Every lane rotated right by 8 bits.
    fn hash_rotate_8(self, h: Self::H) -> Self::H;
    /// Every lane rotated right by 7 bits.
    fn hash_rotate_7(self, h: Self::H) -> Self::H;

    /// Sixteen-word blocks of `HASH_LANES` messages: lane `l` of word `i` is the little-endian word `i` of
    /// the 64 bytes at `bytes[l * stride..]`.
    ///
    /// # Panics
    /// If a block does not lie in `bytes`.
    fn hash_load_blocks(self, bytes: &[u8], stride: usize) -> [Self::H; 16];

    /// Digests of `HASH_LANES` messages: `out[l]` is lane `l` of the eight words, little-endian.
    ///
    /// # Panics
    /// If `out` has fewer than `HASH_LANES` digests.
    fn hash_store_digests(self, words: [Self::H; 8], out: &mut [[u8; 32]]);

    /// At most `LANES` words, the missing ones zero.
    #[inline(always)]
    fn load_partial(self, words: &[K]) -> Self::V {
        let mut padded = [K::ZERO; MAX_LANES];
        padded[..words.len()].copy_from_slice(words);
        self.load(&padded)
    }

    /// Writes as many lanes as `out` has words, at most `LANES`.
    #[inline(always)]
    fn store_partial(self, v: Self::V, out: &mut [K]) {
        let mut padded = [K::ZERO; MAX_LANES];
        self.store(v, &mut padded);
        out.copy_from_slice(&padded[..out.len()]);
    }

    /// At most `LANES` elements, the missing ones zero.
    #[inline(always)]
    fn load_e_partial(self, elements: &[E]) -> [Self::V; 3] {
        let mut padded = [E::ZERO; MAX_LANES];
        padded[..elements.len()].copy_from_slice(elements);
        self.load_e(&padded)
    }

    /// Writes as many elements as `out` has, at most `LANES`.
    #[inline(always)]
    fn store_e_partial(self, coefficients: [Self::V; 3], out: &mut [E]) {
        let mut padded = [E::ZERO; MAX_LANES];
        self.store_e(coefficients, &mut padded);
        out.copy_from_slice(&padded[..out.len()]);
    }
}

/// In every square of `2 S` vectors and bytes of a lane: exchanges the upper right quarter with the lower left one; the
/// left bytes are those in `low`. `BITS` is `8 S`.
#[inline(always)]
fn exchange_bytes<B: Backend, const S: usize, const BITS: u32>(be: B, vectors: &mut [B::V; 8], low: u64) {
    let low = be.splat(K(low));
    for square in vectors.chunks_exact_mut(2 * S) {
        let (upper, lower) = square.split_at_mut(S);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let moved = be.and(be.xor(be.shr::<BITS>(*upper), *lower), low);
            *upper = be.xor(*upper, be.shl::<BITS>(moved));
            *lower = be.xor(*lower, moved);
        }
    }
}

/// Runs `|be| body` with the selected back end's token, in a function that carries its target features.
///
/// With a [`Token`](crate::backend::Token) before the closure, runs it with that one instead. Enter once per task; see
/// [`backend`](crate::backend).
#[macro_export]
macro_rules! dispatch {
    (|$be:ident| $body:expr) => {
        $crate::dispatch!($crate::backend::selected(), |$be| $body)
    };
    ($token:expr, |$be:ident| $body:expr) => {
        match $token {
            $crate::backend::Token::Portable($be) => $crate::backend::Backend::run(
                $be,
                #[inline(always)]
                || $body,
            ),
            #[cfg(target_arch = "x86_64")]
            $crate::backend::Token::Pclmul($be) => $crate::backend::Backend::run(
                $be,
                #[inline(always)]
                || $body,
            ),
            #[cfg(target_arch = "x86_64")]
            $crate::backend::Token::Avx2($be) => $crate::backend::Backend::run(
                $be,
                #[inline(always)]
                || $body,
            ),
            #[cfg(target_arch = "x86_64")]
            $crate::backend::Token::Avx512($be) => $crate::backend::Backend::run(
                $be,
                #[inline(always)]
                || $body,
            ),
            #[cfg(target_arch = "aarch64")]
            $crate::backend::Token::Neon($be) => $crate::backend::Backend::run(
                $be,
                #[inline(always)]
                || $body,
            ),
        }
    };
}
