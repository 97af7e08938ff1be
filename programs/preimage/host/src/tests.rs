//! The guest, natively and on the machine.

use leanvm_guest::host;

use crate::{advice, output};

fn secret(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8 | 1).collect()
}

/// Advice that is refused: bytes above the length that are not zero, and lengths beyond the advice.
fn bad_advice() -> Vec<Vec<u64>> {
    vec![
        vec![],
        vec![1],
        vec![1, 0x100],
        vec![9, 0, 1 << 63],
        vec![16, 0],
        vec![u64::MAX, 0],
        vec![u64::MAX - 7, 0],
    ]
}

#[test]
fn a_native_run_has_the_expected_output() {
    for len in (0..=20).chain([63, 64, 65, 1000]) {
        let secret = secret(len);
        assert_eq!(
            host::run(preimage_guest::main, &advice(&secret)),
            output(&secret),
            "{len} bytes"
        );
    }
}

#[test]
fn the_advice_is_the_bytes_in_words() {
    assert_eq!(
        advice(&[1, 2, 3, 4, 5, 6, 7, 8, 9]),
        [9, 0x0807_0605_0403_0201, 9]
    );
    assert_eq!(advice(&[]), [0]);
}

#[test]
fn bad_advice_is_refused_natively() {
    for advice in bad_advice() {
        let panicked = std::panic::catch_unwind(|| host::run(preimage_guest::main, &advice));
        assert!(panicked.is_err(), "{advice:x?}");
    }
}
