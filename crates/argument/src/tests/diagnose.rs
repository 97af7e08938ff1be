//! Nothing is wrong with honest witnesses; each thing that is wrong is named.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use circuit::Violation;
use primitives::field::K;

use super::case::Case;
use super::machines;
use crate::diagnose::{Block, Committed, Count, Diagnosis, Identity, Place, Unmatched, WrongWord, diagnose};
use crate::layout::Layout;
use crate::machine::{MAX_COORDINATES, Side};

/// The diagnosis of a case whose stack was changed.
fn changed(case: &Case, change: impl FnOnce(&Layout<'_>, &mut [K])) -> Diagnosis {
    let layout = case.layout();
    let mut stack = case.stack(&layout);
    change(&layout, &mut stack);
    diagnose(&Committed {
        machine: &case.machine,
        layout: &layout,
        announced: &case.announced,
        stack: &stack,
    })
}

fn padded(words: &[u64]) -> [K; MAX_COORDINATES] {
    core::array::from_fn(|i| K(words.get(i).copied().unwrap_or(0)))
}

#[test]
fn nothing_is_wrong_with_an_honest_witness() {
    for case in machines::all() {
        let diagnosis = changed(&case, |_, _| ());
        assert!(diagnosis.is_clean(), "{}: {diagnosis}", case.name);
        assert_eq!(diagnosis.to_string(), "nothing is wrong\n");
    }
}

#[test]
fn a_word_changed_in_a_row_is_two_tuples() {
    let case = machines::lookup();
    let column = case.tables[0].as_ref().unwrap().columns.clone();
    let diagnosis = changed(&case, |layout, stack| {
        stack[layout.tables[0].columns[1].offset + 7] += K(1 << 63);
    });
    // Row 7 is the only one that reads entry 11.
    let honest = [0x21, column[0][7], column[1][7]];
    let forged = [0x21, column[0][7], column[1][7] ^ 1 << 63];
    let mut expected = vec![
        Unmatched {
            side: Side::Push,
            tuple: padded(&honest),
            excess: 1,
            places: vec![Place::Entry {
                producer: "squares",
                index: 11,
            }],
        },
        Unmatched {
            side: Side::Pull,
            tuple: padded(&forged),
            excess: 1,
            places: vec![Place::Row {
                table: "reader",
                row: 7,
                flush: 0,
            }],
        },
    ];
    expected.sort_by_key(|unmatched| unmatched.tuple);
    assert_eq!(
        diagnosis,
        Diagnosis {
            unmatched: expected,
            ..Diagnosis::default()
        }
    );
    assert!(diagnosis.to_string().contains(") by squares entry 11\n"));
}

#[test]
fn an_entry_pushed_once_too_often_is_told_with_its_places() {
    let case = machines::lookup();
    let diagnosis = changed(&case, |layout, stack| {
        stack[layout.producers[1].region.offset + 7] += K(1);
    });
    // Two rows read entry 7, and none is what is pushed now.
    assert_eq!(
        diagnosis.unmatched,
        [Unmatched {
            side: Side::Push,
            tuple: padded(&[0x22, 7]),
            excess: 1,
            places: vec![Place::Entry {
                producer: "small",
                index: 7
            }],
        }]
    );
    // A count without bits for it.
    let diagnosis = changed(&case, |layout, stack| {
        stack[layout.producers[1].region.offset + 7] += K(1 << 40);
    });
    let bits = case.layout().producers[1].bits;
    assert_eq!(
        diagnosis.counts,
        [Count {
            producer: "small",
            index: 7,
            count: 2 + (1 << 40),
            bits
        }]
    );
    assert_eq!(diagnosis.unmatched[0].excess, 1 << 40);
}

#[test]
fn a_tuple_pulled_too_often_is_told_with_every_place() {
    let case = machines::lookup();
    let diagnosis = changed(&case, |layout, stack| {
        stack[layout.producers[1].region.offset] = K::ZERO;
    });
    let [unmatched] = &diagnosis.unmatched[..] else {
        panic!("{diagnosis}")
    };
    assert_eq!((unmatched.side, unmatched.excess), (Side::Pull, 3));
    let rows = unmatched.places.iter().map(|place| match place {
        Place::Row { row, flush: 1, .. } => *row,
        other => panic!("{other}"),
    });
    assert_eq!(rows.collect::<Vec<_>>(), [1, 6, 7]);
}

#[test]
fn identities_boundaries_and_fixed_words_are_told() {
    let case = machines::memory();
    let square = case.tables[0].as_ref().unwrap().columns[6][2];
    let diagnosis = changed(&case, |layout, stack| {
        // The square of row 2, and the last word of cell 3.
        stack[layout.tables[0].columns[6].offset + 2] += K(5);
        stack[layout.columns[1].offset + 3] += K::ONE;
    });
    assert_ne!(square, 5);
    assert_eq!(
        diagnosis.identities,
        [Identity {
            table: "accesses",
            row: 2,
            identity: 1,
            value: K(5),
        }]
    );
    let last = case.announced[3];
    assert_eq!(
        diagnosis.fixed,
        [WrongWord {
            column: "last words",
            index: 3,
            found: K(last ^ 1),
            expected: K(last),
        }]
    );
    let mut places: Vec<_> = diagnosis
        .unmatched
        .iter()
        .map(|unmatched| (unmatched.side, unmatched.tuple[1], unmatched.places.clone()))
        .collect();
    places.sort_by_key(|(side, ..)| *side);
    let row = Place::Row {
        table: "accesses",
        row: 5,
        flush: 3,
    };
    let boundary = Place::Boundary {
        boundary: 2,
        index: 3,
    };
    let cell = K(0x4000 + 8 * 3);
    assert_eq!(
        places,
        [(Side::Push, cell, vec![row]), (Side::Pull, cell, vec![boundary])]
    );
}

#[test]
fn a_block_with_a_wrong_bit_is_told_and_so_is_each_of_a_run_of_equal_ones() {
    let case = machines::circuits();
    let layout = case.layout();
    let words = 1 << layout.tables[2].log_block_words[0];
    let diagnosis = changed(&case, |layout, stack| {
        let region = layout.tables[2].blocks[0];
        // Rows 4 and 5 are one block, in which the lowest output bit is wrong.
        stack.copy_within(
            region.offset + 4 * words..region.offset + 5 * words,
            region.offset + 5 * words,
        );
        for row in [4, 5] {
            stack[region.offset + row * words + 1] += K::ONE;
        }
    });
    let rows: Vec<_> = diagnosis
        .blocks
        .iter()
        .map(|block| (block.table, block.row, block.block))
        .collect();
    assert_eq!(rows, [("masks", 4, 0), ("masks", 5, 0)]);
    assert!(matches!(
        diagnosis.blocks[0],
        Block {
            violation: Violation::Row { position: 64, .. },
            ..
        }
    ));
}
