//! What the forms of each class say of a row is what the interpreter did.

use rv::forms::{Operands, Row};
use rv::observe::{Access, Observer, Step};
use rv::program::{ADVICE_BASE, RAM_BASE};
use rv::{Class, Limits, Program, run};

use super::random_program::{Random, wild};
use super::{CASES, program};

/// Builds the row of every instruction and compares what it puts on the bus.
struct Forms<'a> {
    program: &'a Program,
    accesses: Vec<Access>,
    rows: [u64; Class::COUNT],
}

impl Observer for Forms<'_> {
    fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }

    fn retire(&mut self, step: Step) {
        let entry = &self.program.table().entries()[step.slot];
        let class = entry.class.expect("it was executed");
        let text = || self.program.describe(rv::program::slot_pc(step.slot));
        let cells: Vec<u64> = self.accesses.iter().map(|access| access.old).collect();
        let row = Row::new(
            entry,
            Operands {
                v1: step.v1,
                v2: step.v2,
                old: step.old,
                cells: &cells,
            },
        );
        let bus = row.bus(entry);

        assert_eq!(bus.v1.0, step.v1, "{:?} {step:?}", text());
        assert_eq!(
            bus.v2.map(|v| v.0),
            class.registers().a2.then_some(step.v2),
            "{:?} {step:?}",
            text()
        );
        assert_eq!(
            bus.new.map(|v| v.0),
            class.registers().ad.then_some(step.new),
            "{:?} {step:?}",
            text()
        );
        assert_eq!(bus.next_pc.0, step.next_pc, "{:?} {step:?}", text());
        assert_eq!(bus.imm.0, entry.imm, "{:?}", text());
        assert_eq!(bus.bad.0, 0, "{:?} {step:?}", text());
        assert!(
            row.words(entry).identities(class).iter().all(|word| word.0 == 0),
            "{:?} {step:?}",
            text()
        );
        // Registers as the step has them, memory as the interpreter told it.
        let register = |slot, number: u8, old, new| [slot, 1, number.into(), old, new];
        let mut expected = vec![register(0, entry.a1, step.v1, step.v1)];
        if class.registers().a2 {
            expected.push(register(1, entry.a2, step.v2, step.v2));
        }
        if class.registers().ad {
            expected.push(register(2, entry.ad, step.old, step.new));
        }
        if class == Class::Ext && entry.imm & 2 == 2 {
            // The limbs that an operand in K lacks are read in x0.
            expected.extend([8, 9].map(|slot| register(slot, 0, 0, 0)));
        }
        let cells = self.accesses.drain(..);
        expected.extend(cells.map(|a| [a.slot.into(), 0, a.address, a.old, a.new]));
        expected.sort_unstable();
        let accesses = row.words(entry).accesses(class).into_iter();
        let actual: Vec<[u64; 5]> = accesses
            .map(|(slot, cell)| [slot, cell.register.0, cell.address.0, cell.old.0, cell.new.0])
            .collect();
        assert_eq!(actual, expected, "{:?}", text());
        self.rows[class.index()] += 1;
    }
}

#[test]
fn the_forms_of_every_class_say_what_the_interpreter_does() {
    let mut random = Random::new(4);
    let mut rows = [0; Class::COUNT];
    for _ in 0..4 * CASES {
        let (program, advice) = wild(&mut random, 300);
        let mut forms = Forms {
            program: &program,
            accesses: Vec::new(),
            rows,
        };
        let _ = run(&program, &advice, Limits { cycles: 1000 }, &mut forms);
        rows = forms.rows;
    }
    assert!(rows.iter().all(|&rows| rows > u64::from(CASES)), "{rows:?}");
}

#[test]
fn constant_shifts_by_every_amount() {
    for amount in 1..64 {
        for value in [0, 1, u64::MAX, 1 << 63, 0x0123_4567_89ab_cdef] {
            let program = program(&format!(
                "li a1, {value}\nslli a0, a1, {amount}\nsrli a2, a1, {amount}\nli a7, 93\necall"
            ));
            let mut forms = Forms {
                program: &program,
                accesses: Vec::new(),
                rows: [0; Class::COUNT],
            };
            let run = run(&program, &[], Limits::default(), &mut forms).unwrap();
            assert_eq!([run.output[0], run.output[2]], [value << amount, value >> amount]);
            assert!(forms.rows[Class::Shifti.index()] >= 2);
        }
    }
}

#[test]
fn a_misaligned_access_has_an_address_that_is_no_cells() {
    let classes = [
        ("lb", 1),
        ("lbu", 1),
        ("lh", 2),
        ("lhu", 2),
        ("lw", 4),
        ("lwu", 4),
        ("sb", 1),
        ("sh", 2),
        ("sw", 4),
    ];
    for (name, width) in classes {
        let line = if name.starts_with('l') {
            format!("{name} a0, -3(a1)")
        } else {
            format!("{name} a2, -3(a1)")
        };
        let program = program(&line);
        let entry = &program.table().entries()[0];
        for base in [RAM_BASE, ADVICE_BASE] {
            for offset in 0..16 {
                let address = base + offset;
                let row = Row::new(
                    entry,
                    Operands {
                        v1: address + 3,
                        v2: 0,
                        old: 0,
                        cells: &[0],
                    },
                );
                let on_bus = row.bus(entry).cells[0].address.0;
                if address.is_multiple_of(width) {
                    assert_eq!(on_bus, address & !7, "{line} {offset}");
                } else {
                    assert!(!on_bus.is_multiple_of(8), "{line} {offset}");
                }
            }
        }
    }
}
