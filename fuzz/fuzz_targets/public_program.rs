//! Bytes are those of one public program, or they are refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rv::public::Public;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(public) = Public::from_bytes(bytes) {
        assert_eq!(public.to_bytes(), bytes);
        assert_eq!(public.table().check(), Ok(()));
    }
});
