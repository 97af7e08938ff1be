//! One producer in the sumcheck of all tables.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::field::{E, K};
use primitives::multilinear::eq_table;
use primitives::{dispatch, pool};

use super::Input;
use super::bus::square;
use super::chunks::{ROW, load, store};
use super::columns::{LOG_TILE, TILE, TileColumn, TileScalars};
use super::dense::{Message, Product, bind, linear_message, products_message};
use super::grid::{self, GROUPS, Grid, POINTS, ROUNDS};
use super::table::{TASK, add_planes, add_scaled, group_eq};
use crate::tables::ProducerValues;

/// `sum_b sel_b m_b + sum_b sel_b m_b P_b`, the sums being over the bits that some entry has: of the others, all is
/// zero.
pub(super) struct Producer<'a> {
    entries: Entries<'a>,
    selectors: Vec<E>,
    /// The bits that some entry has.
    used: Vec<usize>,
    /// The linear part, of all variables.
    linear: Vec<E>,
    /// The first rounds of the products, of a producer of whole tiles.
    grid: Option<Grid>,
    /// `m_b`, then `P_b`, of the used bits, after these rounds.
    factors: Vec<Vec<E>>,
    products: Vec<Product>,
}

impl<'a> Producer<'a> {
    /// The producer before round 0.
    pub(super) fn new(input: &'a Input<'a>, number: usize, selectors: Vec<E>, zeta: &[E]) -> Self {
        let region = input.layout.producers[number].region;
        let entries = Entries {
            input,
            number,
            log_len: region.log_words,
            times: &input.stack[region.range()],
        };
        let any = entries.times.iter().fold(0, |any, times| any | times.0);
        let used: Vec<usize> = (0..selectors.len()).filter(|bit| any >> bit & 1 == 1).collect();
        let products = used.iter().enumerate();
        let products = products
            .map(|(i, &bit)| (i, used.len() + i, selectors[bit]))
            .collect();
        let (linear, grid) = entries.first_pass(&selectors, &used, &zeta[..entries.log_len]);
        let factors = if grid.is_none() {
            entries.factors(&used)
        } else {
            Vec::new()
        };
        Self {
            entries,
            selectors,
            used,
            linear,
            grid,
            factors,
            products,
        }
    }

    /// The message of the round after these challenges.
    pub(super) fn round(&mut self, bound: &[E], zeta: &[E]) -> Message {
        let round = bound.len();
        if round > self.entries.log_len {
            return Message::default();
        }
        self.bind(bound);
        if round == self.entries.log_len {
            return Message::default();
        }
        let point = &zeta[round + 1..];
        let mut message = match &self.grid {
            Some(grid) => grid.message(point),
            None => products_message(&self.factors, &self.products, point),
        };
        message.h_1 += linear_message(&self.linear, point);
        message
    }

    fn bind(&mut self, bound: &[E]) {
        let Some(&r) = bound.last() else {
            return;
        };
        self.linear = bind(&self.linear, r);
        match &mut self.grid {
            Some(grid) if bound.len() < ROUNDS => grid.bind(r),
            Some(_) => {
                self.grid = None;
                self.factors = self.entries.bound_factors(&self.used, bound);
            }
            None => {
                for factor in &mut self.factors {
                    *factor = bind(factor, r);
                }
            }
        }
        if bound.len() == LOG_TILE && self.entries.log_len > LOG_TILE {
            let (times, _) = self.factors.split_at(self.used.len());
            self.linear = vec![E::ZERO; 1 << (self.entries.log_len - LOG_TILE)];
            for (&bit, times) in self.used.iter().zip(times) {
                for (sum, &times) in self.linear.iter_mut().zip(times) {
                    *sum += self.selectors[bit] * times;
                }
            }
        }
    }

    /// The slices, their weights, and the product.
    pub(super) fn finish(mut self, point: &[E]) -> ProducerValues<E> {
        if point.len() == self.entries.log_len {
            self.bind(point);
        }
        let (times, powers) = self.factors.split_at(self.used.len());
        let mut slices = vec![E::ZERO; self.selectors.len()];
        for (&bit, times) in self.used.iter().zip(times) {
            slices[bit] = times[0];
        }
        let weights = self.selectors.iter().zip(&slices);
        let weights: Vec<E> = weights.map(|(&selector, &slice)| selector * slice).collect();
        let product = self.used.iter().zip(powers);
        let product = product.map(|(&bit, powers)| weights[bit] * powers[0]).sum();
        ProducerValues {
            slices,
            weights,
            product,
        }
    }
}

/// What is pushed, and how often.
struct Entries<'a> {
    input: &'a Input<'a>,
    number: usize,
    log_len: usize,
    times: &'a [K],
}

impl Entries<'_> {
    /// `beta + pi(e)` of the entries of a tile.
    fn tile(&self, tile: usize) -> TileScalars {
        let tuple = &self.input.machine.producers[self.number].tuple;
        self.input.tuple_tile(tuple, self.log_len, tile)
    }

    /// How often the entries of a tile are pushed; zeros where there are none.
    fn times(&self, tile: usize) -> TileColumn {
        let mut times = [K::ZERO; TILE];
        let words = &self.times[tile * TILE..self.times.len().min((tile + 1) * TILE)];
        times[..words.len()].copy_from_slice(words);
        times
    }

    /// The sum over all tiles of the linear part, each weighted by its `eq`; and the products on the grid, if there are
    /// whole tiles.
    fn first_pass(&self, selectors: &[E], used: &[usize], zeta: &[E]) -> (Vec<E>, Option<Grid>) {
        let (low, high) = zeta.split_at(zeta.len().min(LOG_TILE));
        let weights = eq_table(high);
        let group_eq = (self.log_len >= LOG_TILE).then(|| group_eq(low));
        let sums = pool::map(weights.len().div_ceil(TASK), |task| {
            let mut linear = Box::new([[K::ZERO; TILE]; 3]);
            let mut grid = [E::ZERO; POINTS];
            for (tile, &weight) in weights.iter().enumerate().skip(task * TASK).take(TASK) {
                let times = self.times(tile);
                let mut values = [[K::ZERO; TILE]; 3];
                for &bit in used {
                    dispatch!(|_be| add_bit(&times, bit, selectors[bit], &mut values));
                }
                dispatch!(|be| add_scaled(be, &mut linear, weight, &values));
                if let Some(eq) = &group_eq {
                    let weights = dispatch!(|be| grid::group_weights(be, eq, weight));
                    self.add_grid(tile, &times, &weights, selectors, &mut grid);
                }
            }
            (linear, grid)
        });
        let mut linear = vec![E::ZERO; TILE.min(self.times.len())];
        let mut grid = [E::ZERO; POINTS];
        for (of_task, grid_of_task) in &sums {
            add_planes(&mut linear, of_task);
            for (sum, &of_task) in grid.iter_mut().zip(grid_of_task) {
                *sum += of_task;
            }
        }
        (linear, group_eq.map(|_| Grid::new(grid)))
    }

    /// Adds the products of a tile on the grid.
    fn add_grid(
        &self,
        tile: usize,
        times: &TileColumn,
        weights: &[[K; GROUPS]; 3],
        selectors: &[E],
        grid: &mut [E; POINTS],
    ) {
        let mut left = times.iter().fold(0, |any, times| any | times.0);
        let mut powers = self.tile(tile);
        for (bit, &selector) in selectors.iter().enumerate() {
            if left >> bit & 1 == 1 {
                let mut sums = [E::ZERO; POINTS];
                dispatch!(|be| grid::add_bits(be, weights, times, bit, &powers, &mut sums));
                for (sum, of_bit) in grid.iter_mut().zip(sums) {
                    *sum += selector * of_bit;
                }
                left ^= 1 << bit;
            }
            if left >> bit == 0 {
                return;
            }
            dispatch!(|be| square_tile(be, &mut powers));
        }
    }

    /// `m_b`, then `P_b`, of these bits.
    fn factors(&self, bits: &[usize]) -> Vec<Vec<E>> {
        let entry = |i: usize, planes: &TileScalars| E(planes.each_ref().map(|plane| plane[i]));
        let rows = || 0..self.times.len();
        let of_bit = |&bit: &usize| -> Vec<E> {
            rows()
                .map(|row| E::from(K(self.times[row].0 >> bit & 1)))
                .collect()
        };
        let mut factors: Vec<Vec<E>> = bits.iter().map(of_bit).collect();
        let mut powers = self.tile(0);
        for bit in 0..bits.last().map_or(0, |bit| bit + 1) {
            if bits.contains(&bit) {
                factors.push(rows().map(|row| entry(row, &powers)).collect());
            }
            dispatch!(|be| square_tile(be, &mut powers));
        }
        factors
    }

    /// [`factors`](Self::factors) with the variables of the grid bound.
    fn bound_factors(&self, bits: &[usize], r: &[E]) -> Vec<Vec<E>> {
        let eq: [E; ROW] = *eq_table(r).as_array().expect("the rows of a group");
        let parts = pool::map(self.times.len() / TILE, |tile| {
            let mut out = vec![[E::ZERO; GROUPS]; 2 * bits.len()];
            let (of_bits, of_powers) = out.split_at_mut(bits.len());
            let times = self.times(tile);
            let mut powers = self.tile(tile);
            let mut squared = 0;
            for ((&bit, of_bit), of_power) in bits.iter().zip(of_bits).zip(of_powers) {
                let mut column = [K::ZERO; TILE];
                for (word, times) in column.iter_mut().zip(&times) {
                    *word = K(times.0 >> bit & 1);
                }
                for _ in squared..bit {
                    dispatch!(|be| square_tile(be, &mut powers));
                }
                squared = bit;
                dispatch!(|be| {
                    grid::bind_words(be, &column, &eq, of_bit);
                    grid::bind_scalars(be, &powers, &eq, of_power);
                });
            }
            out
        });
        let mut factors = vec![Vec::with_capacity(self.times.len() / ROW); 2 * bits.len()];
        for part in &parts {
            for (factor, part) in factors.iter_mut().zip(part) {
                factor.extend_from_slice(part);
            }
        }
        factors
    }
}

/// Adds `scalar` to the values of entries that have the bit.
#[inline(always)]
fn add_bit(times: &TileColumn, bit: usize, scalar: E, values: &mut TileScalars) {
    for (plane, word) in values.iter_mut().zip(scalar.0) {
        for (value, times) in plane.iter_mut().zip(times) {
            value.0 ^= word.0 & 0u64.wrapping_sub(times.0 >> bit & 1);
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
