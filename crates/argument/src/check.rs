//! Whether a machine is one: what its lists refer to exists, and fits.

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

use pcs::parameters::LOG_WORDS;

use crate::layout::{log_block_words, power};
use crate::machine::{
    Boundary, Coordinate, Fixed, Form, MAX_COORDINATES, Machine, Port, Producer, PublicColumn, Table,
};

/// Why lists are no machine: a bug of whoever wrote them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MachineError {
    /// A table has a block of a circuit that there is not.
    #[error("the {table} table has a block of circuit {circuit}, and the machine has {circuits}")]
    Circuit {
        /// The table.
        table: &'static str,
        /// The circuit, by number.
        circuit: usize,
        /// How many there are.
        circuits: usize,
    },
    /// A port is of a block that a row does not have.
    #[error("port {port} of the {table} table is of block {block}, and a row has {blocks}")]
    Block {
        /// The table.
        table: &'static str,
        /// The port.
        port: usize,
        /// The block.
        block: usize,
        /// How many there are.
        blocks: usize,
    },
    /// A port is a word that a block does not have.
    #[error("port {port} of the {table} table is word {word} of a block of {words}")]
    Word {
        /// The table.
        table: &'static str,
        /// The port.
        port: usize,
        /// The word.
        word: usize,
        /// How many there are.
        words: usize,
    },
    /// A table has a public column that there is not, or that is sparse.
    #[error("public column {column} of the {table} table is no dense column of the machine")]
    Known {
        /// The table.
        table: &'static str,
        /// The public column, by number.
        column: usize,
    },
    /// A form names a column that a row does not have.
    #[error("a form of the {table} table names column {column}, and a row has {columns}")]
    Column {
        /// The table.
        table: &'static str,
        /// The column.
        column: usize,
        /// How many there are of all kinds.
        columns: usize,
    },
    /// A tuple has no coordinates, or too many.
    #[error("{tuple} has {coordinates} coordinates, and 1 to {max} are possible")]
    Coordinates {
        /// The tuple.
        tuple: Tuple,
        /// How many it has.
        coordinates: usize,
        /// The most.
        max: usize,
    },
    /// The first coordinate of a boundary or a producer is no constant.
    #[error("{tuple} starts with no constant, which says what the tuple is")]
    Separator {
        /// The tuple.
        tuple: Tuple,
    },
    /// Two producers have one separator.
    #[error("the producers {first} and {second} have one separator, so that their entries are one list")]
    Producers {
        /// A producer.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// A producer has a coordinate that is neither a constant, nor an index, nor a dense public column.
    #[error("coordinate {coordinate} of {tuple} is of a kind that entries cannot have")]
    Kind {
        /// The producer.
        tuple: Tuple,
        /// The coordinate.
        coordinate: usize,
    },
    /// A coordinate names a column that there is not, or one of another length.
    #[error("coordinate {coordinate} of {tuple} is no column of 2^{log_len} words")]
    Length {
        /// The tuple.
        tuple: Tuple,
        /// The coordinate.
        coordinate: usize,
        /// log2 of the number of the tuples.
        log_len: usize,
    },
    /// An index has more bits than a word.
    #[error("coordinate {coordinate} of {tuple} is an index of {bits} bits, and a word has 64")]
    Index {
        /// The tuple.
        tuple: Tuple,
        /// The coordinate.
        coordinate: usize,
        /// Bits of the highest index.
        bits: usize,
    },
    /// A public column is none.
    #[error("public column {column} is no column of a power of two of words, at most 2^{max}, in order")]
    Public {
        /// The column.
        column: usize,
        /// log2 of the most words.
        max: usize,
    },
    /// A fixed word is of no free column.
    #[error("fixed word {number} is no word of a free column")]
    Fixed {
        /// Its number.
        number: usize,
    },
}

/// A tuple of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tuple {
    /// A flush of a table.
    Flush {
        /// The table.
        table: &'static str,
        /// The flush.
        flush: usize,
    },
    /// A boundary, by number.
    Boundary(usize),
    /// A producer's.
    Producer(&'static str),
}

impl core::fmt::Display for Tuple {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Flush { table, flush } => write!(f, "flush {flush} of the {table} table"),
            Self::Boundary(number) => write!(f, "boundary {number}"),
            Self::Producer(name) => write!(f, "the producer {name}"),
        }
    }
}

impl Machine {
    /// Checks that everything that the lists refer to exists and fits.
    ///
    /// # Errors
    /// The first thing that does not.
    pub fn check(&self) -> Result<(), MachineError> {
        for table in &self.tables {
            self.check_blocks(table)?;
            self.check_known(table)?;
            check_forms(table)?;
        }
        for (column, public) in self.public.iter().enumerate() {
            if log_words(public).is_none() {
                let max = *LOG_WORDS.end();
                return Err(MachineError::Public { column, max });
            }
        }
        for (number, boundary) in self.boundary.iter().enumerate() {
            self.check_boundary(number, boundary)?;
        }
        for (number, producer) in self.producers.iter().enumerate() {
            self.check_producer(producer)?;
            let before = self.producers.iter().take(number);
            let mut same = before.filter(|other| other.tuple.first() == producer.tuple.first());
            if let Some(other) = same.next() {
                return Err(MachineError::Producers {
                    first: other.name,
                    second: producer.name,
                });
            }
        }
        for (number, &Fixed { column, index, .. }) in self.fixed.iter().enumerate() {
            let column = self.columns.get(column);
            if column.is_none_or(|column| index >= power(column.log_words)) {
                return Err(MachineError::Fixed { number });
            }
        }
        Ok(())
    }

    /// The circuits of a table's blocks, and its ports.
    fn check_blocks(&self, table: &Table) -> Result<(), MachineError> {
        for &circuit in &table.blocks {
            if circuit >= self.circuits.len() {
                return Err(MachineError::Circuit {
                    table: table.name,
                    circuit,
                    circuits: self.circuits.len(),
                });
            }
        }
        for (port, &Port { block, word }) in table.ports.iter().enumerate() {
            let circuit = table
                .blocks
                .get(block)
                .and_then(|&circuit| self.circuits.get(circuit));
            let circuit = circuit.ok_or(MachineError::Block {
                table: table.name,
                port,
                block,
                blocks: table.blocks.len(),
            })?;
            let words = power(log_block_words(circuit));
            if word >= words {
                return Err(MachineError::Word {
                    table: table.name,
                    port,
                    word,
                    words,
                });
            }
        }
        Ok(())
    }

    /// The public columns of a table.
    fn check_known(&self, table: &Table) -> Result<(), MachineError> {
        for &column in &table.public {
            if !matches!(self.public.get(column), Some(PublicColumn::Dense(_))) {
                return Err(MachineError::Known {
                    table: table.name,
                    column,
                });
            }
        }
        Ok(())
    }

    fn check_boundary(&self, number: usize, boundary: &Boundary) -> Result<(), MachineError> {
        let tuple = Tuple::Boundary(number);
        check_tuple(tuple, &boundary.tuple, is_constant)?;
        for (coordinate, &kind) in boundary.tuple.iter().enumerate() {
            let found = match kind {
                Coordinate::Constant(_) | Coordinate::Announced(_) => continue,
                Coordinate::Index { shift, .. } => {
                    check_index(tuple, coordinate, shift, boundary.log_len)?;
                    continue;
                }
                Coordinate::Column(column) => self.columns.get(column).map(|column| column.log_words),
                Coordinate::Public(column) => self.public.get(column).and_then(log_words),
            };
            check_length(tuple, coordinate, found, boundary.log_len)?;
        }
        Ok(())
    }

    fn check_producer(&self, producer: &Producer) -> Result<(), MachineError> {
        let tuple = Tuple::Producer(producer.name);
        check_tuple(tuple, &producer.tuple, is_constant)?;
        for (coordinate, &kind) in producer.tuple.iter().enumerate() {
            match kind {
                Coordinate::Constant(_) => {}
                Coordinate::Index { shift, .. } => {
                    check_index(tuple, coordinate, shift, producer.log_len)?;
                }
                Coordinate::Public(column) => match self.public.get(column) {
                    Some(PublicColumn::Sparse { .. }) => {
                        return Err(MachineError::Kind { tuple, coordinate });
                    }
                    column => {
                        check_length(tuple, coordinate, column.and_then(log_words), producer.log_len)?;
                    }
                },
                Coordinate::Announced(_) | Coordinate::Column(_) => {
                    return Err(MachineError::Kind { tuple, coordinate });
                }
            }
        }
        Ok(())
    }
}

/// The flushes and identities of a table.
fn check_forms(table: &Table) -> Result<(), MachineError> {
    let columns = table.width();
    let flushes = table.flushes.iter().flat_map(|flush| &flush.tuple);
    for form in flushes.chain(&table.identities) {
        if let Some(column) = form.columns().find(|&column| column >= columns) {
            return Err(MachineError::Column {
                table: table.name,
                column,
                columns,
            });
        }
    }
    for (flush, of) in table.flushes.iter().enumerate() {
        let tuple = Tuple::Flush {
            table: table.name,
            flush,
        };
        // A row may choose between separators.
        check_tuple(tuple, &of.tuple, |_: &Form| true)?;
    }
    Ok(())
}

/// The number of coordinates, and that the first is a constant.
fn check_tuple<T>(
    tuple: Tuple,
    coordinates: &[T],
    is_constant: impl Fn(&T) -> bool,
) -> Result<(), MachineError> {
    let (count, max) = (coordinates.len(), MAX_COORDINATES);
    match coordinates.first() {
        Some(first) if count <= max && is_constant(first) => Ok(()),
        Some(_) if count <= max => Err(MachineError::Separator { tuple }),
        _ => Err(MachineError::Coordinates {
            tuple,
            coordinates: count,
            max,
        }),
    }
}

fn is_constant(coordinate: &Coordinate) -> bool {
    matches!(coordinate, Coordinate::Constant(_))
}

/// `i << shift` for i below `2^log_len` is a word.
fn check_index(tuple: Tuple, coordinate: usize, shift: usize, log_len: usize) -> Result<(), MachineError> {
    let bits = shift.saturating_add(log_len);
    if bits > 64 {
        return Err(MachineError::Index {
            tuple,
            coordinate,
            bits,
        });
    }
    Ok(())
}

fn check_length(
    tuple: Tuple,
    coordinate: usize,
    found: Option<usize>,
    log_len: usize,
) -> Result<(), MachineError> {
    if found != Some(log_len) {
        return Err(MachineError::Length {
            tuple,
            coordinate,
            log_len,
        });
    }
    Ok(())
}

/// log2 of the words of a public column; nothing if it is none.
fn log_words(column: &PublicColumn) -> Option<usize> {
    let log_words = match column {
        PublicColumn::Dense(words) => {
            let log_words = words.len().checked_ilog2()?;
            usize::try_from(log_words)
                .ok()
                .filter(|_| words.len().is_power_of_two())?
        }
        PublicColumn::Sparse { log_words, words } => {
            let ascending = words.is_sorted_by(|(before, _), (after, _)| before < after);
            let last = words.last().map_or(0, |&(index, _)| index);
            let fits = usize::try_from(last).is_ok_and(|last| last < power(*log_words));
            (ascending && fits).then_some(*log_words)?
        }
    };
    Some(log_words).filter(|log_words| log_words <= LOG_WORDS.end())
}
