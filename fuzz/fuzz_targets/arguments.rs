//! Any arguments of the command line are understood or refused, with the exit codes of its help; nothing panics.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../bins/leanvm/tests/arguments/trial.rs"]
mod trial;

fuzz_target!(|bytes: &[u8]| trial::try_bytes(bytes));
