//! The grand product: both trees walked down, two binary layers at a time.

use alloc::vec::Vec;

use fiat_shamir::Prover;
use primitives::field::E;
use primitives::multilinear::eq_table;
use tracing::info_span;

use super::chunks::LOG_SCALARS;
use super::rounds::{Layer, Table, Values};

/// Proves that both sides have one product.
///
/// `leaves`: 2^`log_leaves` of either side, `log_leaves` at least 1. The point at which claims on them are left.
///
/// # Transcript
/// As [`gkr::verify`](crate::gkr::verify).
pub(super) fn prove(prover: &mut Prover, leaves: [Layer; 2], log_leaves: usize) -> Vec<E> {
    let [mut push, mut pull] =
        info_span!("layers").in_scope(|| leaves.map(|leaves| layers(leaves, log_leaves)));
    let top = [&mut push, &mut pull].map(|layers| match layers.pop() {
        Some(Layer::Scalars(values)) => values,
        _ => unreachable!("the top layer has two or four nodes"),
    });
    prover.send_scalar(top[0].iter().copied().product());
    for values in &top {
        prover.send_scalars(values);
    }
    let mut point = prover.challenges(top[0].len().ilog2() as usize);
    let mut claims = top.map(|values| extension(&values, &point));
    for tables in push.into_iter().rev().zip(pull.into_iter().rev()) {
        let tables = [Table::new(tables.0), Table::new(tables.1)];
        let log_nodes = point.len() + 2;
        (point, claims) = info_span!("layer", log_nodes).in_scope(|| layer(prover, tables, &point, claims));
    }
    point
}

/// All layers but the root, from the leaves on.
fn layers(leaves: Layer, log_leaves: usize) -> Vec<Layer> {
    let mut layers = alloc::vec![leaves];
    let mut log_nodes = log_leaves;
    while log_nodes > 2 {
        log_nodes -= 2;
        let above = layers.last().map(|layer| layer.parents(log_nodes));
        layers.extend(above);
    }
    layers
}

impl Layer {
    /// The layer of 2^`log_nodes` nodes above.
    fn parents(&self, log_nodes: usize) -> Self {
        match self {
            Self::Chunks(chunks) if log_nodes >= LOG_SCALARS => Self::Chunks(chunks.parents()),
            Self::Chunks(chunks) => Self::Scalars(chunks.products(log_nodes)),
            Self::Scalars(scalars) => {
                let groups: &[[E; 4]] = scalars.as_chunks().0;
                Self::Scalars(groups.iter().map(|&group| group.into_iter().product()).collect())
            }
        }
    }
}

/// One sumcheck for both sides, and the claims on their next tables.
fn layer(prover: &mut Prover, mut tables: [Table; 2], point: &[E], [push, pull]: [E; 2]) -> (Vec<E>, [E; 2]) {
    let l = prover.challenge();
    let mut claim = push + l * pull;
    let mut challenges = Vec::with_capacity(point.len() + 2);
    let mut bound = None;
    for (k, &z) in point.iter().enumerate() {
        let [push, pull] = tables.each_mut().map(|table| table.round(bound, &point[k + 1..]));
        let h = message(push.plus(l, pull), claim, z);
        prover.send_scalars(&h[1..]);
        let r = prover.challenge();
        claim = h.iter().rev().fold(E::ZERO, |sum, &h| sum * r + h);
        bound = Some(r);
        challenges.push(r);
    }
    let values = tables.map(|table| table.finish(bound));
    for values in &values {
        prover.send_scalars(values);
    }
    let mut next = prover.challenges(2);
    let claims = values.map(|values| extension(&values, &next));
    next.extend(challenges);
    (next, claims)
}

/// The coefficients of the polynomial with these values, for which `claim = (1 + z) h(0) + z h(1)`.
fn message(values: Values, claim: E, z: E) -> [E; 5] {
    values.coefficients((claim + z * values.at_one) * (E::ONE + z).inverse_or_zero())
}

fn extension(values: &[E], point: &[E]) -> E {
    let terms = values.iter().zip(eq_table(point));
    terms.map(|(&value, eq)| value * eq).sum()
}
