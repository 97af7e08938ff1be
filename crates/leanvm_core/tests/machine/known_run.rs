//! The proof of a run of every class, for verifiers in other languages, which hold themselves to it.
//!
//! `known_answers/every_class.program` is the program's bytes (`doc/machine.md`, "Program digest"), `.machine` the dump
//! of its machine (`doc/argument.md`, "Dumps"), `.proof` the proof file, of a shape with both
//! tables of every class.
//! `cargo test -p leanvm_core renew_the_run -- --ignored` writes them anew.

use core::ops::ControlFlow;
use std::path::PathBuf;

use leanvm_core::prove::prove;
use leanvm_core::riscv::Riscv;
use leanvm_core::verify::verify;
use leanvm_core::witness::Target;
use rv::{Limits, Program};

use super::both_parts::both_parts;
use super::witness::every_class;

const ADVICE: [u64; 3] = [0x0123_4567_89ab_cdef, 3, u64::MAX];

fn program() -> Program {
    every_class(3)
}

fn path(kind: &str) -> PathBuf {
    [
        env!("CARGO_MANIFEST_DIR"),
        "known_answers",
        &format!("every_class.{kind}"),
    ]
    .iter()
    .collect()
}

/// The kinds of files, and their bytes.
fn files() -> [(&'static str, Vec<u8>); 3] {
    let program = program();
    let riscv = Riscv::new(program.public());
    let shape = both_parts(riscv.machine(), &program, &ADVICE, 4);
    let target = Target::Shape(&shape);
    let mut go_on = |_| ControlFlow::Continue(());
    let proof = prove(&riscv, &program, &ADVICE, Limits::default(), target, &mut go_on).unwrap();
    let machine = format!(
        "# The machine of every_class.program, as doc/argument.md dumps one.\n{}",
        riscv.machine()
    );
    [
        ("program", program.public().to_bytes()),
        ("machine", machine.into_bytes()),
        ("proof", proof.encode()),
    ]
}

#[test]
fn the_run_of_every_class_has_the_known_proof_and_is_verified() {
    for (kind, bytes) in files() {
        assert!(
            std::fs::read(path(kind)).unwrap() == bytes,
            "every_class.{kind} is another: renew the files if that is meant, and raise the version of proof files"
        );
    }
    let proof = fiat_shamir::Proof::decode(&std::fs::read(path("proof")).unwrap()).unwrap();
    assert!(verify(&Riscv::new(program().public()), &proof).is_ok());
}

#[test]
#[ignore = "writes the data files"]
fn renew_the_run() {
    for (kind, bytes) in files() {
        std::fs::write(path(kind), bytes).unwrap();
    }
}
