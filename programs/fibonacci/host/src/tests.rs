//! The guest, natively and on the machine.

use fibonacci_guest::fibonacci;
use leanvm_guest::host;
use rv::{Limits, Run, RunError};

use crate::{ELF, advice, output};

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
        assert_eq!(host::run(fibonacci_guest::main, &advice(n)), output(n), "n = {n}");
    }
}

/// Runs the program on the machine.
fn machine(advice: &[u64]) -> Result<Run, RunError> {
    let program = rv::elf::load(ELF).expect("the program is well formed");
    rv::run(&program, advice, Limits::default(), &mut ())
}

#[test]
fn a_run_on_the_machine_has_the_expected_output() {
    for n in [0, 1, 2, 93, 94, 1000] {
        let run = machine(&advice(n)).expect("the guest exits");
        assert_eq!(run.output_bytes(), output(n), "n = {n}");
    }
}
