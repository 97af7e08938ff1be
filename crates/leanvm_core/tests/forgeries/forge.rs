//! An honest witness with something changed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use argument::diagnose::{Committed, Diagnosis, diagnose};
use argument::layout::Place;
use argument::machine::{Flush, Machine, Side};
use argument::prove::uninterrupted;
use argument::{gkr, tables};
use circuit::Violation;
use fiat_shamir::{Label, Proof, VerifyError};
use leanvm_core::columns::{Column, columns};
use leanvm_core::machine::{
    ADVICE, ADVICE_CLOCKS, ADVICE_VALUES, RAM_CLOCKS, RAM_VALUES, REGISTER_CLOCKS, REGISTER_VALUES,
};
use leanvm_core::parts::class_and_part;
use leanvm_core::prove::prove_witness;
use leanvm_core::riscv::Riscv;
use leanvm_core::verify::{self, verify};
use leanvm_core::witness::{RunWitness, Target, witness};
use pcs::whir;
use primitives::field::K;
use rv::program::{ADVICE_BASE, Parts, RAM_BASE, TEXT_BASE};
use rv::{Class, Limits, Program, asm};

use crate::both_parts::both_parts;
use crate::corpus::Case;

/// The separators.
pub(crate) const STATE: u64 = 1;
pub(crate) const BYTECODE: u64 = 2;
pub(crate) const REGISTERS: u64 = 3;
pub(crate) const MEMORY: u64 = 4;

/// The clock of what no row accessed.
pub(crate) const SEED: u64 = 1 << 40;

/// A program with its machine and what it is run on.
pub(crate) struct Fixture {
    pub(crate) program: Program,
    pub(crate) riscv: Riscv,
    pub(crate) labels: BTreeMap<String, u64>,
    advice: Vec<u64>,
}

/// A row of a class's table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RowAt {
    pub(crate) class: Class,
    pub(crate) row: usize,
}

/// A word of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    Column(Column),
    /// An input port of the class's circuit.
    Input(usize),
    /// An output port of the class's circuit.
    Output(usize),
    Ts,
    /// Of the access in this slot.
    Prev(usize),
    Step,
}

impl Fixture {
    /// The program of an assembly text, with RAM of 2^7 words and advice of 2^4, and its advice, which may have
    /// addresses of labels.
    pub(crate) fn new(source: &str, advice: impl FnOnce(&BTreeMap<String, u64>) -> Vec<u64>) -> Self {
        let assembly = asm::assemble(source).unwrap_or_else(|error| panic!("{error}"));
        let program = Program::new(Parts {
            text: assembly.words,
            entry: TEXT_BASE,
            log_ram: 7,
            log_advice: 4,
            image: [(100, 0x0102_0304_0506_0708), (101, u64::MAX)].into(),
            ..Parts::default()
        })
        .unwrap();
        Self {
            riscv: Riscv::new(program.public()),
            program,
            advice: advice(&assembly.labels),
            labels: assembly.labels,
        }
    }

    /// The honest witness.
    pub(crate) fn honest(&self) -> Forger<'_> {
        self.honest_in(Target::Least { log_inv_rate: 1 })
    }

    /// The honest witness in a shape with both tables of every class.
    pub(crate) fn honest_in_both_parts(&self) -> Forger<'_> {
        let shape = both_parts(self.machine(), &self.program, &self.advice, 1);
        self.honest_in(Target::Shape(&shape))
    }

    /// The honest witness of this shape.
    pub(crate) fn honest_in(&self, target: Target<'_>) -> Forger<'_> {
        let limits = Limits { cycles: 1 << 16 };
        let witness = witness(self.machine(), &self.program, &self.advice, limits, target).unwrap();
        Forger {
            fixture: self,
            witness,
        }
    }

    pub(crate) fn machine(&self) -> &Machine {
        self.riscv.machine()
    }

    /// Writes a proof for the machine to the corpus, if one is made.
    fn record(&self, proof: &Proof) {
        let case = Case {
            program: self.program.public(),
            riscv: &self.riscv,
            file: &proof.encode(),
            honest: None,
            frozen: false,
        };
        case.record();
    }

    /// The program counter of a label.
    pub(crate) fn label(&self, name: &str) -> u64 {
        self.labels[name]
    }
}

/// A witness that is being changed.
#[derive(Clone)]
pub(crate) struct Forger<'f> {
    pub(crate) fixture: &'f Fixture,
    pub(crate) witness: RunWitness<'f>,
}

impl Forger<'_> {
    fn place(&self, class: Class) -> &Place<'_> {
        let mut places = self.witness.layout.tables.iter();
        places
            .find(|place| place.number == class.index())
            .expect("the table is present")
    }

    /// The first row at a label.
    pub(crate) fn at(&self, label: &str) -> RowAt {
        let pc = self.fixture.label(label);
        let entry = &self.fixture.program.table().entries()[(pc - TEXT_BASE) as usize / 4];
        let class = entry.class.expect("an instruction");
        let region = self.place(class).columns[0];
        let row = self.witness.stack[region.range()]
            .iter()
            .position(|word| word.0 == pc);
        RowAt {
            class,
            row: row.expect("it was executed"),
        }
    }

    /// The first padding row of a class.
    pub(crate) fn padding(&self, class: Class) -> RowAt {
        let places = self.witness.layout.tables.iter().zip(&self.witness.live);
        let (place, &row) = places
            .into_iter()
            .find(|(place, _)| place.number == class.index())
            .expect("the table is present");
        assert!(row < 1 << place.log_rows, "{class} has no padding");
        RowAt { class, row }
    }

    /// The place of a word in the stack.
    fn index(&self, RowAt { class, row }: RowAt, word: Word) -> usize {
        let place = self.place(class);
        let clock = place.table.blocks.len() - 1;
        let circuit = |block: usize| &self.fixture.machine().circuits[place.table.blocks[block]];
        let port = |block: usize, word: usize| {
            assert!(
                word < circuit(block).inputs() + circuit(block).outputs(),
                "{class} has a port"
            );
            place.blocks[block].offset + (row << place.log_block_words[block]) + word
        };
        match word {
            Word::Column(column) => {
                let number = columns(class).iter().position(|&other| other == column);
                place.columns[number.expect("the class has the column")].offset + row
            }
            Word::Input(i) => port(0, i),
            Word::Output(i) => port(0, circuit(0).inputs() + i),
            Word::Ts => port(clock, 0),
            Word::Prev(slot) => port(clock, 1 + slot),
            Word::Step => port(clock, circuit(clock).inputs()),
        }
    }

    pub(crate) fn get(&self, row: RowAt, word: Word) -> u64 {
        self.witness.stack[self.index(row, word)].0
    }

    /// Changes a word and nothing else.
    pub(crate) fn poke(&mut self, row: RowAt, word: Word, value: u64) {
        let index = self.index(row, word);
        self.witness.stack[index] = K(value);
    }

    /// Makes the constant wire of a row's block zero and changes nothing else.
    pub(crate) fn poke_constant(&mut self, RowAt { class, row }: RowAt, block: usize) {
        let place = self.place(class);
        let circuit = &self.fixture.machine().circuits[place.table.blocks[block]];
        let position = circuit.constant_position();
        let start = place.blocks[block].offset + (row << place.log_block_words[block]);
        self.witness.stack[start + position / 64].0 &= !(1 << (position % 64));
    }

    /// Changes a word, and computes the row's blocks again from their inputs.
    pub(crate) fn set(&mut self, row: RowAt, word: Word, value: u64) {
        self.poke(row, word, value);
        self.refill(row);
    }

    /// Computes a row's blocks from their inputs.
    fn refill(&mut self, RowAt { class, row }: RowAt) {
        let place = self.place(class);
        let mut filled = Vec::new();
        for (block, &number) in place.table.blocks.iter().enumerate() {
            let circuit = &self.fixture.machine().circuits[number];
            let start = place.blocks[block].offset + (row << place.log_block_words[block]);
            let range = start..start + circuit.block_words();
            let words: Vec<u64> = self.witness.stack[range].iter().map(|word| word.0).collect();
            filled.push((start, circuit.block(&words[..circuit.inputs()])));
        }
        for (start, words) in filled {
            for (slot, word) in self.witness.stack[start..].iter_mut().zip(words) {
                *slot = K(word);
            }
        }
    }

    /// Makes a row one of padding.
    pub(crate) fn pad(&mut self, row: RowAt) {
        let padding = self.padding(row.class);
        let place = self.place(row.class);
        let mut moves = Vec::new();
        for column in &place.columns {
            moves.push((column.offset + padding.row, column.offset + row.row, 1));
        }
        for (block, log_words) in place.blocks.iter().zip(&place.log_block_words) {
            let at = |row: usize| block.offset + (row << log_words);
            moves.push((at(padding.row), at(row.row), 1 << log_words));
        }
        let [from, to] = [row, padding].map(|row| self.get(row, Word::Column(Column::Pc)));
        for (source, target, words) in moves {
            self.witness.stack.copy_within(source..source + words, target);
        }
        self.count(from).0 -= 1;
        self.count(to).0 += 1;
    }

    /// How often the entry at `pc` is read.
    pub(crate) fn count(&mut self, pc: u64) -> &mut K {
        let slot = (pc - TEXT_BASE) as usize / 4;
        let region = self.witness.layout.producers[0].region;
        &mut self.witness.stack[region.offset + slot]
    }

    /// A word of a free column.
    pub(crate) fn free(&mut self, column: usize, index: usize) -> &mut K {
        let region = self.witness.layout.columns[column];
        &mut self.witness.stack[region.offset + index]
    }

    /// Whether a seed is there.
    pub(crate) fn is_cell(&self, space: u64, address: u64) -> bool {
        let program = &self.fixture.program;
        let words = |base: u64, log_words: u32| {
            (base..base + (8 << log_words)).contains(&address) && address.is_multiple_of(8)
        };
        match space {
            REGISTERS => address < 64,
            _ => words(RAM_BASE, program.log_ram()) || words(ADVICE_BASE, program.log_advice()),
        }
    }

    /// The word that a cell has at the end.
    pub(crate) fn last_value(&mut self, space: u64, address: u64) -> &mut K {
        match (space, address) {
            (REGISTERS, _) => self.free(REGISTER_VALUES, address as usize),
            (_, RAM_BASE..) => self.free(RAM_VALUES, (address - RAM_BASE) as usize / 8),
            _ => self.free(ADVICE_VALUES, (address - ADVICE_BASE) as usize / 8),
        }
    }

    /// The clock of the last access to a cell.
    pub(crate) fn last_clock(&mut self, space: u64, address: u64) -> &mut K {
        match (space, address) {
            (REGISTERS, _) => self.free(REGISTER_CLOCKS, address as usize),
            (_, RAM_BASE..) => self.free(RAM_CLOCKS, (address - RAM_BASE) as usize / 8),
            _ => self.free(ADVICE_CLOCKS, (address - ADVICE_BASE) as usize / 8),
        }
    }

    /// The words of the columns of a row: committed ones, then ports.
    pub(crate) fn columns(&self, row: RowAt) -> Vec<K> {
        let place = self.place(row.class);
        let committed = place.columns.iter().map(|column| column.offset + row.row);
        let ports = place.table.ports.iter().map(|port| {
            place.blocks[port.block].offset + (row.row << place.log_block_words[port.block]) + port.word
        });
        committed
            .chain(ports)
            .map(|index| self.witness.stack[index])
            .collect()
    }

    /// The tuples of a row, by flush.
    pub(crate) fn tuples(&self, row: RowAt) -> Vec<(Side, Vec<u64>)> {
        let columns = self.columns(row);
        let tuple = |flush: &Flush| flush.tuple.iter().map(|form| form.evaluate(&columns).0).collect();
        let flushes = self.place(row.class).table.flushes.iter();
        flushes.map(|flush| (flush.side, tuple(flush))).collect()
    }

    /// Lets every cell that the row was the last to access end with the word that the row says.
    pub(crate) fn follow(&mut self, row: RowAt) {
        for (side, tuple) in self.tuples(row) {
            if let (Side::Push, &[space @ (REGISTERS | MEMORY), address, clock, word]) = (side, &tuple[..])
                && self.is_cell(space, address)
                && self.last_clock(space, address).0 == clock
            {
                self.last_value(space, address).0 = word;
            }
        }
    }

    /// Orders all accesses of live rows by time: what each refers to, the last clock of each cell and its last word
    /// become what follows from the rows. Words that are read are left alone.
    pub(crate) fn relink(&mut self) {
        let mut accesses = Vec::new();
        for place in &self.witness.layout.tables {
            let (class, part) = class_and_part(place.number);
            assert_eq!(part, 0, "rows of second tables are not looked for");
            for row in 0..1 << place.log_rows {
                let row = RowAt { class, row };
                let ts = self.get(row, Word::Ts);
                let tuples = self.tuples(row);
                let pushes = tuples.iter().skip(3).filter(|(side, _)| *side == Side::Push);
                if ts >> 40 == 1 {
                    accesses.extend(pushes.map(|(_, tuple)| {
                        let &[space, address, clock, word] = &tuple[..] else {
                            panic!("an access has four coordinates")
                        };
                        (clock, row, clock ^ ts, (space, address), word)
                    }));
                }
            }
        }
        accesses.sort_by_key(|&(clock, ..)| clock);
        let mut last = BTreeMap::new();
        for &(clock, row, slot, cell, word) in &accesses {
            let prev = last.insert(cell, (clock, word)).map_or(SEED, |(prev, _)| prev);
            if self.get(row, Word::Prev(slot as usize)) != prev {
                self.set(row, Word::Prev(slot as usize), prev);
            }
        }
        for (space, address, word) in self.seeds() {
            let (clock, word) = last.get(&(space, address)).copied().unwrap_or((SEED, word));
            self.last_clock(space, address).0 = clock;
            self.last_value(space, address).0 = word;
        }
    }

    /// All cells, with their words at the start.
    fn seeds(&mut self) -> Vec<(u64, u64, u64)> {
        let mut seeds: Vec<_> = (0..64).map(|i| (REGISTERS, i, 0)).collect();
        let program = &self.fixture.program;
        let mut ram = vec![0; 1 << program.log_ram()];
        for &(index, word) in program.image() {
            ram[index as usize] = word;
        }
        seeds.extend(
            (RAM_BASE..)
                .step_by(8)
                .zip(ram)
                .map(|(address, word)| (MEMORY, address, word)),
        );
        let advice: Vec<u64> = (0..1 << program.log_advice())
            .map(|i| self.free(ADVICE, i).0)
            .collect();
        seeds.extend(
            (ADVICE_BASE..)
                .step_by(8)
                .zip(advice)
                .map(|(address, word)| (MEMORY, address, word)),
        );
        seeds
    }

    pub(crate) fn diagnosis(&self) -> Diagnosis {
        diagnose(&Committed {
            machine: self.fixture.machine(),
            layout: &self.witness.layout,
            announced: &self.witness.announced,
            stack: &self.witness.stack,
        })
    }
}

/// What is wrong with a witness: one kind of thing only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Wrong {
    /// These tuples are not matched: side, separator, coordinate 1.
    Bus(Vec<(Side, u64, u64)>),
    /// These identities do not vanish.
    Identities(Vec<(RowAt, usize)>),
    /// This row's block does not satisfy its circuit.
    Circuit(RowAt),
    /// The constant wire of this row's block is zero.
    Constant(RowAt),
    /// This register does not end with the word that is announced.
    Fixed(usize),
    /// Nothing: the witness is another honest one.
    Nothing,
}

/// As many tuples pulled that nobody pushes as pushed that nobody pulls.
pub(crate) fn pairs(space: u64, address: u64, count: usize) -> Vec<(Side, u64, u64)> {
    [(Side::Push, space, address), (Side::Pull, space, address)].repeat(count)
}

impl Forger<'_> {
    /// Asserts that this is wrong, that nothing else is, and that the proof is refused by the check whose it is.
    pub(crate) fn assert_wrong(&self, expected: &Wrong) {
        self.assert_diagnosis(expected);
        let owner = match expected {
            // The root is that of the push side.
            Wrong::Bus(_) => Some(gkr::ROOT.at(1)),
            Wrong::Identities(_) => Some(tables::TERMINAL),
            Wrong::Circuit(_) => Some(flock::zerocheck::TERMINAL),
            Wrong::Constant(_) => Some(flock::lincheck::TERMINAL),
            Wrong::Fixed(_) => Some(whir::TERMINAL),
            Wrong::Nothing => None,
        };
        assert_eq!(self.refused_by(), owner, "{expected:?}");
    }

    /// The check that refuses the proof of this witness, if one does.
    pub(crate) fn refused_by(&self) -> Option<Label> {
        let mut witness = self.witness.clone();
        // Padding rows may be among what was changed.
        let tables = witness.layout.tables.iter();
        witness.live = tables.map(|place| 1 << place.log_rows).collect();
        let ControlFlow::Continue(proof) = prove_witness(&self.fixture.riscv, &witness, &mut uninterrupted)
        else {
            panic!("nobody stopped it")
        };
        self.fixture.record(&proof);
        match verify(&self.fixture.riscv, &proof) {
            Ok(output) => {
                assert_eq!(output, self.witness.announced[..4]);
                None
            }
            Err(verify::VerifyError::Check(VerifyError::Check { label, .. })) => Some(label),
            Err(other) => panic!("refused by no check: {other}"),
        }
    }

    /// Asserts that this is wrong, and nothing else.
    pub(crate) fn assert_diagnosis(&self, expected: &Wrong) {
        let diagnosis = self.diagnosis();
        let Diagnosis {
            unmatched,
            identities,
            blocks,
            fixed,
            counts,
        } = &diagnosis;
        let row_at = |table: &str, row| RowAt {
            class: Class::ALL
                .into_iter()
                .find(|class| class.name() == table)
                .expect("a class"),
            row,
        };
        let mut tuples = Vec::new();
        for unmatched in unmatched {
            let [space, address, ..] = unmatched.tuple;
            tuples.extend(vec![
                (unmatched.side, space.0, address.0);
                unmatched.excess as usize
            ]);
        }
        tuples.sort_unstable();
        let mut wrong = Vec::new();
        if !tuples.is_empty() {
            wrong.push(Wrong::Bus(tuples));
        }
        if !identities.is_empty() {
            let identities = identities.iter().map(|i| (row_at(i.table, i.row), i.identity));
            wrong.push(Wrong::Identities(identities.collect()));
        }
        wrong.extend(blocks.iter().map(|block| {
            let row = row_at(block.table, block.row);
            match block.violation {
                Violation::Constant { .. } => Wrong::Constant(row),
                _ => Wrong::Circuit(row),
            }
        }));
        wrong.extend(fixed.iter().map(|fixed| Wrong::Fixed(fixed.index)));
        if wrong.is_empty() {
            wrong.push(Wrong::Nothing);
        }
        let expected = match expected.clone() {
            Wrong::Bus(mut tuples) => {
                tuples.sort_unstable();
                Wrong::Bus(tuples)
            }
            other => other,
        };
        assert_eq!((wrong, counts.len()), ([expected].into(), 0), "{diagnosis}");
    }
}
