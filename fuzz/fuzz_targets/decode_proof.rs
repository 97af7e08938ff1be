//! Bytes decode to the proof that has this encoding, or to an error.

#![no_main]

use fiat_shamir::proof::header;
use fiat_shamir::{Kind, Proof};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    decode(bytes);
    // The header is a hard guess.
    decode(&[&header(Kind::Run), bytes].concat());
});

fn decode(bytes: &[u8]) {
    if let Ok(proof) = Proof::decode(bytes) {
        assert_eq!(proof.encode(), bytes);
    }
}
