//! A process that proves for ever does not grow.
#![cfg(target_os = "linux")]

use leanvm::{Program, Prover, Verifier};
use primitives::pool;

/// The memory of this process that is resident, in pages.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("the kernel tells");
    let resident = statm.split(' ').nth(1).expect("the second number");
    resident.parse().expect("a number of pages")
}

#[test]
fn fifty_proofs_in_a_row_leave_no_memory_behind() {
    let program = Program::from_elf(fibonacci_host::ELF).unwrap();
    let (prover, verifier) = (Prover::new(&program), Verifier::new(program.public()));
    // One thread, so that no worker's allocator takes its turn late.
    pool::with_threads(1, || {
        let prove = |n: u64| verifier.verify(&prover.prove(&[n]).unwrap()).unwrap();
        for n in 0..10 {
            prove(n);
        }
        let before = resident();
        for n in 0..40 {
            prove(n);
        }
        let after = resident();
        // A proof of this size takes several thousand pages.
        assert!(after < before + 512, "{before} pages became {after}");
    });
}
