//! The prover: equal, byte for byte, to the prover from the definitions that the tests have.
//!
//! 1. The stack is committed (`pcs`).
//! 2. The leaves of both sides, a tile of rows of a table at a time (`bus`); the grand product (`gkr`).
//! 3. The values of the columns that boundaries name; the sumcheck of all tables (`tables`).
//! 4. The circuits (`flock`), and the opening of all claims.
//!
//! The stack is read in place by every step. Rows that are all equal at the end of a table are looked at once.
//! Stages have spans: `commit`, `bus`, `tables`, `circuits`, `opening`.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use fiat_shamir::{Native, Prover};
use flock::Reduction;
use pcs::commit::{Oracle, commit};
use pcs::whir::prove::stack_shape;
use primitives::field::{E, K};
use tracing::info_span;

use crate::blocks::{Fingerprint, LOG_COORDINATES, Named, NamedColumn, named};
use crate::layout::Layout;
use crate::machine::{Fixed, FixedValue, Machine};
use crate::opening::Opened;
use columns::Columns;

mod bus;
mod chunks;
mod columns;
mod dense;
mod extension;
mod gkr;
mod grid;
mod mass;
mod producer;
mod rounds;
mod table;
mod tables;
#[cfg(test)]
mod tests;

/// A part of proving; they come in this order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// The stack is encoded and hashed.
    Commit,
    /// The leaves of all tuples, and their grand product.
    Bus,
    /// The sumcheck of the tables.
    Tables,
    /// The zerocheck and the lincheck of the circuits.
    Circuits,
    /// The opening of all claims.
    Opening,
}

/// Goes on whatever the stage.
pub fn uninterrupted(_: Stage) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// What is committed.
#[derive(Clone, Copy, Debug)]
pub struct Witness<'w> {
    /// The present lanes of the stack ([`stack_shape`]): what has to stand where is in the [`Layout`]. Read in place.
    pub stack: &'w [K],
    /// Of each present table the number of rows before those that are all equal, in columns and blocks, up to the
    /// end; all of them, if no such rows are known. The proof does not depend on it.
    pub live: &'w [usize],
}

/// Proves that the witness satisfies the machine.
///
/// Before each stage `next` is asked whether to go on ([`uninterrupted`] does); if not, the proof is left unfinished.
///
/// # Transcript
/// As [`verify_core`](crate::verify_core).
///
/// # Soundness
/// A witness that does not satisfy the machine gives a proof that is refused.
///
/// # Panics
/// If the layout is another machine's, the stack has another length, an announced word is missing, or there is not
/// one number of live rows for each present table.
pub fn prove(
    prover: &mut Prover,
    machine: &Machine,
    layout: &Layout<'_>,
    announced: &[u64],
    witness: &Witness<'_>,
    next: &mut dyn FnMut(Stage) -> ControlFlow<()>,
) -> ControlFlow<()> {
    assert_eq!(
        witness.live.len(),
        layout.tables.len(),
        "the live rows of each present table"
    );
    next(Stage::Commit)?;
    let oracle = info_span!("commit").in_scope(|| commit_stack(prover, layout, witness.stack));
    next(Stage::Bus)?;
    let columns: Vec<_> = (layout.tables.iter())
        .zip(witness.live)
        .map(|(place, &live)| Columns::new(machine, place, witness.stack, live))
        .collect();
    let input = Input {
        machine,
        layout,
        announced,
        stack: witness.stack,
        columns: &columns,
        fingerprint: draw(prover),
    };
    let zeta = info_span!("bus").in_scope(|| {
        let leaves = info_span!("leaves").in_scope(|| input.leaves());
        gkr::prove(prover, leaves, layout.log_leaves)
    });
    let named = input.named(prover, &zeta);
    next(Stage::Tables)?;
    let values = info_span!("tables").in_scope(|| tables::prove(prover, &input, &zeta));
    next(Stage::Circuits)?;
    let circuits = info_span!("circuits").in_scope(|| input.circuits(prover, witness.live));
    next(Stage::Opening)?;
    info_span!("opening").in_scope(|| {
        let opened = Opened {
            circuits: circuits.as_ref(),
            values: &values,
            zeta: &zeta,
            named: &named,
            fixed: &input.fixed(),
        };
        let statement = opened.statement(layout).unwrap_or_else(|error| panic!("{error}"));
        pcs::stack::prove::prove(prover, &layout.parameters, witness.stack, &oracle, &statement);
    });
    ControlFlow::Continue(())
}

/// Commits to the stack, and sends the root.
fn commit_stack(prover: &mut Prover, layout: &Layout<'_>, stack: &[K]) -> Oracle<K> {
    let lanes = pcs::stack::layout::present_lanes(&layout.parameters, layout.placed);
    assert_eq!(
        stack.len(),
        lanes << layout.parameters.log_lane_words(),
        "the words of the present lanes"
    );
    let oracle = commit(stack, &stack_shape(&layout.parameters, lanes));
    prover.send_digest(oracle.root());
    oracle
}

/// Draws alpha and beta.
fn draw(prover: &mut Prover) -> Fingerprint<E> {
    let alpha: [E; LOG_COORDINATES] = core::array::from_fn(|_| prover.challenge());
    Fingerprint::new(&Native::default(), alpha, prover.challenge())
}

/// What every step reads.
struct Input<'a> {
    machine: &'a Machine,
    layout: &'a Layout<'a>,
    announced: &'a [u64],
    stack: &'a [K],
    /// The columns of each present table.
    columns: &'a [Columns<'a>],
    fingerprint: Fingerprint<E>,
}

impl Input<'_> {
    /// Sends the values of the columns that boundaries name.
    fn named(&self, prover: &mut Prover, zeta: &[E]) -> Vec<(Named, E)> {
        let value = |named: Named| {
            let point = &zeta[..named.log_len];
            let value = match named.column {
                NamedColumn::Free(column) => {
                    extension::of_words(&self.stack[self.layout.columns[column].range()], point)
                }
                NamedColumn::Public(column) => extension::of_public(&self.machine.public[column], point),
            };
            prover.send_scalar(value);
            (named, value)
        };
        named(self.machine).map(value).collect()
    }

    /// Proves the circuits, if there are blocks.
    fn circuits(&self, prover: &mut Prover, live: &[usize]) -> Option<Reduction<E>> {
        let batch = self.layout.batch.as_ref()?;
        let places = self.layout.tables.iter().zip(live);
        let witnesses = places.flat_map(|(place, &live)| {
            place.blocks.iter().map(move |region| flock::prove::Witness {
                words: &self.stack[region.range()],
                live,
            })
        });
        Some(flock::prove::prove(prover, batch, &witnesses.collect::<Vec<_>>()))
    }

    /// The fixed words, with their values.
    fn fixed(&self) -> Vec<(Fixed, E)> {
        let value = |&fixed: &Fixed| match fixed.value {
            FixedValue::Constant(word) => (fixed, E::from(word)),
            FixedValue::Announced(word) => (fixed, E::from(K(self.announced[word]))),
        };
        self.machine.fixed.iter().map(value).collect()
    }
}
