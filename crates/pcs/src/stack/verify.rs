//! The verifier of a stack's opening, over [`Arith`](fiat_shamir::Arith).

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

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use fiat_shamir::{Arith, Channel, Source};
use primitives::field::E;

use super::layout::{Region, present_lanes};
use super::selectors::Selectors;
use super::{Column, Statement};
use crate::parameters::Parameters;
use crate::ring_switch::{self, CHALLENGES, Evaluator, SLICES};
use crate::whir;

/// The challenges that make one weighted sum of all claims.
struct Batching<S> {
    /// Powers of the families' challenge, from the first; the zeroth is 1 and left out.
    families: Vec<S>,
    /// The [roots](ring_switch::roots) of the map.
    map: Option<Vec<S>>,
    /// `None` if there is one claim only.
    claims: Option<S>,
}

/// Checks the claims of `statement` on the stack under `root`.
///
/// `placed`: the words of the stack that are not zero by its layout.
///
/// # Transcript
/// Before: the root, the sizes and the rate, and every point, weight, slice and value of the statement, or
/// what they follow from. Then the challenges of the [module](super)'s steps, and [`whir::verify::verify`].
///
/// # Errors
/// Those of [`whir::verify::verify`].
///
/// # Soundness
/// Every claim holds for one member of the list that `root` binds to; what was drawn since the commitment
/// pays the size of that list. The caller owes nothing more.
pub fn verify<A: Source>(
    channel: &mut Channel<'_, A>,
    parameters: &Parameters,
    root: A::Digest,
    placed: usize,
    statement: &Statement<A::Scalar>,
) -> Result<(), A::Error> {
    let arith = channel.arith();
    let batching = draw(channel, statement);
    let claim = claim(arith, statement, &batching);
    let lanes = present_lanes(parameters, placed);
    whir::verify::verify(channel, parameters, root, lanes, claim, |arith, terminal| {
        Weights::new(arith, statement, terminal).combined(&batching)
    })
}

/// Draws the challenges of the batching.
fn draw<A: Source>(channel: &mut Channel<'_, A>, statement: &Statement<A::Scalar>) -> Batching<A::Scalar> {
    let arith = channel.arith();
    let mut families = Vec::new();
    if let further @ 1.. = statement.families().len().saturating_sub(1) {
        let challenge = channel.challenge();
        let powers = core::iter::successors(Some(challenge), |&power| Some(arith.mul(power, challenge)));
        families.extend(powers.take(further));
    }
    let map = (!statement.families().is_empty()).then(|| {
        let challenges: [_; CHALLENGES] = core::array::from_fn(|_| channel.challenge());
        ring_switch::roots(arith, &challenges)
    });
    let claims = (statement.batched() > 1).then(|| channel.challenge());
    Batching {
        families,
        map,
        claims,
    }
}

/// The sum that is opened.
fn claim<A: Arith>(arith: &A, statement: &Statement<A::Scalar>, batching: &Batching<A::Scalar>) -> A::Scalar {
    let packed = batching.map.as_ref().map(|map| {
        let slices: Vec<A::Scalar> = (0..SLICES)
            .map_while(|i| slice(arith, statement, batching, i))
            .collect();
        ring_switch::target(arith, map, &slices)
    });
    let values = statement.columns().iter().map(|column| column.value);
    batch(arith, batching, packed.into_iter().chain(values).collect())
}

/// Slice i of the families combined; `None` if no family has it.
fn slice<A: Arith>(
    arith: &A,
    statement: &Statement<A::Scalar>,
    batching: &Batching<A::Scalar>,
    i: usize,
) -> Option<A::Scalar> {
    let powers = core::iter::once(None).chain(batching.families.iter().copied().map(Some));
    statement
        .families()
        .iter()
        .zip(powers)
        .fold(None, |sum, (family, power)| {
            let Some(&slice) = family.slices.get(i) else {
                return sum;
            };
            Some(match (sum, power) {
                (None, None) => slice,
                (Some(sum), None) => arith.add(sum, slice),
                (None, Some(power)) => arith.mul(power, slice),
                (Some(sum), Some(power)) => arith.mul_add(power, slice, sum),
            })
        })
}

/// `t_0 + l t_1 + l^2 t_2 + ..`, by Horner's rule.
fn batch<A: Arith>(arith: &A, batching: &Batching<A::Scalar>, terms: Vec<A::Scalar>) -> A::Scalar {
    terms
        .into_iter()
        .rev()
        .reduce(|sum, term| {
            batching
                .claims
                .map_or(term, |challenge| arith.mul_add(challenge, sum, term))
        })
        .unwrap_or_else(|| arith.constant(E::ZERO))
}

/// The extensions of the claims' weights at the terminal point.
struct Weights<'a, A: Arith> {
    arith: &'a A,
    statement: &'a Statement<A::Scalar>,
    terminal: &'a [A::Scalar],
    /// The selectors of regions.
    selectors: Selectors<'a, A>,
}

impl<'a, A: Arith> Weights<'a, A> {
    fn new(arith: &'a A, statement: &'a Statement<A::Scalar>, terminal: &'a [A::Scalar]) -> Self {
        Self {
            arith,
            statement,
            terminal,
            selectors: Selectors::new(arith, terminal),
        }
    }

    /// All of them, batched as the claims are.
    fn combined(&mut self, batching: &Batching<A::Scalar>) -> A::Scalar {
        let packed = batching
            .map
            .as_ref()
            .map(|map| self.packed(map, &batching.families));
        let columns = self.columns();
        batch(self.arith, batching, packed.into_iter().chain(columns).collect())
    }

    /// The weight of the families combined: for each member `Phi(b^g weight eq(point, .))` on its region.
    fn packed(&mut self, map: &[A::Scalar], powers: &[A::Scalar]) -> A::Scalar {
        let arith = self.arith;
        let evaluator = Evaluator::new(arith, map, self.terminal);
        let mut products = BTreeMap::new();
        let mut scaled = BTreeMap::new();
        let powers = core::iter::once(None).chain(powers.iter().copied().map(Some));
        let mut sum = arith.constant(E::ZERO);
        for (family, power) in self.statement.families().iter().zip(powers) {
            for member in &family.members {
                let point = member.point;
                let scaled = scaled.entry((point.index, point.variables)).or_insert_with(|| {
                    let products = products
                        .entry(point.index)
                        .or_insert_with(|| evaluator.products(arith, self.point(point.index)));
                    products.scaled(arith, point.variables)
                });
                let weight = match (power, member.weight) {
                    (Some(power), Some(weight)) => Some(arith.mul(power, weight)),
                    (power, weight) => power.or(weight),
                };
                let inner = ring_switch::weight_at(arith, scaled, weight);
                sum = arith.mul_add(self.selectors.of(member.region), inner, sum);
            }
        }
        sum
    }

    /// The weight of each claim on a column.
    fn columns(&mut self) -> Vec<A::Scalar> {
        let arith = self.arith;
        let mut products: BTreeMap<_, Vec<A::Scalar>> = BTreeMap::new();
        let mut words: BTreeMap<_, Selectors<'a, A>> = BTreeMap::new();
        let mut weights = Vec::with_capacity(self.statement.columns().len());
        for &Column {
            region,
            log_block,
            word,
            point,
            ..
        } in self.statement.columns()
        {
            let products = products
                .entry((point.index, log_block))
                .or_insert_with(|| self.products(point.index, log_block));
            // The point of the blocks, if it has coordinates, and the word of a block, if that has more than one.
            let inner = point
                .variables
                .checked_sub(1)
                .and_then(|last| products.get(last))
                .copied();
            let of_word = (log_block > 0).then(|| {
                let block = self.terminal.get(..log_block).unwrap_or_default();
                let words = words
                    .entry(log_block)
                    .or_insert_with(|| Selectors::new(arith, block));
                words.of(Region {
                    offset: word,
                    log_words: 0,
                })
            });
            let factors = inner.into_iter().chain(of_word);
            let selector = self.selectors.of(region);
            weights.push(factors.fold(selector, |product, factor| arith.mul(product, factor)));
        }
        weights
    }

    /// The products of the first factors `1 + r_i + t_(b+i)` of the weights of a point on blocks of 2^b words, from one
    /// factor.
    fn products(&self, index: usize, log_block: usize) -> Vec<A::Scalar> {
        let arith = self.arith;
        let one = arith.constant(E::ONE);
        let blocks = self.terminal.get(log_block..).unwrap_or_default();
        let factors = self.point(index).iter().zip(blocks);
        let factors = factors.map(|(&r, &t)| arith.add(arith.add(one, r), t));
        let prefixes = factors.scan(None, |product, factor| {
            let next = product.map_or(factor, |product| arith.mul(product, factor));
            *product = Some(next);
            Some(next)
        });
        prefixes.collect()
    }

    fn point(&self, index: usize) -> &[A::Scalar] {
        self.statement
            .points()
            .get(index)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }
}
