//! The tweakable hash.

use leanxmss_guest::{Half, tweak};
use primitives::blake2s;

/// The digest of tweak, parameter and payload, whole: BLAKE2s of the exact words.
pub(crate) fn wide(parameter: &Half, kind: u64, position: u32, index: u32, payload: &[u64]) -> [u64; 4] {
    let mut words = Vec::with_capacity(4 + payload.len());
    words.extend(tweak::words(kind, position, index));
    words.extend(parameter);
    words.extend(payload);
    blake2s::hash_words(&words)
}

/// The digest cut to 16 bytes.
pub(crate) fn half(parameter: &Half, kind: u64, position: u32, index: u32, payload: &[u64]) -> Half {
    let [d0, d1, ..] = wide(parameter, kind, position, index, payload);
    [d0, d1]
}
