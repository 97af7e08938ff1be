//! Rows that are not live.

use leanvm_core::columns::Column;
use rv::Class;
use rv::program::{RAM_BASE, slot_pc};

use super::fixture::every_class;
use super::forge::{Forger, MEMORY, STATE, Word, Wrong, pairs};

/// The address of the filler of a class.
fn filler(forger: &Forger<'_>, class: Class) -> u64 {
    slot_pc(forger.fixture.program.table().filler_slot(class))
}

#[test]
fn a_padding_row_that_touches_a_live_cell_is_refused() {
    let fixture = every_class();
    let mut forger = fixture.honest();
    let row = forger.padding(Class::Ld);
    let cell = RAM_BASE + 80;
    // What the row reads in x0 is its own affair, for nothing of it is live.
    let (clock, word) = (
        forger.last_clock(MEMORY, cell).0,
        forger.last_value(MEMORY, cell).0,
    );
    forger.set(row, Word::Input(0), cell);
    forger.poke(row, Word::Column(Column::Own(0)), word);
    forger.poke(row, Word::Column(Column::Old), word);
    let mut harmless = forger.clone();
    forger.set(row, Word::Prev(1), clock);
    // The row leaves the cell with a clock that is not live, where the end finds it.
    forger.last_clock(MEMORY, cell).0 = 1;
    let filler = filler(&forger, Class::Ld);
    forger.assert_wrong(&Wrong::Bus(pairs(STATE, filler, 1)));
    forger.poke(row, Word::Step, 0);
    forger.assert_wrong(&Wrong::Circuit(row));

    // With a clock of its own it has read nothing of the run.
    harmless.set(row, Word::Prev(1), 1);
    harmless.assert_wrong(&Wrong::Nothing);
    // It cannot leave another word.
    harmless.poke(row, Word::Column(Column::Old), word ^ 1);
    harmless.assert_wrong(&Wrong::Bus(pairs(3, 32, 1)));
}

#[test]
fn a_row_at_an_instruction_that_is_not_live_leaves_its_state_behind() {
    let fixture = every_class();
    let mut forger = fixture.honest();
    // The clock of a row of the run, without the live bit: the run has a gap, and the row nobody before it.
    let row = forger.at("add");
    let ts = forger.get(row, Word::Ts);
    forger.set(row, Word::Ts, ts ^ 1 << 40);
    let diagnosis = forger.diagnosis();
    let states = diagnosis
        .unmatched
        .iter()
        .filter(|unmatched| unmatched.tuple[0].0 == STATE);
    assert_eq!(states.count(), 4, "{diagnosis}");
}

#[test]
fn a_product_in_a_padding_row_is_one() {
    let fixture = every_class();
    let honest = fixture.honest();
    let row = honest.padding(Class::Ext);
    let limb = |i| Word::Column(Column::Own(i));
    // A factor alone changes nothing.
    let mut forger = honest.clone();
    forger.poke(row, limb(1), 5);
    forger.assert_wrong(&Wrong::Nothing);
    // The product of two does: its limb is not what was there. Limb 2 of c is at address 16, a padding row's pointers
    // being zero.
    forger.poke(row, limb(4), 5);
    forger.assert_wrong(&Wrong::Bus(pairs(MEMORY, 16, 1)));
    // Unless it was there.
    let product = (primitives::field::K(5) * primitives::field::K(5)).0;
    forger.poke(row, limb(8), product);
    forger.assert_wrong(&Wrong::Nothing);
}

#[test]
fn a_hash_in_a_padding_row_is_one() {
    let fixture = every_class();
    let mut forger = fixture.honest();
    let row = forger.padding(Class::Hash);
    forger.set(row, Word::Input(6), 1);
    let expected = [32, 40, 48, 56].map(|address| pairs(MEMORY, address, 1));
    forger.assert_wrong(&Wrong::Bus(expected.concat()));
}

#[test]
fn a_padding_row_of_any_class_is_bound_to_its_entry() {
    let fixture = every_class();
    let honest = fixture.honest();
    for class in Class::ALL {
        let row = honest.padding(class);
        let mut forger = honest.clone();
        let next = Word::Column(Column::Next);
        forger.poke(row, next, forger.get(row, next) ^ 4);
        let diagnosis = forger.diagnosis();
        let entry = (2, filler(&honest, class));
        let told = diagnosis
            .unmatched
            .iter()
            .filter(|unmatched| (unmatched.tuple[0].0, unmatched.tuple[1].0) == entry);
        assert_eq!(told.count(), 2, "{class}: {diagnosis}");
    }
}

#[test]
fn a_block_of_zeros_is_refused() {
    // All products of a block of zeros hold: that of a padding row of these classes is one but for the constant.
    let fixture = every_class();
    let honest = fixture.honest();
    for class in [Class::Add, Class::Addi, Class::Logic, Class::Ld, Class::Sd] {
        let mut forger = honest.clone();
        let row = honest.padding(class);
        forger.poke_constant(row, 0);
        forger.assert_wrong(&Wrong::Constant(row));
    }
}
