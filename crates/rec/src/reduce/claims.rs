//! The claims of all children as lists, in the order in which powers of a challenge are given to them: the same for
//! prover and verifier.
//!
//! Dense claims: children in order; of a run the image, then the bytecode; of a tree its fixed columns in the order in
//! which their values were sent, then the carried image, entries, fixed. Claims on matrices: children in order; its
//! fresh ones by group, then (of a tree) the carried ones, of each circuit A, then B.

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

use argument::{Deferred, ProducerClaim};
use fiat_shamir::Arith;
use pcs::stack::Region;
use primitives::field::E;

use super::catalog::LOG_BITS;
use super::{Catalog, Child, Merged};

/// A dense polynomial, by its place in [`Catalog::variables`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Polynomial {
    Image,
    Entries,
    Fixed,
}

impl Polynomial {
    pub(super) const ALL: [Self; 3] = [Self::Image, Self::Entries, Self::Fixed];

    /// This polynomial's of three things.
    pub(super) fn of<T: Copy>(self, [image, entries, fixed]: [T; 3]) -> T {
        match self {
            Self::Image => image,
            Self::Entries => entries,
            Self::Fixed => fixed,
        }
    }
}

/// `value = sum_x weight(x) f(x)`.
#[derive(Clone, Debug)]
pub(super) struct DenseClaim<'c, S> {
    pub polynomial: Polynomial,
    pub weight: Weight<'c, S>,
    pub value: S,
}

/// The weights of a claim.
#[derive(Clone, Debug)]
pub(super) enum Weight<'c, S> {
    /// `eq(point, x)`: a coordinate for each variable.
    Point(&'c [S]),
    /// A fixed column of the circuit of this kind: `eq(point, x_<tau)` in its region, tau its variables.
    Column { region: Region, point: &'c [S], kind: S },
    /// `eq(point, i) sum_b weights[b] (a_j x^t)^(2^b)`, `a = eq(alpha, .)`, at bit t of coordinate j of entry i.
    Producer(&'c ProducerClaim<S>),
}

/// A claim on the matrices of a circuit.
#[derive(Clone, Debug)]
pub(super) struct MatrixClaim<'c, S> {
    pub circuit: usize,
    /// U.
    pub rows: Vector<'c, S>,
    /// V.
    pub columns: Vector<'c, S>,
    pub values: Values<S>,
}

/// What is claimed of `a = sum_p U(p) (A V)_p` and `b = sum_p U(p) (B V)_p`.
#[derive(Clone, Debug)]
pub(super) enum Values<S> {
    /// `a + batching b` is this.
    Sum { batching: S, value: S },
    /// a and b are these.
    Both([S; 2]),
}

/// A vector over the positions of a block.
#[derive(Clone, Debug)]
pub(super) struct Vector<'c, S> {
    /// 64 weights of the bits of a word, or `eq` of six more coordinates.
    pub bits: Option<&'c [S]>,
    /// `eq(point, .)` over words, or over positions.
    pub point: &'c [S],
}

/// The dense claims of all children; none if these are not of the catalog's form.
pub(super) fn dense<'c, A: Arith>(
    arith: &A,
    catalog: &Catalog,
    children: &'c [Child<A::Scalar>],
    kinds: &[A::Scalar],
) -> Option<Vec<DenseClaim<'c, A::Scalar>>> {
    let mut claims = Vec::new();
    for (child, &kind) in children.iter().zip(kinds) {
        match child {
            Child::Run(deferred) => of_run(arith, catalog, deferred, &mut claims)?,
            Child::Tree { deferred, carried } => of_tree(catalog, deferred, carried, kind, &mut claims)?,
        }
    }
    Some(claims)
}

fn of_run<'c, A: Arith>(
    arith: &A,
    catalog: &Catalog,
    deferred: &'c Deferred<A::Scalar>,
    claims: &mut Vec<DenseClaim<'c, A::Scalar>>,
) -> Option<()> {
    let ([image], [producer]) = (deferred.public.as_slice(), deferred.producers.as_slice()) else {
        return None;
    };
    if image.column != catalog.image.column
        || image.point.len() != catalog.image.log_words
        || producer.point.len() != catalog.entries.log_len
    {
        return None;
    }
    claims.push(DenseClaim {
        polynomial: Polynomial::Image,
        weight: Weight::Point(&image.point),
        value: image.value,
    });
    // Without the part that no entry has.
    let mut power = producer.beta;
    let mut value = producer.value;
    for (b, &weight) in producer.weights.iter().enumerate() {
        if b > 0 {
            power = arith.square(power);
        }
        value = arith.mul_add(weight, power, value);
    }
    claims.push(DenseClaim {
        polynomial: Polynomial::Entries,
        weight: Weight::Producer(producer),
        value,
    });
    Some(())
}

fn of_tree<'c, S: Copy>(
    catalog: &Catalog,
    deferred: &'c Deferred<S>,
    carried: &'c Merged<S>,
    kind: S,
    claims: &mut Vec<DenseClaim<'c, S>>,
) -> Option<()> {
    if !deferred.producers.is_empty() || !carried.is_of(catalog) {
        return None;
    }
    for claim in &deferred.public {
        let &region = catalog.fixed.regions.get(claim.column)?;
        if claim.point.len() != region.log_words {
            return None;
        }
        claims.push(DenseClaim {
            polynomial: Polynomial::Fixed,
            weight: Weight::Column {
                region,
                point: &claim.point,
                kind,
            },
            value: claim.value,
        });
    }
    let values = [carried.image, carried.entries, carried.fixed];
    for polynomial in Polynomial::ALL {
        claims.push(DenseClaim {
            polynomial,
            weight: Weight::Point(carried.point.get(..polynomial.of(catalog.variables()))?),
            value: polynomial.of(values),
        });
    }
    Some(())
}

/// The claims on matrices of all children; none if these are not of the catalog's form.
pub(super) fn matrices<'c, S: Copy>(
    catalog: &Catalog,
    children: &'c [Child<S>],
) -> Option<Vec<MatrixClaim<'c, S>>> {
    let mut claims = Vec::new();
    let hash = catalog.circuits().checked_sub(1)?;
    for child in children {
        match child {
            Child::Run(deferred) => fresh(catalog, &catalog.run_groups, deferred, &mut claims)?,
            Child::Tree { deferred, carried } => {
                fresh(catalog, &[hash], deferred, &mut claims)?;
                for (circuit, &values) in carried.matrices.iter().enumerate() {
                    let variables = catalog.circuits.get(circuit)?.log_block();
                    let vector = |point: &'c [S]| {
                        Some(Vector {
                            bits: None,
                            point: point.get(..variables)?,
                        })
                    };
                    claims.push(MatrixClaim {
                        circuit,
                        rows: vector(&carried.row_point)?,
                        columns: vector(&carried.column_point)?,
                        values: Values::Both(values),
                    });
                }
            }
        }
    }
    Some(claims)
}

/// The claims that a batch of these groups leaves.
fn fresh<'c, S: Copy>(
    catalog: &Catalog,
    groups: &[usize],
    deferred: &'c Deferred<S>,
    claims: &mut Vec<MatrixClaim<'c, S>>,
) -> Option<()> {
    let circuits = deferred.circuits.as_ref();
    let of_groups = circuits.map_or(&[][..], |circuits| &circuits.claims);
    if of_groups.len() != groups.len() {
        return None;
    }
    for (claim, &circuit) in of_groups.iter().zip(groups) {
        let circuits = circuits?;
        let words = catalog.circuits.get(circuit)?.log_block().checked_sub(LOG_BITS)?;
        if claim.column_point.len() != words
            || [claim.slices.len(), circuits.lagrange.len()] != [1 << LOG_BITS; 2]
        {
            return None;
        }
        claims.push(MatrixClaim {
            circuit,
            rows: Vector {
                bits: Some(&circuits.lagrange),
                point: circuits.row_point.get(..words)?,
            },
            columns: Vector {
                bits: Some(&claim.slices),
                point: &claim.column_point,
            },
            values: Values::Sum {
                batching: circuits.batching,
                value: claim.value,
            },
        });
    }
    Some(())
}

/// `sum_i base^i terms[i]`, by Horner's rule.
pub(super) fn horner<A: Arith>(arith: &A, base: A::Scalar, terms: &[A::Scalar]) -> A::Scalar {
    let sum = terms
        .iter()
        .copied()
        .rev()
        .reduce(|sum, term| arith.mul_add(base, sum, term));
    sum.unwrap_or_else(|| arith.constant(E::ZERO))
}

/// `base^i` for i below `count`.
pub(super) fn powers<A: Arith>(arith: &A, base: A::Scalar, count: usize) -> Vec<A::Scalar> {
    let powers = core::iter::successors(Some(base), |&power| Some(arith.mul(power, base)));
    core::iter::once(arith.constant(E::ONE))
        .chain(powers)
        .take(count)
        .collect()
}

/// The products of the challenges from each place on, the empty one at the end.
pub(super) fn tails<A: Arith>(arith: &A, challenges: &[A::Scalar]) -> Vec<A::Scalar> {
    let mut tail = arith.constant(E::ONE);
    let mut tails: Vec<A::Scalar> = challenges
        .iter()
        .rev()
        .map(|&challenge| {
            tail = arith.mul(tail, challenge);
            tail
        })
        .collect();
    tails.reverse();
    tails.push(arith.constant(E::ONE));
    tails
}
