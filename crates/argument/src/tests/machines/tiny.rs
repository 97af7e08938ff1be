//! The smallest buses.

use alloc::vec;

use primitives::field::K;

use super::{pull, push, rows, tuple};
use crate::machine::{Form, Machine, Table};
use crate::shape::Shape;
use crate::tests::case::Case;

/// Tables of one row, with `tuples` tuples each.
pub(crate) fn tiny(tuples: usize) -> Case {
    let forms = |i: usize| {
        let form = Form::column(0)
            .times(K::X.pow(i as u64))
            .plus(Form::constant(K(9)));
        vec![Form::constant(K(0x41)), form]
    };
    let machine = Machine {
        tables: vec![
            Table {
                name: "pushing",
                columns: 1,
                flushes: (0..tuples).map(|i| push(forms(i))).collect(),
                ..Table::default()
            },
            Table {
                name: "pulling",
                columns: 1,
                flushes: (0..tuples).rev().map(|i| pull(forms(i))).collect(),
                ..Table::default()
            },
        ],
        ..Machine::default()
    };
    Case {
        name: "tiny",
        machine,
        shape: Shape {
            log_inv_rate: 4,
            heights: vec![Some(0); 2],
        },
        announced: vec![],
        tables: vec![rows([[u64::MAX - 1]]), rows([[u64::MAX - 1]])],
        columns: vec![],
        counts: vec![],
    }
}

/// A table without columns, whose tuples are constants, and one without tuples, larger than the bus.
pub(crate) fn constants() -> Case {
    let table = |name, flushes| Table {
        name,
        flushes,
        ..Table::default()
    };
    let constant = || tuple(0x42, &[]);
    let machine = Machine {
        tables: vec![
            table("pushing", vec![push(constant()), push(constant())]),
            table("pulling", vec![pull(constant())]),
            Table {
                columns: 2,
                identities: vec![Form::column(0).plus(Form::product(1, 1))],
                ..table("off the bus", vec![])
            },
        ],
        ..Machine::default()
    };
    let roots = super::words(32, 9);
    let squares = roots.iter().map(|&root| K(root).square().0).collect();
    Case {
        name: "constants",
        machine,
        shape: Shape {
            log_inv_rate: 3,
            heights: vec![Some(1), Some(2), Some(5)],
        },
        announced: vec![],
        tables: vec![rows([[0; 0]; 0]), rows([[0; 0]; 0]), rows([squares, roots])],
        columns: vec![],
        counts: vec![],
    }
}
