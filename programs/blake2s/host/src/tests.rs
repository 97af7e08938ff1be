//! The guest, natively and on the machine.

use leanvm_guest::host;
use rv::{Limits, Run, RunError};

use crate::{ELF, advice, output};

/// Around the ends of blocks and of the bytes' period.
const LENGTHS: [u64; 14] = [0, 1, 7, 8, 63, 64, 65, 127, 128, 129, 250, 251, 252, 1000];

#[test]
fn a_native_run_has_the_expected_output() {
    for len in LENGTHS {
        assert_eq!(
            host::run(blake2s_guest::main, &advice(len)),
            output(len),
            "{len} bytes"
        );
    }
}

/// Runs the program on the machine.
fn machine(advice: &[u64]) -> Result<Run, RunError> {
    let program = rv::elf::load(ELF).expect("the program is well formed");
    rv::run(&program, advice, Limits::default(), &mut ())
}

#[test]
fn a_run_on_the_machine_has_the_expected_output() {
    for len in LENGTHS {
        let run = machine(&advice(len)).expect("the guest exits");
        assert_eq!(run.output_bytes(), output(len), "{len} bytes");
    }
}
