//! The sumchecks of the claims on matrices.

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::{Native, Prover};
use primitives::field::E;
use primitives::multilinear::{eq_table, evaluate, scaled_eq_table};
use primitives::{dispatch, pool, slices};

use super::super::Catalog;
use super::super::claims::{MatrixClaim, Vector, powers};
use super::super::matrices::{Reduced, batching};
use super::super::settle::values_of_matrices;
use super::rounds::{self, Pair, Part};

/// `V`, `A V` and `B V` of a claim.
struct Products {
    v: Vec<E>,
    a: Vec<E>,
    b: Vec<E>,
}

/// Proves the claims on matrices.
///
/// # Transcript
/// As the verifier of this step.
pub(super) fn prove(prover: &mut Prover, catalog: &Catalog, claims: &[MatrixClaim<'_, E>]) -> Reduced<E> {
    let gamma = prover.challenge();
    let products = pool::map(claims.len(), |claim| Products::new(catalog, &claims[claim]));
    let weights = batching(&Native::default(), claims, gamma);
    let pairs = pool::map(claims.len(), |claim| {
        products[claim].pair(table(&claims[claim].rows), weights[claim])
    });
    let mut parts: Vec<Part<'_>> = pairs.into_iter().map(Part::pair).collect();
    let row_point = rounds::prove(prover, &mut parts, catalog.block_variables());
    let values = pool::map(claims.len(), |claim| products[claim].at(&row_point));
    for values in &values {
        prover.send_scalars(values);
    }

    let delta = prover.challenge();
    let mut columns: Vec<Vec<E>> = vec![Vec::new(); catalog.circuits()];
    let powers = powers(&Native::default(), delta.square(), claims.len());
    for ((claim, products), power) in claims.iter().zip(&products).zip(powers) {
        let sums = &mut columns[claim.circuit];
        sums.resize(products.v.len(), E::ZERO);
        dispatch!(|be| slices::add_scaled(be, sums, power, &products.v));
    }
    // A circuit without a claim has no part: its weights are zero.
    let with_claims: Vec<usize> = (0..columns.len()).filter(|&g| !columns[g].is_empty()).collect();
    let rows = pool::map(with_claims.len(), |place| {
        row_of_matrices(catalog, with_claims[place], &row_point, delta)
    });
    let parts = with_claims.iter().zip(rows);
    let mut parts: Vec<Part<'_>> = parts
        .map(|(&circuit, f)| {
            let w = core::mem::take(&mut columns[circuit]);
            Part::pair(Pair { f, w })
        })
        .collect();
    let column_point = rounds::prove(prover, &mut parts, catalog.block_variables());
    let matrices = pool::map(catalog.circuits(), |circuit| {
        values_of_matrices(&catalog.circuits[circuit], &row_point, &column_point)
            .expect("the points are as long as the largest block asks")
    });
    for values in &matrices {
        prover.send_scalars(values);
    }
    Reduced {
        row_point,
        column_point,
        matrices,
    }
}

impl Products {
    /// By a forward walk.
    fn new(catalog: &Catalog, claim: &MatrixClaim<'_, E>) -> Self {
        let v = table(&claim.columns);
        let (mut a, mut b) = (vec![E::ZERO; v.len()], vec![E::ZERO; v.len()]);
        catalog.circuits[claim.circuit].forward(&v, &mut a, &mut b);
        Self { v, a, b }
    }

    /// `power U(x) ((A V)(x) + batching (B V)(x))`.
    fn pair(&self, rows: Vec<E>, [power, batching]: [E; 2]) -> Pair {
        let mut f = vec![E::ZERO; self.a.len()];
        dispatch!(|be| {
            slices::scale(be, power, &self.a, &mut f);
            slices::add_scaled(be, &mut f, power * batching, &self.b);
        });
        Pair { f, w: rows }
    }

    /// `A V` and `B V` at a point of rows.
    fn at(&self, point: &[E]) -> [E; 2] {
        let point = &point[..self.a.len().ilog2() as usize];
        [evaluate(&self.a, point), evaluate(&self.b, point)]
    }
}

/// `A(rho, y) + delta B(rho, y)` of a circuit for all y, by a backward walk.
fn row_of_matrices(catalog: &Catalog, circuit: usize, row_point: &[E], delta: E) -> Vec<E> {
    let circuit = &catalog.circuits[circuit];
    let point = &row_point[..circuit.log_block()];
    let (a, b) = (eq_table(point), scaled_eq_table(point, delta));
    let mut row = vec![E::ZERO; a.len()];
    circuit.backward(&a, &b, &mut row);
    row
}

/// A vector at all positions.
fn table(vector: &Vector<'_, E>) -> Vec<E> {
    let Some(bits) = vector.bits else {
        return eq_table(vector.point);
    };
    let of_word = |&eq: &E| bits.iter().map(move |&bit| bit * eq);
    eq_table(vector.point).iter().flat_map(of_word).collect()
}
