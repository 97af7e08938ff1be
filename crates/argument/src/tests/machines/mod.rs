//! Small machines.

use alloc::vec;
use alloc::vec::Vec;

use primitives::field::K;

use super::case::{Case, Forged, Rows};
use crate::machine::{Flush, Form, Machine, Side, Table};
use crate::shape::Shape;
use crate::{gkr, tables};

mod circuits;
mod known;
mod lookup;
mod memory;
mod tiny;

pub(crate) use circuits::{circuits, forged_circuits};
pub(crate) use known::{forged_known, known};
pub(crate) use lookup::{forged_lookup, lookup};
pub(crate) use memory::{forged_memory, memory};
pub(crate) use tiny::{constants, tiny};

/// All of them.
pub(crate) fn all() -> Vec<Case> {
    let tiny = [1, 2, 3, 5, 9].map(tiny);
    let mut all = vec![
        permutation(),
        memory(),
        lookup(),
        circuits(),
        constants(),
        known(3),
    ];
    all.extend(tiny);
    all
}

/// The tuple `(separator, columns..)`.
pub(crate) fn tuple(separator: u64, columns: &[usize]) -> Vec<Form> {
    let columns = columns.iter().map(|&column| Form::column(column));
    core::iter::once(Form::constant(K(separator)))
        .chain(columns)
        .collect()
}

fn push(tuple: Vec<Form>) -> Flush {
    Flush {
        side: Side::Push,
        tuple,
    }
}

pub(crate) fn pull(tuple: Vec<Form>) -> Flush {
    Flush {
        side: Side::Pull,
        tuple,
    }
}

/// The words of a table without blocks.
fn rows<C: AsRef<[u64]>>(columns: impl IntoIterator<Item = C>) -> Option<Rows> {
    let columns = columns.into_iter().map(|column| column.as_ref().to_vec());
    Some(Rows {
        columns: columns.collect(),
        blocks: vec![],
    })
}

/// Words without a pattern.
pub(crate) fn words(count: usize, seed: u64) -> Vec<u64> {
    (1..=count as u64)
        .map(|i| {
            K((i + (seed << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .square()
                .0
        })
        .collect()
}

/// The pairs that one table pushes are those that two others pull: one of half its rows, the other twice.
pub(crate) fn permutation() -> Case {
    let table = |name, flushes| Table {
        name,
        columns: 2,
        flushes,
        ..Table::default()
    };
    let machine = Machine {
        tables: vec![
            table("pushing", vec![push(tuple(7, &[0, 1]))]),
            table("pulling", vec![pull(tuple(7, &[0, 1]))]),
            Table {
                columns: 4,
                ..table(
                    "pulling twice",
                    vec![pull(tuple(7, &[0, 1])), pull(tuple(7, &[3, 2]))],
                )
            },
        ],
        ..Machine::default()
    };
    let (first, second) = (words(16, 1), words(16, 2));
    let permuted = |column: &[u64]| (0..16).map(|i| column[(5 * i + 3) % 16]).collect::<Vec<_>>();
    let (a, b) = (permuted(&first), permuted(&second));
    Case {
        name: "permutation",
        machine,
        shape: Shape {
            log_inv_rate: 1,
            heights: vec![Some(4), Some(3), Some(2)],
        },
        announced: vec![],
        tables: vec![
            rows([&first, &second]),
            rows([&a[..8], &b[..8]]),
            rows([&a[8..12], &b[8..12], &b[12..], &a[12..]]),
        ],
        columns: vec![],
        counts: vec![],
    }
}

/// Statements that are false, with the check that refuses each.
pub(crate) fn forged() -> Vec<Forged> {
    let mut all = forged_memory();
    all.extend(forged_lookup());
    all.extend(forged_circuits());
    all.extend(forged_known());
    all.push(Forged::of(
        &permutation(),
        "a tuple that nobody pulls",
        gkr::ROOT.at(1),
        &|case| {
            case.tables[0].as_mut().unwrap().columns[1][3] ^= 1;
        },
    ));
    all.push(Forged::of(
        &constants(),
        "a square that is none",
        tables::TERMINAL,
        &|case| {
            case.tables[2].as_mut().unwrap().columns[0][3] ^= 1;
        },
    ));
    all
}
