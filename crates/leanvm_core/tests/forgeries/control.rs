//! What comes next, and how a run ends.

use argument::machine::Side::{Pull, Push};
use leanvm_core::columns::Column;
use leanvm_core::machine::FINAL_CLOCK;
use leanvm_core::verify::CLOCK;
use rv::Class;
use rv::program::{ADVICE_BASE, slot_pc};

use super::fixture::every_class;
use super::forge::{BYTECODE, Fixture, Forger, REGISTERS, STATE, Word, Wrong, pairs};

/// The witness in which the last jump, whose target is advice, goes to `target`.
fn jump_to(fixture: &Fixture, target: u64) -> Forger<'_> {
    let mut forger = fixture.honest();
    let (load, jump) = (forger.at("far"), forger.at("jalr"));
    forger.free(leanvm_core::machine::ADVICE, 2).0 = target;
    forger.poke(load, Word::Column(Column::Own(0)), target);
    forger.set(jump, Word::Input(0), target);
    forger.relink();
    forger
}

#[test]
fn a_run_that_jumps_into_the_padding_is_refused() {
    let fixture = every_class();
    let slot = fixture.program.table().filler_slot(Class::Addi);
    let filler = slot_pc(slot);
    let mut forger = jump_to(&fixture, filler);
    forger.assert_wrong(&Wrong::Bus(vec![
        (Push, STATE, filler),
        (Pull, STATE, fixture.label("end")),
    ]));

    // A live row at the filler, which then is at the filler still.
    let row = forger.padding(Class::Addi);
    let ts = forger.get(forger.at("jalr"), Word::Ts) + 32;
    forger.set(row, Word::Ts, ts);
    for slot in [0, 1, 2] {
        forger.set(row, Word::Prev(slot), 1 << 40);
    }
    // It takes the cycle of the ecall, which becomes a padding row of its table.
    let end = forger.at("end");
    let sink = forger.get(end, Word::Column(Column::Old));
    forger.pad(end);
    forger.poke(row, Word::Column(Column::Old), sink);
    forger.relink();
    forger.assert_wrong(&Wrong::Bus(vec![
        (Push, STATE, filler),
        (Pull, STATE, fixture.program.table().halt()),
    ]));
}

#[test]
fn an_exit_without_ecall_is_refused() {
    let fixture = every_class();
    let halt = fixture.program.table().halt();
    let mut forger = jump_to(&fixture, halt);
    let end = forger.at("end");
    let clock = forger.get(end, Word::Ts);
    forger.pad(end);
    forger.relink();
    forger.witness.announced[FINAL_CLOCK] = clock;
    // The jump arrives without the marker.
    forger.assert_wrong(&Wrong::Bus(pairs(STATE, halt, 1)));

    // With the marker it is no entry of the program.
    let jump = forger.at("jalr");
    forger.poke(jump, Word::Column(Column::Exit), 1);
    forger.assert_wrong(&Wrong::Bus(pairs(BYTECODE, fixture.label("jalr"), 1)));
}

#[test]
fn a_run_that_does_not_end_is_refused() {
    let fixture = every_class();
    let mut forger = fixture.honest();
    let end = forger.at("end");
    forger.pad(end);
    forger.relink();
    let halt = fixture.program.table().halt();
    forger.assert_wrong(&Wrong::Bus(vec![
        (Push, STATE, fixture.label("end")),
        (Pull, STATE, halt),
    ]));
}

#[test]
fn a_final_clock_that_is_not_the_last_rows_is_refused() {
    let fixture = every_class();
    let mut forger = fixture.honest();
    forger.witness.announced[FINAL_CLOCK] += 32;
    let halt = fixture.program.table().halt();
    forger.assert_wrong(&Wrong::Bus(pairs(STATE, halt, 1)));
}

#[test]
fn a_final_clock_that_is_none_is_refused() {
    let fixture = every_class();
    // The last row fails its clock, and says so in its last state: nothing but the final clock shows it.
    let mut forger = fixture.honest();
    let end = forger.at("end");
    let prev = forger.get(end, Word::Prev(0));
    forger.set(end, Word::Prev(0), forger.get(end, Word::Ts));
    // The access before is now the last one to x0.
    forger.last_clock(REGISTERS, 0).0 = prev;
    forger.witness.announced[FINAL_CLOCK] ^= 1 << 41;
    forger.assert_diagnosis(&Wrong::Nothing);
    assert_eq!(forger.refused_by(), Some(CLOCK.at(41)));

    // Bits that a final clock does not have, and the one that it has.
    let fixture = Fixture::new("li a7, 93\nend: ecall", |_| Vec::new());
    for bit in [0, 4, 40, 42, 63] {
        let mut forger = fixture.honest();
        forger.witness.announced[FINAL_CLOCK] ^= 1 << bit;
        assert_eq!(forger.refused_by(), Some(CLOCK.at(bit)));
    }
}

#[test]
fn a_jump_with_a_wrong_low_bit_is_refused() {
    let fixture = every_class();
    let honest = fixture.honest();
    let (row, target) = (honest.at("jalr"), fixture.label("end"));
    let bit = Word::Column(Column::Own(0));
    let mut forger = honest.clone();
    forger.poke(row, bit, 1);
    forger.assert_wrong(&Wrong::Bus(vec![
        (Push, STATE, target ^ 1),
        (Pull, STATE, target),
    ]));

    // What is no bit could move the target: the identity forbids it.
    let mut forger = honest;
    forger.set(row, Word::Input(0), target ^ 8);
    forger.poke(row, bit, 8);
    let diagnosis = forger.diagnosis();
    assert_eq!(diagnosis.identities.len(), 1, "{diagnosis}");
    assert!(
        diagnosis
            .unmatched
            .iter()
            .all(|unmatched| unmatched.tuple[0].0 == REGISTERS),
        "{diagnosis}"
    );
}

#[test]
fn a_jump_that_goes_on_from_elsewhere_than_it_is_is_refused() {
    // All identities hold and all accesses are matched: x30 is another word throughout, but the low bit is not one.
    let fixture = every_class();
    let target = fixture.label("end");
    let mut forger = jump_to(&fixture, target ^ 8);
    let row = forger.at("jalr");
    forger.poke(row, Word::Column(Column::Own(0)), 8);
    forger.assert_wrong(&Wrong::Identities(vec![(row, 0)]));
}

#[test]
fn a_branch_with_a_wrong_verdict_is_refused() {
    let fixture = every_class();
    let honest = fixture.honest();
    // The operands differ, and the target is the next instruction either way.
    let row = honest.at("beq");
    let (z, e) = (Word::Column(Column::Own(2)), Word::Column(Column::Own(3)));
    let forged = |changes: &[(Word, u64)], wrong: &[usize]| {
        let mut forger = honest.clone();
        for &(word, value) in changes {
            forger.poke(row, word, value);
        }
        forger.assert_wrong(&Wrong::Identities(wrong.iter().map(|&i| (row, i)).collect()));
    };
    let inverse = honest.get(row, z);
    forged(&[(e, 1)], &[0, 1]);
    forged(&[(e, 1), (z, 0)], &[1]);
    forged(&[(z, inverse ^ 1)], &[0]);

    // By order: the circuit says which is less.
    let row = honest.at("blt");
    let mut forger = honest.clone();
    forger.poke(row, Word::Output(0), forger.get(row, Word::Output(0)) ^ 1);
    // It goes to the sink, to which the jump is the next to write.
    let jump = forger.at("jalr");
    forger.poke(jump, Word::Column(Column::Old), 0);
    forger.assert_wrong(&Wrong::Circuit(row));
}

#[test]
fn equal_operands_that_are_said_to_differ_are_refused() {
    let source = "li a7, 93\nbeq: beq a0, a1, end\nend: ecall";
    let fixture = Fixture::new(source, |_| Vec::new());
    let mut forger = fixture.honest();
    let row = forger.at("beq");
    assert_eq!(forger.get(row, Word::Column(Column::Own(3))), 1);
    forger.poke(row, Word::Column(Column::Own(3)), 0);
    // No inverse of zero helps.
    forger.poke(row, Word::Column(Column::Own(2)), 7);
    forger.assert_wrong(&Wrong::Identities(vec![(row, 0)]));
}

#[test]
fn an_entry_read_more_or_less_often_than_it_is_said_to_be_is_refused() {
    let fixture = every_class();
    let pc = fixture.label("add");
    let mut forger = fixture.honest();
    forger.count(pc).0 = 2;
    forger.assert_wrong(&Wrong::Bus(vec![(Push, BYTECODE, pc)]));
    forger.count(pc).0 = 0;
    forger.assert_wrong(&Wrong::Bus(vec![(Pull, BYTECODE, pc)]));
    // Nothing is at the slots behind the fillers.
    let mut forger = fixture.honest();
    let halt = fixture.program.table().halt();
    forger.count(halt).0 = 1;
    forger.assert_wrong(&Wrong::Bus(vec![(Push, BYTECODE, halt)]));
}

#[test]
fn another_number_of_the_call_or_another_output_is_refused() {
    let source = "lui x18, 0x20000\ncall: ld a7, 0(x18)\nld a1, 8(x18)\nend: ecall";
    let fixture = Fixture::new(source, |_| [93, 5].into());
    let mut forger = fixture.honest();
    let row = forger.at("call");
    forger.free(leanvm_core::machine::ADVICE, 0).0 = 94;
    forger.poke(row, Word::Column(Column::Own(0)), 94);
    forger.relink();
    forger.assert_wrong(&Wrong::Fixed(17));

    for (i, register) in (10..14).enumerate() {
        let mut forger = fixture.honest();
        forger.witness.announced[i] ^= 1;
        forger.assert_wrong(&Wrong::Fixed(register));
    }
    assert!(fixture.honest().witness.announced[1] == 5 && ADVICE_BASE != 0);
}
