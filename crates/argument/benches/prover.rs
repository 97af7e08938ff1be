//! One table with nine flushes, an adder and a lookup, proven; where the time goes, by stage.
//!
//! `ARGUMENT_LOG_ROWS`: log2 of the rows; `PCS_LOG_INV_RATE`: log2 of the inverse rate. Both are lists.

use argument::layout::Layout;
use argument::machine::{
    Boundary, Coordinate, Flush, Form, FreeColumn, Machine, Port, Producer, PublicColumn, Side, Table,
};
use argument::prove::{Witness, prove, uninterrupted};
use argument::shape::Shape;
use argument::{check_deferred, verify_core};
use bench::{Spans, Target, Work, peak_memory_bytes};
use circuit::Builder;
use fiat_shamir::{Channel, Kind, Native, Proof, Prover};
use pcs::stack::Region;
use pcs::stack::layout::present_lanes;
use primitives::field::K;
use primitives::pool;

/// Committed columns, of which the first is an index into the lookup's entries.
const COLUMNS: usize = 16;

/// log2 of the words of the memory, and of the entries of the lookup.
const LOG_SMALL: usize = 12;

/// The separator of the lookup.
const ENTRY: K = K(40);

fn main() {
    let mut target = Target::from_args("prover");
    let spans = Spans::record().expect("no other subscriber");
    let rates = target.sizes("PCS_LOG_INV_RATE", &[1], &[1]);
    for log_rows in target.sizes("ARGUMENT_LOG_ROWS", &[18], &[13]) {
        for &log_inv_rate in &rates {
            rows(&mut target, &spans, log_rows, log_inv_rate);
        }
    }
    target.finish();
}

fn rows(target: &mut Target, spans: &Spans, log_rows: usize, log_inv_rate: usize) {
    let suffix = format!("2^{log_rows} rows, rate 2^-{log_inv_rate}");
    let machine = machine();
    let shape = Shape {
        log_inv_rate,
        heights: vec![Some(log_rows)],
    };
    let layout = Layout::new(&machine, &shape).expect("a machine that fits");
    let stack = stack(&machine, &layout);
    let work = Work::Items {
        items: 1 << log_rows,
        what: "rows",
    };
    let before = peak_memory_bytes();
    target.case(&format!("prove {suffix}"), work, || {
        proof(&machine, &shape, &layout, &stack)
    });
    let stages = spans.take();
    if let (false, Some(last)) = (target.runs_once(), stages.last()) {
        let per_row = peak_memory_bytes().saturating_sub(before) as f64 / (1u64 << log_rows) as f64;
        println!("{last}memory of prove {suffix} : {per_row:.1} bytes a row");
    }
    let proof = proof(&machine, &shape, &layout, &stack);
    println!(
        "proof size {suffix} : {:.1} KiB",
        proof.encode().len() as f64 / 1024.0
    );
    let one_call = Work::PerCall {
        calls: 1,
        what: "proof",
    };
    target.case(&format!("verify {suffix}"), one_call, || {
        verify(&machine, &shape, &proof);
    });
}

fn proof(machine: &Machine, shape: &Shape, layout: &Layout<'_>, stack: &[K]) -> Proof {
    pool::install(|| {
        tracing::info_span!("prove").in_scope(|| {
            let mut prover = Prover::new(Kind::Opening, shape.to_words());
            let live = [usize::MAX];
            let witness = Witness { stack, live: &live };
            let done = prove(&mut prover, machine, layout, &[], &witness, &mut uninterrupted);
            assert!(done.is_continue());
            prover.finish().0
        })
    })
}

fn verify(machine: &Machine, shape: &Shape, proof: &Proof) {
    let layout = Layout::new(machine, shape).expect("a machine that fits");
    let arith = Native::new(proof);
    let mut channel = Channel::new(&arith, Kind::Opening, &shape.to_words());
    let deferred = verify_core(&mut channel, machine, &layout, &[]).expect("an honest proof");
    channel.finish().expect("no message left");
    check_deferred(machine, &layout, &deferred).expect("an honest proof");
}

/// Four tuples of a row are pushed and pulled, as are those of a memory; an entry is looked up.
fn machine() -> Machine {
    let mut builder = Builder::new();
    let (p, q) = (builder.input(), builder.input());
    let sum = builder.add(&p, &q);
    builder.output(&sum);

    let columns = |separator: u64, columns: core::ops::Range<usize>| -> Vec<Form> {
        let separator = Form::constant(K(separator));
        core::iter::once(separator)
            .chain(columns.map(Form::column))
            .collect()
    };
    let mut wide = columns(4, 8..15);
    wide[3] = Form::product(1, 9).plus(Form::column(2).times(K::X));
    let tuples = [
        columns(1, 1..5),
        columns(2, 3..8),
        columns(3, COLUMNS - 1..COLUMNS + 3),
        wide,
    ];
    let both = |tuple: Vec<Form>| {
        Side::BOTH.map(|side| Flush {
            side,
            tuple: tuple.clone(),
        })
    };
    let mut flushes: Vec<Flush> = tuples.into_iter().flat_map(both).collect();
    let mut entry = vec![Form::constant(ENTRY)];
    entry.extend([0, 0].map(Form::column));
    flushes.push(Flush {
        side: Side::Pull,
        tuple: entry,
    });
    let index = Coordinate::Index { base: 0, shift: 0 };
    let memory = |side| Boundary {
        side,
        log_len: LOG_SMALL,
        tuple: vec![Coordinate::Constant(K(5)), index, Coordinate::Column(0)],
    };
    Machine {
        circuits: vec![builder.build()],
        tables: vec![Table {
            name: "rows",
            columns: COLUMNS,
            blocks: vec![0],
            ports: (0..3).map(|word| Port { block: 0, word }).collect(),
            flushes,
            ..Table::default()
        }],
        columns: vec![FreeColumn {
            name: "memory",
            log_words: LOG_SMALL,
        }],
        public: vec![PublicColumn::Dense((0..1 << LOG_SMALL).map(K).collect())],
        boundary: Side::BOTH.map(memory).into(),
        producers: vec![Producer {
            name: "entries",
            log_len: LOG_SMALL,
            tuple: vec![Coordinate::Constant(ENTRY), index, Coordinate::Public(0)],
        }],
        fixed: vec![],
    }
}

/// Words of a prime period, so that no two neighbours are alike.
fn words(count: usize, seed: u64) -> impl Iterator<Item = u64> {
    (0..count as u64).map(move |i| ((i + seed) % 251).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn stack(machine: &Machine, layout: &Layout<'_>) -> Vec<K> {
    let lanes = present_lanes(&layout.parameters, layout.placed);
    let mut stack = vec![K::ZERO; lanes << layout.parameters.log_lane_words()];
    let mut put = |region: &Region, words: &mut dyn Iterator<Item = u64>| {
        for (slot, word) in stack[region.range()].iter_mut().zip(words) {
            *slot = K(word);
        }
    };
    let place = &layout.tables[0];
    let rows = 1usize << place.log_rows;
    let entries = 1u64 << LOG_SMALL;
    put(&place.columns[0], &mut (0..rows as u64).map(|row| row % entries));
    for (seed, column) in place.columns.iter().enumerate().skip(1) {
        put(column, &mut words(rows, seed as u64));
    }
    let mut blocks: Vec<u64> = words(4 * rows, 77).collect();
    machine.circuits[0].fill(&mut blocks);
    put(&place.blocks[0], &mut blocks.into_iter());
    put(&layout.columns[0], &mut words(1 << LOG_SMALL, 99));
    let times = rows as u64 / entries;
    put(&layout.producers[0].region, &mut (0..entries).map(|_| times));
    stack
}
