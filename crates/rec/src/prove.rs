//! The prover of rows.

use argument::layout::Layout;
use argument::prove::uninterrupted;
use fiat_shamir::{Kind, Proof, Prover};
use primitives::field::K;
use tracing::info_span;

use crate::machine::RowMachine;
use crate::rows::{Assignment, Rows};
use crate::witness::Witness;

/// Proves that an assignment satisfies its rows.
///
/// # Transcript
/// As [`verify_core`](crate::verify::verify_core).
///
/// # Soundness
/// An assignment that does not satisfy the rows gives a proof that is refused.
///
/// # Panics
/// If the parts do not belong together.
#[must_use]
pub fn prove(rows: &Rows, assignment: &Assignment, machine: &RowMachine, layout: &Layout<'_>) -> Proof {
    let witness = info_span!("witness").in_scope(|| Witness::new(rows, assignment, layout));
    let shape = machine.heights().shape(layout.parameters.log_inv_rate());
    let mut prover = Prover::new(Kind::Tree, shape.to_words());
    for &word in &assignment.announced {
        prover.send_word(K(word));
    }
    let witness = argument::prove::Witness {
        stack: &witness.stack,
        live: &witness.live,
    };
    let done = argument::prove::prove(
        &mut prover,
        machine.machine(),
        layout,
        &assignment.announced,
        &witness,
        &mut uninterrupted,
    );
    assert!(done.is_continue(), "nothing interrupts");
    prover.finish().0
}
