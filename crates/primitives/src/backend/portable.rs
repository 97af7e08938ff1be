//! The back end of integer instructions alone: the definition of every operation.

use super::{Backend, Kind, scalar};
use crate::field::{E, K, KWide};

/// The token of [`Kind::Portable`]: every CPU has it.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Backend for Portable {
    const KIND: Kind = Kind::Portable;
    const LANES: usize = 1;
    const HASH_LANES: usize = 1;

    type V = K;
    type Wide = KWide;
    type H = u32;

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }

    #[inline(always)]
    fn splat(self, word: K) -> K {
        word
    }

    #[inline(always)]
    fn load(self, words: &[K]) -> K {
        words[0]
    }

    #[inline(always)]
    fn store(self, v: K, out: &mut [K]) {
        out[0] = v;
    }

    #[inline(always)]
    fn xor(self, a: K, b: K) -> K {
        a + b
    }

    #[inline(always)]
    fn and(self, a: K, b: K) -> K {
        K(a.0 & b.0)
    }

    #[inline(always)]
    fn shl<const N: u32>(self, v: K) -> K {
        K(v.0 << N)
    }

    #[inline(always)]
    fn shr<const N: u32>(self, v: K) -> K {
        K(v.0 >> N)
    }

    #[inline(always)]
    fn unzip(self, a: K, b: K) -> (K, K) {
        (a, b)
    }

    #[inline(always)]
    fn zip(self, a: K, b: K) -> (K, K) {
        (a, b)
    }

    #[inline(always)]
    fn load_e(self, elements: &[E]) -> [K; 3] {
        elements[0].0
    }

    #[inline(always)]
    fn store_e(self, coefficients: [K; 3], out: &mut [E]) {
        out[0] = E(coefficients);
    }

    #[inline(always)]
    fn sum(self, v: K) -> K {
        v
    }

    #[inline(always)]
    fn wide_zero(self) -> KWide {
        KWide::ZERO
    }

    #[inline(always)]
    fn mul_wide(self, a: K, b: K) -> KWide {
        KWide(scalar::clmul_portable(a.0, b.0))
    }

    #[inline(always)]
    fn wide_xor(self, a: KWide, b: KWide) -> KWide {
        a + b
    }

    #[inline(always)]
    fn reduce(self, wide: KWide) -> K {
        wide.reduce()
    }

    #[inline(always)]
    fn wide_sum(self, wide: KWide) -> KWide {
        wide
    }

    /// Eight bytes at a time, by Horner's rule over the bits of `b`, the highest first.
    #[inline(always)]
    fn mul_bytes(self, a: K, b: K) -> K {
        const LOW_BITS: u64 = 0x0101_0101_0101_0101;
        let mut product = 0;
        for bit in (0..8).rev() {
            let tops = product >> 7 & LOW_BITS;
            product = ((product & !(LOW_BITS << 7)) << 1) ^ (tops * 0x1b);
            product ^= a.0 & ((b.0 >> bit & LOW_BITS) * 0xff);
        }
        K(product)
    }

    #[inline(always)]
    fn hash_splat(self, word: u32) -> u32 {
        word
    }

    #[inline(always)]
    fn hash_load(self, words: &[u32]) -> u32 {
        words[0]
    }

    #[inline(always)]
    fn hash_store(self, h: u32, out: &mut [u32]) {
        out[0] = h;
    }

    #[inline(always)]
    fn hash_add(self, a: u32, b: u32) -> u32 {
        a.wrapping_add(b)
    }

    #[inline(always)]
    fn hash_xor(self, a: u32, b: u32) -> u32 {
        a ^ b
    }

    #[inline(always)]
    fn hash_rotate_16(self, h: u32) -> u32 {
        h.rotate_right(16)
    }

    #[inline(always)]
    fn hash_rotate_12(self, h: u32) -> u32 {
        h.rotate_right(12)
    }

    #[inline(always)]
    fn hash_rotate_8(self, h: u32) -> u32 {
        h.rotate_right(8)
    }

    #[inline(always)]
    fn hash_rotate_7(self, h: u32) -> u32 {
        h.rotate_right(7)
    }

    #[inline(always)]
    fn hash_load_blocks(self, bytes: &[u8], _stride: usize) -> [u32; 16] {
        let (words, _) = bytes[..64].as_chunks();
        core::array::from_fn(|i| u32::from_le_bytes(words[i]))
    }

    #[inline(always)]
    fn hash_store_digests(self, words: [u32; 8], out: &mut [[u8; 32]]) {
        for (bytes, word) in out[0].as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
    }
}
