//! A counter over a read-write memory.

use alloc::vec;
use alloc::vec::Vec;

use pcs::whir;
use primitives::field::K;

use super::{pull, push, rows, tuple};
use crate::machine::{
    Boundary, Coordinate, Fixed, FixedValue, Form, FreeColumn, Machine, PublicColumn, Side, Table,
};
use crate::shape::Shape;
use crate::tests::case::{Case, Forged};
use crate::{PUBLIC, gkr, tables};

const CLOCK: u64 = 0x11;
const MEMORY: u64 = 0x12;
/// What a step adds to its cell is the address times this.
const STEP: K = K(0x1_0001);
/// The address of cell 0; a cell is eight more than the one before.
const BASE: u64 = 0x4000;
const LOG_CELLS: usize = 4;
/// The time of the first access; it doubles in K with each.
const START: K = K(1);

/// Columns of the table of accesses.
const ADDRESS: usize = 0;
const OLD_TIME: usize = 1;
const OLD: usize = 2;
const NEW: usize = 3;
const TIME: usize = 4;
const SUM: usize = 5;
const SQUARE: usize = 6;

/// Each row adds to a cell of memory, and to a sum the cell times its address. Announced: the sum before, the time
/// after, the sum after, the last word of cell 3.
fn machine() -> Machine {
    let new = Form::column(OLD).plus(Form::column(ADDRESS).times(STEP));
    let later = vec![
        Form::constant(K(CLOCK)),
        Form::column(TIME).times(K::X),
        Form::column(SUM).plus(Form::product(OLD, ADDRESS)),
    ];
    let table = Table {
        name: "accesses",
        columns: 7,
        flushes: vec![
            pull(tuple(CLOCK, &[TIME, SUM])),
            push(later),
            pull(tuple(MEMORY, &[ADDRESS, OLD_TIME, OLD])),
            push(tuple(MEMORY, &[ADDRESS, TIME, NEW])),
        ],
        identities: vec![
            Form::column(NEW).plus(new),
            Form::column(SQUARE).plus(Form::product(ADDRESS, ADDRESS)),
        ],
        ..Table::default()
    };
    let address = Coordinate::Index { base: BASE, shift: 3 };
    let constant = |word| Coordinate::Constant(K(word));
    let boundary = |side, log_len, tuple| Boundary { side, log_len, tuple };
    Machine {
        tables: vec![table],
        columns: vec![
            FreeColumn {
                name: "last times",
                log_words: LOG_CELLS,
            },
            FreeColumn {
                name: "last words",
                log_words: LOG_CELLS,
            },
        ],
        public: vec![PublicColumn::Sparse {
            log_words: LOG_CELLS,
            words: vec![(0, K(77)), (3, K(1 << 63)), (13, K(5))],
        }],
        boundary: vec![
            boundary(
                Side::Push,
                0,
                vec![
                    constant(CLOCK),
                    Coordinate::Constant(START),
                    Coordinate::Announced(0),
                ],
            ),
            boundary(
                Side::Push,
                LOG_CELLS,
                vec![constant(MEMORY), address, constant(0), Coordinate::Public(0)],
            ),
            boundary(
                Side::Pull,
                LOG_CELLS,
                vec![
                    constant(MEMORY),
                    address,
                    Coordinate::Column(0),
                    Coordinate::Column(1),
                ],
            ),
            boundary(
                Side::Pull,
                0,
                vec![
                    constant(CLOCK),
                    Coordinate::Announced(1),
                    Coordinate::Announced(2),
                ],
            ),
        ],
        fixed: vec![
            Fixed {
                column: 1,
                index: 3,
                value: FixedValue::Announced(3),
            },
            Fixed {
                column: 0,
                index: 2,
                value: FixedValue::Constant(K::ZERO),
            },
        ],
        ..Machine::default()
    }
}

/// Eight accesses, some of one cell; cell 2 is not touched.
pub(crate) fn memory() -> Case {
    run(machine(), [3, 0, 3, 9, 15, 3, 0, 13])
}

/// Accesses of these cells.
fn run(machine: Machine, cells: [usize; 8]) -> Case {
    let mut words = [K::ZERO; 1 << LOG_CELLS];
    if let PublicColumn::Sparse { words: seeds, .. } = &machine.public[0] {
        for &(cell, word) in seeds {
            words[cell as usize] = word;
        }
    }
    let mut times = [K::ZERO; 1 << LOG_CELLS];
    let first = K(0xabcd_0000_1234);
    let (mut time, mut sum) = (START, first);
    let mut columns: Vec<Vec<u64>> = vec![vec![]; 7];
    for cell in cells {
        let address = K(BASE ^ (cell as u64) << 3);
        let (old_time, old) = (times[cell], words[cell]);
        let new = old + address * STEP;
        let row = [address, old_time, old, new, time, sum, address * address];
        for (column, word) in columns.iter_mut().zip(row) {
            column.push(word.0);
        }
        (times[cell], words[cell]) = (time, new);
        sum += old * address;
        time *= K::X;
    }
    Case {
        name: "memory",
        shape: Shape {
            log_inv_rate: 1,
            heights: vec![Some(3)],
        },
        announced: vec![first.0, time.0, sum.0, words[3].0],
        tables: vec![rows(columns)],
        columns: vec![
            times.map(|word| word.0).to_vec(),
            words.map(|word| word.0).to_vec(),
        ],
        counts: vec![],
        machine,
    }
}

/// Runs that are none.
pub(crate) fn forged_memory() -> Vec<Forged> {
    let honest = memory();
    let forged = |what, refused, change: &dyn Fn(&mut Case)| Forged::of(&honest, what, refused, change);
    let column = |case: &mut Case, column: usize, row: usize| {
        case.tables[0].as_mut().unwrap().columns[column][row] ^= 1 << 20;
    };
    let mut all = vec![
        forged("a sum that is none", tables::TERMINAL, &|case| {
            // Row 4 is the only access of cell 15, so that the bus still balances.
            column(case, NEW, 4);
            case.columns[1][15] ^= 1 << 20;
        }),
        forged("a square that is none", tables::TERMINAL, &|case| {
            column(case, SQUARE, 6);
        }),
        forged(
            "a word of memory that was never written",
            gkr::ROOT.at(1),
            &|case| {
                column(case, OLD, 2);
            },
        ),
        forged("a last word that nobody wrote", gkr::ROOT.at(1), &|case| {
            case.columns[1][9] ^= 1;
        }),
        forged("another cell is touched", whir::TERMINAL, &|case| {
            *case = run(machine(), [3, 0, 3, 9, 2, 3, 0, 13]);
        }),
        forged(
            "another last word of cell 3 is announced",
            whir::TERMINAL,
            &|case| {
                case.announced[3] ^= 2;
            },
        ),
        forged(
            "another last sum is announced, and pulled",
            gkr::ROOT.at(1),
            &|case| {
                case.announced[2] ^= 2;
            },
        ),
        forged("memory starts from other words", PUBLIC.at(0), &|case| {
            let mut machine = machine();
            if let PublicColumn::Sparse { words, .. } = &mut machine.public[0] {
                words[1].1 = K(4);
            }
            *case = run(machine, [3, 0, 3, 9, 15, 3, 0, 13]);
        }),
    ];
    for word in 0..3 {
        let mut forged = forged("a word is announced that is not used", tables::TERMINAL, &|_| ());
        forged.announced[word] ^= 1;
        all.push(forged);
    }
    all
}
