//! The verifier: every check that depends on the proof, and what they leave to be settled.

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
use pcs::stack;
use primitives::field::E;

use crate::blocks::{Bus, Fingerprint, LOG_COORDINATES, Named, NamedColumn, named};
use crate::layout::Layout;
use crate::machine::{FixedValue, Machine};
use crate::opening::Opened;
use crate::{gkr, tables};

/// The check that the announced words and the layout are those of the machine: the caller's, not the proof's.
pub const CALL: Label = Label::new("argument: call");

/// Claims on what everybody knows, which no message of a proof can change any more.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use = "a proof shows nothing until its deferred claims are settled by `check_deferred`"]
pub struct Deferred<S> {
    /// The claims on the circuits' matrices, if there are circuits.
    pub circuits: Option<flock::Deferred<S>>,
    /// The claims on public columns: those of boundaries, then those of tables.
    pub public: Vec<PublicClaim<S>>,
    /// The claims on producers.
    pub producers: Vec<ProducerClaim<S>>,
}

/// A public column has this value at this point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicClaim<S> {
    /// The public column.
    pub column: usize,
    /// A coordinate for each variable of the column, variable 0 first.
    pub point: Vec<S>,
    /// What is claimed.
    pub value: S,
}

/// `value = sum_b weights[b] P_b(point)`, `P_b` being the extension of `(beta + sum_j eq(alpha, j) e_ij)^(2^b)` over
/// the entries i of a producer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProducerClaim<S> {
    /// The point of the coordinates.
    pub alpha: [S; LOG_COORDINATES],
    /// What is added to a tuple's fingerprint.
    pub beta: S,
    /// A coordinate for each variable of the entries' index, variable 0 first.
    pub point: Vec<S>,
    /// The weights of the bits.
    pub weights: Vec<S>,
    /// What is claimed.
    pub value: S,
}

/// Checks that what is committed satisfies the machine, as far as the proof alone tells.
///
/// `announced`: [as many words](Machine::announced) as the machine refers to, or more.
///
/// # Transcript
/// Before: the shape, the caller's statement, and the announced words. Then the root of the commitment, alpha,
/// beta; [`gkr::verify`]; the values of the columns that boundaries name; [`tables::verify`];
/// [`flock::verify_core`]; [`stack::verify::verify`].
///
/// # Errors
/// The stream has ended, or [`gkr::ROOT`], [`gkr::LAYER`], [`tables::TERMINAL`], a check of Flock's or of the
/// opening's; [`CALL`] if the layout is another machine's, or an announced word is missing.
///
/// # Soundness
/// The caller owes [`check_deferred`](crate::check_deferred), and that the channel ends here.
pub fn verify_core<A: Source>(
    channel: &mut Channel<'_, A>,
    machine: &Machine,
    layout: &Layout<'_>,
    announced: &[A::Word],
) -> Result<Deferred<A::Scalar>, A::Error> {
    let arith = channel.arith();
    if announced.len() < machine.announced() {
        refuse_call(arith)?;
    }
    let root = channel.read_digest()?;
    let fingerprint = Fingerprint::draw(channel);
    let gkr::Claims { point, values } = gkr::verify(channel, layout.log_leaves)?;
    let bus = Bus::new(arith, layout, fingerprint, point);

    let named: Vec<Named> = named(machine).collect();
    let sent = channel.read_scalars(named.len())?;
    let rest = bus.rest(arith, machine, layout, values, announced, &sent);
    let values = tables::verify(channel, layout, &bus, rest)?;

    let circuits = layout.batch.as_ref();
    let circuits = circuits
        .map(|batch| flock::verify_core(channel, batch))
        .transpose()?;

    let named: Vec<(Named, A::Scalar)> = named.into_iter().zip(sent).collect();
    let zero = arith.constant(E::ZERO);
    let fixed = machine.fixed.iter().map(|&fixed| {
        let value = match fixed.value {
            FixedValue::Constant(word) => arith.constant(word.into()),
            FixedValue::Announced(word) => announced.get(word).map_or(zero, |&word| arith.embed(word)),
        };
        (fixed, value)
    });
    let fixed: Vec<_> = fixed.collect();
    let opened = Opened {
        circuits: circuits.as_ref(),
        values: &values,
        zeta: &bus.point,
        named: &named,
        fixed: &fixed,
    };
    match opened.statement(layout) {
        Ok(statement) => {
            stack::verify::verify(channel, &layout.parameters, root, layout.placed, &statement)?;
        }
        Err(_) => refuse_call(arith)?,
    }
    let mut claims = public(&named, &bus.point);
    claims.extend(public_of_tables(layout, &values));
    Ok(Deferred {
        circuits: circuits.map(|reduction| reduction.deferred),
        public: claims,
        producers: producers(layout, &bus, values),
    })
}

/// Refuses what no proof can cause.
fn refuse_call<A: Arith>(arith: &A) -> Result<(), A::Error> {
    arith.assert_eq(arith.constant(E::ZERO), arith.constant(E::ONE), CALL)
}

/// The claims on public columns, at the first coordinates of zeta.
fn public<S: Copy>(named: &[(Named, S)], zeta: &[S]) -> Vec<PublicClaim<S>> {
    let claim = |&(Named { log_len, column }, value): &(Named, S)| match column {
        NamedColumn::Free(_) => None,
        NamedColumn::Public(column) => Some(PublicClaim {
            column,
            point: zeta.iter().copied().take(log_len).collect(),
            value,
        }),
    };
    named.iter().filter_map(claim).collect()
}

/// The claims on the public columns of tables, at the first coordinates of r.
fn public_of_tables<S: Copy>(layout: &Layout<'_>, values: &tables::Values<S>) -> Vec<PublicClaim<S>> {
    let mut claims = Vec::new();
    for (place, columns) in layout.tables.iter().zip(&values.tables) {
        let values_of_public = columns.iter().skip(place.table.opened());
        claims.extend(
            (place.table.public.iter())
                .zip(values_of_public)
                .map(|(&column, &value)| PublicClaim {
                    column,
                    point: values.point.iter().copied().take(place.log_rows).collect(),
                    value,
                }),
        );
    }
    claims
}

/// The claims on producers, at the first coordinates of r.
fn producers<S: Copy>(layout: &Layout<'_>, bus: &Bus<S>, values: tables::Values<S>) -> Vec<ProducerClaim<S>> {
    let tables::Values { point, producers, .. } = values;
    let claims = layout.producers.iter().zip(producers);
    claims
        .map(|(place, values)| ProducerClaim {
            alpha: bus.fingerprint.alpha,
            beta: bus.fingerprint.beta,
            point: point.iter().copied().take(place.region.log_words).collect(),
            weights: values.weights,
            value: values.product,
        })
        .collect()
}
