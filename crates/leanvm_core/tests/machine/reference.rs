//! The witness of a run from the definitions: the rows of `rv::forms`, walks along the gates, clocks in a map.

use std::collections::HashMap;

use argument::machine::Machine;
use leanvm_core::columns::{Column, columns};
use leanvm_core::parts::class_and_part;
use leanvm_core::tables;
use leanvm_core::witness::RunWitness;
use primitives::field::K;
use rv::entry::Entry;
use rv::forms::{Operands, Row, padding};
use rv::observe::{Access, Observer, Step};
use rv::program::slot_pc;
use rv::{Class, Limits, Program, run};

/// The clock of what no row accessed.
const SEED: u64 = 1 << 40;

/// A row of a table.
struct Placed<'a> {
    slot: usize,
    entry: &'a Entry,
    row: Row,
    /// The clock, then for each slot of the class's clock circuit the clock of the access before.
    times: Vec<u64>,
}

/// Makes the rows of a run.
struct Rows<'a> {
    program: &'a Program,
    accesses: Vec<Access>,
    /// The clock of the last access to a register (1) or a memory cell (0).
    last: HashMap<(u64, u64), u64>,
    tables: Vec<Vec<Placed<'a>>>,
}

impl Observer for Rows<'_> {
    fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }

    fn retire(&mut self, step: Step) {
        let entry = &self.program.table().entries()[step.slot];
        let class = entry.class.expect("it was executed");
        let cells: Vec<u64> = self.accesses.drain(..).map(|access| access.old).collect();
        let row = Row::new(
            entry,
            Operands {
                v1: step.v1,
                v2: step.v2,
                old: step.old,
                cells: &cells,
            },
        );
        let ts = SEED | step.cycle << 5;
        let mut times = vec![SEED; 1 + tables::slots(class).len()];
        times[0] = ts;
        for (slot, cell) in row.words(entry).accesses(class) {
            let before = self.last.insert((cell.register.0, cell.address.0), ts + slot);
            times[1 + slot as usize] = before.unwrap_or(SEED);
        }
        self.tables[class.index()].push(Placed {
            slot: step.slot,
            entry,
            row,
            times,
        });
    }
}

/// The words of the stack of a run, in the layout of `witness`; `words` of them.
pub(crate) fn stack(
    machine: &Machine,
    program: &Program,
    advice: &[u64],
    RunWitness { layout, .. }: &RunWitness<'_>,
    words: usize,
) -> Vec<K> {
    let mut rows = Rows {
        program,
        accesses: Vec::new(),
        last: HashMap::new(),
        tables: Class::ALL.map(|_| Vec::new()).into(),
    };
    let run = run(program, advice, Limits::default(), &mut rows).unwrap();
    let Rows { last, tables, .. } = rows;
    let mut reads = run.executions;
    reads.resize(program.table().entries().len(), 0);

    let mut stack = vec![0; words];
    for place in &layout.tables {
        let (class, part) = class_and_part(place.number);
        // The first table is filled before the second.
        let first = layout.tables.iter().find(|first| first.number == class.index());
        let before = first.map_or(0, |first| part << first.log_rows);
        let live = tables[class.index()].get(before..).unwrap_or_default();
        let live = &live[..live.len().min(1 << place.log_rows)];
        let filler = padding_row(program, class);
        reads[filler.slot] += (1 << place.log_rows) - live.len() as u64;
        let all = live.iter().chain(core::iter::repeat(&filler));
        let all: Vec<&Placed<'_>> = all.take(1 << place.log_rows).collect();
        for (&column, region) in columns(class).iter().zip(&place.columns) {
            for (word, placed) in stack[region.range()].iter_mut().zip(&all) {
                *word = placed.word(column);
            }
        }
        let blocks = place.table.blocks.iter().zip(&place.blocks);
        for (number, (&circuit, region)) in blocks.rev().enumerate() {
            let circuit = &machine.circuits[circuit];
            let blocks = &mut stack[region.range()];
            for (block, placed) in blocks.chunks_mut(circuit.block_words()).zip(&all) {
                // The clock is the last one.
                let inputs = if number == 0 {
                    &placed.times
                } else {
                    &placed.row.inputs
                };
                block[..circuit.inputs()].copy_from_slice(inputs);
            }
            circuit.fill(blocks);
        }
    }

    let clocks = |register: u64, base: u64, step: u64, count: usize| -> Vec<u64> {
        let clock = |i: u64| last.get(&(register, base ^ (i * step))).copied().unwrap_or(SEED);
        (0..count as u64).map(clock).collect()
    };
    let state = run.state;
    let mut given = advice.to_vec();
    given.resize(state.advice.len(), 0);
    let free = [
        state.registers.to_vec(),
        clocks(1, 0, 1, 64),
        state.ram.clone(),
        clocks(0, 0x4000_0000, 8, state.ram.len()),
        given,
        state.advice.clone(),
        clocks(0, 0x2000_0000, 8, state.advice.len()),
    ];
    for (region, words) in layout.columns.iter().zip(free) {
        stack[region.range()].copy_from_slice(&words);
    }
    stack[layout.producers[0].region.range()].copy_from_slice(&reads);
    stack.into_iter().map(K).collect()
}

/// The row that fills a table.
fn padding_row(program: &Program, class: Class) -> Placed<'_> {
    let slot = program.table().filler_slot(class);
    let entry = &program.table().entries()[slot];
    let row = padding(entry);
    let mut times = vec![0; 1 + tables::slots(class).len()];
    for (slot, _) in row.words(entry).accesses(class) {
        times[1 + slot as usize] = slot;
    }
    Placed {
        slot,
        entry,
        row,
        times,
    }
}

impl Placed<'_> {
    fn word(&self, column: Column) -> u64 {
        let fields = self.entry.fields();
        match column {
            Column::Pc => slot_pc(self.slot),
            Column::A1 => fields.a1,
            Column::A2 => fields.a2,
            Column::Ad => fields.ad,
            Column::Imm => fields.imm,
            Column::Next => fields.next,
            Column::Delta => fields.delta,
            Column::Constant(i) => fields.constants[i],
            Column::Exit => fields.exit,
            Column::Old => self.row.old,
            Column::Own(i) => self.row.columns[i],
        }
    }
}
