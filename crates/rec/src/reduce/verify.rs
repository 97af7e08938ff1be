//! The verifier of a reduction.

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

use fiat_shamir::{Channel, Label, Source};
use primitives::field::E;

use super::{Catalog, Child, Merged, claims, dense, matrices};

/// The check that a tree's kind is 0 or 1, numbered by child.
pub const KIND: Label = Label::new("reduction: kind");

/// The check that the children's claims are of the catalog's form: the caller's, not the proof's.
pub const CALL: Label = Label::new("reduction: call");

/// Checks that the claims of all children follow from those that are returned.
///
/// # Transcript
/// Before: what fixes the children's claims, which is the final state of each child's transcript (what a tree carries is
/// bound by the words that it announces). Then the kind of each child that is a tree, a scalar; and the three steps of
/// [the reduction](super).
///
/// # Errors
/// The stream has ended, or [`KIND`], [`DENSE`](super::DENSE), [`ROWS`](super::ROWS), [`COLUMNS`](super::COLUMNS);
/// [`CALL`] if the claims are not of the catalog's form.
///
/// # Soundness
/// If every returned claim is true, then every claim of the children is, those of a tree on fixed columns being on the
/// circuit of its kind; but for an error that `security` (feature `prover`) gives. The caller owes the returned claims:
/// [`settle`](super::settle()), or another reduction. Of a circuit or polynomial on which no child has a claim, what is
/// returned is the prover's choice.
pub fn verify_core<A: Source>(
    channel: &mut Channel<'_, A>,
    catalog: &Catalog,
    children: &[Child<A::Scalar>],
) -> Result<Merged<A::Scalar>, A::Error> {
    let arith = channel.arith();
    let mut kinds = Vec::with_capacity(children.len());
    for (number, child) in children.iter().enumerate() {
        kinds.push(match child {
            Child::Run(_) => arith.constant(E::ZERO),
            Child::Tree { .. } => {
                let kind = channel.read_scalar()?;
                arith.assert_eq(arith.square(kind), kind, KIND.at(number))?;
                kind
            }
        });
    }
    let of_catalog = claims::dense(arith, catalog, children, &kinds).zip(claims::matrices(catalog, children));
    let (dense_claims, matrix_claims) = match of_catalog {
        Some(claims) => claims,
        None => {
            arith.assert_eq(arith.constant(E::ZERO), arith.constant(E::ONE), CALL)?;
            Default::default()
        }
    };
    let (point, [image, entries, fixed]) = dense::verify(channel, catalog, &dense_claims)?;
    let matrices::Reduced {
        row_point,
        column_point,
        matrices,
    } = matrices::verify(channel, catalog, &matrix_claims)?;
    Ok(Merged {
        point,
        image,
        entries,
        fixed,
        row_point,
        column_point,
        matrices,
    })
}
