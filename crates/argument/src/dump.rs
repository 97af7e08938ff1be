//! The textual dump of a machine: all of it, in a fixed order, for people and for verifiers in other languages.

use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

use crate::machine::{
    Coordinate, Fixed, FixedValue, Flush, Form, Machine, Port, Producer, PublicColumn, Side, Table,
};

/// The dump; `doc/argument.md` explains its lines.
impl Display for Machine {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for circuit in &self.circuits {
            f.write_str("circuit ")?;
            for byte in circuit.digest() {
                write!(f, "{byte:02x}")?;
            }
            f.write_str("\n")?;
        }
        for table in &self.tables {
            write!(f, "{table}")?;
        }
        for column in &self.columns {
            writeln!(f, "free {} {}", column.log_words, column.name)?;
        }
        for column in &self.public {
            writeln!(f, "public {column}")?;
        }
        for boundary in &self.boundary {
            let tuple = List(&boundary.tuple);
            writeln!(
                f,
                "boundary {} {}: {tuple}",
                Name(boundary.side),
                boundary.log_len
            )?;
        }
        for Producer { name, log_len, tuple } in &self.producers {
            writeln!(f, "producer {log_len} {name}: {}", List(tuple))?;
        }
        for &Fixed { column, index, value } in &self.fixed {
            let value = match value {
                FixedValue::Constant(word) => Coordinate::Constant(word),
                FixedValue::Announced(word) => Coordinate::Announced(word),
            };
            writeln!(f, "fixed {column} {index}: {value}")?;
        }
        Ok(())
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "table {} {}", self.columns, self.name)?;
        for block in &self.blocks {
            writeln!(f, "  block {block}")?;
        }
        for Port { block, word } in &self.ports {
            writeln!(f, "  port {block} {word}")?;
        }
        for Flush { side, tuple } in &self.flushes {
            writeln!(f, "  {}: {}", Name(*side), List(tuple))?;
        }
        for identity in &self.identities {
            writeln!(f, "  zero: {identity}")?;
        }
        Ok(())
    }
}

/// Terms by ascending columns: `5 + 3*c0 + 1*c0*c2`; the constant only where it is not zero, or nothing else is there.
impl Display for Form {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut separator = "";
        if self.constant.0 != 0 || self.degree() == 0 {
            write!(f, "{}", self.constant.0)?;
            separator = " + ";
        }
        for &(i, coefficient) in &self.linear {
            write!(f, "{separator}{}*c{i}", coefficient.0)?;
            separator = " + ";
        }
        for &(i, j, coefficient) in &self.products {
            write!(f, "{separator}{}*c{i}*c{j}", coefficient.0)?;
            separator = " + ";
        }
        Ok(())
    }
}

impl Display for Coordinate {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Constant(word) => write!(f, "{}", word.0),
            Self::Announced(word) => write!(f, "announced {word}"),
            Self::Index { base, shift } => write!(f, "index {base} {shift}"),
            Self::Column(column) => write!(f, "free {column}"),
            Self::Public(column) => write!(f, "public {column}"),
        }
    }
}

/// log2 of the words, then the indices and values of those that are not zero.
impl Display for PublicColumn {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let words: Vec<(usize, u64)> = match self {
            Self::Dense(words) => {
                write!(f, "dense {}", words.len().trailing_zeros())?;
                words.iter().map(|word| word.0).enumerate().collect()
            }
            Self::Sparse { log_words, words } => {
                write!(f, "sparse {log_words}")?;
                words
                    .iter()
                    .map(|&(index, word)| (index as usize, word.0))
                    .collect()
            }
        };
        for (index, word) in words.into_iter().filter(|&(_, word)| word != 0) {
            write!(f, " {index}:{word}")?;
        }
        Ok(())
    }
}

/// A side's name.
struct Name(Side);

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self.0 {
            Side::Push => "push",
            Side::Pull => "pull",
        })
    }
}

/// The parts of a tuple.
struct List<'a, T>(&'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for (i, part) in self.0.iter().enumerate() {
            let separator = if i == 0 { "" } else { "; " };
            write!(f, "{separator}{part}")?;
        }
        Ok(())
    }
}
