//! One producer in the sumcheck of all tables.

use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::field::E;
use primitives::{dispatch, pool};

use super::Input;
use super::bus::square;
use super::chunks::{load, store};
use super::columns::{TILE, TileScalars};
use super::dense::{Message, Product, bind, linear_message, products_message};
use crate::tables::ProducerValues;

/// `sum_b sel_b m_b + sum_b sel_b m_b P_b`.
pub(super) struct Producer {
    log_len: usize,
    selectors: Vec<E>,
    linear: Vec<E>,
    /// `m_b`, then `P_b`.
    factors: Vec<Vec<E>>,
    products: Vec<Product>,
}

impl Producer {
    /// The producer before round 0.
    pub(super) fn new(input: &Input<'_>, number: usize, selectors: Vec<E>) -> Self {
        let place = input.layout.producers[number];
        let times = &input.stack[place.region.range()];
        let bits = place.bits;
        let mut factors = vec![vec![E::ZERO; times.len()]; 2 * bits];
        let mut linear = vec![E::ZERO; times.len()];
        let tuple = &input.machine.producers[number].tuple;
        let log_len = place.region.log_words;
        let tiles = times.len().div_ceil(TILE);
        let tiles = pool::map(tiles, |tile| input.tuple_tile(tuple, log_len, tile));
        for (tile, mut powers) in tiles.into_iter().enumerate() {
            let rows = tile * TILE..times.len().min((tile + 1) * TILE);
            for bit in 0..bits {
                for row in rows.clone() {
                    factors[bits + bit][row] = E(powers.each_ref().map(|plane| plane[row - rows.start]));
                    if times[row].0 >> bit & 1 == 1 {
                        factors[bit][row] = E::ONE;
                        linear[row] += selectors[bit];
                    }
                }
                dispatch!(|be| square_tile(be, &mut powers));
            }
        }
        let products = (0..bits).map(|bit| (bit, bits + bit, selectors[bit])).collect();
        Self {
            log_len,
            selectors,
            linear,
            factors,
            products,
        }
    }

    /// The message of the round after these challenges.
    pub(super) fn round(&mut self, bound: &[E], zeta: &[E]) -> Message {
        let round = bound.len();
        if round > self.log_len {
            return Message::default();
        }
        self.bind(bound);
        if round == self.log_len {
            return Message::default();
        }
        let point = &zeta[round + 1..];
        let mut message = products_message(&self.factors, &self.products, point);
        message.h_1 += linear_message(&self.linear, point);
        message
    }

    fn bind(&mut self, bound: &[E]) {
        if let Some(&r) = bound.last() {
            self.linear = bind(&self.linear, r);
            for factor in &mut self.factors {
                *factor = bind(factor, r);
            }
        }
    }

    /// The slices, their weights, and the product.
    pub(super) fn finish(mut self, point: &[E]) -> ProducerValues<E> {
        if point.len() == self.log_len {
            self.bind(point);
        }
        let bits = self.selectors.len();
        let (times, powers) = self.factors.split_at(bits);
        let slices: Vec<E> = times.iter().map(|times| times[0]).collect();
        let weights: Vec<E> = self
            .selectors
            .iter()
            .zip(&slices)
            .map(|(&selector, &slice)| selector * slice)
            .collect();
        let product = weights
            .iter()
            .zip(powers)
            .map(|(&weight, powers)| weight * powers[0])
            .sum();
        ProducerValues {
            slices,
            weights,
            product,
        }
    }
}

#[inline(always)]
fn square_tile<B: Backend>(be: B, powers: &mut TileScalars) {
    let mut at = 0;
    while at < TILE {
        let square = square(be, load(be, powers, at));
        store(be, square, powers, at);
        at += B::LANES;
    }
}
