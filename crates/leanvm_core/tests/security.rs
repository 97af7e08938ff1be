//! Every challenge of every proof of a run that there can be has 128 bits.

use argument::layout::Layout;
use argument::machine::{Coordinate, Machine};
use argument::security::{Message, Security, security};
use argument::shape::Shape;
use leanvm_core::machine::machine;
use leanvm_core::parts::TABLES;
use leanvm_core::witness::{Target, WitnessError, measure};
use pcs::parameters::LOG_INV_RATE;
use pcs::parameters::security::SECURITY_BITS;
use primitives::field::K;
use rv::program::{MAX_LOG_ENTRIES, Parts, TEXT_BASE};
use rv::{Class, Limits, Program, asm};

const LIMITS: Limits = Limits { cycles: 1 << 20 };

/// The program of an assembly text.
fn program(source: &str, log_ram: u32, log_advice: u32) -> Program {
    let assembly = asm::assemble(source).unwrap_or_else(|error| panic!("{error}"));
    Program::new(Parts {
        text: assembly.words,
        entry: TEXT_BASE,
        log_ram,
        log_advice,
        ..Parts::default()
    })
    .unwrap()
}

/// A machine with so much memory, whose program has the most entries. What they say does not matter here.
fn of_sizes(log_ram: u32, log_advice: u32) -> Machine {
    let mut machine = machine(program("ecall", log_ram, log_advice).public());
    let [bytecode] = &mut machine.producers[..] else {
        panic!("there is one producer")
    };
    bytecode.log_len = MAX_LOG_ENTRIES as usize;
    for coordinate in &mut bytecode.tuple {
        if let Coordinate::Public(_) = coordinate {
            *coordinate = Coordinate::Constant(K::ZERO);
        }
    }
    machine
}

fn assert_secure(machine: &Machine, layout: &Layout<'_>) -> Security {
    let security = security(machine, layout);
    let weakest = security.weakest();
    assert!(
        weakest.bits >= SECURITY_BITS,
        "{} has {} bits: {:?}",
        weakest.message,
        weakest.bits,
        layout.parameters
    );
    security
}

/// Raises the present tables in turns while there is a layout, and gives the last.
fn largest(machine: &Machine, log_inv_rate: usize, present: &[usize]) -> Shape {
    let mut heights = vec![None; TABLES];
    for &table in present {
        heights[table] = Some(machine.tables[table].min_log_rows(machine));
    }
    let mut shape = Shape {
        log_inv_rate,
        heights,
    };
    assert!(Layout::new(machine, &shape).is_ok(), "the smallest has a layout");
    let mut growing = present.to_vec();
    while !growing.is_empty() {
        growing.retain(|&table| {
            let mut higher = shape.clone();
            higher.heights[table] = higher.heights[table].map(|log_rows| log_rows + 1);
            let fits = Layout::new(machine, &higher).is_ok();
            if fits {
                shape = higher;
            }
            fits
        });
    }
    shape
}

#[test]
fn the_largest_proofs_that_are_possible_have_128_bits() {
    for (log_ram, log_advice) in [(2, 0), (26, 20), (20, 26)] {
        let machine = of_sizes(log_ram, log_advice);
        let mut sets: Vec<Vec<usize>> = (0..TABLES).map(|table| vec![table]).collect();
        sets.push((0..Class::COUNT).collect());
        sets.push((0..TABLES).collect());
        for present in sets {
            let shape = largest(&machine, 1, &present);
            for log_inv_rate in LOG_INV_RATE {
                let shape = Shape {
                    log_inv_rate,
                    heights: shape.heights.clone(),
                };
                // Whether there is a layout does not depend on the rate.
                let layout = Layout::new(&machine, &shape).unwrap();
                assert_eq!(layout.parameters.log_words(), 28, "{present:?}");
                assert_secure(&machine, &layout);
            }
        }
    }
}

#[test]
fn the_smallest_proofs_have_128_bits() {
    let machine = machine(program("ecall", 2, 0).public());
    for (number, table) in machine.tables.iter().enumerate() {
        for log_inv_rate in LOG_INV_RATE {
            let mut heights = vec![None; TABLES];
            heights[number] = Some(table.min_log_rows(&machine));
            let shape = Shape {
                log_inv_rate,
                heights,
            };
            assert_secure(&machine, &Layout::new(&machine, &shape).unwrap());
        }
    }
}

#[test]
fn a_run_has_the_security_of_its_layout() {
    // Fixture: 2^15 rows of EQ and two of ADDI.
    let count = (1 << 15) - 1;
    let source = format!("li t0, {count}\nagain: addi t0, t0, -1\nbne t0, x0, again\nli a7, 93\necall");
    let program = program(&source, 4, 2);
    let machine = machine(program.public());
    for log_inv_rate in LOG_INV_RATE {
        let target = Target::Least { log_inv_rate };
        let measured = measure(&machine, &program, &[], LIMITS, target).unwrap();
        let layout = measured.layout(&machine).unwrap();
        let security = assert_secure(&machine, &layout);
        assert_eq!(measured.security(&machine), Ok(security.clone()));
        // Everything between commitment and opening pays the list.
        let paid = |message: Message, terms: usize| {
            let round = security.rounds.iter().find(|round| round.message == message);
            let bits = round.unwrap_or_else(|| panic!("no {message}")).bits;
            let expected = 192.0 - security.log_list - (terms as f64).log2();
            assert!((bits - expected).abs() < 1e-9, "{message}: {bits}");
        };
        paid(Message::Fingerprint, layout.degree());
        paid(Message::Tables, 2);
        paid(Message::Circuits, layout.batch.as_ref().unwrap().error());
        assert!(security.log_list > 0.0 && security.log_list <= 12.0);
    }
}

#[test]
fn a_run_that_no_proof_holds_has_no_security() {
    let program = program("li a7, 93\necall", 4, 2);
    let machine = machine(program.public());
    let target = Target::Least { log_inv_rate: 1 };
    let mut measured = measure(&machine, &program, &[], LIMITS, target).unwrap();
    measured.shape.heights[Class::Hash.index()] = Some(22);
    measured.words = 1 << 30;
    assert!(matches!(
        measured.security(&machine),
        Err(WitnessError::TooLarge {
            words: 0x4000_0000,
            ..
        })
    ));
}
