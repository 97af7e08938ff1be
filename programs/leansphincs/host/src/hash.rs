//! The tweakable hash, of one message and of many.

use leansphincs_guest::Half;
use primitives::blake2s::{self, Digest, lanes, lanes::Prefix};
use primitives::dispatch;

/// The digest of tweak, parameter and payload, cut to 16 bytes: BLAKE2s of the exact words.
pub(crate) fn half(tweak: [u64; 2], parameter: &Half, payload: &[u64]) -> Half {
    let mut words = Vec::with_capacity(4 + payload.len());
    words.extend(tweak);
    words.extend(parameter);
    words.extend(payload);
    let [d0, d1, ..] = blake2s::hash_words(&words);
    [d0, d1]
}

/// The digests, cut to 16 bytes, of the messages of `each` words that lie one after the other.
pub(crate) fn halves(messages: &[u64], each: usize) -> Vec<Half> {
    let bytes: Vec<u8> = messages.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut digests = vec![Digest::default(); messages.len() / each];
    dispatch!(|be| lanes::hash_many(be, &Prefix::EMPTY, &bytes, 8 * each, &mut digests));
    digests
        .iter()
        .map(|digest| {
            let [d0, d1, ..] = blake2s::digest_to_words(digest);
            [d0, d1]
        })
        .collect()
}
