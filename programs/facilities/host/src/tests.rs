//! The SDK on the machine against the SDK natively, and the failures that its author will meet.

use rv::trap::{Cause, Region};
use rv::{Limits, Run, RunError};

use crate::{ELF, advice, output};

/// Runs the program on the machine.
fn machine(advice: &[u64]) -> Result<Run, RunError> {
    let program = rv::elf::load(ELF).expect("the program is well formed");
    rv::run(&program, advice, Limits::default(), &mut ())
}

/// The cause of the trap.
fn cause(advice: &[u64]) -> Cause {
    match machine(advice) {
        Err(RunError::Trap(trap)) => trap.cause,
        other => panic!("{other:?}"),
    }
}

/// The message of the guest's panic.
fn panic_message(advice: &[u64]) -> String {
    match cause(advice) {
        Cause::Panic(panic) => panic.message,
        cause => panic!("{cause}"),
    }
}

#[test]
fn everything_is_on_the_machine_as_it_is_natively() {
    let words: Vec<u64> = (1..=100u64)
        .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect();
    for count in [0, 1, 7, 8, 9, 63, 100] {
        let run = machine(&advice(&words[..count])).expect("the guest exits");
        assert_eq!(run.output_bytes(), output(&words[..count]), "{count} words");
    }
    for word in [0, 1, u64::MAX, 1 << 63] {
        let words = [word; 64];
        let run = machine(&advice(&words)).expect("the guest exits");
        assert_eq!(run.output_bytes(), output(&words), "{word:#x}");
    }
}

#[test]
fn a_panic_with_arguments_tells_them() {
    assert_eq!(
        panic_message(&[1, 5, 6, 7, 3]),
        "index out of bounds: the len is 3 but the index is 3"
    );
    assert_eq!(panic_message(&[77]), "77 is none of 0 to 3");
}

#[test]
fn a_stack_that_overflows_is_told_apart() {
    machine(&[2, 5]).expect("a little recursion fits");
    match cause(&[2, 1000]) {
        Cause::OutOfRegion {
            region: Region::BeforeRam,
            ..
        } => {}
        cause => panic!("{cause}"),
    }
}

#[test]
fn a_heap_that_is_exhausted_is_a_panic() {
    machine(&[3, 8 * 1024]).expect("the heap has that many bytes");
    let message = panic_message(&[3, 8 * 1024 + 1]);
    assert!(
        message.contains("memory allocation of 8193 bytes failed"),
        "{message}"
    );
    let message = panic_message(&[3, 1 << 63]);
    assert!(message.contains("capacity overflow"), "{message}");
}
