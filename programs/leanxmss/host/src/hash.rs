//! The tweakable hash, of one message and of many.

use leanxmss_guest::{Half, tweak};
use primitives::blake2s::{self, Digest, lanes, lanes::Prefix};
use primitives::dispatch;

/// The digest of tweak, parameter and payload, cut to 16 bytes: BLAKE2s of the exact words.
pub(crate) fn half(parameter: &Half, kind: u64, position: u32, index: u32, payload: &[u64]) -> Half {
    let mut words = Vec::with_capacity(4 + payload.len());
    words.extend(tweak::words(kind, position, index));
    words.extend(parameter);
    words.extend(payload);
    let [d0, d1, ..] = blake2s::hash_words(&words);
    [d0, d1]
}

/// The digests of the messages of `each` words that lie one after the other, each behind the prefix.
pub(crate) fn hash_many(prefix: &Prefix, messages: &[u64], each: usize) -> impl Iterator<Item = [u64; 4]> {
    let messages = bytes(messages);
    let mut digests = vec![Digest::default(); messages.len() / (8 * each)];
    dispatch!(|be| lanes::hash_many(be, prefix, &messages, 8 * each, &mut digests));
    digests
        .into_iter()
        .map(|digest| blake2s::digest_to_words(&digest))
}

/// The words as little-endian bytes.
pub(crate) fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
