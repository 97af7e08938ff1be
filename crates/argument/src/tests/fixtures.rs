//! Proof files of small machines, for verifiers in other languages, which hold themselves to them.
//!
//! `known_answers/NAME.machine` is the dump of a machine, `NAME.proof` a proof for it: of kind "opening", its stream
//! begins with the announced words. `cargo test -p argument renew_the_machines -- --ignored` writes them anew.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::path::PathBuf;

use fiat_shamir::Proof;

use super::case::Case;
use super::machines;

const COMMENT: &str = "\
# A machine, as doc/argument.md dumps one. Beside it is the file of a proof for it, of kind \"opening\", with as many
# announced words at the beginning of its stream as the machine names.
# `cargo test -p argument renew_the_machines -- --ignored` writes both.
";

fn cases() -> Vec<Case> {
    [
        machines::memory(),
        machines::lookup(),
        machines::circuits(),
        machines::constants(),
    ]
    .into()
}

fn path(case: &Case, kind: &str) -> PathBuf {
    [
        env!("CARGO_MANIFEST_DIR"),
        "known_answers",
        &format!("{}.{kind}", case.name),
    ]
    .iter()
    .collect()
}

fn dump(case: &Case) -> String {
    COMMENT.to_string() + &case.machine.to_string()
}

#[test]
fn the_prover_gives_the_known_proofs_and_the_verifier_accepts_them() {
    for case in cases() {
        assert_eq!(case.announced.len(), case.machine.announced());
        assert_eq!(
            std::fs::read_to_string(path(&case, "machine")).unwrap(),
            dump(&case)
        );
        let known = std::fs::read(path(&case, "proof")).unwrap();
        assert!(
            case.prove_shipped().encode() == known,
            "the proof of {} is another: renew the files if that is meant, and raise the version",
            case.name
        );
        assert_eq!(case.verify(&Proof::decode(&known).unwrap()), Ok(()));
    }
}

#[test]
#[ignore = "writes the data files"]
fn renew_the_machines() {
    for case in cases() {
        std::fs::write(path(&case, "machine"), dump(&case)).unwrap();
        std::fs::write(path(&case, "proof"), case.prove_shipped().encode()).unwrap();
    }
}
