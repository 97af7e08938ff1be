//! Registers and memory: what is read, when, and where.

use leanvm_core::columns::Column;
use rv::program::{ADVICE_BASE, RAM_BASE};

use super::fixture::every_class;
use super::forge::{BYTECODE, Fixture, MEMORY, REGISTERS, STATE, Word, Wrong, pairs};

#[test]
fn a_register_that_is_not_what_was_written_is_refused() {
    let fixture = every_class();
    let mut forger = fixture.honest();
    let row = forger.at("add");
    forger.set(row, Word::Input(1), forger.get(row, Word::Input(1)) ^ 1);
    forger.follow(row);
    // What is read was not written, and what is left is not read.
    forger.assert_wrong(&Wrong::Bus(pairs(REGISTERS, 7, 2)));
}

#[test]
fn a_write_to_x0_is_refused() {
    let fixture = every_class();
    let mut forger = fixture.honest();
    let row = forger.at("add");
    forger.poke(row, Word::Column(Column::Ad), 0);
    forger.relink();
    // The entry names another cell, and the next reader of x0 finds it zero.
    let expected = [pairs(BYTECODE, fixture.label("add"), 1), pairs(REGISTERS, 0, 1)];
    forger.assert_wrong(&Wrong::Bus(expected.concat()));
}

#[test]
fn an_access_that_refers_to_itself_is_refused() {
    let fixture = every_class();
    let mut forger = fixture.honest();
    let (row, next) = (forger.at("add"), forger.at("sub"));
    let before = forger.get(row, Word::Prev(0));
    forger.set(row, Word::Prev(0), forger.get(row, Word::Ts));
    forger.set(next, Word::Prev(0), before);
    // All accesses are matched; the row has no successor.
    forger.assert_wrong(&Wrong::Bus(pairs(STATE, fixture.label("sub"), 1)));

    // It may say that it has one.
    forger.poke(row, Word::Step, 1 << 5);
    forger.follow(row);
    let honest = fixture.honest().get(row, Word::Step);
    forger.poke(row, Word::Step, honest);
    forger.assert_wrong(&Wrong::Circuit(row));
}

#[test]
fn accesses_out_of_order_are_refused() {
    let fixture = every_class();
    let mut forger = fixture.honest();
    // The operand is read by these two, in this order, and by addi.
    let [first, second, third] = ["add", "sub", "addi"].map(|label| forger.at(label));
    let [before, of_first, of_second] = [first, second, third].map(|row| forger.get(row, Word::Prev(0)));
    forger.set(second, Word::Prev(0), before);
    forger.set(first, Word::Prev(0), of_second);
    forger.set(third, Word::Prev(0), of_first);
    forger.assert_wrong(&Wrong::Bus(pairs(STATE, fixture.label("sub"), 1)));

    let honest = fixture.honest().get(first, Word::Step);
    forger.poke(first, Word::Step, honest);
    forger.assert_wrong(&Wrong::Circuit(first));
}

#[test]
fn a_load_of_what_was_overwritten_is_refused() {
    let fixture = every_class();
    let mut forger = fixture.honest();
    let [early, late, load] = ["early", "sd", "ld"].map(|label| forger.at(label));
    let stale = forger.get(early, Word::Column(Column::Own(0)));
    assert_ne!(stale, forger.get(late, Word::Column(Column::Own(0))));
    let clock = forger.get(late, Word::Prev(2));
    forger.set(load, Word::Prev(1), clock);
    forger.poke(load, Word::Column(Column::Own(0)), stale);
    forger.follow(load);
    // What was overwritten is taken twice, and what overwrote it is left.
    forger.assert_wrong(&Wrong::Bus(pairs(MEMORY, RAM_BASE + 80, 1)));
}

#[test]
fn a_store_that_changes_a_neighbour_is_refused() {
    let fixture = every_class();
    let mut forger = fixture.honest();
    let row = forger.at("store");
    // The store is to byte 1 of its cell.
    for neighbour in [0, 2, 7] {
        let mut forger = forger.clone();
        forger.poke(
            row,
            Word::Output(1),
            forger.get(row, Word::Output(1)) ^ 1 << (8 * neighbour),
        );
        forger.follow(row);
        forger.assert_wrong(&Wrong::Circuit(row));
    }
    // It may not leave its byte as it was either.
    forger.poke(row, Word::Output(1), 0);
    forger.follow(row);
    forger.assert_wrong(&Wrong::Circuit(row));
}

#[test]
fn a_seed_or_a_last_word_that_is_another_is_refused() {
    let fixture = every_class();
    let honest = fixture.honest();
    // Cells that are read, written, and never touched.
    let cells = [
        (REGISTERS, 6),
        (REGISTERS, 33),
        (MEMORY, RAM_BASE + 80),
        (MEMORY, RAM_BASE + 8 * 101),
        (MEMORY, ADVICE_BASE),
        (MEMORY, ADVICE_BASE + 8 * 15),
    ];
    for (space, address) in cells {
        let mut forger = honest.clone();
        forger.last_value(space, address).0 ^= 1 << 17;
        forger.assert_wrong(&Wrong::Bus(pairs(space, address, 1)));
        let mut forger = honest.clone();
        forger.last_clock(space, address).0 ^= 1 << 7;
        forger.assert_wrong(&Wrong::Bus(pairs(space, address, 1)));
    }
    // Advice that is read is bound; advice that nobody reads is the prover's.
    let mut forger = honest.clone();
    forger.free(leanvm_core::machine::ADVICE, 1).0 ^= 1;
    forger.assert_wrong(&Wrong::Bus(pairs(MEMORY, ADVICE_BASE + 8, 1)));
    let mut forger = honest;
    forger.free(leanvm_core::machine::ADVICE, 9).0 ^= 1;
    forger.relink();
    forger.assert_wrong(&Wrong::Nothing);
}

/// Changes the first word of the advice, which is x6, an address, and lets everything follow from it but the word
/// of the cell, which nobody has.
fn assert_refused_at(fixture: &Fixture, address: u64) {
    let mut forger = fixture.honest();
    let (load, row) = (forger.at("operand"), forger.at("access"));
    forger.free(leanvm_core::machine::ADVICE, 0).0 = address;
    forger.poke(load, Word::Column(Column::Own(0)), address);
    match row.class {
        rv::Class::Hash => forger.poke(row, Word::Column(Column::Own(0)), address),
        _ => forger.set(row, Word::Input(0), address),
    }
    forger.relink();
    forger.follow(row);
    let tuples = forger.tuples(row).into_iter();
    let outside = tuples.filter(|(_, tuple)| tuple[0] == MEMORY && !forger.is_cell(MEMORY, tuple[1]));
    let expected: Vec<_> = outside.map(|(side, tuple)| (side, MEMORY, tuple[1])).collect();
    assert!(!expected.is_empty(), "{address:#x} is a cell's");
    let expected = Wrong::Bus(expected);
    // All are diagnosed, some proven.
    if address & 7 == 4 {
        forger.assert_wrong(&expected);
    } else {
        forger.assert_diagnosis(&expected);
    }
}

#[test]
fn an_access_to_what_is_no_cell_is_refused() {
    let accesses = [
        ("lb x8, 0(x6)", 1),
        ("lh x8, 0(x6)", 2),
        ("lwu x8, 0(x6)", 4),
        ("ld x8, 0(x6)", 8),
        ("sb x0, 0(x6)", 1),
        ("sh x0, 0(x6)", 2),
        ("sw x0, 0(x6)", 4),
        ("sd x0, 0(x6)", 8),
        ("blake2s x6, x0", 8),
        ("extmul x19, x6, x19", 8),
    ];
    for (access, width) in accesses {
        let source = format!(
            "lui x18, 0x20000
            addi x19, x18, 64
            li a7, 93
            operand: ld x6, 0(x18)
            access: {access}
            end: ecall"
        );
        let fixture = Fixture::new(&source, |_| [RAM_BASE + 128].into());
        let misaligned = [1, 2, 4].into_iter().filter(|&offset| offset < width);
        let mut addresses: Vec<u64> = misaligned.map(|offset| RAM_BASE + 128 + offset).collect();
        // Behind RAM, before advice, in the text, and at addresses of more bits.
        addresses.extend([
            RAM_BASE + (8 << 7),
            ADVICE_BASE - 64,
            0x1000_0000,
            0,
            RAM_BASE | 1 << 40,
        ]);
        for address in addresses {
            assert_refused_at(&fixture, address);
        }
    }
}
