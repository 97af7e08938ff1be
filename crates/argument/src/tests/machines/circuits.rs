//! Tables with blocks of circuits.

use alloc::vec;
use alloc::vec::Vec;

use circuit::{Builder, Circuit};
use pcs::whir;
use primitives::field::K;

use super::{pull, push, tuple, words};
use crate::machine::{Form, Machine, Port, Table};
use crate::shape::Shape;
use crate::tests::case::{Case, Forged, Rows};
use crate::{gkr, tables};

const SUM: u64 = 0x31;
const AND: u64 = 0x32;

/// The sum of two words: blocks of 2^8 bits.
fn adder() -> Circuit {
    let mut builder = Builder::new();
    let (p, q) = (builder.input(), builder.input());
    let sum = builder.add(&p, &q);
    builder.output(&sum);
    builder.build()
}

/// An AND of the halves of a word: blocks of 2^7 bits.
fn and() -> Circuit {
    let mut builder = Builder::new();
    let p = builder.input();
    let out = builder.and_words(&p[..32], &p[32..]);
    let number = builder.output(&out);
    builder.constant_at(number, 63);
    builder.build()
}

/// A table of 32 rows pushes each of its sums twice, with the operands either way; one of 64 rows pulls them. Rows of
/// the latter have two blocks, of which the second is pushed for a third table; a table with as much as any is absent.
pub(crate) fn circuits() -> Case {
    of(adder(), [words(32, 7), words(32, 8)])
}

/// The sums of these words, by this circuit.
fn of(adder: Circuit, [p, q]: [Vec<u64>; 2]) -> Case {
    let circuits = vec![adder, and()];
    let sum = circuits[0].output_word(0);
    let masked = circuits[1].output_word(0);
    let port = |block, word| Port { block, word };
    let adders = Table {
        name: "sums",
        columns: 1,
        blocks: vec![0],
        ports: vec![port(0, 0), port(0, 1), port(0, sum)],
        flushes: vec![push(tuple(SUM, &[1, 2, 3])), push(tuple(SUM, &[2, 1, 3]))],
        identities: vec![Form::column(0).plus(Form::product(1, 2))],
        ..Table::default()
    };
    let both = Table {
        name: "sums and masks",
        blocks: vec![0, 1],
        ports: vec![port(0, sum), port(0, 0), port(0, 1), port(1, 0), port(1, masked)],
        flushes: vec![pull(tuple(SUM, &[1, 2, 0])), push(tuple(AND, &[3, 4]))],
        identities: vec![Form::column(3).plus(Form::column(1))],
        ..Table::default()
    };
    let ghost = Table {
        name: "absent",
        columns: 5,
        identities: vec![Form::column(4).plus(Form::product(0, 3)); 3],
        ..both.clone()
    };
    let masks = Table {
        name: "masks",
        blocks: vec![1],
        ports: vec![port(0, 0), port(0, masked)],
        flushes: vec![pull(tuple(AND, &[0, 1]))],
        ..Table::default()
    };
    let machine = Machine {
        circuits: circuits.clone(),
        tables: vec![adders, ghost, both, masks],
        ..Machine::default()
    };

    let blocks = |circuit: usize, inputs: &mut dyn Iterator<Item = Vec<u64>>| -> Vec<u64> {
        inputs
            .flat_map(|inputs| circuits[circuit].block(&inputs))
            .collect()
    };
    let pair = |i: usize| vec![p[i], q[i]];
    // The rows of the long table, in another order.
    let either = |i: usize| {
        let i = (21 * i + 5) % 64;
        if i < 32 {
            pair(i)
        } else {
            vec![q[i - 32], p[i - 32]]
        }
    };
    let masked = |i: usize| vec![either((63 - i) % 64)[0]];
    let table = |columns, blocks| Some(Rows { columns, blocks });
    let products = p.iter().zip(&q).map(|(&p, &q)| (K(p) * K(q)).0).collect();
    let tables = vec![
        table(vec![products], vec![blocks(0, &mut (0..32).map(pair))]),
        None,
        table(
            vec![],
            vec![
                blocks(0, &mut (0..64).map(either)),
                blocks(1, &mut (0..64).map(|i| vec![either(i)[0]])),
            ],
        ),
        table(vec![], vec![blocks(1, &mut (0..64).map(masked))]),
    ];
    Case {
        name: "circuits",
        machine,
        shape: Shape {
            log_inv_rate: 1,
            heights: vec![Some(5), None, Some(6), Some(6)],
        },
        announced: vec![],
        tables,
        columns: vec![],
        counts: vec![],
    }
}

/// Blocks that are none.
pub(crate) fn forged_circuits() -> Vec<Forged> {
    let honest = circuits();
    let forged = |what, refused, change: &dyn Fn(&mut Case)| Forged::of(&honest, what, refused, change);
    let (circuit, words_of_block) = (adder(), adder().block_words());
    let sum = circuit.output_word(0);
    vec![
        forged(
            "a bit of a block that is in no port",
            flock::zerocheck::TERMINAL,
            &|case| {
                let inner = (0..words_of_block)
                    .find(|word| ![0, 1, sum].contains(word))
                    .unwrap();
                case.tables[0].as_mut().unwrap().blocks[0][3 * words_of_block + inner] ^= 2;
            },
        ),
        forged("a sum that is none", flock::zerocheck::TERMINAL, &|case| {
            // Row i of the long table has row (21 i + 5) mod 64 of the pushes; all have a wrong sum.
            for (table, rows) in [(0, 32), (2, 64)] {
                let blocks = &mut case.tables[table].as_mut().unwrap().blocks[0];
                for row in 0..rows {
                    blocks[row * words_of_block + sum] ^= 1 << 40;
                }
            }
        }),
        forged(
            "a block without its constant",
            flock::lincheck::TERMINAL,
            &|case| {
                let mut operands = [words(32, 7), words(32, 8)];
                operands.iter_mut().for_each(|words| words[0] = 0);
                *case = of(adder(), operands);
                // The block of 0 + 0 is zero but for the constant.
                case.tables[0].as_mut().unwrap().blocks[0][..words_of_block].fill(0);
            },
        ),
        forged("another circuit", flock::MATRIX.at(0), &|case| {
            let mut builder = Builder::new();
            let (p, q) = (builder.input(), builder.input());
            let or = builder.add(&q, &p);
            let carry = builder.not(or[0]);
            builder.output(&[&[carry], &or[1..]].concat());
            *case = of(builder.build(), [words(32, 7), words(32, 8)]);
        }),
        forged("a product that is none", tables::TERMINAL, &|case| {
            case.tables[0].as_mut().unwrap().columns[0][31] ^= 1;
        }),
        forged("a mask of something else", tables::TERMINAL, &|case| {
            // Row 0 of the sums and masks is row 63 of the masks.
            let other = and().block(&[12345]);
            let words = other.len();
            case.tables[2].as_mut().unwrap().blocks[1][..words].copy_from_slice(&other);
            case.tables[3].as_mut().unwrap().blocks[0][63 * words..].copy_from_slice(&other);
        }),
        forged("words of a block stand for each other", whir::TERMINAL, &|case| {
            // Both orders are pushed, and the product is symmetric.
            case.machine.tables[0].ports.swap(0, 1);
        }),
        forged("a row that nobody pulls", gkr::ROOT.at(1), &|case| {
            case.tables[3].as_mut().unwrap().blocks[0][0] ^= 1;
        }),
    ]
}
