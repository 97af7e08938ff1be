//! A result of the interpreter that the circuits do not confirm is found.

use alloc::format;
use alloc::string::String;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rv::Class;
use rv::program::{Parts, TEXT_BASE};

use super::*;
use crate::columns::{Column, columns};
use crate::machine::machine;

/// Rounds of the loop: more rows than a piece has.
const ROUNDS: usize = 600;

/// The row that is changed, in the second piece of every first table that has so many.
const ROW: usize = 550;

/// Every class in a loop.
fn program() -> Program {
    let source = format!(
        "li s0, {ROUNDS}\n{}",
        include_str!("../../tests/machine/every_class.s")
    );
    let text = rv::asm::assemble(&source).unwrap().words;
    let parts = Parts {
        text,
        entry: TEXT_BASE,
        log_ram: 10,
        log_advice: 6,
        ..Parts::default()
    };
    Program::new(parts).unwrap()
}

/// What the interpreter gives a row to be compared: a word of the class's block, or a column.
#[derive(Clone, Copy, Debug)]
enum Recorded {
    Word(usize),
    Own(usize),
    /// The clock of the row itself, as that of the access before.
    Clock,
}

#[test]
fn a_result_that_is_not_the_circuits_panics_with_class_row_and_pc() {
    use Recorded::{Clock, Own, Word};
    // Fixture: a recorded run of all classes. Forgery: one bit of one recorded result. Expected: the panic of that row.
    let results: [(Class, &[Recorded]); Class::COUNT] = [
        (Class::Add, &[Word(2), Clock]),
        (Class::Addi, &[Word(2), Clock]),
        (Class::Jump, &[Word(2), Clock]),
        (Class::Logic, &[Word(2), Clock]),
        (Class::Shifti, &[Word(2), Clock]),
        (Class::Lt, &[Word(2), Word(3), Clock]),
        (Class::Eq, &[Own(2), Clock]),
        (Class::Word, &[Word(2), Clock]),
        (Class::Shift, &[Word(3), Clock]),
        (Class::Load, &[Word(3), Word(4), Clock]),
        (Class::Store, &[Word(4), Word(5), Clock]),
        (Class::Ld, &[Word(2), Clock]),
        (Class::Sd, &[Word(2), Clock]),
        (Class::Mul, &[Word(3), Clock]),
        (Class::Mulh, &[Word(3), Clock]),
        (Class::Div, &[Word(5), Clock]),
        (Class::Hash, &[Word(14), Word(15), Word(16), Word(17), Clock]),
        (Class::Ext, &[Word(13), Word(14), Word(15), Clock]),
    ];
    let program = program();
    let machine = machine(program.public());
    let target = Target::Least { log_inv_rate: 1 };
    let measured = measure(&machine, &program, &[9], Limits::default(), target).unwrap();
    let layout = measured.layout(&machine).unwrap();
    let mut recorded = alloc::vec![0; layout.placed];
    let mut recorder = Recorder::new(&program, Windows::new(&mut recorded, &layout));
    rv::run(&program, &[9], Limits::default(), &mut recorder).unwrap();

    let completed = |class: Class, change: Option<Recorded>| {
        let mut stack = recorded.clone();
        let mut windows = Windows::new(&mut stack, &layout);
        let window = &mut windows.tables[class.index()];
        let row = ROW.min(measured.live[class.index()] as usize - 1);
        let (rows, pc) = (window.rows(), window.columns[0][row]);
        match change {
            Some(Word(word)) => window.block[window.block.len() / rows * row + word] ^= 4,
            Some(Own(number)) => {
                let own = columns(class)
                    .iter()
                    .position(|&column| column == Column::Own(number));
                window.columns[own.unwrap()][row] ^= 4;
            }
            Some(Clock) => {
                let block = window.clock.len() / rows * row;
                window.clock[block + 1] = window.clock[block];
            }
            None => {}
        }
        let complete = || complete(&machine, program.table(), windows, &measured.live);
        let outcome = catch_unwind(AssertUnwindSafe(complete));
        (outcome, format!("row {row} of {class}, at {pc:#x}, "))
    };
    assert!(completed(Class::Add, None).0.is_ok());
    for (class, results) in results {
        for &result in results {
            let (outcome, place) = completed(class, Some(result));
            let panic = outcome.expect_err(&place);
            let said = panic.downcast_ref::<String>().unwrap();
            assert!(
                said.starts_with(&place),
                "{said:?} of {result:?} is about {place}"
            );
        }
    }
}
