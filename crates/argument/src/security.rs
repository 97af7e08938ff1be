//! The soundness of a proof, message by message (`doc/argument.md`, "Soundness").
//!
//! Everything that is drawn between commitment and opening has to hold against each member of the list that the
//! commitment binds to, and pays its size. Floating point: nothing here is read by a prover or a verifier.

extern crate std;

use alloc::vec::Vec;
use core::fmt;

use pcs::parameters::security::{self as opening, Message as OpeningMessage};

use crate::blocks::{NamedColumn, named};
use crate::layout::Layout;
use crate::machine::Machine;

/// log2 of the challenges.
const LOG_CHALLENGES: f64 = 192.0;

/// A message of the verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Message {
    /// One of the four challenges alpha, or beta.
    Fingerprint,
    /// A challenge of the first step of the grand product.
    First,
    /// The challenge that batches the two sides at the layer that starts from layer `d`.
    Sides {
        /// The layer.
        d: usize,
    },
    /// A round of the layer that starts from layer `d`.
    Layer {
        /// The layer.
        d: usize,
    },
    /// One of the two challenges at the end of the layer that starts from layer `d`.
    Values {
        /// The layer.
        d: usize,
    },
    /// The challenge xi.
    Forms,
    /// A round of the tables.
    Tables,
    /// All challenges of the batch of circuits together.
    Circuits,
    /// A message of the opening.
    Opening(OpeningMessage),
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fingerprint => f.write_str("fingerprint of tuples"),
            Self::First => f.write_str("first step of the grand product"),
            Self::Sides { d } => write!(f, "batching of sides at layer {d}"),
            Self::Layer { d } => write!(f, "round of layer {d}"),
            Self::Values { d } => write!(f, "values of layer {d}"),
            Self::Forms => f.write_str("batching of forms"),
            Self::Tables => f.write_str("round of the tables"),
            Self::Circuits => f.write_str("circuits"),
            Self::Opening(message) => message.fmt(f),
        }
    }
}

/// The error of one message of the verifier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundError {
    /// The message.
    pub message: Message,
    /// The error is 2^-`bits`.
    pub bits: f64,
}

/// The soundness of every message of a proof.
#[derive(Clone, Debug, PartialEq)]
pub struct Security {
    /// log2 of the list of the commitment.
    pub log_list: f64,
    /// The messages, in the order of the protocol.
    pub rounds: Vec<RoundError>,
}

impl Security {
    /// The weakest message.
    ///
    /// # Panics
    /// Never: a proof has messages.
    #[must_use]
    pub fn weakest(&self) -> RoundError {
        let weakest = self.rounds.iter().min_by(|a, b| a.bits.total_cmp(&b.bits));
        *weakest.expect("a proof has messages")
    }

    /// The bits of the weakest message.
    #[must_use]
    pub fn bits(&self) -> f64 {
        self.weakest().bits
    }
}

/// The error in bits of each message of a proof with this layout.
#[must_use]
pub fn security(machine: &Machine, layout: &Layout<'_>) -> Security {
    let families = layout.batch.as_ref().map_or(0, |batch| batch.groups().len()) + layout.producers.len();
    let claims = usize::from(families > 0) + columns(machine, layout);
    let opening = opening::security(&layout.parameters, families, claims);

    let mut rounds = Vec::new();
    // An error of `terms / |E|` for each member of the list.
    let mut push = |message, terms: usize| {
        let log_error = (terms.max(1) as f64).log2() + opening.log_list - LOG_CHALLENGES;
        rounds.push(RoundError {
            message,
            bits: -log_error,
        });
    };
    push(Message::Fingerprint, layout.degree());
    push(Message::First, 1);
    let first = 2 - layout.log_leaves % 2;
    for d in (first..layout.log_leaves).step_by(2) {
        push(Message::Sides { d }, 1);
        push(Message::Layer { d }, 4);
        push(Message::Values { d }, 1);
    }
    let identities = layout.tables.iter().map(|place| place.table.identities.len());
    push(Message::Forms, identities.sum::<usize>() + 1);
    push(Message::Tables, 2);
    if let Some(batch) = &layout.batch {
        push(Message::Circuits, batch.error());
    }
    rounds.extend(opening.rounds.iter().map(|round| RoundError {
        message: Message::Opening(round.message),
        bits: round.bits,
    }));
    Security {
        log_list: opening.log_list,
        rounds,
    }
}

/// The claims on columns.
fn columns(machine: &Machine, layout: &Layout<'_>) -> usize {
    let of_boundaries = named(machine).filter(|named| matches!(named.column, NamedColumn::Free(_)));
    let of_tables = layout
        .tables
        .iter()
        .map(|place| place.table.columns + place.table.ports.len());
    of_boundaries.count() + of_tables.sum::<usize>() + machine.fixed.len()
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use pcs::parameters::LOG_INV_RATE;
    use pcs::parameters::security::SECURITY_BITS;
    use primitives::field::K;

    use super::*;
    use crate::machine::{Coordinate, Flush, Form, Producer, Side, Table};
    use crate::shape::Shape;

    /// Tables with more of everything than a machine will have, the largest of `2^log_rows` rows, that read a list.
    fn large(log_rows: usize, log_entries: usize) -> (Machine, Vec<Option<usize>>) {
        let tuple = |separator: u64| {
            let columns = (0..15).map(Form::column);
            core::iter::once(Form::constant(K(separator)))
                .chain(columns)
                .collect()
        };
        let flush = |side, separator| Flush {
            side,
            tuple: tuple(separator),
        };
        let table = |log_flushes: usize| Table {
            name: "large",
            columns: 15,
            flushes: [
                vec![flush(Side::Push, 2); 1 << log_flushes],
                vec![flush(Side::Pull, 2); 1 << log_flushes],
            ]
            .concat()
            .into_iter()
            .chain([flush(Side::Pull, 1)])
            .collect(),
            identities: vec![Form::product(0, 1); 256],
            ..Table::default()
        };
        let machine = Machine {
            tables: (0..64).map(|_| table(6)).collect(),
            producers: vec![Producer {
                name: "list",
                log_len: log_entries,
                tuple: vec![
                    Coordinate::Constant(K(1)),
                    Coordinate::Index { base: 0, shift: 0 },
                ],
            }],
            ..Machine::default()
        };
        let heights = (0..64).map(|i| Some(log_rows.saturating_sub(i + 1))).collect();
        (machine, heights)
    }

    #[test]
    fn every_message_of_the_largest_layouts_has_128_bits() {
        for log_inv_rate in LOG_INV_RATE {
            for (log_rows, log_entries) in [(24, 22), (24, 23), (20, 27), (10, 4), (1, 26)] {
                let (machine, heights) = large(log_rows, log_entries);
                let shape = Shape {
                    log_inv_rate,
                    heights,
                };
                let layout = Layout::new(&machine, &shape).unwrap();
                let security = security(&machine, &layout);
                let weakest = security.weakest();
                assert!(
                    weakest.bits >= SECURITY_BITS,
                    "{}: {}",
                    weakest.message,
                    weakest.bits
                );
                assert_eq!(weakest.bits, security.bits());
            }
        }
    }

    #[test]
    fn the_greatest_degree_has_128_bits_with_the_greatest_list() {
        let log_error = crate::layout::MAX_LOG_DEGREE as f64 + opening::MAX_LOG_LIST - LOG_CHALLENGES;
        assert_eq!(-log_error, SECURITY_BITS);
    }

    #[test]
    fn a_message_is_charged_what_the_page_says() {
        // 64 tables of one row but the first of 2^3, and a list of 2^4 entries.
        let (machine, heights) = large(4, 4);
        let shape = Shape {
            log_inv_rate: 1,
            heights,
        };
        let layout = Layout::new(&machine, &shape).unwrap();
        let security = security(&machine, &layout);
        let terms = |message| {
            let found = security.rounds.iter().find(|round| round.message == message);
            let log_terms = LOG_CHALLENGES - security.log_list - found.unwrap().bits;
            log_terms.exp2().round() as usize
        };
        // Rows 8 + 4 + 2 + 1 + 60 = 75: as many reads, of seven bits.
        let leaves = 75 * 129 + 16 * 7;
        assert_eq!(layout.degree(), 4 * (leaves + 16 * 127));
        assert_eq!(terms(Message::Fingerprint), layout.degree());
        assert_eq!(terms(Message::First), 1);
        assert_eq!(terms(Message::Layer { d: 3 }), 4);
        assert_eq!(terms(Message::Sides { d: 1 }), 1);
        assert_eq!(terms(Message::Values { d: 11 }), 1);
        assert_eq!(terms(Message::Forms), 64 * 256 + 1);
        assert_eq!(terms(Message::Tables), 2);
        // One family, and 64 tables of 15 columns.
        assert_eq!(terms(Message::Opening(OpeningMessage::Claims)), 64 * 15);
        assert!(
            security
                .rounds
                .iter()
                .all(|round| round.message != Message::Circuits)
        );
        // 75 * 65 pulls, and 75 * 64 + 112 pushes: 2^13 leaves, layers from 1 by two.
        let layers = security.rounds.iter().filter_map(|round| match round.message {
            Message::Layer { d } => Some(d),
            _ => None,
        });
        assert_eq!(layers.collect::<Vec<_>>(), [1, 3, 5, 7, 9, 11]);
    }
}
