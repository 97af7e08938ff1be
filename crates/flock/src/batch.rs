//! What a batch is: circuits, the number of instances of each, and which of them are the same gate list.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use alloc::vec::Vec;

use circuit::Circuit;

use crate::skip::{FIXED, LOG_SKIP};

/// 2^`log_instances` instances of a circuit.
#[derive(Clone, Copy, Debug)]
pub struct Part<'c> {
    /// The circuit.
    pub circuit: &'c Circuit,
    /// log2 of the instances.
    pub log_instances: usize,
}

/// A part's place in a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its group, by number.
    pub group: usize,
    /// log2 of its instances.
    pub log_instances: usize,
    /// log2 of the words of its packed witness.
    pub log_words: usize,
}

/// All parts of a batch that are one gate list.
#[derive(Clone, Debug)]
pub struct Group<'c> {
    /// The circuit.
    pub circuit: &'c Circuit,
    /// Its members, in order.
    pub members: Vec<usize>,
}

impl Group<'_> {
    /// log2 of the words of a block.
    #[must_use]
    pub fn log_block_words(&self) -> usize {
        self.circuit.log_block().saturating_sub(LOG_SKIP)
    }
}

/// The circuits that one run proves. Members keep the order of the parts; groups are in the order of their first
/// members.
#[derive(Clone, Debug)]
pub struct Batch<'c> {
    members: Vec<Member>,
    groups: Vec<Group<'c>>,
}

/// Why parts are no batch: the caller's mistake, or sizes that a proof announces and no layout has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// There is no part.
    #[error("a batch without circuits has nothing to prove")]
    Empty,
    /// A part has too few or too many words.
    #[error(
        "part {part} has blocks of 2^{log_block} bits and 2^{log_instances} of them: 2^{min} to 2^{max} \
         words of 64 bits are possible"
    )]
    Words {
        /// The part, by its place in the list.
        part: usize,
        /// log2 of the bits of its blocks.
        log_block: usize,
        /// log2 of its instances.
        log_instances: usize,
        /// log2 of the fewest words.
        min: usize,
        /// log2 of the most words.
        max: usize,
    },
}

impl<'c> Batch<'c> {
    /// The batch of these parts.
    ///
    /// # Errors
    /// There is none, or one has fewer than 2^7 words or more than the largest stack.
    pub fn new(parts: &[Part<'c>]) -> Result<Self, BatchError> {
        if parts.is_empty() {
            return Err(BatchError::Empty);
        }
        let (min, max) = (FIXED, *pcs::parameters::LOG_WORDS.end());
        let mut batch = Self {
            members: Vec::new(),
            groups: Vec::new(),
        };
        for (
            part,
            &Part {
                circuit,
                log_instances,
            },
        ) in parts.iter().enumerate()
        {
            let log_block = circuit.log_block();
            let log_words = log_block.saturating_add(log_instances).saturating_sub(LOG_SKIP);
            if !(min..=max).contains(&log_words) {
                return Err(BatchError::Words {
                    part,
                    log_block,
                    log_instances,
                    min,
                    max,
                });
            }
            let group = batch.group_of(circuit);
            if let Some(group) = batch.groups.get_mut(group) {
                group.members.push(part);
            }
            batch.members.push(Member {
                group,
                log_instances,
                log_words,
            });
        }
        Ok(batch)
    }

    /// The number of the circuit's group, which is made if there is none.
    fn group_of(&mut self, circuit: &'c Circuit) -> usize {
        let is_it = |group: &Group<'_>| core::ptr::eq(group.circuit, circuit) || group.circuit == circuit;
        self.groups.iter().position(is_it).unwrap_or_else(|| {
            self.groups.push(Group {
                circuit,
                members: Vec::new(),
            });
            self.groups.len().saturating_sub(1)
        })
    }

    /// The members.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The groups.
    #[must_use]
    pub fn groups(&self) -> &[Group<'c>] {
        &self.groups
    }

    /// log2 of the words of the largest member: the rounds of the zerocheck.
    #[must_use]
    pub fn log_words(&self) -> usize {
        self.members
            .iter()
            .map(|member| member.log_words)
            .max()
            .unwrap_or(0)
    }

    /// log2 of the words of the largest block: the rounds of the lincheck.
    #[must_use]
    pub fn log_block_words(&self) -> usize {
        self.groups.iter().map(Group::log_block_words).max().unwrap_or(0)
    }

    /// The error of the reduction for one fixed witness, in units of 1 / |E| = 2^-192: the sum over all
    /// challenges (`doc/flock.md`, "Soundness").
    #[must_use]
    pub fn error(&self) -> usize {
        let circuits = self.members.len();
        let instances = self.members.iter().map(|member| member.log_instances).max();
        let point = self.log_words().saturating_sub(FIXED);
        let batching = circuits.saturating_sub(1);
        let rounds = self.log_words().saturating_mul(2);
        let constant = instances.unwrap_or(0);
        let lincheck = circuits.saturating_mul(4).saturating_sub(1);
        let lincheck_rounds = self.log_block_words().saturating_mul(2);
        [point, batching, 127, rounds, constant, lincheck, lincheck_rounds]
            .into_iter()
            .fold(0, usize::saturating_add)
    }
}
