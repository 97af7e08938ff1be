//! The guest, natively and on the machine.

use fibonacci_guest::fibonacci;
use guest_test::Guest;

use crate::{ELF, advice, output};

const GUEST: Guest = Guest {
    elf: ELF,
    main: fibonacci_guest::main,
};

#[test]
fn known_numbers() {
    for (n, value) in [(0, 0), (1, 1), (2, 1), (10, 55), (93, 12_200_160_415_121_876_738)] {
        assert_eq!(fibonacci(n), value, "F({n})");
    }
    // The first that does not fit 64 bits.
    assert_eq!(fibonacci(94), fibonacci(93).wrapping_add(fibonacci(92)));
    assert!(fibonacci(94) < fibonacci(93));
}

#[test]
fn a_native_run_has_the_expected_output() {
    for n in [0, 1, 50, 1000] {
        assert_eq!(GUEST.native_output(&advice(n)), output(n), "n = {n}");
    }
}

#[test]
fn a_run_on_the_machine_has_the_expected_output() {
    for n in [0, 1, 2, 93, 94, 1000] {
        let run = GUEST.exit(&advice(n));
        assert_eq!(run.output_bytes(), output(n), "n = {n}");
    }
}

#[test]
fn a_run_under_qemu_has_the_expected_output() {
    if let Some(found) = GUEST.output_under_qemu(&advice(1000)) {
        assert_eq!(found, output(1000));
    }
}
