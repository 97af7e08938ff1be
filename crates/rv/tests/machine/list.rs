//! The list of instructions: decoder, encoder, assembler and disassembler agree.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rv::asm::{assemble, disassemble};
use rv::isa::{DEFINITIONS, Instruction};
use rv::program::TEXT_BASE;

use super::random_program::{Random, instruction};
use super::{CASES, config};

/// The word of one line at the start of the text.
fn word(line: &str) -> u32 {
    assemble(line).unwrap_or_else(|error| panic!("{error}")).words[0]
}

#[test]
fn no_word_is_two_instructions() {
    for (i, a) in DEFINITIONS.iter().enumerate() {
        assert_eq!(a.op as usize, i);
        assert_eq!(a.pattern & !a.format.mask(), 0, "{}", a.mnemonic);
        for b in &DEFINITIONS[..i] {
            let shared = a.format.mask() & b.format.mask();
            assert_ne!(
                a.pattern & shared,
                b.pattern & shared,
                "{} and {}",
                a.mnemonic,
                b.mnemonic
            );
        }
    }
    let names: BTreeSet<_> = DEFINITIONS.iter().map(|d| d.mnemonic).collect();
    assert_eq!(names.len(), DEFINITIONS.len());
}

#[test]
fn known_encodings() {
    // Words as GNU binutils writes them, and the custom ones by hand.
    for (line, expected) in [
        ("addi sp, sp, -16", 0xff01_0113),
        ("sd ra, 8(sp)", 0x0011_3423),
        ("ld ra, 8(sp)", 0x0081_3083),
        ("ret", 0x0000_8067),
        ("nop", 0x0000_0013),
        ("lui a0, 0xdeadb", 0xdead_b537),
        ("auipc ra, 0x0", 0x0000_0097),
        ("sub a0, a1, a2", 0x40c5_8533),
        ("srai a0, a0, 63", 0x43f5_5513),
        ("sraiw a0, a0, 31", 0x41f5_551b),
        ("mulhsu t0, t1, t2", 0x0273_22b3),
        ("remuw s2, s3, s4", 0x0349_f93b),
        ("ecall", 0x0000_0073),
        ("fence", 0x0ff0_000f),
        ("beq a0, a1, 0x0ffffff0", 0xfeb5_08e3),
        ("jal ra, 0x10000800", 0x0010_00ef),
        ("blake2s.final a0, a1", 0x00b5_100b),
        ("extmack a0, a1, a2", 0x00c5_b52b),
    ] {
        assert_eq!(word(line), expected, "{line}: {:#010x}", word(line));
    }
}

#[test]
fn encoding_decodes_to_the_same_instruction_and_text_to_the_same_word() {
    let mut random = Random::new(2);
    for _ in 0..16 * CASES {
        for definition in DEFINITIONS {
            let instruction = instruction(&mut random, definition, 500, 1000);
            let word = instruction.encode().unwrap_or_else(|| panic!("{instruction:?}"));
            assert_eq!(Instruction::decode(word), Some(instruction));
            let text = disassemble(word, TEXT_BASE);
            assert_eq!(self::word(&text), word, "{text}");
        }
    }
}

proptest! {
    #![proptest_config(config(64 * CASES))]

    #[test]
    fn every_word_has_a_text_that_assembles_to_what_it_does(word in any::<u32>()) {
        let text = disassemble(word, TEXT_BASE);
        let again = self::word(&text);
        prop_assert_eq!(Instruction::decode(again), Instruction::decode(word), "{}", text);
        prop_assert!(again == word || text == "fence");
    }

    #[test]
    fn constants_are_loaded_exactly(value in any::<i64>(), shift in 0..64u32) {
        let value = value >> shift;
        let run = super::run(&format!("li a0, {value}\nli a7, 93\necall"), &[]).unwrap();
        prop_assert_eq!(run.output[0].cast_signed(), value);
    }
}

#[test]
fn faults_of_the_text_are_named() {
    for (line, expected) in [
        ("add a0, a1", "2 operands, and 3 are expected"),
        ("add a0, a1, 5", "operand 2 is no register"),
        ("addi a0, a1, 2048", "an operand does not fit its field"),
        ("slli a0, a1, 64", "an operand does not fit its field"),
        ("j nowhere", "operand 0 is no number and no label"),
        ("c.addi a0, 1", "no such instruction"),
        ("x: x: nop", "the label is defined twice"),
        ("extmul zero, a0, a1", "an operand does not fit its field"),
    ] {
        let error = assemble(&format!("nop\n{line}")).unwrap_err();
        assert_eq!(
            (error.line, error.fault.to_string().as_str()),
            (2, expected),
            "{line}"
        );
    }
}
