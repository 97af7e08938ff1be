//! A program of all instructions and its entries, for verifiers in other languages, which decode programs too.
//!
//! `known_answers/instructions.txt` has the program; its comment explains the lines.
//! `cargo test -p rv renew_the_instructions -- --ignored` writes it anew.

extern crate std;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::isa::DEFINITIONS;
use crate::program::{Parts, Program, TEXT_BASE};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/known_answers/instructions.txt");

const COMMENT: &str = "\
# A program and its entries (doc/machine.md). Numbers are decimal.
#
#   sizes ENTRY_POINT LOG_RAM LOG_ADVICE    of the program
#   image INDEX WORD                        a word of RAM at the start
#   slot WORD TAG A1 A2 AD IMM NEXT DELTA C0 C1 C2 EXIT
#                                           an instruction word and its entry, one a slot in order
#   digest HEX                              the program's digest
#
# `cargo test -p rv renew_the_instructions -- --ignored` writes this file.
";

/// Every instruction with operands of few and of many bits, then words of which most are undefined.
fn text() -> Vec<u32> {
    let mut state = 1u32;
    let mut word = || {
        // An xorshift generator (Marsaglia, 2003).
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let mut text = Vec::new();
    for definition in DEFINITIONS {
        let free = !definition.format.mask();
        for operands in [0, u32::MAX, 1 << 20, word(), word()] {
            text.push(definition.pattern | operands & free);
        }
    }
    // Neighbours of instructions: a bit of what defines them is changed.
    for definition in DEFINITIONS {
        let bit = 1u32.rotate_left(word() % 32) & definition.format.mask();
        text.push((definition.pattern | word() & !definition.format.mask()) ^ bit);
    }
    text.extend([0, u32::MAX, 0xc000_1073, 0x0010_0073]);
    text
}

fn file() -> String {
    let parts = Parts {
        text: text(),
        entry: TEXT_BASE + 8,
        log_ram: 3,
        log_advice: 1,
        image: [(1, 5), (6, 1 << 63)].into(),
        ..Parts::default()
    };
    let mut file = format!(
        "{COMMENT}sizes {} {} {}\n",
        parts.entry, parts.log_ram, parts.log_advice
    );
    for (index, word) in &parts.image {
        file += &format!("image {index} {word}\n");
    }
    let program = Program::new(parts).unwrap();
    for (word, entry) in program.text().iter().zip(program.table().entries()) {
        file += &format!("slot {word}");
        for field in entry.fields().into_array() {
            file += &format!(" {field}");
        }
        file += "\n";
    }
    let digest: String = program
        .digest()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    file + &format!("digest {digest}\n")
}

#[test]
fn the_entries_are_the_known_ones() {
    assert_eq!(
        std::fs::read_to_string(PATH).unwrap(),
        file(),
        "programs changed: renew the file if that is meant, and raise the version of proof files"
    );
}

#[test]
#[ignore = "writes the data file"]
fn renew_the_instructions() {
    std::fs::write(PATH, file()).unwrap();
}
