//! Many equal-length messages hashed at once, one in each lane of the hash vectors.

use alloc::vec;

use super::{Chaining, Digest, INITIAL, IV, MIXES, SIGMA, block_words, compress};
use crate::backend::{Backend, MAX_HASH_LANES};

/// The state after some whole blocks that all messages begin with, or of an empty start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prefix {
    chaining: Chaining,
    /// Bytes hashed so far: whole blocks.
    bytes: u64,
}

impl Default for Prefix {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Prefix {
    /// No prefix.
    pub const EMPTY: Self = Self {
        chaining: INITIAL,
        bytes: 0,
    };

    /// The state after these blocks.
    ///
    /// A message must go on after its prefix: the last block of a hash is marked, so it is never part of one.
    #[must_use]
    pub fn of_blocks(blocks: &[[u8; 64]]) -> Self {
        blocks.iter().fold(Self::EMPTY, Prefix::then)
    }

    /// The state after `blocks` blocks of zeros.
    #[must_use]
    pub fn of_zero_blocks(blocks: usize) -> Self {
        (0..blocks).fold(Self::EMPTY, |prefix, _| prefix.then(&[0; 64]))
    }

    fn then(self, block: &[u8; 64]) -> Self {
        let bytes = self.bytes + 64;
        Self {
            chaining: compress(&self.chaining, &block_words(block), bytes, false),
            bytes,
        }
    }
}

/// Digests of messages of `length` bytes that lie one after the other: `out[i]` is that of the prefix followed by
/// `messages[i * length..][..length]`.
///
/// # Panics
/// If `messages` has not `length * out.len()` bytes, or if the prefix is not empty and `length` is 0.
#[inline(always)]
pub fn hash_many<B: Backend>(be: B, prefix: &Prefix, messages: &[u8], length: usize, out: &mut [Digest]) {
    assert_eq!(messages.len(), length * out.len(), "messages of one length");
    assert!(
        length > 0 || prefix.bytes == 0,
        "the last block of a message follows its prefix"
    );
    let mut padded = vec![];
    for (group, out) in out.chunks_mut(B::HASH_LANES).enumerate() {
        let mut messages = &messages[group * B::HASH_LANES * length..];
        if out.len() < B::HASH_LANES {
            // Idle lanes hash zeros.
            padded.resize(length * B::HASH_LANES, 0);
            padded[..messages.len()].copy_from_slice(messages);
            messages = &padded;
        }
        let mut digests = [[0; 32]; MAX_HASH_LANES];
        hash_group(be, prefix, messages, length, &mut digests);
        out.copy_from_slice(&digests[..out.len()]);
    }
}

/// The messages of one group: `HASH_LANES` of them, the first in the messages.
#[inline(always)]
fn hash_group<B: Backend>(be: B, prefix: &Prefix, messages: &[u8], length: usize, out: &mut [Digest]) {
    let mut h = [be.hash_splat(0); 8];
    for (lanes, word) in h.iter_mut().zip(prefix.chaining) {
        *lanes = be.hash_splat(word);
    }
    // The last block holds 1 to 64 bytes, or none of an empty message.
    let whole = length.saturating_sub(1) / 64;
    let tail = length - 64 * whole;
    let mut last_blocks = [0; 64 * MAX_HASH_LANES];
    if tail < 64 {
        for (lane, block) in last_blocks.chunks_exact_mut(64).take(B::HASH_LANES).enumerate() {
            block[..tail].copy_from_slice(&messages[lane * length + 64 * whole..][..tail]);
        }
    }
    let mut counter = prefix.bytes;
    for block in 0..=whole {
        let last = block == whole;
        let (blocks, stride) = if last && tail < 64 {
            (&last_blocks[..], 64)
        } else {
            (&messages[64 * block..], length)
        };
        counter += if last { tail as u64 } else { 64 };
        h = compress_lanes(be, &h, &be.hash_load_blocks(blocks, stride), counter, last);
    }
    be.hash_store_digests(h, out);
}

/// [`compress`](super::compress) in every lane, with one counter.
#[inline(always)]
pub fn compress_lanes<B: Backend>(
    be: B,
    chaining: &[B::H; 8],
    message: &[B::H; 16],
    counter: u64,
    last: bool,
) -> [B::H; 8] {
    let mut v = [chaining[0]; 16];
    v[..8].copy_from_slice(chaining);
    let f0 = if last { u32::MAX } else { 0 };
    let tweak = [0, 0, 0, 0, counter as u32, (counter >> 32) as u32, f0, 0];
    for i in 0..8 {
        v[8 + i] = be.hash_splat(IV[i] ^ tweak[i]);
    }
    // Unrolled by hand, so that every index is a constant and the state stays in registers.
    round::<B, 0>(be, &mut v, message);
    round::<B, 1>(be, &mut v, message);
    round::<B, 2>(be, &mut v, message);
    round::<B, 3>(be, &mut v, message);
    round::<B, 4>(be, &mut v, message);
    round::<B, 5>(be, &mut v, message);
    round::<B, 6>(be, &mut v, message);
    round::<B, 7>(be, &mut v, message);
    round::<B, 8>(be, &mut v, message);
    round::<B, 9>(be, &mut v, message);
    let mut out = *chaining;
    for i in 0..8 {
        out[i] = be.hash_xor(out[i], be.hash_xor(v[i], v[8 + i]));
    }
    out
}

/// Round `R`: the eight mixes, columns first.
#[inline(always)]
fn round<B: Backend, const R: usize>(be: B, v: &mut [B::H; 16], message: &[B::H; 16]) {
    mix::<B, R, 0>(be, v, message);
    mix::<B, R, 1>(be, v, message);
    mix::<B, R, 2>(be, v, message);
    mix::<B, R, 3>(be, v, message);
    mix::<B, R, 4>(be, v, message);
    mix::<B, R, 5>(be, v, message);
    mix::<B, R, 6>(be, v, message);
    mix::<B, R, 7>(be, v, message);
}

/// Mix `I` of round `R`: the function G (RFC 7693, section 3.1).
#[inline(always)]
fn mix<B: Backend, const R: usize, const I: usize>(be: B, v: &mut [B::H; 16], message: &[B::H; 16]) {
    let [a, b, c, d] = MIXES[I];
    v[a] = be.hash_add(be.hash_add(v[a], message[SIGMA[R][2 * I]]), v[b]);
    v[d] = be.hash_rotate_16(be.hash_xor(v[d], v[a]));
    v[c] = be.hash_add(v[c], v[d]);
    v[b] = be.hash_rotate_12(be.hash_xor(v[b], v[c]));
    v[a] = be.hash_add(be.hash_add(v[a], message[SIGMA[R][2 * I + 1]]), v[b]);
    v[d] = be.hash_rotate_8(be.hash_xor(v[d], v[a]));
    v[c] = be.hash_add(v[c], v[d]);
    v[b] = be.hash_rotate_7(be.hash_xor(v[b], v[c]));
}
