//! The dual codeword: drawn from a commitment, one that is orthogonal to every codeword and to hardly anything else.

use leanda_guest::{Digest, Dual, SYMBOLS};
use primitives::blake2s::{self, digest_to_words};
use primitives::field::E;

use crate::code::{LOG_PAYLOAD, evaluate};

/// Begins the chain of digests, which is this scheme's own.
const LABEL: &[u8] = b"leanDA/rs-membership/v1";

/// The tag of a block that absorbs.
const ABSORB: u64 = 1;
/// The tag of a block that draws.
const DRAW: u64 = 2;

/// The challenges of a commitment, one for each bit of a coefficient's number.
#[must_use]
pub fn challenges(root: &Digest) -> [E; LOG_PAYLOAD] {
    let mut chain = digest_to_words(&blake2s::hash(LABEL));
    let mut next = |[a, b, c, tag]: [u64; 4]| {
        let [h0, h1, h2, h3] = chain;
        chain = blake2s::hash_words(&[h0, h1, h2, h3, a, b, c, tag]);
        chain
    };
    let [r0, r1, r2, r3] = *root;
    next([r0, r1, 0, ABSORB]);
    next([r2, r3, 0, ABSORB]);
    [(); LOG_PAYLOAD].map(|()| {
        let [c0, c1, c2, _] = next([0, 0, 0, DRAW]);
        E::from_words([c0, c1, c2])
    })
}

/// The codeword, limb by limb, of the coefficients `prod z_j` over the set bits j of a coefficient's number, z the
/// [`challenges`].
#[must_use]
pub fn dual_codeword(root: &Digest) -> Box<Dual> {
    let mut values = vec![E::ONE];
    for z in challenges(root) {
        let high: Vec<E> = values.iter().map(|low| *low * z).collect();
        values.extend(high);
    }
    values.resize(SYMBOLS, E::ZERO);
    evaluate(&mut values);
    let entries: Vec<_> = values
        .iter()
        .map(|value| leanvm_guest::ext::E(value.to_words()))
        .collect();
    entries.try_into().expect("2^15 entries")
}
