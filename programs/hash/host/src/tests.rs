//! The guests, natively and on the machine.

use guest_test::Guest;

use crate::{ELF, PLAIN_ELF, advice, output};

const GUESTS: [Guest; 2] = [
    Guest {
        elf: ELF,
        main: hash_guest::main,
    },
    Guest {
        elf: PLAIN_ELF,
        main: blake2s_guest::main,
    },
];

/// Around the ends of blocks and of the bytes' period.
const LENGTHS: [u64; 14] = [0, 1, 7, 8, 63, 64, 65, 127, 128, 129, 250, 251, 252, 1000];

#[test]
fn a_native_run_has_the_expected_output() {
    for guest in GUESTS {
        for len in LENGTHS {
            assert_eq!(guest.native_output(&advice(len)), output(len), "{len} bytes");
        }
    }
}

#[test]
fn a_run_on_the_machine_has_the_expected_output() {
    for guest in GUESTS {
        for len in LENGTHS {
            let run = guest.exit(&advice(len));
            assert_eq!(run.output_bytes(), output(len), "{len} bytes");
        }
    }
}

#[test]
fn a_run_under_qemu_has_the_expected_output() {
    for guest in GUESTS {
        if let Some(found) = guest.output_under_qemu(&advice(1000)) {
            assert_eq!(found, output(1000));
        }
    }
}
