//! Rows between the two tables of a class.

use std::ops::Range;

use argument::machine::Side::{Pull, Push};
use leanvm_core::parts::number;
use primitives::field::K;
use rv::Class;
use rv::program::slot_pc;

use super::forge::{Fixture, Forger, REGISTERS, STATE, Wrong};

/// A row of a class's first table that is live.
const LIVE: usize = 7;

/// The register s0.
const S0: u64 = 8;

/// A loop of more rows of ADDI and EQ than the first tables hold.
fn fixture() -> Fixture {
    Fixture::new(
        "li s0, 40\nloop: addi s0, s0, -1\nbnez s0, loop\nli a7, 93\necall",
        |_| Vec::new(),
    )
}

/// Where the words of a row of ADDI stand in the stack.
fn words(forger: &Forger<'_>, part: usize, row: usize) -> Vec<Range<usize>> {
    let mut places = forger.witness.layout.tables.iter();
    let place = places.find(|place| place.number == number(Class::Addi, part));
    let place = place.expect("both tables are present");
    let columns = place.columns.iter().map(|column| (column.offset, 0));
    let blocks = place.blocks.iter().map(|block| block.offset);
    let blocks = blocks.zip(place.log_block_words.iter().copied());
    columns
        .chain(blocks)
        .map(|(offset, log_words)| offset + (row << log_words)..offset + ((row + 1) << log_words))
        .collect()
}

fn read(forger: &Forger<'_>, part: usize, row: usize) -> Vec<K> {
    let words = words(forger, part, row).into_iter();
    words
        .flat_map(|range| forger.witness.stack[range].to_vec())
        .collect()
}

fn write(forger: &mut Forger<'_>, part: usize, row: usize, row_words: &[K]) {
    let places = words(forger, part, row).into_iter().flatten();
    for (place, &word) in places.zip(row_words) {
        forger.witness.stack[place] = word;
    }
}

/// The last row of the second table, which is padding.
fn last(forger: &Forger<'_>) -> usize {
    let mut places = forger.witness.layout.tables.iter().zip(&forger.witness.live);
    let second = places.find(|(place, _)| place.number == number(Class::Addi, 1));
    let (place, &live) = second.expect("both tables are present");
    assert!(
        live > 0 && live < 1 << place.log_rows,
        "{live} rows of it are live"
    );
    (1 << place.log_rows) - 1
}

/// A live row is read, and one of padding, and what is made of both is written to their places. The entries are read as
/// often as rows are at them.
fn forged(forger: &mut Forger<'_>, change: impl FnOnce(&mut Vec<K>, &mut Vec<K>)) {
    let padding = last(forger);
    let (mut live, mut padded) = (read(forger, 0, LIVE), read(forger, 1, padding));
    for row in [&live, &padded] {
        forger.count(row[0].0).0 -= 1;
    }
    change(&mut live, &mut padded);
    for row in [&live, &padded] {
        forger.count(row[0].0).0 += 1;
    }
    write(forger, 0, LIVE, &live);
    write(forger, 1, padding, &padded);
}

#[test]
fn a_row_may_stand_in_either_table_of_its_class() {
    let fixture = fixture();
    let mut forger = fixture.honest_in_both_parts();
    forger.assert_wrong(&Wrong::Nothing);
    // With a row of padding in the other table.
    forged(&mut forger, core::mem::swap);
    forger.assert_wrong(&Wrong::Nothing);
    // With a row of the run there.
    let (one, other) = (read(&forger, 0, LIVE + 1), read(&forger, 1, 0));
    assert_ne!(one, other);
    write(&mut forger, 0, LIVE + 1, &other);
    write(&mut forger, 1, 0, &one);
    forger.assert_wrong(&Wrong::Nothing);
}

#[test]
fn a_row_in_both_tables_of_its_class_is_refused_by_the_bus() {
    let fixture = fixture();
    let mut forger = fixture.honest_in_both_parts();
    forged(&mut forger, |live, padding| padding.clone_from(live));
    let pc = fixture.label("loop");
    forger.assert_wrong(&Wrong::Bus(vec![
        (Pull, STATE, pc),
        (Push, STATE, pc + 4),
        (Pull, REGISTERS, S0),
        (Push, REGISTERS, S0),
    ]));
}

#[test]
fn a_row_in_neither_table_of_its_class_is_refused_by_the_bus() {
    let fixture = fixture();
    let mut forger = fixture.honest_in_both_parts();
    forged(&mut forger, |live, padding| live.clone_from(padding));
    let pc = fixture.label("loop");
    forger.assert_wrong(&Wrong::Bus(vec![
        (Push, STATE, pc),
        (Pull, STATE, pc + 4),
        (Push, REGISTERS, S0),
        (Pull, REGISTERS, S0),
    ]));
}

#[test]
fn a_row_in_the_table_of_another_class_is_refused_by_the_bus() {
    // Fixture: the filler of ADDI is at another address than that of EQ, and its entry has another tag.
    // Forgery: a padding row of ADDI's second table says that it is at the filler of EQ, and that is counted.
    let fixture = fixture();
    let mut forger = fixture.honest_in_both_parts();
    let table = fixture.program.table();
    let [addi, eq] = [Class::Addi, Class::Eq].map(|class| slot_pc(table.filler_slot(class)));
    let row = last(&forger);
    let mut padding = read(&forger, 1, row);
    assert_eq!(padding[0].0, addi);
    padding[0].0 = eq;
    write(&mut forger, 1, row, &padding);
    forger.count(addi).0 -= 1;
    forger.count(eq).0 += 1;
    // Its tuple has the tag of ADDI, and the producer's that of EQ.
    let diagnosis = forger.diagnosis();
    let entries = diagnosis
        .unmatched
        .iter()
        .filter(|tuple| tuple.tuple[0].0 == super::forge::BYTECODE);
    assert_eq!(entries.count(), 2, "{diagnosis}");
    assert_eq!(forger.refused_by(), Some(argument::gkr::ROOT.at(1)));
}
