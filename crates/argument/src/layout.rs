//! Where everything stands: columns in the stack, leaves on the bus, blocks in Flock's batch. A function of machine and
//! shape alone.

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

use alloc::vec;
use alloc::vec::Vec;

use flock::{Batch, BatchError, Part};
use pcs::parameters::{Parameters, ParametersError};
use pcs::stack::{self, LayoutError as StackError, Region};

use crate::check::MachineError;
use crate::machine::{Coordinate, Flush, Machine, PublicColumn, Side, Table};
use crate::shape::Shape;

/// The most bits of the number of reads of a producer.
pub const MAX_READ_BITS: usize = 28;

/// log2 of the greatest [degree](Layout::degree) of a bus.
pub const MAX_LOG_DEGREE: usize = 52;

/// Where everything stands for one shape.
#[derive(Clone, Debug)]
pub struct Layout<'m> {
    /// The parameters of the opening.
    pub parameters: Parameters,
    /// The words of the stack that columns occupy.
    pub placed: usize,
    /// The present tables, in order.
    pub tables: Vec<Place<'m>>,
    /// The regions of the free columns.
    pub columns: Vec<Region>,
    /// The producers.
    pub producers: Vec<ProducerPlace>,
    /// The blocks of leaves of either side, in the order of [`Side::BOTH`], largest first.
    pub leaves: [Vec<Leaves>; 2],
    /// log2 of the leaves of a side: the coordinates of the point where the grand product ends.
    pub log_leaves: usize,
    /// The rounds of the tables' sumcheck.
    pub log_rows: usize,
    /// The batch of circuits, if there are blocks; its members are the blocks of the present tables, in order.
    pub batch: Option<Batch<'m>>,
}

/// A present table.
#[derive(Clone, Debug)]
pub struct Place<'m> {
    /// The table.
    pub table: &'m Table,
    /// Its number in the machine.
    pub number: usize,
    /// log2 of its rows.
    pub log_rows: usize,
    /// The regions of its committed columns.
    pub columns: Vec<Region>,
    /// The regions of its blocks.
    pub blocks: Vec<Region>,
    /// log2 of the words of each block.
    pub log_block_words: Vec<usize>,
}

/// A producer's place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProducerPlace {
    /// The region of the words that say how often each entry is pushed.
    pub region: Region,
    /// The bits of these words that may be set.
    pub bits: usize,
}

/// 2^`log_len` leaves of one source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaves {
    /// Whose leaves these are.
    pub source: Source,
    /// log2 of their number.
    pub log_len: usize,
    /// The place of the first on its side: a multiple of their number.
    pub offset: usize,
}

impl Leaves {
    /// Where they are on their side.
    #[must_use]
    pub fn region(&self) -> Region {
        Region {
            offset: self.offset,
            log_words: self.log_len,
        }
    }
}

/// What leaves are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The tuples of a flush: the table by its place among the present ones, the flush by its place in the table.
    Flush {
        /// The table.
        place: usize,
        /// The flush.
        flush: usize,
    },
    /// The tuples of a boundary.
    Boundary(usize),
    /// One bit of how often a producer's entries are pushed.
    Bit {
        /// The producer.
        producer: usize,
        /// The bit.
        bit: usize,
    },
}

/// Why a machine has no layout for a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// The columns do not fit the largest stack.
    #[error(transparent)]
    Stack(#[from] StackError),
    /// There are no parameters for the size.
    #[error(transparent)]
    Parameters(#[from] ParametersError),
    /// The blocks are no batch.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// The machine is none.
    #[error("the machine is none, a bug of ours: {0}")]
    Machine(#[from] MachineError),
    /// The shape is another machine's.
    #[error("the shape has {found} tables, and the machine {expected}")]
    Tables {
        /// Tables of the shape.
        found: usize,
        /// Tables of the machine.
        expected: usize,
    },
    /// A table has not as many rows as its public column has words.
    #[error(
        "the {table} table has 2^{log_rows} rows, and its public column {column} another number of words"
    )]
    Public {
        /// The table.
        table: &'static str,
        /// log2 of its rows.
        log_rows: usize,
        /// The public column, by number.
        column: usize,
    },
    /// An index column of a table has more bits than a word.
    #[error("index column {column} of the {table} table has {bits} bits, and a word has 64")]
    Index {
        /// The table.
        table: &'static str,
        /// The index column, by its place in the table.
        column: usize,
        /// Bits of the highest index.
        bits: usize,
    },
    /// The tables could read a producer too often.
    #[error(
        "the tables can read {producer} {reads} times, and 2^{max} is too often: prove fewer cycles at once"
    )]
    Reads {
        /// The producer.
        producer: &'static str,
        /// The reads.
        reads: usize,
        /// log2 of the bound, which is not reached.
        max: usize,
    },
    /// The bus is so large that its error would be too.
    #[error("the bus has degree {degree}, and at most 2^{max} is sound: prove fewer cycles at once")]
    Degree {
        /// The degree.
        degree: usize,
        /// log2 of the greatest.
        max: usize,
    },
}

impl<'m> Layout<'m> {
    /// The layout of a machine for a shape of it.
    ///
    /// # Errors
    /// The shape is too large, or the machine is none.
    pub fn new(machine: &'m Machine, shape: &Shape) -> Result<Self, LayoutError> {
        machine.check()?;
        let (found, expected) = (shape.heights.len(), machine.tables.len());
        if found != expected {
            return Err(LayoutError::Tables { found, expected });
        }
        let present = machine.tables.iter().zip(&shape.heights).enumerate();
        let present: Vec<_> = present
            .filter_map(|(number, (table, height))| height.map(|log_rows| (number, table, log_rows)))
            .collect();

        let mut sizes = Vec::new();
        let mut parts = Vec::new();
        for &(_, table, log_rows) in &present {
            check_known(machine, table, log_rows)?;
            sizes.extend(vec![log_rows; table.columns]);
            for circuit in table
                .blocks
                .iter()
                .filter_map(|&number| machine.circuits.get(number))
            {
                sizes.push(log_rows.saturating_add(log_block_words(circuit)));
                parts.push(Part {
                    circuit,
                    log_instances: log_rows,
                });
            }
        }
        sizes.extend(machine.columns.iter().map(|column| column.log_words));
        sizes.extend(machine.producers.iter().map(|producer| producer.log_len));
        let stack = stack::Layout::new(&sizes)?;

        let mut regions = stack.regions().iter().copied();
        let mut tables = Vec::new();
        for (number, table, log_rows) in present {
            tables.push(Place {
                table,
                number,
                log_rows,
                columns: regions.by_ref().take(table.columns).collect(),
                blocks: regions.by_ref().take(table.blocks.len()).collect(),
                log_block_words: (table.blocks.iter())
                    .filter_map(|&number| machine.circuits.get(number).map(log_block_words))
                    .collect(),
            });
        }
        let columns = regions.by_ref().take(machine.columns.len()).collect();
        let mut producers = Vec::new();
        for (producer, region) in machine.producers.iter().zip(regions) {
            let reads = reads(&tables, producer.tuple.first());
            let bits = bit_length(reads);
            if bits > MAX_READ_BITS {
                return Err(LayoutError::Reads {
                    producer: producer.name,
                    reads,
                    max: MAX_READ_BITS,
                });
            }
            producers.push(ProducerPlace { region, bits });
        }

        let leaves = Side::BOTH.map(|side| leaves(machine, &tables, &producers, side));
        let longest = leaves.iter().map(|blocks| length(blocks)).max().unwrap_or(0);
        let log_rows = tables.iter().map(|place| place.log_rows);
        let log_entries = machine.producers.iter().map(|producer| producer.log_len);
        let rounds = log_rows.chain(log_entries).max().unwrap_or(0);
        let layout = Self {
            parameters: stack.parameters(shape.log_inv_rate)?,
            placed: stack.placed(),
            columns,
            log_leaves: bit_length(longest.saturating_sub(1)).max(rounds).max(1),
            log_rows: rounds,
            tables,
            producers,
            leaves,
            batch: if parts.is_empty() {
                None
            } else {
                Some(Batch::new(&parts)?)
            },
        };
        let degree = layout.degree();
        if degree > power(MAX_LOG_DEGREE) {
            return Err(LayoutError::Degree {
                degree,
                max: MAX_LOG_DEGREE,
            });
        }
        Ok(layout)
    }

    /// The degree that the error of the bus is charged with (`doc/argument.md`, "Bus").
    #[must_use]
    pub fn degree(&self) -> usize {
        let leaves = self.leaves.iter().map(|blocks| length(blocks));
        let producers = self.producers.iter().map(|producer| {
            let times = power(producer.bits).saturating_sub(1);
            power(producer.region.log_words).saturating_mul(times)
        });
        leaves
            .chain(producers)
            .fold(0, usize::saturating_add)
            .saturating_mul(4)
    }
}

/// Checks that the columns of a table that everybody knows have a word for each row.
fn check_known(machine: &Machine, table: &Table, log_rows: usize) -> Result<(), LayoutError> {
    for &column in &table.public {
        let fits = match machine.public.get(column) {
            Some(PublicColumn::Dense(words)) => words.len() == power(log_rows),
            _ => false,
        };
        if !fits {
            return Err(LayoutError::Public {
                table: table.name,
                log_rows,
                column,
            });
        }
    }
    for (column, index) in table.index.iter().enumerate() {
        let bits = index.shift.saturating_add(log_rows);
        if bits > 64 {
            return Err(LayoutError::Index {
                table: table.name,
                column,
                bits,
            });
        }
    }
    Ok(())
}

/// log2 of the words of a circuit's block.
pub(crate) fn log_block_words(circuit: &circuit::Circuit) -> usize {
    circuit.log_block().saturating_sub(flock::skip::LOG_SKIP)
}

/// How often the tables can read the producer with this separator.
fn reads(tables: &[Place<'_>], separator: Option<&Coordinate>) -> usize {
    let reads = |flush: &Flush| {
        let form = flush.tuple.first();
        flush.side == Side::Pull
            && form.is_some_and(|form| {
                form.linear.is_empty()
                    && form.products.is_empty()
                    && separator == Some(&Coordinate::Constant(form.constant))
            })
    };
    let of_table = |place: &Place<'_>| {
        let flushes = place.table.flushes.iter().filter(|flush| reads(flush)).count();
        flushes.saturating_mul(power(place.log_rows))
    };
    tables.iter().map(of_table).fold(0, usize::saturating_add)
}

/// The blocks of leaves of a side.
fn leaves(machine: &Machine, tables: &[Place<'_>], producers: &[ProducerPlace], side: Side) -> Vec<Leaves> {
    let mut blocks = Vec::new();
    let mut add = |source, log_len| {
        blocks.push(Leaves {
            source,
            log_len,
            offset: 0,
        });
    };
    for (place, table) in tables.iter().enumerate() {
        for (flush, _) in table
            .table
            .flushes
            .iter()
            .enumerate()
            .filter(|(_, flush)| flush.side == side)
        {
            add(Source::Flush { place, flush }, table.log_rows);
        }
    }
    for (number, boundary) in machine
        .boundary
        .iter()
        .enumerate()
        .filter(|(_, boundary)| boundary.side == side)
    {
        add(Source::Boundary(number), boundary.log_len);
    }
    if side == Side::Push {
        for (producer, place) in producers.iter().enumerate() {
            for bit in 0..place.bits {
                add(Source::Bit { producer, bit }, place.region.log_words);
            }
        }
    }
    blocks.sort_by_key(|block| core::cmp::Reverse(block.log_len));
    let mut offset = 0usize;
    for block in &mut blocks {
        block.offset = offset;
        offset = offset.saturating_add(power(block.log_len));
    }
    blocks
}

/// The leaves of all blocks.
fn length(blocks: &[Leaves]) -> usize {
    let lengths = blocks.iter().map(|block| power(block.log_len));
    lengths.fold(0, usize::saturating_add)
}

/// The number of bits of a number.
fn bit_length(number: usize) -> usize {
    usize::try_from(number.checked_ilog2().map_or(0, |log| log.saturating_add(1))).unwrap_or(usize::MAX)
}

/// 2^`log`, or as many as there can be.
pub(crate) fn power(log: usize) -> usize {
    u32::try_from(log)
        .ok()
        .and_then(|log| 1usize.checked_shl(log))
        .unwrap_or(usize::MAX)
}
