//! Leaves by blocks: what a tuple's leaf is, what each block weighs at the point where the grand product ends, and
//! the share of the leaves that belong to no table.
//!
//! A block of 2^t leaves at offset o has the selector `eq(zeta_>=t, o >> t)`, so that the leaves of a side are
//! `sum_b sel_b L_b(zeta_<t)`, and the ones after them `1 + sum_b sel_b`.

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

use fiat_shamir::{Arith, Channel, Source};
use pcs::stack::selectors::Selectors;
use primitives::field::{E, K};

use crate::layout::{Layout, Leaves, Source as LeafSource};
use crate::machine::{Boundary, Coordinate, Form, Machine};

/// log2 of the coordinates of a tuple, and so the challenges alpha.
pub const LOG_COORDINATES: usize = 4;

/// What makes a scalar of a tuple: its leaf is `beta + sum_i eq(alpha, i) t_i`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fingerprint<S> {
    /// The point of the coordinates.
    pub alpha: [S; LOG_COORDINATES],
    /// What is added.
    pub beta: S,
    /// `eq(alpha, i)`.
    pub weights: Vec<S>,
}

impl<S: Copy> Fingerprint<S> {
    /// The fingerprint of these challenges.
    #[must_use]
    pub fn new<A: Arith<Scalar = S>>(arith: &A, alpha: [S; LOG_COORDINATES], beta: S) -> Self {
        let one = arith.constant(E::ONE);
        let mut weights: Vec<S> = Vec::new();
        for a in alpha {
            let (low, high) = if weights.is_empty() {
                (alloc::vec![arith.add(one, a)], alloc::vec![a])
            } else {
                let high: Vec<S> = weights.iter().map(|&weight| arith.mul(weight, a)).collect();
                let low = weights.iter().zip(&high);
                (
                    low.map(|(&weight, &high)| arith.add(weight, high)).collect(),
                    high,
                )
            };
            weights = low;
            weights.extend(high);
        }
        Self { alpha, beta, weights }
    }

    /// Draws the challenges, alpha first.
    pub fn draw<A: Source<Scalar = S>>(channel: &mut Channel<'_, A>) -> Self {
        let alpha = core::array::from_fn(|_| channel.challenge());
        let beta = channel.challenge();
        Self::new(channel.arith(), alpha, beta)
    }

    /// The leaf of a tuple.
    fn leaf<A: Arith<Scalar = S>>(&self, arith: &A, tuple: impl Iterator<Item = Term<A>>) -> S {
        let add = |sum, (&weight, term): (&S, Term<A>)| match term {
            Term::Constant(K::ZERO) => sum,
            Term::Constant(K::ONE) => arith.add(sum, weight),
            Term::Constant(k) => arith.add(sum, arith.mul_k(weight, k)),
            Term::Word(word) => arith.mul_word_add(weight, word, sum),
            Term::Scalar(value) => arith.mul_add(weight, value, sum),
        };
        self.weights.iter().zip(tuple).fold(self.beta, add)
    }

    /// The leaf of a flush, of the values of a table's columns.
    pub fn of_flush<A: Arith<Scalar = S>>(&self, arith: &A, tuple: &[Form], columns: &[S]) -> S {
        let term = |form: &Form| {
            if form.linear.is_empty() && form.products.is_empty() {
                Term::Constant(form.constant)
            } else {
                Term::Scalar(self::form(arith, form, columns))
            }
        };
        self.leaf(arith, tuple.iter().map(term))
    }
}

/// A coordinate of a tuple.
enum Term<A: Arith> {
    Constant(K),
    Word(A::Word),
    Scalar(A::Scalar),
}

/// The value of a form, of the values of its columns; a missing column is zero.
pub fn form<A: Arith>(arith: &A, form: &Form, columns: &[A::Scalar]) -> A::Scalar {
    let zero = arith.constant(E::ZERO);
    let column = |i: usize| columns.get(i).copied().unwrap_or(zero);
    let times = |value, k: K| if k == K::ONE { value } else { arith.mul_k(value, k) };
    let start = (form.constant != K::ZERO).then(|| arith.constant(form.constant.into()));
    let sum = form.linear.iter().fold(start, |sum: Option<A::Scalar>, &(i, k)| {
        let term = times(column(i), k);
        Some(sum.map_or(term, |sum| arith.add(sum, term)))
    });
    let sum = form.products.iter().fold(sum, |sum, &(i, j, k)| {
        let (a, b) = (times(column(i), k), column(j));
        Some(sum.map_or_else(|| arith.mul(a, b), |sum| arith.mul_add(a, b, sum)))
    });
    sum.unwrap_or(zero)
}

/// The bus at the point where the grand product ends.
#[derive(Clone, Debug)]
pub struct Bus<S> {
    /// What makes leaves of tuples.
    pub fingerprint: Fingerprint<S>,
    /// The point, variable 0 first.
    pub point: Vec<S>,
    /// The selector of each block of a side, in the order of the [layout](Layout::leaves).
    pub selectors: [Vec<S>; 2],
}

impl<S: Copy> Bus<S> {
    /// The bus at this point.
    #[must_use]
    pub fn new<A: Arith<Scalar = S>>(
        arith: &A,
        layout: &Layout<'_>,
        fingerprint: Fingerprint<S>,
        point: Vec<S>,
    ) -> Self {
        let mut selectors = Selectors::new(arith, &point);
        let selectors = layout.leaves.each_ref().map(|blocks| {
            let selectors = blocks.iter().map(|block| selectors.of(block.region()));
            selectors.collect()
        });
        Self {
            fingerprint,
            point,
            selectors,
        }
    }

    /// What the claims on both sides leave for tables and producers: without the ones and the boundaries.
    ///
    /// `announced`: the announced words; `named`: the values that were [sent](named), in order.
    #[must_use]
    pub fn rest<A: Arith<Scalar = S>>(
        &self,
        arith: &A,
        machine: &Machine,
        layout: &Layout<'_>,
        claims: [S; 2],
        announced: &[A::Word],
        named: &[S],
    ) -> [S; 2] {
        let boundaries = self.boundaries(arith, machine, announced, named);
        let rest = |(claim, (blocks, selectors)): (S, (&Vec<Leaves>, &Vec<S>))| {
            let mut rest = arith.add(claim, arith.constant(E::ONE));
            for (block, &selector) in blocks.iter().zip(selectors) {
                rest = arith.add(rest, selector);
                if let LeafSource::Boundary(number) = block.source
                    && let Some(&leaf) = boundaries.get(number)
                {
                    rest = arith.mul_add(selector, leaf, rest);
                }
            }
            rest
        };
        let [push, pull] = claims;
        let [push_blocks, pull_blocks] = &layout.leaves;
        let [push_selectors, pull_selectors] = &self.selectors;
        [
            rest((push, (push_blocks, push_selectors))),
            rest((pull, (pull_blocks, pull_selectors))),
        ]
    }

    /// `L_b(zeta_<k)` of every boundary.
    fn boundaries<A: Arith<Scalar = S>>(
        &self,
        arith: &A,
        machine: &Machine,
        announced: &[A::Word],
        named: &[S],
    ) -> Vec<S> {
        let ramps = self.ramps(arith, machine);
        let zero = arith.constant(E::ZERO);
        let mut named = named.iter().copied();
        let mut leaf = |boundary: &Boundary| {
            let term = |coordinate: &Coordinate| match *coordinate {
                Coordinate::Constant(k) => Term::Constant(k),
                Coordinate::Announced(word) => announced
                    .get(word)
                    .map_or(Term::Constant(K::ZERO), |&word| Term::Word(word)),
                Coordinate::Index { base, shift } => match ramps.get(boundary.log_len) {
                    Some(&ramp) if boundary.log_len > 0 => Term::Scalar(index(arith, ramp, base, shift)),
                    _ => Term::Constant(K(base)),
                },
                Coordinate::Column(_) | Coordinate::Public(_) => Term::Scalar(named.next().unwrap_or(zero)),
            };
            self.fingerprint.leaf::<A>(arith, boundary.tuple.iter().map(term))
        };
        machine.boundary.iter().map(&mut leaf).collect()
    }

    /// The [ramps](ramps) of every boundary that has an index.
    fn ramps<A: Arith<Scalar = S>>(&self, arith: &A, machine: &Machine) -> Vec<S> {
        let indexed = |boundary: &&Boundary| {
            (boundary.tuple.iter()).any(|coordinate| matches!(coordinate, Coordinate::Index { .. }))
        };
        let lengths = machine
            .boundary
            .iter()
            .filter(indexed)
            .map(|boundary| boundary.log_len);
        ramps(arith, &self.point, lengths.max().unwrap_or(0))
    }
}

/// `sum_(j < k) point_j x^j` for every k up to `longest`: the extension of the index of 2^k words.
pub(crate) fn ramps<A: Arith>(arith: &A, point: &[A::Scalar], longest: usize) -> Vec<A::Scalar> {
    let zero = arith.constant(E::ZERO);
    let sums = point.iter().take(longest).enumerate();
    let sums = sums.scan(None, |sum: &mut Option<A::Scalar>, (j, &z)| {
        let next = sum.map_or(z, |sum| arith.add(sum, arith.mul_k(z, power_of_x(j))));
        *sum = Some(next);
        Some(next)
    });
    core::iter::once(zero).chain(sums).collect()
}

/// The extension of `base ^ (i << shift)`, of that of the index i.
pub(crate) fn index<A: Arith>(arith: &A, ramp: A::Scalar, base: u64, shift: usize) -> A::Scalar {
    let index = if shift == 0 {
        ramp
    } else {
        arith.mul_k(ramp, power_of_x(shift))
    };
    arith.add(arith.constant(K(base).into()), index)
}

/// x to this power, below 64.
pub(crate) fn power_of_x(exponent: usize) -> K {
    let shifted = u32::try_from(exponent).ok().and_then(|by| 1u64.checked_shl(by));
    K(shifted.unwrap_or(0))
}

/// A free or public column as a coordinate of a boundary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named {
    /// log2 of the boundary's tuples.
    pub log_len: usize,
    /// The column.
    pub column: NamedColumn,
}

/// A column that a boundary names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamedColumn {
    /// A free column.
    Free(usize),
    /// A public column.
    Public(usize),
}

/// The columns that boundaries name, once for each place, in the order in which their values are sent.
pub fn named(machine: &Machine) -> impl Iterator<Item = Named> {
    let of_boundary = |boundary: &Boundary| {
        let log_len = boundary.log_len;
        let column = |coordinate: &Coordinate| match *coordinate {
            Coordinate::Column(column) => Some(NamedColumn::Free(column)),
            Coordinate::Public(column) => Some(NamedColumn::Public(column)),
            _ => None,
        };
        let columns: Vec<_> = boundary.tuple.iter().filter_map(column).collect();
        columns.into_iter().map(move |column| Named { log_len, column })
    };
    machine.boundary.iter().flat_map(of_boundary)
}
