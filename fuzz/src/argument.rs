//! The proof of a machine with one of everything.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use argument::layout::Layout;
use argument::machine::{
    Boundary, Coordinate, Fixed, FixedValue, Flush, Form, FreeColumn, Machine, Port, Producer, PublicColumn,
    Side, Table,
};
use argument::prove::{Witness, prove};
use argument::shape::Shape;
use argument::{check_deferred, verify_core};
use circuit::Builder;
use fiat_shamir::{Channel, Kind, Native, Proof, Prover};
use pcs::stack::layout::present_lanes;
use primitives::field::K;

use crate::{Subject, Verifier};

const LIST: K = K(1);
const SUMS: K = K(2);
const LOG_ROWS: usize = 5;
const WORD: K = K(0x1234);

/// One of everything: a table of sums whose tuples a free column pulls, and whose rows read a list.
static MACHINE: LazyLock<Machine> = LazyLock::new(|| {
    let mut builder = Builder::new();
    let (p, q) = (builder.input(), builder.input());
    let sum = builder.add(&p, &q);
    let out = builder.output(&sum);
    let adder = builder.build();
    let out = adder.output_word(out);
    let port = |word| Port { block: 0, word };
    let flush = |side, separator, column| Flush {
        side,
        tuple: vec![Form::constant(separator), Form::column(column)],
    };
    Machine {
        circuits: vec![adder],
        tables: vec![Table {
            name: "sums",
            columns: 1,
            blocks: vec![0],
            ports: vec![port(0), port(1), port(out)],
            flushes: vec![flush(Side::Push, SUMS, 3), flush(Side::Pull, LIST, 0)],
            identities: vec![Form::column(1).plus(Form::column(2))],
            ..Table::default()
        }],
        columns: vec![FreeColumn {
            name: "sums",
            log_words: LOG_ROWS,
        }],
        public: vec![PublicColumn::Dense(vec![WORD, K::ONE])],
        boundary: vec![Boundary {
            side: Side::Pull,
            log_len: LOG_ROWS,
            tuple: vec![Coordinate::Constant(SUMS), Coordinate::Column(0)],
        }],
        producers: vec![Producer {
            name: "list",
            log_len: 1,
            tuple: vec![Coordinate::Constant(LIST), Coordinate::Public(0)],
        }],
        fixed: vec![Fixed {
            column: 0,
            index: 3,
            value: FixedValue::Announced(0),
        }],
    }
});

/// The verifier of the machine.
pub struct Argument;

impl Verifier for Argument {
    const KIND: Kind = Kind::Opening;

    fn accepts_by(&self, proof: &Proof, arith: &Native<'_>) -> bool {
        let Ok(shape) = Shape::parse(&MACHINE, &proof.shape) else {
            return false;
        };
        let Ok(layout) = Layout::new(&MACHINE, &shape) else {
            return false;
        };
        let mut channel = Channel::new(arith, Kind::Opening, &proof.shape);
        let deferred = channel
            .read_word()
            .and_then(|announced| verify_core(&mut channel, &MACHINE, &layout, &[announced]));
        let ended = channel.finish();
        match (deferred, ended) {
            (Ok(deferred), Ok(_)) => check_deferred(&MACHINE, &layout, &deferred).is_ok(),
            _ => false,
        }
    }
}

/// The honest proof: row i adds i to itself, and all read the first entry of the list; announced is the sum of row 3.
#[must_use]
pub fn subject() -> Subject<Argument> {
    let shape = Shape {
        log_inv_rate: 4,
        heights: vec![Some(LOG_ROWS)],
    };
    let layout = Layout::new(&MACHINE, &shape).unwrap();
    let lanes = present_lanes(&layout.parameters, layout.placed);
    let mut stack = vec![K::ZERO; lanes << layout.parameters.log_lane_words()];
    let place = &layout.tables[0];
    let (column, blocks) = (place.columns[0].offset, place.blocks[0].range());
    for (row, block) in stack[blocks]
        .chunks_mut(1 << place.log_block_words[0])
        .enumerate()
    {
        let words = MACHINE.circuits[0].block(&[row as u64; 2]);
        for (slot, word) in block.iter_mut().zip(words) {
            *slot = K(word);
        }
    }
    for row in 0..1 << LOG_ROWS {
        stack[column + row] = WORD;
        stack[layout.columns[0].offset + row] = K(2 * row as u64);
    }
    stack[layout.producers[0].region.offset] = K(1 << LOG_ROWS);
    let announced = [2 * 3];
    let mut prover = Prover::new(Kind::Opening, shape.to_words());
    prover.send_word(K(announced[0]));
    let witness = Witness {
        stack: &stack,
        live: &[1 << LOG_ROWS],
    };
    let proven = prove(&mut prover, &MACHINE, &layout, &announced, &witness, &mut |_| {
        ControlFlow::Continue(())
    });
    assert!(proven.is_continue());
    Subject::new(Argument, prover.finish().0)
}
