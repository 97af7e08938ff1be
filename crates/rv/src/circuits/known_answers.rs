//! The identities of the circuits of the machine's rows, for verifiers in other languages, which build them too.
//!
//! `known_answers/circuits.txt` has a line for each circuit. `cargo test -p rv renew_the_circuits -- --ignored` writes
//! it anew.

extern crate std;

use alloc::format;
use alloc::string::String;

use circuit::{Circuit, clock, pointers};

use super::Shape;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/known_answers/circuits.txt");

const COMMENT: &str = "\
# The circuits of the RISC-V machine's rows: name, ANDs, positions in use, log2 of the block, the digest of the gate list
# and its layout (doc/circuit.md). `cargo test -p rv renew_the_circuits -- --ignored` writes this file.
";

fn line(name: &str, circuit: &Circuit) -> String {
    let digest: String = circuit
        .digest()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let (ands, positions, log_block) = (circuit.ands(), circuit.positions(), circuit.log_block());
    format!("{name} {ands} {positions} {log_block} {digest}\n")
}

fn file() -> String {
    let mut file = String::from(COMMENT);
    for shape in Shape::ALL {
        file += &line(&format!("{shape:?}").to_lowercase(), &shape.circuit());
    }
    file += &line("clock_three", &clock::circuit(&clock::THREE));
    file += &line("clock_eighteen", &clock::circuit(&clock::EIGHTEEN));
    file + &line("pointers", &pointers::circuit())
}

#[test]
fn the_circuits_are_the_known_ones() {
    assert_eq!(
        std::fs::read_to_string(PATH).unwrap(),
        file(),
        "a circuit changed: renew the file if that is meant, and raise the version of proof files"
    );
}

#[test]
#[ignore = "writes the data file"]
fn renew_the_circuits() {
    std::fs::write(PATH, file()).unwrap();
}
