//! The witness of a run: the committed stack, written where it is proven, of which there is no other copy.
//!
//! The run is made twice. The first time nothing is watched: it gives the cycles and how often each slot was executed,
//! hence the rows of each class, the heights of the tables and the place of every column ([`measure()`]), and a run that
//! is too large is refused before anything is allocated. The second time every row is written where it stands
//! (`record`): its program counter, what the class adds to its entry, operands and results at the ports of its blocks,
//! and the clocks, for which the last accesses so far are kept in the committed columns of the last accesses. Then all
//! rows are completed in parallel (`complete`): what the entry says, the inner words of the blocks, the padding rows.
//!
//! The results that the interpreter gave are kept at the output ports until the row is completed, and compared with
//! what the circuits' generators compute: a difference is a bug of ours and panics.

use alloc::vec::Vec;

use argument::layout::{Layout, LayoutError};
use argument::machine::Machine;
use argument::shape::{Shape, ShapeError};
use bytemuck::allocation::zeroed_vec;
use circuit::clock::{CYCLE, LIVE};
use pcs::stack::layout::present_lanes;
use primitives::field::K;
use rv::{Limits, Program, RunError};
use tracing::info_span;

use crate::machine::{ADVICE, ADVICE_VALUES, FINAL_CLOCK, RAM_VALUES, REGISTER_VALUES};
use crate::parts::class_and_part;
use crate::witness::complete::complete;
use crate::witness::record::Recorder;
use crate::witness::windows::Windows;

mod complete;
mod inverse;
mod measure;
mod padding;
mod record;
#[cfg(test)]
mod tests;
mod windows;

pub use measure::{Measured, Target, measure};

/// The witness of a run.
#[derive(Clone, Debug)]
pub struct RunWitness<'m> {
    /// The shape of its proof.
    pub shape: Shape,
    /// Where its columns are.
    pub layout: Layout<'m>,
    /// The words that its proof announces: the output, then the clock at the end.
    pub announced: [u64; FINAL_CLOCK + 1],
    /// The rows of each present table, in order, that are steps of the run; the others are padding.
    pub live: Vec<usize>,
    /// The present lanes of the stack.
    pub stack: Vec<K>,
}

/// Why there is no witness.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WitnessError {
    /// The run did not end by the exit.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The shape that was asked for is none of the machine.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The tables of a class are too small in the shape that was asked for.
    #[error(
        "the run has {rows} rows of {class}, and the shape that was asked for has {capacity}: ask for a larger one"
    )]
    Rows {
        /// The class.
        class: &'static str,
        /// Its rows in the run.
        rows: u64,
        /// The rows of its tables in the shape.
        capacity: u64,
    },
    /// A class of which the run has rows has no table in the shape that was asked for.
    #[error("the run has {rows} rows of {class}, which is absent in the shape that was asked for")]
    Absent {
        /// The class.
        class: &'static str,
        /// Its rows in the run.
        rows: u64,
    },
    /// The run is too large for one proof.
    #[error(
        "the run has {cycles} cycles and needs {words} committed words, and one proof has at most 2^{max}: \
         prove fewer cycles at once"
    )]
    TooLarge {
        /// The cycles of the run.
        cycles: u64,
        /// The words that it would commit to.
        words: usize,
        /// log2 of the most words of a proof.
        max: usize,
    },
    /// There is no proof of this size for another reason.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

/// Runs a program, whose machine this is, and writes the witness of the run.
///
/// # Errors
/// [`WitnessError`]: the run traps or exceeds the limits, or no proof of the target holds it; the sizes are checked
/// before the stack is allocated.
///
/// # Panics
/// If `machine` is another program's. If a circuit computes something else than the interpreter: a bug of ours.
pub fn witness<'m>(
    machine: &'m Machine,
    program: &Program,
    advice: &[u64],
    limits: Limits,
    target: Target<'_>,
) -> Result<RunWitness<'m>, WitnessError> {
    let first = || measure::run(machine, program, advice, limits, target);
    let (measured, executions) = info_span!("measure").in_scope(first)?;
    let layout = measured.layout(machine)?;
    let lanes = present_lanes(&layout.parameters, layout.placed);
    // Zeroed by the allocator: pages are made when they are first written.
    let mut stack: Vec<K> = zeroed_vec(lanes << layout.parameters.log_lane_words());
    let words = bytemuck::cast_slice_mut(&mut stack);

    let second = || {
        let mut recorder = Recorder::new(program, Windows::new(words, &layout));
        rv::run(program, advice, limits, &mut recorder)
    };
    let run = info_span!("record").in_scope(second)?;
    assert_eq!(
        run.cycles, measured.cycles,
        "two runs of one program on one advice"
    );

    let mut windows = Windows::new(words, &layout);
    for (column, values) in [
        (REGISTER_VALUES, &run.state.registers[..]),
        (RAM_VALUES, &run.state.ram),
        (ADVICE_VALUES, &run.state.advice),
    ] {
        windows.free[column].copy_from_slice(values);
    }
    windows.free[ADVICE][..advice.len()].copy_from_slice(advice);
    drop(run);
    let table = program.table();
    windows.reads[..executions.len()].copy_from_slice(&executions);
    for place in &layout.tables {
        let padding = (1 << place.log_rows) - measured.live[place.number];
        let (class, _) = class_and_part(place.number);
        windows.reads[table.filler_slot(class)] += padding;
    }
    info_span!("complete").in_scope(|| complete(machine, table, windows, &measured.live));

    let mut announced = [0; FINAL_CLOCK + 1];
    announced[..FINAL_CLOCK].copy_from_slice(&measured.output);
    announced[FINAL_CLOCK] = 1 << LIVE | (measured.cycles + 1) << CYCLE;
    Ok(RunWitness {
        live: layout
            .tables
            .iter()
            .map(|place| measured.live[place.number] as usize)
            .collect(),
        shape: measured.shape,
        layout,
        announced,
        stack,
    })
}
