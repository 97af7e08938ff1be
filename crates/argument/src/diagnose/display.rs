//! A diagnosis as text, a line for each thing that is wrong.

use core::fmt;

use primitives::field::K;

use super::{Block, Count, Diagnosis, Identity, Place, Unmatched, WrongWord};
use crate::machine::Side;

/// How many lines of a sort are written, and how many places of a tuple.
const MAX_LINES: usize = 16;

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_clean() {
            return writeln!(f, "nothing is wrong");
        }
        lines(f, &self.unmatched)?;
        lines(f, &self.identities)?;
        lines(f, &self.blocks)?;
        lines(f, &self.fixed)?;
        lines(f, &self.counts)
    }
}

fn lines(f: &mut fmt::Formatter<'_>, items: &[impl fmt::Display]) -> fmt::Result {
    for item in items.iter().take(MAX_LINES) {
        writeln!(f, "{item}")?;
    }
    match items.len().saturating_sub(MAX_LINES) {
        0 => Ok(()),
        more => writeln!(f, "and {more} more like this"),
    }
}

impl fmt::Display for Unmatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::Push => "pushed",
            Side::Pull => "pulled",
        };
        write!(f, "{side} {} times too often: (", self.excess)?;
        let zeros = self.tuple.iter().rev().take_while(|&&word| word == K::ZERO);
        let coordinates = &self.tuple[..self.tuple.len() - zeros.count()];
        for (i, word) in coordinates.iter().enumerate() {
            write!(f, "{}{:#x}", if i == 0 { "" } else { ", " }, word.0)?;
        }
        write!(f, ") by")?;
        for (i, place) in self.places.iter().take(MAX_LINES).enumerate() {
            write!(f, "{} {place}", if i == 0 { "" } else { ";" })?;
        }
        match self.places.len().saturating_sub(MAX_LINES) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row { table, row, flush } => write!(f, "{table} row {row} flush {flush}"),
            Self::Boundary { boundary, index } => write!(f, "boundary {boundary} tuple {index}"),
            Self::Entry { producer, index } => write!(f, "{producer} entry {index}"),
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            table,
            row,
            identity,
            value,
        } = self;
        write!(
            f,
            "{table} row {row}: identity {identity} is {:#x}, not 0",
            value.0
        )
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            table,
            row,
            block,
            violation,
        } = self;
        write!(f, "{table} row {row} block {block}: {violation}")
    }
}

impl fmt::Display for WrongWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            column,
            index,
            found,
            expected,
        } = self;
        write!(
            f,
            "{column}: word {index} is {:#x}, not {:#x}",
            found.0, expected.0
        )
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            producer,
            index,
            count,
            bits,
        } = self;
        write!(
            f,
            "{producer} entry {index} is pushed {count} times, which has more than {bits} bits"
        )
    }
}
