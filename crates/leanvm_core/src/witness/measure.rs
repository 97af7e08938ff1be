//! How large the proof of a run is: exact counts, without proving.

use alloc::vec;
use alloc::vec::Vec;

use argument::layout::Layout;
use argument::machine::{Machine, Table};
use argument::security::{Security, security};
use argument::shape::Shape;
use pcs::ntt::{Interleaving, Symbol};
use pcs::parameters::{LOG_WORDS, Level};
use pcs::stack::layout::present_lanes;
use pcs::whir::prove::stack_shape;
use primitives::field::{E, K};
use rv::{Class, Limits, Program};

use super::WitnessError;
use crate::parts;

/// What shape a proof shall have.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// The one that commits to few words ([`parts::heights`]), at a rate of 2^-`log_inv_rate`; tables without rows are
    /// absent.
    Least {
        /// The negative of log2 of the rate.
        log_inv_rate: usize,
    },
    /// This one, filled with padding rows.
    Shape(&'a Shape),
}

/// The counts of a run: the same on every machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// Registers a0 to a3 at the exit.
    pub output: [u64; 4],
    /// The instructions executed.
    pub cycles: u64,
    /// The rows of each class, in the order of [`Class::ALL`].
    pub rows: [u64; Class::COUNT],
    /// The shape of the proof; its tables may be larger than a proof can have.
    pub shape: Shape,
    /// The words that the proof commits to.
    pub words: usize,
    /// The rows of each table of the machine that are steps of the run.
    pub(super) live: [u64; parts::TABLES],
}

/// Runs a program, whose machine this is, and counts; a run that is too large for a proof is counted too.
///
/// # Errors
/// [`WitnessError`]: the run traps or exceeds the limits, or the shape that was asked for does not hold it.
///
/// # Panics
/// If `machine` is another program's.
pub fn measure(
    machine: &Machine,
    program: &Program,
    advice: &[u64],
    limits: Limits,
    target: Target<'_>,
) -> Result<Measured, WitnessError> {
    run(machine, program, advice, limits, target).map(|(measured, _)| measured)
}

/// [`measure`], with the number of executions of each slot of the program proper.
pub(super) fn run(
    machine: &Machine,
    program: &Program,
    advice: &[u64],
    limits: Limits,
    target: Target<'_>,
) -> Result<(Measured, Vec<u64>), WitnessError> {
    let run = rv::run(program, advice, limits, &mut ())?;
    let rows = run.rows(program);
    let shape = shape(machine, &rows, target)?;
    let live = live(&shape, &rows)?;
    let measured = Measured {
        output: run.output,
        cycles: run.cycles,
        rows,
        words: words(machine, &shape),
        shape,
        live,
    };
    Ok((measured, run.executions))
}

impl Measured {
    /// Where the columns of the proof are.
    ///
    /// # Errors
    /// The run is too large for one proof.
    pub fn layout<'m>(&self, machine: &'m Machine) -> Result<Layout<'m>, WitnessError> {
        let max = *LOG_WORDS.end();
        if self.words > 1 << max {
            return Err(WitnessError::TooLarge {
                cycles: self.cycles,
                words: self.words,
                max,
            });
        }
        Ok(Layout::new(machine, &self.shape)?)
    }

    /// The error in bits of each message of the verifier of a proof of the run, in their order.
    ///
    /// A run adds no challenge to those of the argument: its own words are absorbed before the commitment, and checked
    /// exactly.
    ///
    /// # Errors
    /// The run is too large for one proof.
    pub fn security(&self, machine: &Machine) -> Result<Security, WitnessError> {
        Ok(security(machine, &self.layout(machine)?))
    }

    /// The bytes of what a proof of the run holds from its commitment on: the stack, the codeword and the Merkle tree.
    ///
    /// # Errors
    /// The run is too large for one proof.
    pub fn committed_bytes(&self, machine: &Machine) -> Result<usize, WitnessError> {
        let Layout {
            parameters, placed, ..
        } = self.layout(machine)?;
        let code = stack_shape(&parameters, present_lanes(&parameters, placed));
        Ok(8 * code.message_symbols() + oracle_bytes::<K>(&code))
    }

    /// About how many bytes of memory a process takes at its most that makes one proof: a little above what it is with few
    /// threads, and as much as half above with many. (A process that keeps what it frees may take more for several.)
    ///
    /// What is [committed](Self::committed_bytes) is there to the end. Beside it stand, one after the other, what the first
    /// rounds of the opening keep, and the next two oracles.
    ///
    /// # Errors
    /// The run is too large for one proof.
    pub fn memory_bytes(&self, machine: &Machine) -> Result<usize, WitnessError> {
        let Layout {
            parameters, placed, ..
        } = self.layout(machine)?;
        // The first rounds bind three variables, and keep the weights of an eighth of the padded stack whole or not at all.
        let eighth = 1 << (parameters.log_words() - 3);
        let present = placed.div_ceil(eighth);
        let first_rounds = (WEIGHT_BYTES * present + FOLDED_BYTES) * eighth;
        let oracle = |level: &Level| {
            let code = Interleaving::full(level.log_message, level.log_inv_rate, level.log_fold);
            oracle_bytes::<E>(&code)
        };
        let oracles: usize = parameters.levels().iter().skip(1).take(2).map(oracle).sum();
        // Freed pieces that are too small for an oracle stay between them.
        let oracles = oracles + oracles / 4;
        Ok(self.committed_bytes(machine)? + first_rounds.max(oracles) + FIXED_BYTES)
    }
}

/// Bytes of a codeword and its Merkle tree.
fn oracle_bytes<T: Symbol>(code: &Interleaving) -> usize {
    let of_row = 64 * code.row_blocks::<T>() + 64;
    of_row << code.log_rows()
}

/// Bytes of a weight, a scalar of E, which the first rounds of the opening keep for each word where there are few threads.
const WEIGHT_BYTES: usize = 24;

/// Bytes that the first rounds take for eight words of the padded stack: what these are folded to, a scalar of E, and
/// what the allocator may waste.
const FOLDED_BYTES: usize = 48;

/// Bytes that every proof takes: the machine, tables of constants, buffers of workers.
const FIXED_BYTES: usize = 32 << 20;

/// The shape of a run with these rows.
fn shape(machine: &Machine, rows: &[u64; Class::COUNT], target: Target<'_>) -> Result<Shape, WitnessError> {
    assert_eq!(
        machine.tables.len(),
        parts::TABLES,
        "the machine has two tables for each class"
    );
    match target {
        Target::Least { log_inv_rate } => {
            let mut heights = vec![None; parts::TABLES];
            for (class, &rows) in Class::ALL.into_iter().zip(rows) {
                let table = &machine.tables[parts::number(class, 0)];
                let row_words = row_words(machine, table) as u64;
                let of_parts = parts::heights(rows, table.min_log_rows(machine), row_words);
                for (part, height) in of_parts.into_iter().enumerate() {
                    heights[parts::number(class, part)] = height;
                }
            }
            Ok(Shape {
                log_inv_rate,
                heights,
            })
        }
        Target::Shape(shape) => Ok(Shape::parse(machine, &shape.to_words())?),
    }
}

/// The rows of each table that are steps of a run with so many rows of each class.
fn live(shape: &Shape, rows: &[u64; Class::COUNT]) -> Result<[u64; parts::TABLES], WitnessError> {
    let mut live = [0; parts::TABLES];
    for (class, &rows) in Class::ALL.into_iter().zip(rows) {
        let numbers: [usize; parts::PARTS] = core::array::from_fn(|part| parts::number(class, part));
        let heights = numbers.map(|number| shape.heights[number]);
        let Some(of_parts) = parts::live(rows, heights) else {
            let class = class.name();
            return Err(if heights.iter().all(Option::is_none) {
                WitnessError::Absent { class, rows }
            } else {
                let capacity = heights.iter().flatten().map(|log_rows| 1 << log_rows).sum();
                WitnessError::Rows {
                    class,
                    rows,
                    capacity,
                }
            });
        };
        for (number, rows) in numbers.into_iter().zip(of_parts) {
            live[number] = rows;
        }
    }
    Ok(live)
}

/// The committed words of a row.
fn row_words(machine: &Machine, table: &Table) -> usize {
    let blocks = table.blocks.iter();
    let blocks = blocks.map(|&number| machine.circuits[number].block_words());
    table.columns + blocks.sum::<usize>()
}

/// The words that a proof of this shape commits to.
fn words(machine: &Machine, shape: &Shape) -> usize {
    let tables = machine.tables.iter().zip(&shape.heights);
    let tables =
        tables.filter_map(|(table, height)| height.map(|log_rows| row_words(machine, table) << log_rows));
    let free = machine.columns.iter().map(|column| 1 << column.log_words);
    let reads = machine.producers.iter().map(|producer| 1 << producer.log_len);
    tables.chain(free).chain(reads).sum()
}
