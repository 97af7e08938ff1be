//! BLAKE2s-256 (RFC 7693), unkeyed, with 32-byte digests.

pub mod lanes;

/// The initialisation vector (RFC 7693, section 2.6): that of SHA-256.
pub const IV: [u32; 8] = [
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
pub const SIGMA: [[usize; 16]; 10] = [
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

/// The columns, then the diagonals, that a round mixes.
pub const MIXES: [[usize; 4]; 8] = [
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
];

/// A chaining value: eight words of 32 bits.
pub type Chaining = [u32; 8];

/// A digest: 32 bytes.
pub type Digest = [u8; 32];

/// The chaining value before the first block of an unkeyed hash of 32 bytes.
pub const INITIAL: Chaining = {
    let mut h = IV;
    h[0] ^= 0x0101_0020;
    h
};

/// The compression function F (RFC 7693, section 3.2).
///
/// `counter`: the bytes hashed up to the end of this block; `last`: whether this is the final block.
#[must_use]
pub fn compress(chaining: &Chaining, message: &[u32; 16], counter: u64, last: bool) -> Chaining {
    let [h0, h1, h2, h3, h4, h5, h6, h7] = *chaining;
    let [i0, i1, i2, i3, i4, i5, i6, i7] = IV;
    let (t0, t1) = (counter as u32, (counter >> 32) as u32);
    let f0 = if last { u32::MAX } else { 0 };
    let mut v = [
        h0,
        h1,
        h2,
        h3,
        h4,
        h5,
        h6,
        h7,
        i0,
        i1,
        i2,
        i3,
        i4 ^ t0,
        i5 ^ t1,
        i6 ^ f0,
        i7,
    ];
    // Unrolled by hand: with every index a constant the state stays in registers.
    round::<0>(&mut v, message);
    round::<1>(&mut v, message);
    round::<2>(&mut v, message);
    round::<3>(&mut v, message);
    round::<4>(&mut v, message);
    round::<5>(&mut v, message);
    round::<6>(&mut v, message);
    round::<7>(&mut v, message);
    round::<8>(&mut v, message);
    round::<9>(&mut v, message);
    core::array::from_fn(|i| chaining[i] ^ v[i] ^ v[i + 8])
}

/// Round `R`: the columns, then the diagonals.
#[inline(always)]
fn round<const R: usize>(v: &mut [u32; 16], message: &[u32; 16]) {
    mix::<R, 0>(v, message);
    mix::<R, 1>(v, message);
    mix::<R, 2>(v, message);
    mix::<R, 3>(v, message);
    mix::<R, 4>(v, message);
    mix::<R, 5>(v, message);
    mix::<R, 6>(v, message);
    mix::<R, 7>(v, message);
}

/// Mix `I` of round `R`: the function G (RFC 7693, section 3.1).
#[inline(always)]
fn mix<const R: usize, const I: usize>(v: &mut [u32; 16], message: &[u32; 16]) {
    let [a, b, c, d] = MIXES[I];
    v[a] = v[a].wrapping_add(message[SIGMA[R][2 * I]]).wrapping_add(v[b]);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(12);
    v[a] = v[a].wrapping_add(message[SIGMA[R][2 * I + 1]]).wrapping_add(v[b]);
    v[d] = (v[d] ^ v[a]).rotate_right(8);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(7);
}

/// [`compress`] on 64-bit words, little-endian: word `i` holds the 32-bit words `2i` (low half) and `2i + 1`.
#[must_use]
pub fn compress_words(chaining: &[u64; 4], message: &[u64; 8], counter: u64, last: bool) -> [u64; 4] {
    let h = core::array::from_fn(|i| (chaining[i / 2] >> (i % 2 * 32)) as u32);
    let m = core::array::from_fn(|i| (message[i / 2] >> (i % 2 * 32)) as u32);
    let out = compress(&h, &m, counter, last);
    core::array::from_fn(|i| u64::from(out[2 * i]) | u64::from(out[2 * i + 1]) << 32)
}

/// The digest of `message`.
#[must_use]
pub fn hash(message: &[u8]) -> Digest {
    let mut hasher = Blake2s::new();
    hasher.update(message);
    hasher.finalize()
}

/// The digest of words, each as eight little-endian bytes.
#[must_use]
pub fn hash_words(words: &[u64]) -> [u64; 4] {
    let mut hasher = Blake2s::new();
    for word in words {
        hasher.update(&word.to_le_bytes());
    }
    digest_to_words(&hasher.finalize())
}

/// The digest as four words, little-endian.
#[must_use]
pub fn digest_to_words(digest: &Digest) -> [u64; 4] {
    core::array::from_fn(|i| u64::from_le_bytes(core::array::from_fn(|j| digest[8 * i + j])))
}

/// The digest whose little-endian words these are.
#[must_use]
pub fn digest_from_words(words: &[u64; 4]) -> Digest {
    core::array::from_fn(|i| words[i / 8].to_le_bytes()[i % 8])
}

/// Hashes a message that arrives in pieces.
#[derive(Clone, Debug)]
pub struct Blake2s {
    chaining: Chaining,
    /// Bytes compressed so far.
    counter: u64,
    block: [u8; 64],
    /// Bytes pending in `block`; a full block stays until more arrives, since the last one is marked.
    pending: usize,
}

impl Default for Blake2s {
    fn default() -> Self {
        Self::new()
    }
}

impl Blake2s {
    /// The hash of nothing so far.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            chaining: INITIAL,
            counter: 0,
            block: [0; 64],
            pending: 0,
        }
    }

    /// Appends `bytes` to the message.
    pub fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.pending == 64 {
                self.counter += 64;
                self.chaining = compress(&self.chaining, &block_words(&self.block), self.counter, false);
                self.pending = 0;
            }
            let (now, rest) = bytes.split_at(bytes.len().min(64 - self.pending));
            self.block[self.pending..self.pending + now.len()].copy_from_slice(now);
            self.pending += now.len();
            bytes = rest;
        }
    }

    /// The digest of all that was appended.
    #[must_use]
    pub fn finalize(mut self) -> Digest {
        self.block[self.pending..].fill(0);
        self.counter += self.pending as u64;
        let out = compress(&self.chaining, &block_words(&self.block), self.counter, true);
        core::array::from_fn(|i| out[i / 4].to_le_bytes()[i % 4])
    }
}

/// The sixteen little-endian words of a block.
fn block_words(block: &[u8; 64]) -> [u32; 16] {
    core::array::from_fn(|i| u32::from_le_bytes(core::array::from_fn(|j| block[4 * i + j])))
}

#[cfg(test)]
mod tests;
