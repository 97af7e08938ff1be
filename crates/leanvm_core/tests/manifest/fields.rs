//! The list of all fields of a proof's stream, and of the challenges between them, made from the layout alone.

use std::ops::Range;

use argument::blocks::{NamedColumn, named};
use argument::layout::Layout;
use argument::machine::Machine;
use argument::security::Message;
use argument::{gkr, tables};
use fiat_shamir::Label;
use leanvm_core::machine::FINAL_CLOCK;
use leanvm_core::verify::CLOCK;
use pcs::parameters::security::Message as OpeningMessage;
use pcs::whir;

/// What refuses a changed field when the challenges stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// This check.
    Check(Label),
    /// This check, numbered by the bit.
    Bit(Label),
    /// The Merkle opening of this number.
    Opening(usize),
    /// Nothing: it changes the challenges, and that is all.
    Transcript,
}

/// The same bits of some words of the stream.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) words: Range<usize>,
    pub(crate) bits: u64,
    pub(crate) owner: Owner,
}

/// The words of a scalar, and of a digest.
const SCALAR: usize = 3;
const DIGEST: usize = 4;

/// All fields of the stream and all challenges, in order.
#[derive(Default)]
pub(crate) struct Manifest {
    pub(crate) fields: Vec<Field>,
    /// Each challenge: how many words of the stream come before it, and the message of the verifier that it is of.
    pub(crate) challenges: Vec<(usize, Message)>,
    at: usize,
}

impl Manifest {
    pub(crate) fn new(machine: &Machine, layout: &Layout<'_>) -> Self {
        let mut manifest = Self::default();
        manifest.announced();
        manifest.words("root of the commitment", DIGEST, Owner::Opening(0));
        manifest.draw(5, Message::Fingerprint);
        manifest.grand_product(layout.log_leaves);
        manifest.tables(machine, layout);
        manifest.circuits(layout);
        manifest.batching(machine, layout);
        manifest.opening(layout);
        manifest
    }

    fn draw(&mut self, count: usize, message: Message) {
        self.challenges.extend(vec![(self.at, message); count]);
    }

    fn words(&mut self, name: impl Into<String>, count: usize, owner: Owner) {
        let words = self.at..self.at + count;
        self.at = words.end;
        self.fields.push(Field {
            name: name.into(),
            words,
            bits: u64::MAX,
            owner,
        });
    }

    fn scalars(&mut self, name: impl Into<String>, count: usize, label: Label) {
        self.words(name, SCALAR * count, Owner::Check(label));
    }

    /// The output, and the final clock, of which some bits are fixed.
    fn announced(&mut self) {
        self.words("output", FINAL_CLOCK, Owner::Check(whir::TERMINAL));
        let cycle = (1 << circuit::clock::LIVE) - (1 << circuit::clock::CYCLE);
        self.words("final clock: the cycle", 1, Owner::Check(tables::TERMINAL));
        let words = self.fields.last().expect("it was added").words.clone();
        self.fields.last_mut().expect("it was added").bits = cycle;
        self.fields.push(Field {
            name: "final clock: what is fixed".into(),
            words,
            bits: !cycle,
            owner: Owner::Bit(CLOCK),
        });
    }

    fn grand_product(&mut self, log_leaves: usize) {
        self.scalars("bus: the root", 1, gkr::ROOT.at(0));
        let first = 2 - log_leaves % 2;
        for (i, side) in ["push", "pull"].into_iter().enumerate() {
            self.scalars(format!("bus: first values, {side}"), 1 << first, gkr::ROOT.at(i));
        }
        self.draw(first, Message::First);
        for d in (first..log_leaves).step_by(2) {
            let owner = gkr::LAYER.at(d);
            self.draw(1, Message::Sides { d });
            for k in 0..d {
                self.scalars(format!("bus: layer {d}, round {k}"), 4, owner);
                self.draw(1, Message::Layer { d });
            }
            for side in ["push", "pull"] {
                self.scalars(format!("bus: layer {d}, values, {side}"), 4, owner);
            }
            self.draw(2, Message::Values { d });
        }
    }

    fn tables(&mut self, machine: &Machine, layout: &Layout<'_>) {
        for named in named(machine) {
            let name = match named.column {
                NamedColumn::Free(number) => machine.columns[number].name.into(),
                NamedColumn::Public(number) => format!("public column {number}"),
            };
            self.scalars(format!("boundary: {name}"), 1, tables::TERMINAL);
        }
        self.draw(1, Message::Forms);
        for k in 0..layout.log_rows {
            self.scalars(format!("tables: round {k}"), 2, tables::TERMINAL);
            self.draw(1, Message::Tables);
        }
        for place in &layout.tables {
            let columns = place.table.columns + place.table.ports.len();
            let name = format!("tables: values of {}", place.table.name);
            self.scalars(name, columns, tables::TERMINAL);
        }
        for (producer, place) in machine.producers.iter().zip(&layout.producers) {
            let name = producer.name;
            self.scalars(format!("tables: slices of {name}"), place.bits, tables::TERMINAL);
            self.scalars(format!("tables: product of {name}"), 1, tables::TERMINAL);
        }
    }

    fn circuits(&mut self, layout: &Layout<'_>) {
        let batch = layout.batch.as_ref().expect("every class has a clock's circuit");
        let (zerocheck, lincheck) = (flock::zerocheck::TERMINAL, flock::lincheck::TERMINAL);
        // The point but for its fixed coordinates, and the batching.
        self.draw(batch.log_words() - flock::skip::FIXED + 1, Message::Circuits);
        self.scalars("circuits: skip", 1 << flock::skip::LOG_SKIP, zerocheck);
        self.draw(1, Message::Circuits);
        for k in 0..batch.log_words() {
            self.scalars(format!("circuits: round {k} of the zerocheck"), 2, zerocheck);
            self.draw(1, Message::Circuits);
        }
        for member in 0..batch.members().len() {
            self.scalars(format!("circuits: values of member {member}"), 3, zerocheck);
        }
        self.draw(1, Message::Circuits);
        for k in 0..batch.log_block_words() {
            self.scalars(format!("circuits: round {k} of the lincheck"), 2, lincheck);
            self.draw(1, Message::Circuits);
        }
        for group in 0..batch.groups().len() {
            self.scalars(format!("circuits: slices of group {group}"), 64, lincheck);
            self.scalars(format!("circuits: matrix value of group {group}"), 1, lincheck);
        }
    }

    /// What makes one claim of all: no field.
    fn batching(&mut self, machine: &Machine, layout: &Layout<'_>) {
        let groups = layout.batch.as_ref().map_or(0, |batch| batch.groups().len());
        if groups + machine.producers.len() > 1 {
            self.draw(1, Message::Opening(OpeningMessage::Families));
        }
        self.draw(6, Message::Opening(OpeningMessage::RingSwitch));
        self.draw(1, Message::Opening(OpeningMessage::Claims));
    }

    fn opening(&mut self, layout: &Layout<'_>) {
        let levels = layout.parameters.levels();
        let residual = layout.parameters.log_residual();
        for (i, level) in levels.iter().enumerate() {
            let message = Message::Opening;
            for k in 0..level.log_fold {
                self.scalars(format!("opening: level {i}, round {k}"), 2, whir::TERMINAL);
                self.draw(1, message(OpeningMessage::Fold { level: i }));
            }
            if i + 1 < levels.len() {
                let root = format!("opening: root of level {}", i + 1);
                self.words(root, DIGEST, Owner::Opening(i + 1));
                self.draw(1, message(OpeningMessage::OutOfDomain { level: i + 1 }));
                let answer = format!("opening: out-of-domain answer of level {}", i + 1);
                self.scalars(answer, 1, whir::TERMINAL);
            } else {
                self.scalars("opening: residual table", 1 << residual, whir::TERMINAL);
            }
            let nonce = format!("opening: nonce of level {i}");
            self.words(nonce, 1, Owner::Transcript);
            // Of a challenge's three words each gives whole indices.
            let queries = match level.plan.drawn_bits() {
                0 => 0,
                bits => level.plan.count().div_ceil(3 * (64 / bits)),
            };
            self.draw(queries, message(OpeningMessage::Queries { level: i }));
            self.draw(1, message(OpeningMessage::Batch { level: i }));
        }
        for k in 0..residual {
            self.scalars(format!("opening: round {k} on the residual"), 2, whir::TERMINAL);
            self.draw(1, Message::Opening(OpeningMessage::Closing));
        }
    }
}
