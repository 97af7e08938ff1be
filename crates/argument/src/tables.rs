//! The sumcheck of all tables: what is left of the leaves, and every identity, at one point.
//!
//! With a challenge xi, what is shown is
//!
//! ```text
//! R_push + xi R_pull = sum_j sum_x eq(zeta_<tau_j, x) B_j(x),
//! B_j = sum_(push blocks b of j) sel_b L_b + xi sum_(pull blocks b of j) sel_b L_b + sum_i xi^(2 + i) I_i
//! ```
//!
//! over the present tables j and the producers, which have `sum_b sel_b (1 + m_b (1 + P_b))`. Round k binds variable k
//! of every table that has it: with the factor `eq(zeta_k, X)` taken out, `T = (1 + zeta_k) h(0) + zeta_k h(1)`, and
//! `h_1` and `h_2` of `h = h_0 + h_1 X + h_2 X^2` are sent. A table that has no variable left is a constant, in `h_0`
//! alone.

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

use fiat_shamir::{Arith, Channel, Label, Source};
use flock::zerocheck::next_claim;
use primitives::field::E;

use crate::blocks::{Bus, form, index, ramps};
use crate::layout::{Layout, Source as LeafSource};
use crate::machine::{Form, Index, Side};

/// The check that the values at the end are those that the rounds lead to.
pub const TERMINAL: Label = Label::new("tables: terminal");

/// What the sumcheck leaves: values of columns at the first coordinates of a point.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use = "the values are still to be checked"]
pub struct Values<S> {
    /// A coordinate for each variable of the largest table or producer, variable 0 first.
    pub point: Vec<S>,
    /// Of each present table the values of its columns, in the order of their numbers.
    pub tables: Vec<Vec<S>>,
    /// Of each producer.
    pub producers: Vec<ProducerValues<S>>,
}

/// What the sumcheck leaves of a producer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProducerValues<S> {
    /// `m_b`, the slices of the words that say how often each entry is pushed.
    pub slices: Vec<S>,
    /// `sel_b m_b`.
    pub weights: Vec<S>,
    /// `sum_b sel_b m_b P_b`, as the proof claims it.
    pub product: S,
}

/// Checks that tables and producers have what is left of the leaves, and that every identity holds.
///
/// # Transcript
/// Before: the boundaries' values, and so `rest`, [what is left](Bus::rest) of either side. Then xi; two scalars
/// and a challenge a round; the values of each present table's columns but the index ones; of each producer its
/// slices and its product.
///
/// # Errors
/// The stream has ended, or [`TERMINAL`].
///
/// # Soundness
/// The caller owes the opening of all values but the producers' products and those of public columns, and the check
/// of these.
pub fn verify<A: Source>(
    channel: &mut Channel<'_, A>,
    layout: &Layout<'_>,
    bus: &Bus<A::Scalar>,
    rest: [A::Scalar; 2],
) -> Result<Values<A::Scalar>, A::Error> {
    let arith = channel.arith();
    let xi = channel.challenge();
    let [push, pull] = rest;
    let mut claim = arith.mul_add(xi, pull, push);
    let mut point = Vec::with_capacity(layout.log_rows);
    for &zeta in bus.point.iter().take(layout.log_rows) {
        let coefficients = channel.read_array()?;
        let challenge = channel.challenge();
        claim = next_claim(arith, claim, zeta, coefficients, challenge);
        point.push(challenge);
    }

    let mut tables = Vec::with_capacity(layout.tables.len());
    let indexed = layout.tables.iter().filter(|place| !place.table.index.is_empty());
    let longest = indexed.map(|place| place.log_rows).max().unwrap_or(0);
    let ramps = ramps(arith, &point, longest);
    for place in &layout.tables {
        let mut values = channel.read_scalars(place.table.claimed())?;
        if let Some(&ramp) = ramps.get(place.log_rows) {
            let of_index = |&Index { base, shift }: &Index| index(arith, ramp, base, shift);
            values.extend(place.table.index.iter().map(of_index));
        }
        tables.push(values);
    }
    let mut producers = Vec::with_capacity(layout.producers.len());
    for place in &layout.producers {
        producers.push(ProducerValues {
            slices: channel.read_scalars(place.bits)?,
            weights: Vec::with_capacity(place.bits),
            product: channel.read_scalar()?,
        });
    }
    let expected = terminal(arith, layout, bus, xi, &tables, &mut producers);
    arith.assert_eq(claim, expected, TERMINAL)?;
    Ok(Values {
        point,
        tables,
        producers,
    })
}

/// `sum_j B_j` of these values; fills in the producers' weights.
fn terminal<A: Arith>(
    arith: &A,
    layout: &Layout<'_>,
    bus: &Bus<A::Scalar>,
    xi: A::Scalar,
    tables: &[Vec<A::Scalar>],
    producers: &mut [ProducerValues<A::Scalar>],
) -> A::Scalar {
    let zero = arith.constant(E::ZERO);
    let [push, pull] = Side::BOTH.map(|side| {
        let (blocks, selectors) = match (side, &layout.leaves, &bus.selectors) {
            (Side::Push, [blocks, _], [selectors, _]) | (Side::Pull, [_, blocks], [_, selectors]) => {
                (blocks, selectors)
            }
        };
        let mut sum = zero;
        for (block, &selector) in blocks.iter().zip(selectors) {
            match block.source {
                LeafSource::Flush { place, flush } => {
                    let columns = tables.get(place).map(Vec::as_slice).unwrap_or_default();
                    let table = layout.tables.get(place);
                    let tuple: &[Form] = table
                        .and_then(|place| place.table.flushes.get(flush))
                        .map(|flush| flush.tuple.as_slice())
                        .unwrap_or_default();
                    let leaf = bus.fingerprint.of_flush(arith, tuple, columns);
                    sum = arith.mul_add(selector, leaf, sum);
                }
                LeafSource::Boundary(_) => {}
                LeafSource::Bit { producer, bit } => {
                    if let Some(values) = producers.get_mut(producer)
                        && let Some(&slice) = values.slices.get(bit)
                    {
                        let weight = arith.mul(selector, slice);
                        values.weights.push(weight);
                        sum = arith.add(sum, arith.add(selector, weight));
                    }
                }
            }
        }
        sum
    });
    let push = producers
        .iter()
        .fold(push, |sum, values| arith.add(sum, values.product));

    // push + xi (pull + xi (I_0 + xi (I_1 + ..)))
    let identities = layout.tables.iter().zip(tables).flat_map(|(place, columns)| {
        let identities = place.table.identities.iter();
        identities.map(move |identity| (identity, columns))
    });
    let identities: Vec<_> = identities.collect();
    let horner = |sum: Option<A::Scalar>, term| Some(sum.map_or(term, |sum| arith.mul_add(xi, sum, term)));
    let identities = identities.into_iter().rev();
    let sum = identities.fold(None, |sum, (identity, columns)| {
        horner(sum, form(arith, identity, columns))
    });
    let sum = horner(sum, pull);
    horner(sum, push).unwrap_or(push)
}
