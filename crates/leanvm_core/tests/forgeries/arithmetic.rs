//! Results: what the circuits and the entries say of them.

use leanvm_core::columns::Column;
use leanvm_core::tables;
use rv::circuits::hints;
use rv::entry::ShiftConstants;

use super::fixture::every_class;
use super::forge::{BYTECODE, Fixture, REGISTERS, Word, Wrong, pairs};

#[test]
fn a_result_that_is_not_the_circuits_is_refused() {
    let fixture = every_class();
    let honest = fixture.honest();
    let results = [
        ("add", 0),
        ("sub", 0),
        ("addi", 0),
        ("logic", 0),
        ("slt", 0),
        ("word", 0),
        ("shift", 0),
        ("load", 1),
        ("store", 1),
        ("mul", 0),
        ("mulh", 0),
        ("div", 0),
    ];
    for (label, output) in results {
        let row = honest.at(label);
        for bit in [0, 31, 32, 63] {
            let mut forger = honest.clone();
            forger.poke(
                row,
                Word::Output(output),
                forger.get(row, Word::Output(output)) ^ 1 << bit,
            );
            forger.follow(row);
            if label == "sub" {
                // It is announced: the lie goes on.
                forger.witness.announced[0] = forger.last_value(REGISTERS, 10).0;
            }
            forger.assert_wrong(&Wrong::Circuit(row));
        }
    }
}

#[test]
fn another_instruction_of_the_class_is_refused() {
    let fixture = every_class();
    let honest = fixture.honest();
    // A word of the entry that selects, and what makes the row one of the other instruction.
    let flips = [
        // and, as or: the sum is added.
        ("logic", Word::Column(Column::Constant(0)), 1),
        // sra, as srl.
        ("shift", Word::Input(2), 1 << 7),
        // lbu, as lb.
        ("load", Word::Input(1), 1 << 14),
        // mul, as mulw.
        ("mul", Word::Input(2), 1),
        // mulhu, as mulh.
        ("mulh", Word::Input(2), 3),
        // div, as divu, as rem, as divw.
        ("div", Word::Input(2), 1),
        ("div", Word::Input(2), 2),
        ("div", Word::Input(2), 4),
        // blake2s.final, as blake2s.
        ("hash", Word::Input(1), 0xffff_ffff),
        // extmac, as extmul.
        ("ext", Word::Input(3), 1),
        // Another immediate.
        ("addi", Word::Input(1), 1 << 40),
    ];
    for (label, word, flip) in flips {
        let mut forger = honest.clone();
        let row = forger.at(label);
        forger.set(row, word, forger.get(row, word) ^ flip);
        if label == "div" {
            let [v1, v2, flags] = [0, 1, 2].map(|i| forger.get(row, Word::Input(i)));
            let hints = hints(v1, v2, flags);
            forger.set(row, Word::Input(3), hints.q);
            forger.set(row, Word::Input(4), hints.r);
        }
        forger.follow(row);
        forger.assert_wrong(&Wrong::Bus(pairs(BYTECODE, fixture.label(label), 1)));
    }
}

#[test]
fn a_constant_shift_by_another_amount_is_refused() {
    let fixture = every_class();
    let honest = fixture.honest();
    for (label, constants, rotation) in [
        ("slli", ShiftConstants::left(6), 6),
        ("srli", ShiftConstants::right(10), 54),
    ] {
        let mut forger = honest.clone();
        let row = forger.at(label);
        let v1 = forger.get(forger.at("add"), Word::Input(0));
        forger.poke(row, Word::Column(Column::Constant(0)), constants.k1.0);
        forger.poke(row, Word::Column(Column::Constant(1)), constants.k2.0);
        forger.poke(row, Word::Input(0), v1.rotate_left(rotation));
        forger.set(row, Word::Input(1), constants.mask);
        forger.follow(row);
        forger.assert_wrong(&Wrong::Bus(pairs(BYTECODE, fixture.label(label), 1)));

        // With the entry's own constants no other word is what was read.
        let mut forger = honest.clone();
        forger.set(row, Word::Input(0), forger.get(row, Word::Input(0)) ^ 1 << 20);
        forger.follow(row);
        forger.assert_wrong(&Wrong::Bus(pairs(REGISTERS, 6, 2)));
    }
}

#[test]
fn the_result_of_another_instruction_is_refused() {
    // The port of the flags, and those of all instructions of the class, on operands of either sign.
    let families: [(&[&str], usize, &[u64]); 4] = [
        (&["mulh", "mulhsu", "mulhu"], 2, &[0, 1, 3]),
        (&["mul", "mulw"], 2, &[0, 1]),
        (
            &["sll", "srl", "sra", "sllw", "srlw", "sraw"],
            2,
            &[0, 1 << 6, 3 << 6, 1 << 8, 5 << 6, 7 << 6],
        ),
        (&["lb", "lbu", "lh", "lhu", "lw", "lwu"], 1, &[0, 4, 1, 5, 3, 7]),
    ];
    let mut forgeries = 0;
    for operands in [
        [1 << 63, 33],
        [u64::MAX, 2],
        [0x89ab_cdef_8765_4321, u64::MAX - 6],
    ] {
        for (names, port, flags) in families {
            let loads = port == 1;
            let mut source = String::from("lui x18, 0x20000\nli a7, 93\nld x6, 0(x18)\nld x7, 8(x18)\n");
            for (name, rd) in names.iter().zip(20..) {
                let operands = if loads { "0(x18)" } else { "x6, x7" };
                source += &format!("{name}: {name} x{rd}, {operands}\n");
            }
            source += "end: ecall";
            let fixture = Fixture::new(&source, |_| operands.into());
            let honest = fixture.honest();
            for name in names {
                let row = honest.at(name);
                let shape = row.class.shape().expect("the class has a circuit");
                let inputs = fixture.machine().circuits[tables::blocks(row.class)[0]].inputs();
                let inputs: Vec<u64> = (0..inputs).map(|i| honest.get(row, Word::Input(i))).collect();
                let output = shape.reference(&inputs).len() - 1;
                for &flags in flags {
                    let mut other = inputs.clone();
                    other[port] = if loads { flags << 12 } else { flags };
                    let other = shape.reference(&other);
                    if other == shape.reference(&inputs) {
                        continue;
                    }
                    let mut forger = honest.clone();
                    forger.poke(row, Word::Output(output), other[output]);
                    forger.follow(row);
                    // All are diagnosed, some proven.
                    if operands[0] == u64::MAX {
                        forger.assert_wrong(&Wrong::Circuit(row));
                    } else {
                        forger.assert_diagnosis(&Wrong::Circuit(row));
                    }
                    forgeries += 1;
                }
            }
        }
    }
    assert!(forgeries > 100, "{forgeries}");
}

/// Operands of either sign, zero, and the overflow.
const OPERANDS: [u64; 9] = [
    0,
    1,
    7,
    u64::MAX,
    1 << 63,
    0x8000_0000,
    0xffff_ffff_8000_0000,
    0x0123_4567_89ab_cdef,
    0xfedc_ba98_7654_3210,
];

/// The divisions, each of the same operands.
const DIVISIONS: [&str; 8] = ["divu", "div", "remu", "rem", "divuw", "divw", "remuw", "remw"];

/// The program that divides advice by advice in every way.
fn divisions(x: u64, y: u64) -> Fixture {
    let mut source = String::from("lui x18, 0x20000\nli a7, 93\nld x6, 0(x18)\nld x7, 8(x18)\n");
    for (name, rd) in DIVISIONS.iter().zip(20..) {
        source += &format!("{name}: {name} x{rd}, x6, x7\n");
    }
    source += "end: ecall";
    Fixture::new(&source, |_| [x, y].into())
}

#[test]
fn a_wrong_hint_of_a_division_is_refused() {
    let mut harmless = 0;
    for x in OPERANDS {
        for y in OPERANDS {
            let fixture = divisions(x, y);
            let honest = fixture.honest();
            for name in DIVISIONS {
                let row = honest.at(name);
                let [flags, q, r] = [2, 3, 4].map(|i| honest.get(row, Word::Input(i)));
                let divisor = hints(y, 1, flags).q;
                let wrong = [
                    (q.wrapping_add(1), r),
                    (q.wrapping_sub(1), r.wrapping_add(divisor)),
                    (q.wrapping_add(1), r.wrapping_sub(divisor)),
                    (q.wrapping_neg(), r),
                    (q, r.wrapping_neg()),
                    (q, r ^ 1 << 63),
                    (r, q),
                ];
                for (i, hints) in wrong
                    .into_iter()
                    .enumerate()
                    .filter(|(_, hints)| *hints != (q, r))
                {
                    let mut forger = honest.clone();
                    forger.poke(row, Word::Input(3), hints.0);
                    forger.set(row, Word::Input(4), hints.1);
                    forger.follow(row);
                    // The quotient by zero is fixed without a hint; a remainder is not, nor one that is no number
                    // below the divisor.
                    let expected = if divisor == 0 && hints.1 == r {
                        harmless += 1;
                        Wrong::Nothing
                    } else {
                        Wrong::Bus(pairs(BYTECODE, fixture.label(name), 1))
                    };
                    // All are diagnosed, some proven.
                    if i == (x % 7) as usize && y == 7 && flags == x % 8 {
                        forger.assert_wrong(&expected);
                    } else {
                        forger.assert_diagnosis(&expected);
                    }
                    // The verdict is the circuit's.
                    if expected != Wrong::Nothing && i == 0 {
                        forger.poke(row, Word::Output(1), 0);
                        forger.assert_diagnosis(&Wrong::Circuit(row));
                    }
                }
            }
        }
    }
    assert!(harmless > 0);
}
