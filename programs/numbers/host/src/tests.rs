//! The guest, natively, on the machine, and on the machine's independent executor.

#[path = "../../../../crates/rv/tests/machine/oracle.rs"]
#[allow(dead_code, reason = "only a part of the executor is needed here")]
mod oracle;

use guest_test::Guest;

use crate::{ELF, output};
use oracle::{Oracle, Stop};

const GUEST: Guest = Guest {
    elf: ELF,
    main: numbers_guest::main,
};

#[test]
fn a_native_run_has_the_expected_output() {
    assert_eq!(GUEST.native_output(&[]), output());
}

#[test]
fn a_run_on_the_machine_has_the_output_of_the_definitions() {
    assert_eq!(GUEST.exit(&[]).output_bytes(), output());
}

#[test]
fn the_independent_executor_has_the_output_of_the_definitions() {
    let program = rv::elf::load(ELF).expect("the program is well formed");
    let mut oracle = Oracle::new(
        program.text(),
        program.entry(),
        1 << program.log_ram(),
        1 << program.log_advice(),
    );
    for (index, word) in program.image() {
        oracle.poke(0x4000_0000 + 8 * u64::from(*index), 8, *word);
    }
    let stop = loop {
        if let Err(stop) = oracle.step() {
            break stop;
        }
    };
    assert_eq!(stop, Stop::Exit);
    let bytes: Vec<u8> = oracle.x[10..14]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    assert_eq!(bytes, output());
}

/// The word itself, so that a change of the guest or of its definitions is on purpose.
#[test]
fn the_word_is_known() {
    assert_eq!(numbers_guest::fold(), 16_155_483_397_023_506_898);
}

#[test]
fn a_run_under_qemu_has_the_expected_output() {
    if let Some(found) = GUEST.output_under_qemu(&[]) {
        assert_eq!(found, output());
    }
}
