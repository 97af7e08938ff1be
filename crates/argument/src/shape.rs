//! The shape of a proof: the rate and the heights of the tables, plain data that both sides know before anything else.

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

use flock::skip::{FIXED, LOG_SKIP};
use pcs::parameters::{LOG_INV_RATE, LOG_WORDS};

use crate::machine::{Machine, Table};

/// The rate of the commitment, and the height of each table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The rate is 2^-`log_inv_rate`.
    pub log_inv_rate: usize,
    /// Of each table of the machine log2 of its rows, or that it is absent.
    pub heights: Vec<Option<usize>>,
}

/// Why words are no shape of a proof for a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// The number of words is another.
    #[error("the shape has {found} words, and a proof for this machine has {expected}: it is malformed")]
    Length {
        /// How many there are.
        found: usize,
        /// How many there have to be.
        expected: usize,
    },
    /// The rate is outside the table of parameters.
    #[error("the rate 2^-{found} is announced, and 2^-{min} to 2^-{max} are possible")]
    Rate {
        /// The negative of its log2.
        found: u64,
        /// The least.
        min: usize,
        /// The greatest.
        max: usize,
    },
    /// A table's height is outside what the machine expresses.
    #[error("the {table} table announces 2^{log_rows} rows, and 2^{min} to 2^{max} are possible")]
    Height {
        /// The table.
        table: &'static str,
        /// What it announces.
        log_rows: u64,
        /// The least.
        min: usize,
        /// The greatest.
        max: usize,
    },
    /// No table is present.
    #[error("every table is announced as absent")]
    Empty,
}

impl Table {
    /// log2 of the fewest rows: every batch of blocks has 2^7 words.
    #[must_use]
    pub fn min_log_rows(&self, machine: &Machine) -> usize {
        let blocks = self
            .blocks
            .iter()
            .filter_map(|&block| machine.circuits.get(block));
        let least = blocks.map(circuit::Circuit::log_block).min();
        let floor = LOG_SKIP.saturating_add(FIXED);
        least.map_or(0, |log_block| floor.saturating_sub(log_block))
    }
}

impl Shape {
    /// The words of the shape.
    #[must_use]
    pub fn to_words(&self) -> Vec<u64> {
        let rate = u64::try_from(self.log_inv_rate).unwrap_or(u64::MAX);
        let height = |height: &Option<usize>| match *height {
            None => 0,
            Some(log_rows) => u64::try_from(log_rows).map_or(u64::MAX, |log_rows| log_rows.saturating_add(1)),
        };
        core::iter::once(rate)
            .chain(self.heights.iter().map(height))
            .collect()
    }

    /// The shape that these words announce.
    ///
    /// # Errors
    /// It is none of a proof for this machine.
    pub fn parse(machine: &Machine, words: &[u64]) -> Result<Self, ShapeError> {
        let expected = machine.tables.len().saturating_add(1);
        let length = ShapeError::Length {
            found: words.len(),
            expected,
        };
        let (&rate, heights) = words.split_first().ok_or(length)?;
        if words.len() != expected {
            return Err(length);
        }
        let (min, max) = (*LOG_INV_RATE.start(), *LOG_INV_RATE.end());
        let log_inv_rate = usize::try_from(rate)
            .ok()
            .filter(|rate| LOG_INV_RATE.contains(rate));
        let log_inv_rate = log_inv_rate.ok_or(ShapeError::Rate {
            found: rate,
            min,
            max,
        })?;
        let heights = heights.iter().zip(&machine.tables).map(|(&word, table)| {
            let Some(log_rows) = word.checked_sub(1) else {
                return Ok(None);
            };
            let (min, max) = (table.min_log_rows(machine), *LOG_WORDS.end());
            match usize::try_from(log_rows)
                .ok()
                .filter(|rows| (min..=max).contains(rows))
            {
                Some(log_rows) => Ok(Some(log_rows)),
                None => Err(ShapeError::Height {
                    table: table.name,
                    log_rows,
                    min,
                    max,
                }),
            }
        });
        let heights: Vec<_> = heights.collect::<Result<_, _>>()?;
        if heights.iter().all(Option::is_none) {
            return Err(ShapeError::Empty);
        }
        Ok(Self {
            log_inv_rate,
            heights,
        })
    }
}
