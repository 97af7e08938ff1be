//! Products in the byte field by byte shuffles, for CPUs without GFNI.
//!
//! The byte field is GF(16)\[w\] / (w^2 + w + NU), GF(16) = GF(2)\[z\] / (z^4 + z + 1). With `a = a0 + a1 w`
//! and `b = b0 + b1 w` (Karatsuba):
//!
//! `a b = a0 b0 (1 + w) + NU a1 b1 + (a0 + a1)(b0 + b1) w`.
//!
//! Each of the three products in GF(16) is a sum of logarithms modulo 15. A table of sixteen entries is a
//! byte shuffle; the last table maps a logarithm straight to the term in the basis of powers of t.

use core::arch::x86_64::*;

use crate::field::B8;

/// The products of the 32 pairs of bytes.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn mul_bytes(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's.
    unsafe {
        let (a, b) = (logarithms(a), logarithms(b));
        let low = term(&LOW_TERM, a[0], b[0]);
        let high = term(&HIGH_TERM, a[1], b[1]);
        let both = term(&BOTH_TERM, a[2], b[2]);
        _mm256_xor_si256(_mm256_xor_si256(low, high), both)
    }
}

/// The logarithms of a0, a1 and a0 + a1.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn logarithms(a: __m256i) -> [__m256i; 3] {
    // SAFETY: the caller's.
    unsafe {
        let nibble = _mm256_set1_epi8(0x0f);
        let high_nibble = |v| _mm256_and_si256(_mm256_srli_epi16::<4>(v), nibble);
        let coordinates = _mm256_xor_si256(
            lookup(&LOW_NIBBLE_COORDINATES, _mm256_and_si256(a, nibble)),
            lookup(&HIGH_NIBBLE_COORDINATES, high_nibble(a)),
        );
        let a0 = _mm256_and_si256(coordinates, nibble);
        let a1 = high_nibble(coordinates);
        [
            lookup(&LOGARITHM, a0),
            lookup(&LOGARITHM, a1),
            lookup(&LOGARITHM, _mm256_xor_si256(a0, a1)),
        ]
    }
}

/// The table's entry at the sum of two logarithms modulo 15, and 0 where one is that of zero.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn term(table: &[u8; 16], log_a: __m256i, log_b: __m256i) -> __m256i {
    // SAFETY: the caller's.
    unsafe {
        // Below 15 the subtraction wraps and the minimum is the sum itself; a sum with LOG_ZERO keeps its
        // top bit either way, and a shuffle gives 0 there.
        let sum = _mm256_adds_epu8(log_a, log_b);
        lookup(
            table,
            _mm256_min_epu8(sum, _mm256_sub_epi8(sum, _mm256_set1_epi8(15))),
        )
    }
}

/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn lookup(table: &[u8; 16], index: __m256i) -> __m256i {
    // SAFETY: the caller's, and the table has 16 bytes.
    unsafe {
        let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast()));
        _mm256_shuffle_epi8(table, index)
    }
}

/// A logarithm of zero: with any other added, saturating, it is at least 15 above 0x80.
const LOG_ZERO: u8 = 0xf0;

/// The image of z in the byte field: a root of z^4 + z + 1.
const Z: B8 = first_root(4);
/// The image of w: outside of GF(16), with w^2 + w inside.
const W: B8 = first_root_of_w();
/// w^2 + w, an element of GF(16).
const NU: B8 = sum(W.mul_const(W), W);

const LOGARITHM: [u8; 16] = {
    let mut table = [LOG_ZERO; 16];
    let mut power = 1u8;
    let mut exponent = 0;
    while exponent < 15 {
        table[power as usize] = exponent;
        power = (power << 1) ^ ((power >> 3) * 0b1_0011);
        exponent += 1;
    }
    table
};

/// a0 | a1 << 4 for each low nibble of a byte, and for each high nibble.
const LOW_NIBBLE_COORDINATES: [u8; 16] = coordinates_of_nibble(0);
const HIGH_NIBBLE_COORDINATES: [u8; 16] = coordinates_of_nibble(4);

/// z^i (1 + w), NU z^i and z^i w in the basis of powers of t.
const LOW_TERM: [u8; 16] = multiples_of_powers(sum(B8::ONE, W));
const HIGH_TERM: [u8; 16] = multiples_of_powers(NU);
const BOTH_TERM: [u8; 16] = multiples_of_powers(W);

const fn sum(a: B8, b: B8) -> B8 {
    B8(a.0 ^ b.0)
}

/// The least root of `X^degree + X + 1`.
const fn first_root(degree: usize) -> B8 {
    let mut root = 0;
    loop {
        let (mut power, mut i) = (B8::ONE, 0);
        while i < degree {
            power = power.mul_const(B8(root));
            i += 1;
        }
        if power.0 ^ root ^ 1 == 0 {
            return B8(root);
        }
        root += 1;
    }
}

/// The least element w outside of GF(16) whose `w^2 + w` lies in GF(16), so that the conjugate of w is `w + 1`.
const fn first_root_of_w() -> B8 {
    let mut w = 0;
    loop {
        let w16 = {
            let (mut power, mut i) = (B8(w), 0);
            while i < 4 {
                power = power.mul_const(power);
                i += 1;
            }
            power
        };
        if w16.0 == w ^ 1 {
            return B8(w);
        }
        w += 1;
    }
}

/// The element of GF(16) with these coordinates over the powers of z, in the byte field.
const fn from_gf16(coordinates: u8) -> B8 {
    let (mut element, mut power, mut i) = (B8::ZERO, B8::ONE, 0);
    while i < 4 {
        if coordinates >> i & 1 == 1 {
            element = sum(element, power);
        }
        power = power.mul_const(Z);
        i += 1;
    }
    element
}

const fn multiples_of_powers(factor: B8) -> [u8; 16] {
    let (mut table, mut power, mut i) = ([0; 16], factor, 0);
    while i < 15 {
        table[i] = power.0;
        power = power.mul_const(Z);
        i += 1;
    }
    table
}

const fn coordinates_of_nibble(shift: u32) -> [u8; 16] {
    let mut table = [0; 16];
    let mut coordinates = 0;
    while coordinates < 256 {
        let (low, high) = (coordinates as u8 & 15, (coordinates >> 4) as u8);
        let byte = sum(from_gf16(low), from_gf16(high).mul_const(W)).0;
        if byte & !(15 << shift) == 0 {
            table[(byte >> shift) as usize] = coordinates as u8;
        }
        coordinates += 1;
    }
    table
}
