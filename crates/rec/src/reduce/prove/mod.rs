//! The prover of a reduction.
//!
//! Equal, value for value, to the sums from the definitions that the tests have, on every back end and with any number of
//! threads. What keeps it short:
//!
//! 1. A weight of a dense claim is a product of a table of the low variables and one of the high ones. So the rounds over
//!    the low ones run on one short table for each claim, and those over the high ones on one table: `tables`.
//! 2. The matrices are never built: `A V` is a forward walk along the gate list, `A^T e` a backward one.

mod matrices;
mod rounds;
mod tables;
mod terms;

use alloc::vec::Vec;

use fiat_shamir::{Native, Prover};
use primitives::field::E;
use tracing::info_span;

use self::rounds::Part;
use self::tables::{Bits, Columns, Split, Words};
use self::terms::Terms;
use super::claims::{self, DenseClaim, Polynomial, powers};
use super::{Catalog, Child, Merged};

/// Proves that the claims of all children follow from those that are returned.
///
/// `catalog`: with the words of the nodes' columns. `kinds`: of each child that is a tree whether it is a node and not a
/// first-level node; those of runs are not looked at.
///
/// # Transcript
/// As [`verify_core`](super::verify_core).
///
/// # Soundness
/// Claims that are false give a proof that is refused.
///
/// # Panics
/// If the claims are not of the catalog's form, there is not a kind for each child, or the catalog has no words of the
/// nodes' columns.
pub fn prove(prover: &mut Prover, catalog: &Catalog, children: &[Child<E>], kinds: &[bool]) -> Merged<E> {
    assert_eq!(children.len(), kinds.len(), "a kind for each child");
    let arith = Native::default();
    let kind = |(child, &kind): (&Child<E>, &bool)| match child {
        Child::Tree { .. } if kind => E::ONE,
        Child::Tree { .. } | Child::Run(_) => E::ZERO,
    };
    let kinds: Vec<E> = children.iter().zip(kinds).map(kind).collect();
    for (child, &kind) in children.iter().zip(&kinds) {
        if matches!(child, Child::Tree { .. }) {
            prover.send_scalar(kind);
        }
    }
    let dense = claims::dense(&arith, catalog, children, &kinds).expect("claims are of the catalog's form");
    let of_dense = || prove_dense(prover, catalog, &dense);
    let (point, [image, entries, fixed]) = info_span!("dense").in_scope(of_dense);
    let of_matrices = claims::matrices(catalog, children).expect("claims are of the catalog's form");
    let matrices = || matrices::prove(prover, catalog, &of_matrices);
    let matrices = info_span!("matrices").in_scope(matrices);
    Merged {
        point,
        image,
        entries,
        fixed,
        row_point: matrices.row_point,
        column_point: matrices.column_point,
        matrices: matrices.matrices,
    }
}

/// The sumcheck of the dense claims: the point, and the values there.
fn prove_dense(prover: &mut Prover, catalog: &Catalog, claims: &[DenseClaim<'_, E>]) -> (Vec<E>, [E; 3]) {
    let gamma = prover.challenge();
    let tables: [&dyn Split; 3] = [
        &Words::new(&catalog.image),
        &Bits::new(&catalog.entries),
        &Columns::new(&catalog.fixed),
    ];
    let mut terms = [const { Terms::new() }; 3];
    let powers = powers(&Native::default(), gamma, claims.len());
    for (claim, power) in claims.iter().zip(powers) {
        let place = claim.polynomial.of([0, 1, 2]);
        let [low, high] = tables[place].variables();
        terms[place].add(&claim.weight, power, low, high);
    }
    let parts = tables.into_iter().zip(terms);
    let mut parts: Vec<Part<'_>> = parts.map(|(table, terms)| Part::split(table, terms)).collect();
    let point = rounds::prove(prover, &mut parts, catalog.point_variables());
    let values = Polynomial::ALL.map(|polynomial| parts[polynomial.of([0, 1, 2])].value());
    prover.send_scalars(&values);
    (point, values)
}
