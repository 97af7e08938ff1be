//! The second and third step: claims on matrices become A and B of each circuit at one point.
//!
//! Rows: with a challenge gamma, `T = sum_c gamma^c m_c`, a claim on both values having two powers, so that its
//! batching is gamma. Over the positions x of rows, claim c is `sum_x U_c(x) ((A V_c)(x) + a_c (B V_c)(x))`. Bit 0 of a
//! position is bound first; a circuit that has no variable left is a value V, and its polynomial is `V X`. Then of each
//! claim `(A V_c)(rho)` and `(B V_c)(rho)` are sent, and
//!
//! ```text
//! T = sum_c gamma^c (product of the other challenges) U_c(rho) ((A V_c)(rho) + a_c (B V_c)(rho)).
//! ```
//!
//! Columns: with a challenge delta, `T = sum_c delta^(2 c) ((A V_c)(rho) + delta (B V_c)(rho))`, which is
//! `sum_g sum_y (A_g(rho, y) + delta B_g(rho, y)) V_g(y)`, `V_g` being the sum of `delta^(2 c) V_c` over the claims on
//! circuit g. After the rounds, A and B of each circuit at rho and the new point sigma are sent, and
//!
//! ```text
//! T = sum_g (product of the other challenges) V_g(sigma) (A_g(rho, sigma) + delta B_g(rho, sigma)).
//! ```

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

use fiat_shamir::{Arith, Channel, Label, Source};
use pcs::whir::sumcheck;
use primitives::field::E;

use super::Catalog;
use super::catalog::LOG_BITS;
use super::claims::{MatrixClaim, Values, Vector, horner, powers, tails};
use super::dense::eq;

/// The check that the values of `A V` and `B V` are those that the rounds over rows lead to.
pub const ROWS: Label = Label::new("reduction: rows");

/// The check that the matrices' values are those that the rounds over columns lead to.
pub const COLUMNS: Label = Label::new("reduction: columns");

/// The points of rows and columns, and of each circuit A and B there.
pub(super) struct Reduced<S> {
    pub row_point: Vec<S>,
    pub column_point: Vec<S>,
    pub matrices: Vec<[S; 2]>,
}

/// Checks the sumchecks of the claims on matrices.
///
/// # Transcript
/// The challenge gamma; a round for each bit of a position; two values for each claim; the challenge delta; as many
/// rounds; two values for each circuit.
///
/// # Errors
/// The stream has ended, or [`ROWS`] or [`COLUMNS`].
pub(super) fn verify<A: Source>(
    channel: &mut Channel<'_, A>,
    catalog: &Catalog,
    claims: &[MatrixClaim<'_, A::Scalar>],
) -> Result<Reduced<A::Scalar>, A::Error> {
    let arith = channel.arith();
    let gamma = channel.challenge();
    let rows = sumcheck::verify(channel, total(arith, claims, gamma), catalog.block_variables())?;
    let read = |_: &MatrixClaim<'_, A::Scalar>| channel.read_array::<2>();
    let products: Vec<[A::Scalar; 2]> = claims.iter().map(read).collect::<Result<_, _>>()?;
    let expected = rows_end(arith, claims, gamma, &rows.challenges, &products);
    arith.assert_eq(rows.claim, expected, ROWS)?;

    let delta = channel.challenge();
    let flat: Vec<A::Scalar> = products.iter().flatten().copied().collect();
    let columns = sumcheck::verify(channel, horner(arith, delta, &flat), catalog.block_variables())?;
    let read = |_| channel.read_array::<2>();
    let matrices: Vec<[A::Scalar; 2]> = (0..catalog.circuits()).map(read).collect::<Result<_, _>>()?;
    let expected = columns_end(arith, catalog, claims, delta, &columns.challenges, &matrices);
    arith.assert_eq(columns.claim, expected, COLUMNS)?;
    Ok(Reduced {
        row_point: rows.challenges,
        column_point: columns.challenges,
        matrices,
    })
}

/// `sum_c gamma^c m_c`.
pub(super) fn total<A: Arith>(
    arith: &A,
    claims: &[MatrixClaim<'_, A::Scalar>],
    gamma: A::Scalar,
) -> A::Scalar {
    let mut values = Vec::new();
    for claim in claims {
        match claim.values {
            Values::Sum { value, .. } => values.push(value),
            Values::Both(both) => values.extend(both),
        }
    }
    horner(arith, gamma, &values)
}

/// Of each claim its power of gamma, and the weight of B beside A.
pub(super) fn batching<A: Arith>(
    arith: &A,
    claims: &[MatrixClaim<'_, A::Scalar>],
    gamma: A::Scalar,
) -> Vec<[A::Scalar; 2]> {
    let mut powers = powers(arith, gamma, claims.len().saturating_mul(2)).into_iter();
    let weights = claims.iter().filter_map(|claim| {
        let power = powers.next()?;
        Some(match claim.values {
            Values::Sum { batching, .. } => [power, batching],
            Values::Both(_) => {
                powers.next();
                [power, gamma]
            }
        })
    });
    weights.collect()
}

/// What the rounds over rows have to lead to.
fn rows_end<A: Arith>(
    arith: &A,
    claims: &[MatrixClaim<'_, A::Scalar>],
    gamma: A::Scalar,
    rho: &[A::Scalar],
    products: &[[A::Scalar; 2]],
) -> A::Scalar {
    let at = At::new(arith, rho);
    let mut sum = arith.constant(E::ZERO);
    let weights = batching(arith, claims, gamma);
    for ((claim, [power, batching]), &[a, b]) in claims.iter().zip(weights).zip(products) {
        let value = arith.mul_add(batching, b, a);
        let weight = arith.mul(at.vector(&claim.rows), arith.mul(power, at.tail(&claim.rows)));
        sum = arith.mul_add(weight, value, sum);
    }
    sum
}

/// What the rounds over columns have to lead to.
fn columns_end<A: Arith>(
    arith: &A,
    catalog: &Catalog,
    claims: &[MatrixClaim<'_, A::Scalar>],
    delta: A::Scalar,
    sigma: &[A::Scalar],
    matrices: &[[A::Scalar; 2]],
) -> A::Scalar {
    let at = At::new(arith, sigma);
    let zero = arith.constant(E::ZERO);
    let mut weights = vec![zero; catalog.circuits()];
    for (claim, power) in claims
        .iter()
        .zip(powers(arith, arith.square(delta), claims.len()))
    {
        if let Some(weight) = weights.get_mut(claim.circuit) {
            let column = arith.mul(at.vector(&claim.columns), at.tail(&claim.columns));
            *weight = arith.mul_add(column, power, *weight);
        }
    }
    let mut sum = zero;
    for (weight, &[a, b]) in weights.into_iter().zip(matrices) {
        sum = arith.mul_add(arith.mul_add(delta, b, a), weight, sum);
    }
    sum
}

/// A point of positions.
struct At<'a, A: Arith> {
    arith: &'a A,
    rho: &'a [A::Scalar],
    /// `1 + rho_i`.
    complement: Vec<A::Scalar>,
    /// The products of the coordinates from each on.
    tails: Vec<A::Scalar>,
}

impl<'a, A: Arith> At<'a, A> {
    fn new(arith: &'a A, rho: &'a [A::Scalar]) -> Self {
        let one = arith.constant(E::ONE);
        Self {
            arith,
            rho,
            complement: rho.iter().map(|&r| arith.add(one, r)).collect(),
            tails: tails(arith, rho),
        }
    }

    /// The vector's extension.
    fn vector(&self, vector: &Vector<'_, A::Scalar>) -> A::Scalar {
        match vector.bits {
            None => eq(self.arith, vector.point, &self.complement),
            Some(bits) => {
                let (bit, word) = (
                    self.rho.get(..LOG_BITS).unwrap_or_default(),
                    self.complement.get(LOG_BITS..).unwrap_or_default(),
                );
                let bits = evaluate(self.arith, bits, bit);
                self.arith.mul(bits, eq(self.arith, vector.point, word))
            }
        }
    }

    /// The product of the challenges that the vector has no variable for.
    fn tail(&self, vector: &Vector<'_, A::Scalar>) -> A::Scalar {
        let bits = if vector.bits.is_some() { LOG_BITS } else { 0 };
        let tail = self.tails.get(vector.point.len().saturating_add(bits));
        tail.copied().unwrap_or_else(|| self.arith.constant(E::ZERO))
    }
}

/// The multilinear extension of a table at a point, variable 0 first.
fn evaluate<A: Arith>(arith: &A, table: &[A::Scalar], point: &[A::Scalar]) -> A::Scalar {
    let mut table = table.to_vec();
    for &r in point {
        let (pairs, _) = table.as_chunks();
        table = pairs
            .iter()
            .map(|&[a, b]| arith.mul_add(arith.add(a, b), r, a))
            .collect();
    }
    table.first().copied().unwrap_or_else(|| arith.constant(E::ZERO))
}
