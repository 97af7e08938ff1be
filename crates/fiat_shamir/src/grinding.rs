//! The search for the nonce of a proof of work.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    reason = "no bytes of a proof reach the search"
)]

use crate::Digest;
use crate::transcript::grind_state;

/// The least nonce whose state has its low `bits` bits zero: the definition.
///
/// `state`: flushed, so that nothing can be varied after the work is done.
///
/// # Panics
/// `bits` is above 63: no search would end.
#[must_use]
pub fn search_scalar(state: &Digest, bits: usize) -> u64 {
    assert!(
        bits < 64,
        "a proof of work of {bits} bits: at most 63 are possible"
    );
    let mask = (1u64 << bits) - 1;
    (0..)
        .find(|&nonce| grind_state(state, nonce)[0] & mask == 0)
        .expect("some nonce has the work")
}
