//! The reduction as a whole: what the verifier of a batch leaves to be opened and to be settled.

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

use fiat_shamir::{Arith, Channel, Label, Native, Source, VerifyError};
use pcs::stack::{Family, Member as FamilyMember, PointRef, Region};
use primitives::field::E;

use crate::Batch;
use crate::lincheck::{self, Bound};
use crate::skip::SKIP;
use crate::zerocheck::{self, Values};

/// The check of a group's matrix value against its circuit.
pub const MATRIX: Label = Label::new("flock: matrix");

/// What is left of a batch once every check that depends on the proof alone is made.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use = "the packed witnesses are to be opened, and the deferred claims to be settled"]
pub struct Reduction<S> {
    /// The points: one for each size of blocks, in the order of the first member with it.
    pub points: Vec<Vec<S>>,
    /// The claim on the packed witnesses of each group.
    pub groups: Vec<GroupClaim<S>>,
    /// The claims on the circuits' matrices.
    pub deferred: Deferred<S>,
}

/// `slices[i] = sum over members of weight sum_u eq(point, u) bit_i(z[u])`, z being a member's packed witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupClaim<S> {
    /// The members of the group.
    pub members: Vec<MemberClaim<S>>,
    /// 64 slices.
    pub slices: Vec<S>,
}

/// A member's part in a [`GroupClaim`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemberClaim<S> {
    /// The member, by its place in the batch.
    pub member: usize,
    /// Where in the [points](Reduction::points).
    pub point: PointRef,
    /// The weight.
    pub weight: S,
}

/// Claims on the matrices of a batch's circuits, which no message of a proof can change any more.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use = "a proof shows nothing until its deferred claims are settled by `check_deferred`"]
pub struct Deferred<S> {
    /// `L_i(z)`, the weights of the rows' bits.
    pub lagrange: Vec<S>,
    /// The point of the rows' words, variable 0 first; a group uses the first coordinates.
    pub row_point: Vec<S>,
    /// The weight of B beside A.
    pub batching: S,
    /// One claim for each group.
    pub claims: Vec<MatrixClaim<S>>,
}

/// `value = sum_p e_p ((A w)_p + batching (B w)_p)`, with `e_(64 u + i) = lagrange[i] eq(row_point, u)` and
/// `w_(64 u + i) = slices[i] eq(column_point, u)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatrixClaim<S> {
    /// The weights of the columns' bits.
    pub slices: Vec<S>,
    /// The point of the columns' words, variable 0 first.
    pub column_point: Vec<S>,
    /// What is claimed.
    pub value: S,
}

/// Checks that every block of the committed witnesses satisfies its circuit, as far as the proof alone tells.
///
/// # Transcript
/// Before: the commitment, and the shape of the batch. Then [`zerocheck::verify`] and [`lincheck::verify`].
///
/// # Errors
/// The stream has ended, or [`zerocheck::TERMINAL`] or [`lincheck::TERMINAL`].
///
/// # Soundness
/// The caller owes the opening of the [families](Reduction::families) and [`check_deferred`]; the error is
/// [`Batch::error`], times the size of the list that the commitment binds to.
pub fn verify_core<A: Source>(
    channel: &mut Channel<'_, A>,
    batch: &Batch<'_>,
) -> Result<Reduction<A::Scalar>, A::Error> {
    let values = zerocheck::verify(channel, batch)?;
    let bound = lincheck::verify(channel, batch, &values)?;
    Ok(Reduction::new(batch, values, &bound))
}

impl<S: Copy> Reduction<S> {
    /// What these leave.
    pub(crate) fn new(batch: &Batch<'_>, values: Values<S>, bound: &Bound<S>) -> Self {
        let mut sizes: Vec<(usize, usize)> = Vec::new();
        let mut index = |block: usize, words: usize| {
            let found = sizes.iter().position(|&(size, _)| size == block);
            let index = found.unwrap_or_else(|| {
                sizes.push((block, 0));
                sizes.len().saturating_sub(1)
            });
            if let Some((_, longest)) = sizes.get_mut(index) {
                *longest = words.max(*longest);
            }
            index
        };
        // Points in the order of the members, though claims are in that of the groups.
        let blocks = |group: usize| batch.groups().get(group).map_or(0, crate::Group::log_block_words);
        let members: Vec<MemberClaim<S>> = (batch.members().iter().enumerate())
            .zip(&bound.weights)
            .map(|((member, shape), &weight)| MemberClaim {
                member,
                point: PointRef {
                    index: index(blocks(shape.group), shape.log_words),
                    variables: shape.log_words,
                },
                weight,
            })
            .collect();
        let point = |&(block, words): &(usize, usize)| {
            let mut point = bound.block_point(block);
            point.extend(values.point.iter().take(words).skip(block));
            point
        };
        let points = sizes.iter().map(point).collect();
        let groups = batch.groups().iter().zip(&bound.groups);
        let group_claims = groups.clone().map(|(group, (slices, _))| GroupClaim {
            members: group
                .members
                .iter()
                .filter_map(|&f| members.get(f).copied())
                .collect(),
            slices: slices.clone(),
        });
        let claims = groups.map(|(group, (slices, value))| MatrixClaim {
            slices: slices.clone(),
            column_point: bound.block_point(group.log_block_words()),
            value: *value,
        });
        Self {
            points,
            groups: group_claims.collect(),
            deferred: Deferred {
                lagrange: values.lagrange,
                row_point: values.point.into_iter().take(batch.log_block_words()).collect(),
                batching: bound.batching,
                claims: claims.collect(),
            },
        }
    }

    /// The ring-switched families of a stack in which the members' packed witnesses are these regions, in order;
    /// their points are [`points`](Self::points), the first of the stack's.
    #[must_use]
    pub fn families(&self, regions: &[Region]) -> Vec<Family<S>> {
        let member = |claim: &MemberClaim<S>| {
            regions.get(claim.member).map(|&region| FamilyMember {
                region,
                point: claim.point,
                weight: Some(claim.weight),
            })
        };
        let family = |group: &GroupClaim<S>| Family {
            members: group.members.iter().filter_map(member).collect(),
            slices: group.slices.clone(),
        };
        self.groups.iter().map(family).collect()
    }
}

/// Settles the claims on the matrices, by one forward walk of each group's circuit.
///
/// # Errors
/// [`MATRIX`] with the number of a group: the value claimed is not that of its circuit.
pub fn check_deferred(batch: &Batch<'_>, deferred: &Deferred<E>) -> Result<(), VerifyError> {
    let arith = Native::default();
    for (number, (group, claim)) in batch.groups().iter().zip(&deferred.claims).enumerate() {
        let value = matrix_value(group, deferred, claim);
        arith.assert_eq(value, claim.value, MATRIX.at(number))?;
    }
    Ok(())
}

/// The value that a claim has by its circuit.
fn matrix_value(group: &crate::Group<'_>, deferred: &Deferred<E>, claim: &MatrixClaim<E>) -> E {
    let block: Vec<E> = deferred
        .row_point
        .iter()
        .copied()
        .take(group.log_block_words())
        .collect();
    let rows = tensor(&deferred.lagrange, &block);
    let columns = tensor(&claim.slices, &claim.column_point);
    let mut a = vec![E::ZERO; columns.len()];
    let mut b = a.clone();
    group.circuit.forward(&columns, &mut a, &mut b);
    let terms = rows.iter().zip(a.iter().zip(&b));
    terms.fold(E::ZERO, |sum, (&row, (&a, &b))| {
        let arith = Native::default();
        arith.mul_add(row, arith.mul_add(deferred.batching, b, a), sum)
    })
}

/// `bits[i] eq(point, u)` at `64 u + i`.
pub(crate) fn tensor(bits: &[E], point: &[E]) -> Vec<E> {
    let arith = Native::default();
    let eq = primitives::multilinear::eq_table(point);
    let mut table = Vec::with_capacity(eq.len().saturating_mul(SKIP));
    for &eq in &eq {
        table.extend(bits.iter().map(|&bit| arith.mul(bit, eq)));
    }
    table
}
