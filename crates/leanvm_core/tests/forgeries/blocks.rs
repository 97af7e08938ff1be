//! Hashing and products in the extension field.

use argument::machine::Side;
use leanvm_core::columns::Column;
use rv::program::RAM_BASE;

use super::fixture::every_class;
use super::forge::{BYTECODE, MEMORY, REGISTERS, Word, Wrong, pairs};

/// Where the block that is hashed stands, and the operands of products.
const BLOCK: u64 = RAM_BASE + 256;
const A: u64 = RAM_BASE + 512;

#[test]
fn a_word_of_a_hashed_block_that_is_another_is_refused() {
    let fixture = every_class();
    let honest = fixture.honest();
    let row = honest.at("hash");
    // Ports 2 to 5 are the chaining value, words 0 to 3; then the message, words 8 to 15.
    for port in 2..14 {
        let word = if port < 6 { port - 2 } else { port + 2 };
        let mut forger = honest.clone();
        forger.set(
            row,
            Word::Input(port),
            forger.get(row, Word::Input(port)) ^ 1 << 50,
        );
        forger.follow(row);
        forger.assert_wrong(&Wrong::Bus(pairs(MEMORY, BLOCK + 8 * word as u64, 1)));
    }
    let mut forger = honest;
    forger.set(row, Word::Input(0), 65);
    forger.follow(row);
    forger.assert_wrong(&Wrong::Bus(pairs(REGISTERS, 29, 1)));
}

#[test]
fn a_word_of_a_hash_that_is_another_is_refused() {
    let fixture = every_class();
    let honest = fixture.honest();
    let row = honest.at("hash");
    for output in 0..4 {
        let mut forger = honest.clone();
        let word = Word::Output(output);
        forger.poke(row, word, forger.get(row, word) ^ 1 << 31);
        forger.follow(row);
        forger.assert_wrong(&Wrong::Circuit(row));
        // What was there before is bound too.
        let mut forger = honest.clone();
        forger.poke(row, Word::Column(Column::Own(1 + output)), 1);
        forger.assert_wrong(&Wrong::Bus(pairs(MEMORY, BLOCK + 32 + 8 * output as u64, 1)));
    }
    // The block elsewhere: v1 is the register's.
    let mut forger = honest.clone();
    forger.poke(row, Word::Column(Column::Own(0)), BLOCK + 128);
    let Wrong::Bus(mut expected) = Wrong::Bus(pairs(REGISTERS, 25, 1)) else {
        unreachable!()
    };
    let touched = forger
        .tuples(row)
        .into_iter()
        .filter(|(_, tuple)| tuple[0] == MEMORY);
    expected.extend(touched.map(|(side, tuple)| (side, MEMORY, tuple[1])));
    let missed = honest
        .tuples(row)
        .into_iter()
        .filter(|(_, tuple)| tuple[0] == MEMORY);
    expected.extend(missed.map(|(side, tuple)| (opposite(side), MEMORY, tuple[1])));
    forger.follow(row);
    forger.assert_diagnosis(&Wrong::Bus(expected));
}

const fn opposite(side: Side) -> Side {
    match side {
        Side::Push => Side::Pull,
        Side::Pull => Side::Push,
    }
}

#[test]
fn a_limb_of_a_product_that_is_another_is_refused() {
    let fixture = every_class();
    let honest = fixture.honest();
    // The second product is the last access to its operands.
    let row = honest.at("extk");
    for limb in 0..9 {
        let mut forger = honest.clone();
        let word = Word::Column(Column::Own(limb));
        forger.poke(row, word, forger.get(row, word) ^ 1 << 9);
        forger.follow(row);
        let expected = match limb {
            // The operand in K has its upper limbs in x0, which is read once more.
            4 | 5 => pairs(REGISTERS, 0, 2),
            // What is overwritten; the third operand has its own place.
            6.. => pairs(MEMORY, RAM_BASE + 584 + 8 * (limb as u64 - 6), 1),
            _ => pairs(MEMORY, A + 8 * limb as u64, 1),
        };
        forger.assert_wrong(&Wrong::Bus(expected));
    }
}

#[test]
fn limbs_at_other_addresses_are_refused() {
    let fixture = every_class();
    let honest = fixture.honest();
    let row = honest.at("ext");
    for output in 0..8 {
        let mut forger = honest.clone();
        let word = Word::Output(output);
        forger.poke(row, word, forger.get(row, word) ^ 1);
        let diagnosis = forger.diagnosis();
        assert_eq!(diagnosis.blocks.len(), 1, "{diagnosis}");
        assert!(!diagnosis.unmatched.is_empty(), "{diagnosis}");
    }
    // An operand in E as one in K: the entry says which it is.
    let mut forger = honest;
    forger.set(row, Word::Input(3), 3);
    let diagnosis = forger.diagnosis();
    let entry = (BYTECODE, fixture.label("ext"));
    let told = |tuple: &[primitives::field::K]| (tuple[0].0, tuple[1].0) == entry;
    assert_eq!(
        diagnosis
            .unmatched
            .iter()
            .filter(|unmatched| told(&unmatched.tuple))
            .count(),
        2
    );
}
