//! Bytes load as a well-formed program, which runs to an end of some kind, or they are refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rv::public::Public;
use rv::{Limits, elf, run};

fuzz_target!(|bytes: &[u8]| {
    let Ok(program) = elf::load(bytes) else { return };
    assert_eq!(program.table().check(), Ok(()));
    let public = Public::from_bytes(&program.public().to_bytes());
    assert_eq!(public.as_ref(), Ok(program.public()));
    // A large region is no fault, but it costs the fuzzer its time.
    if program.log_ram() <= 16 && program.log_advice() <= 16 {
        let _ = run(&program, &[], Limits { cycles: 1000 }, &mut ());
    }
});
