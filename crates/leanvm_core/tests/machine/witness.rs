//! The witness of a run is the one that the definitions give, and refusals say the numbers.

use argument::diagnose::{Committed, diagnose};
use argument::machine::Machine;
use argument::shape::Shape;
use leanvm_core::machine::machine;
use leanvm_core::parts::class_and_part;
use leanvm_core::witness::{RunWitness, Target, WitnessError, measure, witness};
use primitives::pool;
use rv::program::{Parts, TEXT_BASE};
use rv::{Class, Limits, Program, RunError, asm};

use super::random_program::{Random, wild};
use super::{PROGRAMS, reference};

pub(crate) const LEAST: Target<'_> = Target::Least { log_inv_rate: 1 };

/// The witness, every word of which is compared, and which satisfies the machine.
pub(crate) fn checked<'m>(
    machine: &'m Machine,
    program: &Program,
    advice: &[u64],
    target: Target<'_>,
) -> Result<RunWitness<'m>, WitnessError> {
    let limits = Limits { cycles: 1 << 20 };
    let witness = witness(machine, program, advice, limits, target)?;
    let words = witness.stack.len();
    let expected = reference::stack(machine, program, advice, &witness, words);
    if let Some(word) = (0..words).find(|&word| witness.stack[word] != expected[word]) {
        panic!(
            "word {word} is {:?} and not {:?}; {:?}",
            witness.stack[word], expected[word], witness.layout.tables
        );
    }
    let diagnosis = diagnose(&Committed {
        machine,
        layout: &witness.layout,
        announced: &witness.announced,
        stack: &witness.stack,
    });
    assert!(diagnosis.is_clean(), "{diagnosis}");
    let measured = measure(machine, program, advice, limits, target).unwrap();
    assert_eq!(measured.shape, witness.shape);
    assert_eq!(measured.words, witness.layout.placed);
    let log_lane = witness.layout.parameters.log_lane_words();
    let (lanes, leaves) = (words >> log_lane, 1 << (log_lane + witness.shape.log_inv_rate));
    let of_leaf = (8 * lanes).next_multiple_of(64) + 64;
    assert_eq!(
        measured.committed_bytes(machine),
        Ok(8 * words + leaves * of_leaf)
    );
    assert_eq!(witness.announced[..4], measured.output);
    assert_eq!(witness.announced[4], 1 << 40 | (measured.cycles + 1) << 5);
    let mut live = [0; Class::COUNT];
    for (place, rows) in witness.layout.tables.iter().zip(&witness.live) {
        live[class_and_part(place.number).0.index()] += *rows as u64;
    }
    assert_eq!(live, measured.rows);
    Ok(witness)
}

/// The program of an assembly text: RAM of 2^10 words, advice of 2^6.
pub(crate) fn program(source: &str) -> Program {
    let text = asm::assemble(source)
        .unwrap_or_else(|error| panic!("{error}"))
        .words;
    let parts = Parts {
        text,
        entry: TEXT_BASE,
        log_ram: 10,
        log_advice: 6,
        ..Parts::default()
    };
    Program::new(parts).unwrap()
}

/// Every class in a loop of `rounds` rounds.
pub(crate) fn every_class(rounds: usize) -> Program {
    program(&format!("li s0, {rounds}\n{}", include_str!("every_class.s")))
}

#[test]
fn random_programs_have_the_witness_of_the_definitions() {
    let mut random = Random::new(11);
    let (mut ended, mut rows) = (0, [0; Class::COUNT]);
    while ended < PROGRAMS / 4 {
        let (program, advice) = wild(&mut random, 300);
        if rv::run(&program, &advice, Limits { cycles: 1000 }, &mut ()).is_err() {
            continue;
        }
        ended += 1;
        let machine = machine(program.public());
        let witness = checked(&machine, &program, &advice, LEAST).unwrap();
        for (place, live) in witness.layout.tables.iter().zip(witness.live) {
            rows[class_and_part(place.number).0.index()] += live;
        }
    }
    assert!(rows.iter().all(|&rows| rows > PROGRAMS / 16), "{rows:?}");
}

#[test]
fn tables_of_many_pieces_have_the_witness_of_the_definitions_on_any_number_of_threads() {
    let program = every_class(1030);
    let machine = machine(program.public());
    let advice = [0x0123_4567_89ab_cdef, 3, u64::MAX];
    for threads in [1, 3] {
        let witness = pool::with_threads(threads, || checked(&machine, &program, &advice, LEAST).unwrap());
        let tables = witness.layout.tables.iter();
        let second = tables.filter_map(|place| match class_and_part(place.number) {
            (class, 1) => Some(class),
            _ => None,
        });
        // One table would have more than twice the rows, and these are wide.
        assert_eq!(
            second.collect::<Vec<_>>(),
            [Class::Mul, Class::Mulh, Class::Div, Class::Hash, Class::Ext]
        );
        assert_eq!(witness.layout.tables.len(), Class::COUNT + 5);
    }
}

#[test]
fn a_shape_that_is_asked_for_is_filled() {
    let program = every_class(3);
    let machine = machine(program.public());
    let least = measure(&machine, &program, &[5], Limits::default(), LEAST).unwrap();
    let larger = Shape {
        log_inv_rate: 2,
        heights: least
            .shape
            .heights
            .iter()
            .map(|height| height.map(|log_rows| log_rows + 2))
            .collect(),
    };
    let witness = checked(&machine, &program, &[5], Target::Shape(&larger)).unwrap();
    assert_eq!(witness.shape, larger);
    // Tables without any row of the run too.
    let short = program_of_one_class();
    let machine = leanvm_core::machine::machine(short.public());
    let witness = checked(&machine, &short, &[], Target::Shape(&larger)).unwrap();
    assert_eq!(witness.live.iter().sum::<usize>(), 2);
}

/// `li a7, 93` and `ecall`.
fn program_of_one_class() -> Program {
    program("li a7, 93\necall")
}

#[test]
fn tables_without_rows_are_absent() {
    let program = program_of_one_class();
    let machine = machine(program.public());
    let witness = checked(&machine, &program, &[], LEAST).unwrap();
    let present: Vec<Class> = witness
        .layout
        .tables
        .iter()
        .map(|place| class_and_part(place.number).0)
        .collect();
    assert_eq!(present, [Class::Addi, Class::Jump]);
    assert_eq!(witness.layout.tables[0].log_rows, 5);
}

#[test]
fn a_shape_that_does_not_hold_the_run_is_refused_with_the_numbers() {
    let program = every_class(40);
    let machine = machine(program.public());
    let refusal = |shape: &Shape| {
        let target = Target::Shape(shape);
        let refused = witness(&machine, &program, &[], Limits::default(), target).unwrap_err();
        assert_eq!(
            measure(&machine, &program, &[], Limits::default(), target).unwrap_err(),
            refused
        );
        refused
    };
    let least = measure(&machine, &program, &[], Limits::default(), LEAST)
        .unwrap()
        .shape;
    let with = |class: Class, height| {
        let mut shape = least.clone();
        shape.heights[class.index()] = height;
        shape
    };
    assert_eq!(
        refusal(&with(Class::Hash, Some(5))),
        WitnessError::Rows {
            class: "HASH",
            rows: 40,
            capacity: 32
        }
    );
    assert_eq!(
        refusal(&with(Class::Ext, None)),
        WitnessError::Absent {
            class: "EXT",
            rows: 80
        }
    );
    assert!(matches!(
        refusal(&with(Class::Add, Some(4))),
        WitnessError::Shape(_)
    ));
    let short = Shape {
        log_inv_rate: 1,
        heights: vec![Some(10); 3],
    };
    assert!(matches!(refusal(&short), WitnessError::Shape(_)));
}

#[test]
fn a_run_that_is_too_large_is_measured_and_refused_with_the_numbers() {
    let program = program("li s0, 4000000\nloop: addi s0, s0, -1\nbnez s0, loop\nli a7, 93\necall");
    let machine = machine(program.public());
    let limits = Limits::default();
    let measured = measure(&machine, &program, &[], limits, LEAST).unwrap();
    // 2^22 rows of ADDI and EQ, 2^5 of JUMP and WORD; registers, RAM and advice; 32 entries.
    let others = ((19 + 20) << 5, 128 + 2048 + 192 + 32);
    assert_eq!(measured.words, ((17 + 18) << 22) + others.0 + others.1);
    assert!(measured.committed_bytes(&machine).is_ok());
    let more = Shape {
        log_inv_rate: 1,
        heights: measured
            .shape
            .heights
            .iter()
            .map(|height| height.map(|log_rows| log_rows + 1))
            .collect(),
    };
    let refused = witness(&machine, &program, &[], limits, Target::Shape(&more)).unwrap_err();
    let WitnessError::TooLarge { cycles, words, max } = refused else {
        panic!("{refused}");
    };
    assert_eq!((cycles, max), (measured.cycles, 28));
    assert_eq!(words, ((17 + 18) << 23) + 2 * others.0 + others.1);
    assert!(words > 1 << 28);
}

#[test]
fn a_run_that_does_not_end_is_refused() {
    let program = program("loop: j loop");
    let machine = machine(program.public());
    let refused = witness(&machine, &program, &[], Limits { cycles: 1000 }, LEAST).unwrap_err();
    assert!(matches!(
        refused,
        WitnessError::Run(RunError::CycleLimit { cycles: 1000, .. })
    ));
}
