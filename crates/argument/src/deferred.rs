//! The deferred claims settled: public columns and producers, of which the verifier knows every word.

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

use fiat_shamir::{Arith, Label, Native, VerifyError};
use primitives::field::{E, K};
use primitives::multilinear::SplitEq;

use crate::blocks::{Fingerprint, power_of_x};
use crate::layout::Layout;
use crate::machine::{Coordinate, Machine, Producer, PublicColumn};
use crate::verify::{Deferred, ProducerClaim, PublicClaim};

/// The check of a public column's value, numbered in the order sent.
pub const PUBLIC: Label = Label::new("public column");

/// The check of a producer's product, numbered by producer.
pub const PRODUCER: Label = Label::new("producer");

/// Settles the claims that a proof leaves.
///
/// # Errors
/// [`flock::MATRIX`], [`PUBLIC`] or [`PRODUCER`]: a value claimed is not that of the machine.
pub fn check_deferred(
    machine: &Machine,
    layout: &Layout<'_>,
    deferred: &Deferred<E>,
) -> Result<(), VerifyError> {
    let arith = Native::default();
    if let (Some(batch), Some(claims)) = (&layout.batch, &deferred.circuits) {
        flock::check_deferred(batch, claims)?;
    }
    for (number, claim) in deferred.public.iter().enumerate() {
        let column = machine.public.get(claim.column);
        let value = column.map_or(E::ZERO, |column| public_value(column, claim));
        arith.assert_eq(value, claim.value, PUBLIC.at(number))?;
    }
    for (number, (producer, claim)) in machine.producers.iter().zip(&deferred.producers).enumerate() {
        let value = producer_value(machine, producer, claim);
        arith.assert_eq(value, claim.value, PRODUCER.at(number))?;
    }
    Ok(())
}

/// Variables of the low table of an [`SplitEq`].
const LOW_VARIABLES: usize = 10;

/// The value of a public column at the point of a claim.
fn public_value(column: &PublicColumn, claim: &PublicClaim<E>) -> E {
    let eq = SplitEq::new(&claim.point, E::ONE, LOW_VARIABLES);
    match column {
        PublicColumn::Dense(words) => weighted_sum(&eq, words, |&word| E::from(word)),
        PublicColumn::Sparse { words, .. } => {
            let terms = words
                .iter()
                .map(|&(index, word)| product(eq_at(&eq, index), word.into()));
            terms.sum()
        }
    }
}

/// `eq(point, index)`; zero where there is no such index.
fn eq_at(eq: &SplitEq, index: u32) -> E {
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    let low = index & eq.low.len().wrapping_sub(1);
    let high = index.checked_shr(eq.low.len().trailing_zeros()).unwrap_or(0);
    match (eq.low.get(low), eq.high.get(high)) {
        (Some(&low), Some(&high)) => product(low, high),
        _ => E::ZERO,
    }
}

/// `sum_i eq(point, i) value(items[i])`.
fn weighted_sum<T>(eq: &SplitEq, items: &[T], value: impl Fn(&T) -> E) -> E {
    let chunks = items.chunks(eq.low.len().max(1)).zip(&eq.high);
    let chunk_sum = |chunk: &[T]| -> E {
        let terms = eq
            .low
            .iter()
            .zip(chunk)
            .map(|(&eq, item)| product(eq, value(item)));
        terms.sum()
    };
    chunks.map(|(chunk, &high)| product(high, chunk_sum(chunk))).sum()
}

/// `sum_b c_b P_b(point)` of a producer.
///
/// With `f_j(e) = sum_b c_b a_j^(2^b) e^(2^b)`, a map of K that is linear over GF(2), it is
/// `sum_b c_b beta^(2^b) + sum_j sum_i eq(point, i) f_j(e_ij)`.
fn producer_value(machine: &Machine, producer: &Producer, claim: &ProducerClaim<E>) -> E {
    let fingerprint = Fingerprint::new(&Native::default(), claim.alpha, claim.beta);
    let eq = SplitEq::new(&claim.point, E::ONE, LOW_VARIABLES);
    let of_coordinate = |(coordinate, &weight): (&Coordinate, &E)| -> E {
        let map = LinearMap::new(&claim.weights, weight);
        match *coordinate {
            Coordinate::Constant(word) => map.apply(word),
            Coordinate::Index { base, shift } => {
                let steps = claim.point.iter().enumerate();
                let steps = steps.map(|(i, &r)| product(r, map.apply(power_of_x(shift.saturating_add(i)))));
                steps.chain([map.apply(K(base))]).sum()
            }
            Coordinate::Public(column) => match machine.public.get(column) {
                Some(PublicColumn::Dense(words)) => weighted_sum(&eq, words, |&word| map.apply(word)),
                _ => E::ZERO,
            },
            // No layout has a producer with these.
            Coordinate::Announced(_) | Coordinate::Column(_) => E::ZERO,
        }
    };
    let coordinates = producer.tuple.iter().zip(&fingerprint.weights);
    let beta = combination(&claim.weights, claim.beta);
    coordinates.map(of_coordinate).chain([beta]).sum()
}

/// `sum_b weights[b] a^(2^b)`.
fn combination(weights: &[E], a: E) -> E {
    let powers = core::iter::successors(Some(a), |power| Some(power.square()));
    weights
        .iter()
        .zip(powers)
        .map(|(&weight, power)| product(weight, power))
        .sum()
}

/// A map from K to E that is linear over GF(2): the images of the values of each byte of a word.
struct LinearMap {
    bytes: Vec<[E; 256]>,
}

impl LinearMap {
    /// `e -> sum_b weights[b] (a e)^(2^b)`.
    fn new(weights: &[E], a: E) -> Self {
        let image = |bit: usize| combination(weights, product(a, power_of_x(bit).into()));
        let images: Vec<E> = (0..64).map(image).collect();
        let table = |images: &[E]| {
            let mut table = [E::ZERO; 256];
            for (byte, entry) in table.iter_mut().enumerate() {
                let bits = images.iter().enumerate().filter(|(bit, _)| byte >> bit & 1 == 1);
                *entry = bits.map(|(_, &image)| image).sum();
            }
            table
        };
        Self {
            bytes: images.chunks(8).map(table).collect(),
        }
    }

    fn apply(&self, word: K) -> E {
        let images = self.bytes.iter().zip(word.0.to_le_bytes());
        images
            .filter_map(|(table, byte)| table.get(usize::from(byte)).copied())
            .sum()
    }
}

/// The product.
#[expect(clippy::arithmetic_side_effects, reason = "the fields' operators are total")]
fn product(a: E, b: E) -> E {
    a * b
}
