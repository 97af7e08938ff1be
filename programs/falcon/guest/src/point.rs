//! From a message to a point: 512 coefficients from the stream SHAKE256(nonce, message).

use leanvm_guest::keccak::State;

use crate::MODULUS;
use crate::packed::Point;

/// Words of a block of SHAKE256 (FIPS 202, section 6.2): 136 bytes.
const RATE: usize = 17;

/// A sample of the stream is kept iff it is below; so each remainder modulo q is as likely as any other.
pub(crate) const SAMPLES: u32 = 5 * MODULUS;

/// The coefficients of a polynomial.
const COEFFICIENTS: usize = 512;

/// The point of a message of whole words: 512 samples below 5 q, which stand for their remainders modulo q.
#[inline(never)]
pub(crate) fn hash(state: &mut State, nonce: &[u64; 5], message: &[u64], point: &mut Point) {
    absorb(state, nonce, message);
    let samples = point.halves_mut();
    debug_assert!(samples.len() >= COEFFICIENTS + 3);
    let mut next = samples.as_mut_ptr();
    let end = next.wrapping_add(COEFFICIENTS);
    loop {
        state.permute();
        for i in 0..RATE {
            // Four samples, which are big-endian.
            let word = state.lane(i);
            let mut four = (word & 0x00ff_00ff_00ff_00ff) << 8 | word >> 8 & 0x00ff_00ff_00ff_00ff;
            for _ in 0..4 {
                let sample = (four & 0xffff) as u32;
                four >>= 16;
                if sample < SAMPLES {
                    // SAFETY: a word begins with at most 511 samples kept and adds at most four, one by one, and there
                    // is room for 516.
                    unsafe {
                        *next = sample;
                        next = next.add(1);
                    }
                }
            }
            if next >= end {
                return;
            }
        }
    }
}

/// Absorbs nonce and message and the padding; the last permutation is left out.
#[inline(always)]
fn absorb(state: &mut State, nonce: &[u64; 5], message: &[u64]) {
    state.clear();
    state.absorb(nonce);
    let mut filled = nonce.len();
    for word in message {
        state.add(filled, *word);
        filled += 1;
        if filled == RATE {
            state.permute();
            filled = 0;
        }
    }
    state.add(filled, 0x1f);
    state.add(RATE - 1, 1 << 63);
}
