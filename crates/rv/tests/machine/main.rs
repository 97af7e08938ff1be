//! The machine as a whole: the loader's refusals, edge cases of every instruction, and the interpreter against
//! its oracles.

mod compiled;
mod differential;
mod directory;
mod edge_programs;
mod edges;
mod elf_refusals;
mod elf_writer;
mod forms;
mod list;
mod oracle;
mod profiles;
mod qemu;
mod random_program;
mod table;
mod traps;

use proptest::test_runner::{Config as ProptestConfig, RngSeed};
use rv::program::{Parts, Program, TEXT_BASE};
use rv::{Limits, Run, RunError, asm};

/// The number of cases of each randomised test.
pub(crate) const CASES: u32 = 256;

/// The settings of property tests: fixed seeds.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The program of an assembly text: RAM of 2^10 words, advice of 2^6.
pub(crate) fn program(source: &str) -> Program {
    let assembly = asm::assemble(source).unwrap_or_else(|error| panic!("{error}"));
    let symbols = assembly.symbols();
    let parts = Parts {
        text: assembly.words,
        entry: TEXT_BASE,
        log_ram: 10,
        log_advice: 6,
        symbols,
        ..Parts::default()
    };
    Program::new(parts).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs an assembly text on advice, for at most 2^20 cycles.
pub(crate) fn run(source: &str, advice: &[u64]) -> Result<Run, RunError> {
    rv::run(&program(source), advice, Limits { cycles: 1 << 20 }, &mut ())
}
