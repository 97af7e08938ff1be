//! Tables that read lists of entries.

use alloc::vec;
use alloc::vec::Vec;

use primitives::field::K;

use super::{pull, rows, tuple, words};
use crate::machine::{Boundary, Coordinate, Machine, Producer, PublicColumn, Side, Table};
use crate::shape::Shape;
use crate::tests::case::Case;

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
    let producer = |name, log_len, tuple| Producer { name, log_len, tuple };
    let constant = |word| Coordinate::Constant(K(word));
    let index = |base, shift| Coordinate::Index { base, shift };
    let boundary = |side| Boundary {
        side,
        log_len: LOG_SQUARES,
        tuple: vec![constant(0x24), index(0xff, 0), Coordinate::Public(0)],
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
        public: vec![PublicColumn::Dense(dense), PublicColumn::Dense(unread)],
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
