//! What is wrong with a witness, from the definition of a machine: the tool by which a wrong one explains itself.
//!
//! [`diagnose`] evaluates every tuple, identity, block and fixed word. It takes the time and the memory of a
//! multiset of all tuples, and nothing of the protocol: no challenge, no polynomial.

mod display;
mod words;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use circuit::Violation;
use primitives::field::K;

use crate::layout::Layout;
use crate::machine::{FixedValue, MAX_COORDINATES, Machine, Side};

/// What is committed and announced for a machine.
#[derive(Clone, Copy, Debug)]
pub struct Committed<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// Its layout.
    pub layout: &'a Layout<'a>,
    /// The announced words.
    pub announced: &'a [u64],
    /// The words of the stack, or those of its present lanes.
    pub stack: &'a [K],
}

/// All that is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagnosis {
    /// Tuples that are not pushed as often as pulled, by ascending coordinates.
    pub unmatched: Vec<Unmatched>,
    /// Identities that do not vanish.
    pub identities: Vec<Identity>,
    /// Blocks that do not satisfy their circuit.
    pub blocks: Vec<Block>,
    /// Words that are not what they have to be.
    pub fixed: Vec<WrongWord>,
    /// Entries that are pushed more often than the layout can say.
    pub counts: Vec<Count>,
}

/// A tuple that one side has more often than the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmatched {
    /// The side that has it more often.
    pub side: Side,
    /// The tuple; what is missing is zero.
    pub tuple: [K; MAX_COORDINATES],
    /// How often too many.
    pub excess: u128,
    /// Everything on that side that has this tuple.
    pub places: Vec<Place>,
}

/// Where a tuple is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In a row.
    Row {
        /// The table.
        table: &'static str,
        /// The row.
        row: usize,
        /// The flush, by its place in the table.
        flush: usize,
    },
    /// In a boundary.
    Boundary {
        /// The boundary, by number.
        boundary: usize,
        /// The tuple, by number.
        index: usize,
    },
    /// In a list of entries.
    Entry {
        /// The producer.
        producer: &'static str,
        /// The entry, by number.
        index: usize,
    },
}

/// An identity that does not vanish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    /// The table.
    pub table: &'static str,
    /// The row.
    pub row: usize,
    /// The identity, by its place in the table.
    pub identity: usize,
    /// Its value.
    pub value: K,
}

/// A block that does not satisfy its circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// The table.
    pub table: &'static str,
    /// The row.
    pub row: usize,
    /// The block, by its place in the table.
    pub block: usize,
    /// The first constraint that does not hold.
    pub violation: Violation,
}

/// A fixed word that is another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongWord {
    /// The free column.
    pub column: &'static str,
    /// The index.
    pub index: usize,
    /// What is committed.
    pub found: K,
    /// What it has to be.
    pub expected: K,
}

/// An entry that is pushed too often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The producer.
    pub producer: &'static str,
    /// The entry, by number.
    pub index: usize,
    /// How often it is pushed.
    pub count: u64,
    /// The bits that this number can have.
    pub bits: usize,
}

impl Diagnosis {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        *self == Self::default()
    }
}

/// All that is wrong with what is committed.
///
/// # Panics
/// If the layout, the announced words or the stack are not those of the machine.
#[must_use]
pub fn diagnose(committed: &Committed<'_>) -> Diagnosis {
    Diagnosis {
        unmatched: committed.unmatched(),
        identities: committed.identities(),
        blocks: committed.blocks(),
        fixed: committed.fixed(),
        counts: committed.counts(),
    }
}

impl Committed<'_> {
    fn unmatched(&self) -> Vec<Unmatched> {
        let mut net: BTreeMap<[K; MAX_COORDINATES], i128> = BTreeMap::new();
        self.for_each_tuple(|side, tuple, count, _| {
            let count = i128::from(count);
            *net.entry(tuple).or_default() += if side == Side::Push { count } else { -count };
        });
        net.retain(|_, net| *net != 0);
        let mut unmatched: BTreeMap<_, _> = net
            .into_iter()
            .map(|(tuple, net)| {
                let unmatched = Unmatched {
                    side: if net > 0 { Side::Push } else { Side::Pull },
                    tuple,
                    excess: net.unsigned_abs(),
                    places: Vec::new(),
                };
                (tuple, unmatched)
            })
            .collect();
        self.for_each_tuple(|side, tuple, count, place| {
            if let Some(unmatched) = unmatched.get_mut(&tuple)
                && unmatched.side == side
                && count != 0
            {
                unmatched.places.push(place);
            }
        });
        unmatched.into_values().collect()
    }

    fn identities(&self) -> Vec<Identity> {
        let mut identities = Vec::new();
        for place in &self.layout.tables {
            for row in 0..1 << place.log_rows {
                let columns = self.row(place, row);
                for (identity, form) in place.table.identities.iter().enumerate() {
                    let value = form.evaluate(&columns);
                    if value != K::ZERO {
                        identities.push(Identity {
                            table: place.table.name,
                            row,
                            identity,
                            value,
                        });
                    }
                }
            }
        }
        identities
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for place in &self.layout.tables {
            for (block, &number) in place.table.blocks.iter().enumerate() {
                let circuit = &self.machine.circuits[number];
                let words: Vec<u64> = self.stack[place.blocks[block].range()]
                    .iter()
                    .map(|word| word.0)
                    .collect();
                // The rows that fill a table are alike, so the last block's verdict is kept.
                let mut last: Option<(&[u64], Result<(), Violation>)> = None;
                for (row, words) in words.chunks_exact(circuit.block_words()).enumerate() {
                    let verdict = match last {
                        Some((block, verdict)) if block == words => verdict,
                        _ => circuit.check(words),
                    };
                    last = Some((words, verdict));
                    if let Err(violation) = verdict {
                        blocks.push(Block {
                            table: place.table.name,
                            row,
                            block,
                            violation,
                        });
                    }
                }
            }
        }
        blocks
    }

    fn fixed(&self) -> Vec<WrongWord> {
        let mut wrong = Vec::new();
        for fixed in &self.machine.fixed {
            let expected = match fixed.value {
                FixedValue::Constant(word) => word,
                FixedValue::Announced(word) => K(self.announced[word]),
            };
            let found = self.stack[self.layout.columns[fixed.column].offset + fixed.index];
            if found != expected {
                wrong.push(WrongWord {
                    column: self.machine.columns[fixed.column].name,
                    index: fixed.index,
                    found,
                    expected,
                });
            }
        }
        wrong
    }

    fn counts(&self) -> Vec<Count> {
        let mut counts = Vec::new();
        for (producer, place) in self.machine.producers.iter().zip(&self.layout.producers) {
            for (index, count) in self.stack[place.region.range()].iter().enumerate() {
                if count.0 >> place.bits != 0 {
                    counts.push(Count {
                        producer: producer.name,
                        index,
                        count: count.0,
                        bits: place.bits,
                    });
                }
            }
        }
        counts
    }
}
