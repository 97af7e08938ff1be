//! Bytes are those of one key of a tree, or they are refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rec::tree::TreeKey;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(key) = TreeKey::decode(bytes) {
        assert_eq!(key.encode(), bytes);
    }
});
