//! The search for the nonce of a proof of work.
//!
//! Nonces are tried in ascending chunks, each chunk by one task, each task in the lanes of the hash vectors. A
//! round of chunks ends before its answers are looked at, in order; so the nonce is the least one, whatever the
//! number of threads and of lanes.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "no bytes of a proof reach the search"
)]

use primitives::backend::{Backend, MAX_HASH_LANES};
use primitives::blake2s::lanes::compress_lanes;
use primitives::field::K;
use primitives::{dispatch, pool};

use crate::transcript::grind_state;
use crate::{Digest, Item, Native, Step};

/// The nonces of one task: a multiple of every number of lanes, and worth scheduling.
pub(crate) const CHUNK: u64 = 1 << 12;

/// The least nonce whose state has its low `bits` bits zero.
///
/// `state`: flushed, so that nothing can be varied after the work is done.
///
/// # Panics
/// `bits` is above 63: no search would end.
#[must_use]
pub fn search(state: &Digest, bits: usize) -> u64 {
    let work = Work::new(state, bits);
    let tasks = pool::threads();
    let mut first = 0;
    loop {
        let found = pool::map(tasks, |task| {
            let first = first + task as u64 * CHUNK;
            dispatch!(|be| work.search_lanes(be, first))
        });
        if let Some(nonce) = found.into_iter().flatten().next() {
            return nonce;
        }
        first += tasks as u64 * CHUNK;
    }
}

/// [`search`] from its definition.
///
/// # Panics
/// `bits` is above 63: no search would end.
#[must_use]
pub fn search_scalar(state: &Digest, bits: usize) -> u64 {
    let work = Work::new(state, bits);
    (0..)
        .find(|&nonce| work.is_done(grind_state(state, nonce)[0]))
        .expect("some nonce has the work")
}

/// What is sought.
pub(crate) struct Work {
    pub(crate) state: Digest,
    /// The bits of the first word that have to be zero.
    pub(crate) mask: u64,
}

impl Work {
    pub(crate) fn new(state: &Digest, bits: usize) -> Self {
        assert!(
            bits < 64,
            "a proof of work of {bits} bits: at most 63 are possible"
        );
        Self {
            state: *state,
            mask: (1 << bits) - 1,
        }
    }

    fn is_done(&self, word: u64) -> bool {
        word & self.mask == 0
    }

    /// The least nonce from `first` below `first + CHUNK` that does the work; `first`: a multiple of the lanes.
    #[inline(always)]
    pub(crate) fn search_lanes<B: Backend>(&self, be: B, first: u64) -> Option<u64> {
        const LANES: [u32; MAX_HASH_LANES] = {
            let mut lanes = [0; MAX_HASH_LANES];
            let mut i = 0;
            while i < MAX_HASH_LANES {
                lanes[i] = i as u32;
                i += 1;
            }
            lanes
        };
        let lanes = be.hash_load(&LANES);
        let tag = Step::Grind.tag::<Native<'_>>(&[Item::Word(K::ZERO)]);
        let mut chaining = [be.hash_splat(0); 8];
        for (i, lane) in chaining.iter_mut().enumerate() {
            *lane = be.hash_splat((self.state[i / 2] >> (i % 2 * 32)) as u32);
        }
        let mut message = [be.hash_splat(0); 16];
        let (mut low, mut high) = ([0; MAX_HASH_LANES], [0; MAX_HASH_LANES]);
        let mut nonce = first;
        while nonce < first + CHUNK {
            // The low half of a multiple of the lanes does not overflow within the lanes.
            message[0] = be.hash_add(be.hash_splat(nonce as u32), lanes);
            message[1] = be.hash_splat((nonce >> 32) as u32);
            let state = compress_lanes(be, &chaining, &message, tag, true);
            be.hash_store(state[0], &mut low);
            be.hash_store(state[1], &mut high);
            for (lane, (&low, &high)) in low.iter().zip(&high).enumerate().take(B::HASH_LANES) {
                if self.is_done(u64::from(low) | u64::from(high) << 32) {
                    return Some(nonce + lane as u64);
                }
            }
            nonce += B::HASH_LANES as u64;
        }
        None
    }
}
