//! Columns that everybody knows: cells that are connected in cycles.

use alloc::vec;
use alloc::vec::Vec;

use primitives::field::K;

use super::{pull, push, rows, words};
use crate::machine::{Form, Index, Machine, PublicColumn, Table};
use crate::shape::Shape;
use crate::tests::case::{Case, Forged};
use crate::{PUBLIC, gkr, tables};

/// The first of the keys of the two tables.
const KEYS: [u64; 2] = [1 << 32, 2 << 32];

/// A table of `2^log_rows` rows of which every fourth has one value, by cycles of public keys, and whose second column
/// is `value factor + (7 ^ (i << 3))` for a public factor; and one of a single row.
pub(crate) fn known(log_rows: usize) -> Case {
    let cell = |key: usize, next: usize| {
        let tuple = |key| vec![Form::column(key), Form::column(0)];
        vec![pull(tuple(key)), push(tuple(next))]
    };
    let large = Table {
        name: "cells",
        columns: 2,
        public: vec![0, 2],
        index: vec![
            Index {
                base: KEYS[0],
                shift: 0,
            },
            Index { base: 7, shift: 3 },
        ],
        flushes: cell(4, 2),
        identities: vec![Form::product(0, 3) + Form::column(1) + Form::column(5)],
        ..Table::default()
    };
    let single = Table {
        name: "one cell",
        columns: 1,
        public: vec![1],
        index: vec![Index {
            base: KEYS[1],
            shift: 1,
        }],
        flushes: cell(2, 1),
        ..Table::default()
    };
    let count = 1 << log_rows;
    let next = (0..count as u64).map(|i| K(KEYS[0] ^ ((i + 4) % count as u64)));
    let factors: Vec<K> = words(count, 3).into_iter().map(K).collect();
    let values: Vec<u64> = words(4, 4).into_iter().cycle().take(count).collect();
    let second = (0..count).map(|i| (K(values[i]) * factors[i] + K(7 ^ (i as u64) << 3)).0);
    let second = second.collect();
    Case {
        name: "known",
        machine: Machine {
            tables: vec![large, single],
            public: vec![
                PublicColumn::Dense(next.collect()),
                PublicColumn::Dense(vec![K(KEYS[1])]),
                PublicColumn::Dense(factors),
            ],
            ..Machine::default()
        },
        shape: Shape {
            log_inv_rate: 2,
            heights: vec![Some(log_rows), Some(0)],
        },
        announced: vec![],
        tables: vec![rows([values, second]), rows([[u64::MAX]])],
        columns: vec![],
        counts: vec![],
    }
}

/// False statements about it.
pub(crate) fn forged_known() -> Vec<Forged> {
    let honest = known(3);
    let forged = |what, refused, change: &dyn Fn(&mut Case)| Forged::of(&honest, what, refused, change);
    // The second column, for what the first and what everybody knows are by now.
    let complete = |case: &mut Case| {
        let base = case.machine.tables[0].index[1].base;
        let [values, second] = &mut case.tables[0].as_mut().unwrap().columns[..] else {
            unreachable!("the table has two columns");
        };
        let PublicColumn::Dense(factors) = &case.machine.public[2] else {
            unreachable!("the factors are dense");
        };
        for (i, second) in second.iter_mut().enumerate() {
            *second = (K(values[i]) * factors[i] + K(base ^ (i as u64) << 3)).0;
        }
    };
    vec![
        forged("a word that is not the form's", tables::TERMINAL, &|case| {
            case.tables[0].as_mut().unwrap().columns[1][5] ^= 1;
        }),
        forged("a cycle with two values", gkr::ROOT.at(1), &|case| {
            case.tables[0].as_mut().unwrap().columns[0][2] ^= 1;
            complete(case);
        }),
        forged("a cycle that is another", PUBLIC.at(0), &|case| {
            // Every cell is alone.
            let alone = (0..8).map(|i| K(KEYS[0] ^ i));
            case.machine.public[0] = PublicColumn::Dense(alone.collect());
            case.tables[0].as_mut().unwrap().columns[0][2] ^= 1;
            complete(case);
        }),
        forged("a factor that is another", PUBLIC.at(1), &|case| {
            if let PublicColumn::Dense(words) = &mut case.machine.public[2] {
                words[6] += K::ONE;
            }
            complete(case);
        }),
        forged(
            "an index that starts at another number",
            tables::TERMINAL,
            &|case| {
                case.machine.tables[0].index[1].base ^= 2;
                complete(case);
            },
        ),
    ]
}
