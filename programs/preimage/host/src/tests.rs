//! The guest, natively and on the machine.

use guest_test::Guest;

use crate::{ELF, advice, output};

const GUEST: Guest = Guest {
    elf: ELF,
    main: preimage_guest::main,
};

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
            GUEST.native_output(&advice(&secret)),
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
        let panicked = std::panic::catch_unwind(|| GUEST.native_output(&advice));
        assert!(panicked.is_err(), "{advice:x?}");
    }
}

#[test]
fn a_run_on_the_machine_has_the_expected_output() {
    for len in (0..=20).chain([63, 64, 65, 1000]) {
        let secret = secret(len);
        let run = GUEST.exit(&advice(&secret));
        assert_eq!(run.output_bytes(), output(&secret), "{len} bytes");
    }
}

/// The guest's message and place come through, from a panic of the guest and from one of the SDK.
#[test]
fn bad_advice_is_a_panic_on_the_machine() {
    for (advice, file, message) in [
        (
            vec![1, 0x100],
            "programs/preimage/guest/src/lib.rs",
            "the bytes above the length are not zero",
        ),
        (
            vec![9, 0, 1 << 63],
            "programs/preimage/guest/src/lib.rs",
            "the bytes above the length are not zero",
        ),
        (
            vec![1 << 20],
            "crates/leanvm_guest/src/advice.rs",
            "the guest reads past the end of its advice region",
        ),
        (
            vec![u64::MAX],
            "crates/leanvm_guest/src/advice.rs",
            "the guest reads past the end of its advice region",
        ),
    ] {
        let panic = GUEST.panic(&advice);
        assert_eq!(panic.message, message);
        assert_eq!(panic.file, file);
        assert!(panic.line > 0 && panic.column > 0, "{panic:?}");
    }
}

#[test]
fn a_run_under_qemu_has_the_expected_output() {
    let secret = secret(1000);
    if let Some(found) = GUEST.output_under_qemu(&advice(&secret)) {
        assert_eq!(found, output(&secret));
    }
}
