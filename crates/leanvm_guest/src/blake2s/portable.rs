//! The compression in plain Rust: what runs off the machine, and on it for comparison.

/// The initialisation vector (RFC 7693, section 2.6).
const IV: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// The message schedule (RFC 7693, section 2.7).
const SIGMA: [[u8; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// The compression function F (RFC 7693, section 3.2).
///
/// `counter`: the bytes hashed up to the end of this block; `last`: whether it is the final one.
#[must_use]
pub fn compress(chaining: &[u32; 8], message: &[u32; 16], counter: u64, last: bool) -> [u32; 8] {
    let [h0, h1, h2, h3, h4, h5, h6, h7] = *chaining;
    let [i0, i1, i2, i3, i4, i5, i6, i7] = IV;
    let f0 = if last { u32::MAX } else { 0 };
    let (t0, t1) = (counter as u32, (counter >> 32) as u32);
    let mut a = [h0, h1, h2, h3];
    let mut b = [h4, h5, h6, h7];
    let mut c = [i0, i1, i2, i3];
    let mut d = [i4 ^ t0, i5 ^ t1, i6 ^ f0, i7];
    for schedule in &SIGMA {
        let word = |i: usize| message[usize::from(schedule[i])];
        mix(
            &mut a,
            &mut b,
            &mut c,
            &mut d,
            [0, 2, 4, 6].map(word),
            [1, 3, 5, 7].map(word),
        );
        // The diagonals are the columns of the matrix whose row i is rotated left by i.
        b.rotate_left(1);
        c.rotate_left(2);
        d.rotate_left(3);
        mix(
            &mut a,
            &mut b,
            &mut c,
            &mut d,
            [8, 10, 12, 14].map(word),
            [9, 11, 13, 15].map(word),
        );
        b.rotate_right(1);
        c.rotate_right(2);
        d.rotate_right(3);
    }
    let xor = |h: u32, (x, y): (u32, u32)| h ^ x ^ y;
    let columns = a.into_iter().chain(b).zip(c.into_iter().chain(d));
    let mut out = *chaining;
    for (out, pair) in out.iter_mut().zip(columns) {
        *out = xor(*out, pair);
    }
    out
}

/// [`compress`] on 64-bit words, little-endian: word i holds the 32-bit words 2i (low half) and 2i + 1.
#[must_use]
pub fn compress_words(chaining: &[u64; 4], message: &[u64; 8], counter: u64, last: bool) -> [u64; 4] {
    let halves = |word: u64, i: usize| (word >> (i % 2 * 32)) as u32;
    let chaining = core::array::from_fn(|i| halves(chaining[i / 2], i));
    let message = core::array::from_fn(|i| halves(message[i / 2], i));
    let out = compress(&chaining, &message, counter, last);
    core::array::from_fn(|i| u64::from(out[2 * i]) | u64::from(out[2 * i + 1]) << 32)
}

/// The mixing function G (RFC 7693, section 3.1) on the four columns (a_i, b_i, c_i, d_i).
#[inline(always)]
fn mix(a: &mut [u32; 4], b: &mut [u32; 4], c: &mut [u32; 4], d: &mut [u32; 4], x: [u32; 4], y: [u32; 4]) {
    for i in 0..4 {
        a[i] = a[i].wrapping_add(b[i]).wrapping_add(x[i]);
        d[i] = (d[i] ^ a[i]).rotate_right(16);
        c[i] = c[i].wrapping_add(d[i]);
        b[i] = (b[i] ^ c[i]).rotate_right(12);
        a[i] = a[i].wrapping_add(b[i]).wrapping_add(y[i]);
        d[i] = (d[i] ^ a[i]).rotate_right(8);
        c[i] = c[i].wrapping_add(d[i]);
        b[i] = (b[i] ^ c[i]).rotate_right(7);
    }
}
