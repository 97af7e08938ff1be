//! The tuples of live rows, from the interpreter.

use argument::machine::{Side, Table};
use leanvm_core::tables;
use rv::forms::{Operands, Row};
use rv::observe::{Access, Observer, Step};
use rv::program::slot_pc;
use rv::{Class, Limits, Program, asm, run};

use super::PROGRAMS;
use super::random_program::{Random, wild};
use super::row::Placed;

const LIVE: u64 = 1 << 40;

/// The tables of all classes.
fn tables() -> [Table; Class::COUNT] {
    let circuits = tables::circuits();
    Class::ALL.map(|class| tables::table(class, &circuits))
}

/// Compares the tuples of every row with those that the interpreter's words make.
struct Tuples<'a> {
    program: &'a Program,
    tables: &'a [Table],
    random: Random,
    pc: u64,
    accesses: Vec<Access>,
    rows: [u64; Class::COUNT],
}

impl<'a> Tuples<'a> {
    fn new(program: &'a Program, tables: &'a [Table]) -> Self {
        Self {
            program,
            tables,
            random: Random::new(7),
            pc: program.entry(),
            accesses: Vec::new(),
            rows: [0; Class::COUNT],
        }
    }
}

impl Observer for Tuples<'_> {
    fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }

    fn retire(&mut self, step: Step) {
        let entry = &self.program.table().entries()[step.slot];
        let class = entry.class.expect("it was executed");
        let table = &self.tables[class.index()];
        let ts = LIVE | step.cycle << 5;
        assert_eq!(self.pc, slot_pc(step.slot));

        // The separator, the address, the word before and after, by slot.
        let mut accesses = vec![(0, [3, entry.a1.into(), step.v1, step.v1])];
        if class.registers().a2 {
            accesses.push((1, [3, entry.a2.into(), step.v2, step.v2]));
        }
        if class.registers().ad {
            accesses.push((2, [3, entry.ad.into(), step.old, step.new]));
        }
        if class == Class::Ext && entry.imm & 2 == 2 {
            accesses.extend([8, 9].map(|slot| (slot, [3, 0, 0, 0])));
        }
        let cells: Vec<u64> = self.accesses.iter().map(|access| access.old).collect();
        let memory = self.accesses.drain(..);
        accesses.extend(memory.map(|a| (a.slot, [4, a.address, a.old, a.new])));
        accesses.sort_unstable();

        let mut prev = vec![LIVE; tables::slots(class).len()];
        for &(slot, _) in &accesses {
            prev[usize::from(slot)] |= self.random.below(ts - LIVE);
        }
        let next_ts = ts + (1 << 5);
        let exit = if entry.exit { next_ts } else { 0 };
        let mut expected = vec![
            (Side::Pull, vec![1, self.pc, ts, 0]),
            (Side::Push, vec![1, step.next_pc, next_ts, exit]),
            (Side::Pull, entry.tuple(2, self.pc).into()),
        ];
        for (slot, [space, address, old, new]) in accesses {
            let clock = ts | u64::from(slot);
            expected.push((Side::Pull, vec![space, address, prev[usize::from(slot)], old]));
            expected.push((Side::Push, vec![space, address, clock, new]));
        }

        let operands = Operands {
            v1: step.v1,
            v2: step.v2,
            old: step.old,
            cells: &cells,
        };
        let placed = Placed {
            entry,
            pc: self.pc,
            ts,
            prev,
            row: Row::new(entry, operands),
        };
        assert_eq!(
            placed.tuples(table),
            expected,
            "{:?} {step:x?}",
            self.program.describe(self.pc)
        );
        placed.assert_identities(table);
        self.pc = step.next_pc;
        self.rows[class.index()] += 1;
    }
}

#[test]
fn the_tuples_of_every_class_say_what_the_interpreter_does() {
    let tables = tables();
    let mut random = Random::new(5);
    let mut rows = [0; Class::COUNT];
    for _ in 0..PROGRAMS {
        let (program, advice) = wild(&mut random, 300);
        let mut tuples = Tuples::new(&program, &tables);
        tuples.rows = rows;
        let _ = run(&program, &advice, Limits { cycles: 1000 }, &mut tuples);
        rows = tuples.rows;
    }
    assert!(rows.iter().all(|&rows| rows > PROGRAMS as u64 / 4), "{rows:?}");
}

#[test]
fn every_constant_shift_and_both_ends_of_a_run() {
    let tables = tables();
    let mut source = String::from("li a1, 0x8123456789abcdef\n");
    for amount in 1..64 {
        source += &format!("slli a0, a1, {amount}\nsrli a2, a1, {amount}\n");
    }
    source += "li a7, 93\necall";
    let assembly = asm::assemble(&source).unwrap();
    let program = Program::new(rv::program::Parts {
        text: assembly.words,
        entry: rv::program::TEXT_BASE,
        log_ram: 2,
        log_advice: 0,
        ..Default::default()
    })
    .unwrap();
    let mut tuples = Tuples::new(&program, &tables);
    let run = run(&program, &[], Limits::default(), &mut tuples).unwrap();
    assert_eq!(run.output[0], 1 << 63);
    assert_eq!(tuples.pc, program.table().halt());
    // The constant takes some more.
    assert!(tuples.rows[Class::Shifti.index()] >= 126);
}
