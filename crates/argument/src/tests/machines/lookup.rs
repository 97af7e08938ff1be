//! Tables that read lists of entries.

use alloc::vec;
use alloc::vec::Vec;

use pcs::whir;
use primitives::field::K;

use super::{pull, rows, tuple, words};
use crate::machine::{Boundary, Coordinate, Machine, Producer, PublicColumn, Side, Table};
use crate::shape::Shape;
use crate::tests::case::{Case, Forged};
use crate::{PRODUCER, PUBLIC, gkr};

const SQUARES: u64 = 0x21;
const SMALL: u64 = 0x22;
const UNREAD: u64 = 0x23;
const LOG_SQUARES: usize = 4;

/// Two tables of different heights read pairs `(i, square of word i)`, one of them numbers below 8 too. A producer
/// that nobody reads is larger than all that is on the bus; a boundary has what another pulls, a dense column.
pub(crate) fn lookup() -> Case {
    let entries = words(1 << LOG_SQUARES, 4);
    let dense: Vec<K> = entries.iter().map(|&word| K(word)).collect();
    let unread = words(1 << 6, 5).into_iter().map(K).collect();
    let pulled = words(1 << LOG_SQUARES, 6).into_iter().map(K).collect();
    let producer = |name, log_len, tuple| Producer { name, log_len, tuple };
    let constant = |word| Coordinate::Constant(K(word));
    let index = |base, shift| Coordinate::Index { base, shift };
    let boundary = |side| Boundary {
        side,
        log_len: LOG_SQUARES,
        tuple: vec![constant(0x24), index(0xff, 0), Coordinate::Public(2)],
    };
    let machine = Machine {
        tables: vec![
            Table {
                name: "reader",
                columns: 3,
                flushes: vec![pull(tuple(SQUARES, &[0, 1])), pull(tuple(SMALL, &[2]))],
                ..Table::default()
            },
            Table {
                name: "short reader",
                columns: 2,
                flushes: vec![pull(tuple(SQUARES, &[1, 0]))],
                ..Table::default()
            },
        ],
        public: [dense, unread, pulled].map(PublicColumn::Dense).into(),
        boundary: vec![boundary(Side::Push), boundary(Side::Pull)],
        producers: vec![
            producer(
                "squares",
                LOG_SQUARES,
                vec![constant(SQUARES), index(0x100, 2), Coordinate::Public(0)],
            ),
            producer("small", 3, vec![constant(SMALL), index(0, 0)]),
            producer("unread", 6, vec![constant(UNREAD), Coordinate::Public(1)]),
        ],
        ..Machine::default()
    };
    let mut counts = [vec![0; 1 << LOG_SQUARES], vec![0; 8], vec![0; 64]];
    let mut read = |i: usize| {
        counts[0][i] += 1;
        (0x100 ^ (i as u64) << 2, entries[i])
    };
    // Entry 5 is read nine times of ten: its multiplicity has the highest bit that is allowed.
    let long: Vec<_> = [5, 5, 5, 5, 5, 5, 5, 11].map(&mut read).to_vec();
    let short: Vec<_> = [5, 5].map(&mut read).to_vec();
    let small = [7, 0, 1, 1, 7, 3, 0, 0];
    for number in small {
        counts[1][number] += 1;
    }
    let column = |pairs: &[(u64, u64)], second: bool| {
        let word = |&(index, entry): &(u64, u64)| if second { entry } else { index };
        pairs.iter().map(word).collect::<Vec<_>>()
    };
    Case {
        name: "lookup",
        shape: Shape {
            log_inv_rate: 2,
            heights: vec![Some(3), Some(1)],
        },
        announced: vec![],
        tables: vec![
            rows([
                column(&long, false),
                column(&long, true),
                small.map(|number| number as u64).to_vec(),
            ]),
            rows([column(&short, true), column(&short, false)]),
        ],
        columns: vec![],
        counts: counts.to_vec(),
        machine,
    }
}

/// Reads that are none.
pub(crate) fn forged_lookup() -> Vec<Forged> {
    let honest = lookup();
    let forged = |what, refused, change: &dyn Fn(&mut Case)| Forged::of(&honest, what, refused, change);
    vec![
        forged("a read is counted once too often", gkr::ROOT.at(1), &|case| {
            case.counts[0][3] += 1;
        }),
        forged("a read is not counted", gkr::ROOT.at(1), &|case| {
            case.counts[1][7] -= 1;
        }),
        forged(
            "a count has the first bit that none has",
            whir::TERMINAL,
            &|case| {
                case.counts[0][5] |= 1 << 4;
            },
        ),
        forged("a count has the last bit of a word", whir::TERMINAL, &|case| {
            case.counts[1][2] |= 1 << 63;
        }),
        forged("what nobody reads has a count", whir::TERMINAL, &|case| {
            case.counts[2][63] = 1;
        }),
        forged("an entry is read that is not there", gkr::ROOT.at(1), &|case| {
            case.tables[1].as_mut().unwrap().columns[0][1] ^= 1;
        }),
        forged("an entry of a list is another", PRODUCER.at(0), &|case| {
            if let PublicColumn::Dense(words) = &mut case.machine.public[0] {
                words[11] += K::ONE;
            }
            case.tables[0].as_mut().unwrap().columns[1][7] ^= 1;
        }),
        forged("a list starts at another number", PRODUCER.at(1), &|case| {
            case.machine.producers[1].tuple[1] = Coordinate::Index { base: 8, shift: 0 };
            let numbers = &mut case.tables[0].as_mut().unwrap().columns[2];
            numbers.iter_mut().for_each(|number| *number ^= 8);
        }),
        forged("a list has other steps", PRODUCER.at(0), &|case| {
            case.machine.producers[0].tuple[1] = Coordinate::Index {
                base: 0x100,
                shift: 3,
            };
            for (table, column) in [(0, 0), (1, 1)] {
                let indices = &mut case.tables[table].as_mut().unwrap().columns[column];
                indices
                    .iter_mut()
                    .for_each(|index| *index = 0x100 ^ (*index ^ 0x100) << 1);
            }
        }),
        forged("a boundary's column is another", PUBLIC.at(0), &|case| {
            // The same on both sides, so that it does not matter to the bus.
            if let PublicColumn::Dense(words) = &mut case.machine.public[2] {
                words[0] += K::X;
            }
        }),
    ]
}
