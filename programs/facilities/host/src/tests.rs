//! The SDK on the machine against the SDK natively, and the failures that its author will meet.

use guest_test::Guest;
use rv::trap::{Cause, Region};

use crate::{ELF, advice, output};

const GUEST: Guest = Guest {
    elf: ELF,
    main: facilities_guest::main,
};

#[test]
fn everything_is_on_the_machine_as_it_is_natively() {
    let words: Vec<u64> = (1..=100u64)
        .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect();
    for count in [0, 1, 7, 8, 9, 63, 100] {
        let run = GUEST.exit(&advice(&words[..count]));
        assert_eq!(run.output_bytes(), output(&words[..count]), "{count} words");
    }
    for word in [0, 1, u64::MAX, 1 << 63] {
        let words = [word; 64];
        let run = GUEST.exit(&advice(&words));
        assert_eq!(run.output_bytes(), output(&words), "{word:#x}");
    }
}

#[test]
fn a_panic_with_arguments_tells_them() {
    assert_eq!(
        GUEST.panic_message(&[1, 5, 6, 7, 3]),
        "index out of bounds: the len is 3 but the index is 3"
    );
    assert_eq!(GUEST.panic_message(&[77]), "77 is none of 0 to 3");
}

#[test]
fn a_stack_that_overflows_is_told_apart() {
    GUEST.run(&[2, 5]).expect("a little recursion fits");
    match GUEST.trap(&[2, 1000]) {
        Cause::OutOfRegion {
            region: Region::BeforeRam,
            ..
        } => {}
        cause => panic!("{cause}"),
    }
}

#[test]
fn a_heap_that_is_exhausted_is_a_panic() {
    GUEST.run(&[3, 8 * 1024]).expect("the heap has that many bytes");
    let message = GUEST.panic_message(&[3, 8 * 1024 + 1]);
    assert!(
        message.contains("memory allocation of 8193 bytes failed"),
        "{message}"
    );
    let message = GUEST.panic_message(&[3, 1 << 63]);
    assert!(message.contains("capacity overflow"), "{message}");
}

#[test]
fn a_run_under_qemu_has_the_expected_output() {
    let words: [u64; 100] = std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    if let Some(found) = GUEST.output_under_qemu(&advice(&words)) {
        assert_eq!(found, output(&words));
    }
}
