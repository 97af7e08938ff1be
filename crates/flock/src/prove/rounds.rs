//! A member's rounds of the zerocheck: its part `a b` of the messages. What c adds is in [`linear`](super::linear).
//!
//! Three rounds are summed from words, which one more pass binds ([`first_rounds`](super::first_rounds)). Every
//! further round binds one variable and gives the next message, tile by tile, while a tile is in cache.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::iter::Sum as IterSum;
use core::ops::Range;

use circuit::Products;
use primitives::backend::Backend;
use primitives::field::{E, EWide, K};
use primitives::slices::fold_lowest;
use primitives::vectors::{
    Element, ProductsE, VectorE, combine, mul_e, products_e, products_xor, products_zero, wide_sum_e,
};
use primitives::{dispatch, pool};
use tracing::info_span;

use super::bit_sums::BitSums;
use super::constraints::{Words, constraint_words};
use super::grid::{self, Grid};
use super::units::{Segment, Units};
use super::{Witness, first_rounds};

/// log2 of the pairs of a tile.
pub(super) const LOG_PAIRS: usize = 7;

/// Pairs of a tile.
const TILE: usize = 1 << LOG_PAIRS;

/// Pairs of a task, at most.
const TASK: usize = 16 * TILE;

/// A member in the zerocheck.
pub(super) struct Member<'w> {
    pub(super) log_words: usize,
    /// The power of the batching challenge.
    pub(super) scale: E,
    /// The units of its words.
    pub(super) units: Units,
    /// The stored words of z.
    pub(super) c: &'w [K],
    state: State,
}

enum State {
    /// The stored words of `A z` and `B z`, before z is known.
    Words([Words; 2]),
    /// The same with the messages of the first rounds.
    Grid([Words; 2], Box<Grid>),
    Tables(Tables),
    /// Every variable is bound, to these values of a and b.
    Done([E; 2]),
}

/// What a member adds to a round polynomial h.
#[derive(Clone, Copy, Default)]
pub(super) struct Message {
    /// `h(1)`.
    pub(super) at_one: E,
    /// The coefficient of X^2.
    pub(super) leading: E,
}

impl<'w> Member<'w> {
    pub(super) fn new(
        products: &Products,
        log_block_words: usize,
        member: &crate::Member,
        witness: &Witness<'w>,
        scale: E,
    ) -> Self {
        let units = Units::of_member(member, log_block_words, witness);
        let c = &witness.words[..units.stored()];
        Self {
            log_words: member.log_words,
            scale,
            units,
            c,
            state: State::Words(constraint_words(products, 1 << log_block_words, c)),
        }
    }

    /// The stored words of `A z` and `B z`, as long as no round has been asked for.
    pub(super) fn words(&self) -> &[Words; 2] {
        match &self.state {
            State::Words(words) => words,
            _ => unreachable!("the skip message comes before the rounds"),
        }
    }

    /// The message of the next round, after binding the last round's variable to the last coordinate of `point`.
    pub(super) fn round(&mut self, r: &[E], sums: &BitSums, point: &[E]) -> Message {
        let round = point.len();
        let message = if round < self.log_words {
            let after = &r[round + 1..self.log_words];
            match (&mut self.state, point.last()) {
                (State::Words(_), _) => info_span!("grid").in_scope(|| self.first(r, sums, after)),
                (State::Grid(_, grid), Some(&bound)) if round < grid::ROUNDS => {
                    grid.bind(bound);
                    grid.message(&after[..grid::ROUNDS - 1 - round])
                }
                (State::Grid(words, _), _) => {
                    let words = core::mem::take(words);
                    let (folded, message) = info_span!("bind words")
                        .in_scope(|| first_rounds::fold(&self.units, words, sums, point, after));
                    self.state = State::Tables(folded);
                    message
                }
                (State::Tables(tables), Some(&bound)) => {
                    info_span!("fold").in_scope(|| tables.round(after, bound))
                }
                _ => unreachable!("a member is done when its variables are bound"),
            }
        } else {
            let [a, b] = self.bind_last(point);
            Message {
                at_one: a * b,
                leading: E::ZERO,
            }
        };
        Message {
            at_one: self.scale * message.at_one,
            leading: self.scale * message.leading,
        }
    }

    /// `v_a` and `v_b`.
    pub(super) fn finish(mut self, point: &[E]) -> [E; 2] {
        self.bind_last(point)
    }

    fn first(&mut self, r: &[E], sums: &BitSums, after: &[E]) -> Message {
        let State::Words(words) = core::mem::replace(&mut self.state, State::Done([E::ZERO; 2])) else {
            unreachable!("the first round is of words")
        };
        let grid = first_rounds::grid(&self.units, &words, sums, &r[grid::ROUNDS..self.log_words]);
        let message = grid.message(&after[..grid::ROUNDS - 1]);
        self.state = State::Grid(words, Box::new(grid));
        message
    }

    fn bind_last(&mut self, point: &[E]) -> [E; 2] {
        if let (State::Tables(tables), Some(&bound)) = (&self.state, point.last()) {
            let value = |table: &Vec<E>| table[0] + bound * (table[0] + table[1]);
            self.state = State::Done(tables.tables.each_ref().map(value));
        }
        match self.state {
            State::Done(values) => values,
            _ => unreachable!("a member has seven variables at least, and all are bound"),
        }
    }
}

/// a and b with some variables bound.
pub(super) struct Tables {
    units: Units,
    tables: [Vec<E>; 2],
    /// What the next fold is written to.
    spare: [Vec<E>; 2],
}

/// A segment, the task's pairs of it, and where their entries are to be written.
type Task<'t> = (&'t Segment, Range<usize>, [&'t mut [E]; 2]);

impl Tables {
    /// `tables`: the stored entries.
    pub(super) fn new(units: Units, tables: [Vec<E>; 2]) -> Self {
        Self {
            units,
            tables,
            spare: [Vec::new(), Vec::new()],
        }
    }

    /// Binds the lowest variable, and gives the message of the next round.
    fn round(&mut self, pairs: &[E], bound: E) -> Message {
        self.units = self.units.joined(&mut self.tables).halved();
        let stored = self.units.stored();
        for spare in &mut self.spare {
            if spare.len() < stored {
                *spare = zeroed_scalars(stored);
            }
            spare.truncate(stored);
        }
        let segments = self.units.segments(1, LOG_PAIRS, pairs);
        let tables = &self.tables;
        let message = run(tasks(&segments, &mut self.spare), |(segment, pairs, out)| {
            dispatch!(|be| fold_task(be, tables, bound, segment, pairs, out))
        });
        core::mem::swap(&mut self.tables, &mut self.spare);
        message
    }
}

/// The tasks that write these tables.
fn tasks<'t>(segments: &'t [Segment], [a, b]: &'t mut [Vec<E>; 2]) -> Vec<Task<'t>> {
    let mut rest = [&mut a[..], &mut b[..]];
    let mut tasks = Vec::new();
    for segment in segments {
        for task in 0..segment.len.div_ceil(TASK) {
            let pairs = segment.task(task, TASK);
            let out = rest.each_mut().map(|rest| {
                let (piece, left) = core::mem::take(rest).split_at_mut(2 * pairs.len());
                *rest = left;
                piece
            });
            tasks.push((segment, pairs, out));
        }
    }
    tasks
}

#[inline(always)]
fn fold_task<B: Backend>(
    be: B,
    tables: &[Vec<E>; 2],
    bound: E,
    segment: &Segment,
    pairs: Range<usize>,
    out: [&mut [E]; 2],
) -> Message {
    let [a, b] = out;
    let mut sum = Sum::default();
    for start in pairs.clone().step_by(TILE) {
        let len = TILE.min(pairs.end - start);
        let entries = 2 * (start - pairs.start)..2 * (start - pairs.start + len);
        let first = 4 * (segment.start + start);
        for (out, table) in [&mut *a, &mut *b].into_iter().zip(tables) {
            let table = &table[first..first + 4 * len];
            fold_lowest(be, table, bound, &mut out[entries.clone()]);
        }
        sum.tile(be, segment, start, [&a[entries.clone()], &b[entries]]);
    }
    sum.reduce()
}

/// Runs tasks, and sums their messages in order.
pub(super) fn run<T: Send>(tasks: Vec<T>, f: impl Fn(T) -> Message + Sync) -> Message {
    let mut messages = vec![Message::default(); tasks.len()];
    pool::for_each_item(
        tasks.into_iter().zip(&mut messages).collect(),
        |(task, message)| {
            *message = f(task);
        },
    );
    messages.into_iter().sum()
}

/// Scalars that are zero, on pages that are not touched.
fn zeroed_scalars(scalars: usize) -> Vec<E> {
    let words = vec![0u64; 3 * scalars].into_boxed_slice();
    bytemuck::allocation::cast_slice_box::<u64, E>(words).into_vec()
}

impl IterSum for Message {
    fn sum<I: Iterator<Item = Self>>(messages: I) -> Self {
        messages.fold(Self::default(), |sum, message| Self {
            at_one: sum.at_one + message.at_one,
            leading: sum.leading + message.leading,
        })
    }
}

/// A message, not reduced.
#[derive(Default)]
pub(super) struct Sum {
    at_one: EWide,
    leading: EWide,
}

impl Sum {
    /// Adds the entries of pairs from `start` on of a segment: at most a tile.
    #[inline(always)]
    pub(super) fn tile<B: Backend>(&mut self, be: B, segment: &Segment, start: usize, [a, b]: [&[E]; 2]) {
        let (low, high) = segment.weights(start, a.len() / 2);
        let [at_one, leading] = pair_sums(be, a, b, low);
        self.at_one += high.mul_wide(at_one.reduce());
        self.leading += high.mul_wide(leading.reduce());
    }

    pub(super) fn reduce(self) -> Message {
        Message {
            at_one: self.at_one.reduce(),
            leading: self.leading.reduce(),
        }
    }
}

/// `sum_i w_i a_1 b_1` and `sum_i w_i (a_0 + a_1)(b_0 + b_1)` over pairs i.
#[inline(always)]
fn pair_sums<B: Backend>(be: B, a: &[E], b: &[E], weights: &[E]) -> [EWide; 2] {
    let mut sums = [products_zero(be); 2];
    let whole = weights.len() - weights.len() % B::LANES;
    for start in (0..whole).step_by(B::LANES) {
        let (a, b) = (load_pairs(be, a, start), load_pairs(be, b, start));
        add_pairs(be, &mut sums, a, b, be.load_e(&weights[start..]));
    }
    if whole < weights.len() {
        let (a, b) = (load_rest(be, a, whole), load_rest(be, b, whole));
        add_pairs(be, &mut sums, a, b, be.load_e_partial(&weights[whole..]));
    }
    let [at_one, leading] = sums;
    [
        wide_sum_e(be, combine(be, at_one)),
        wide_sum_e(be, combine(be, leading)),
    ]
}

/// The entries of `LANES` pairs from pair `start` on: the even ones, then the odd ones.
#[inline(always)]
fn load_pairs<B: Backend>(be: B, table: &[E], start: usize) -> (VectorE<B>, VectorE<B>) {
    let pairs = &table[2 * start..];
    E::unzip(be, be.load_e(pairs), be.load_e(&pairs[B::LANES..]))
}

/// The same of fewer than `LANES` pairs, those missing being zero.
#[inline(always)]
fn load_rest<B: Backend>(be: B, table: &[E], start: usize) -> (VectorE<B>, VectorE<B>) {
    let pairs = &table[2 * start..];
    let (low, high) = pairs.split_at(pairs.len().min(B::LANES));
    E::unzip(be, be.load_e_partial(low), be.load_e_partial(high))
}

#[inline(always)]
fn add_pairs<B: Backend>(
    be: B,
    [at_one, leading]: &mut [ProductsE<B>; 2],
    (a_0, a_1): (VectorE<B>, VectorE<B>),
    (b_0, b_1): (VectorE<B>, VectorE<B>),
    weights: VectorE<B>,
) {
    *at_one = products_xor(be, *at_one, products_e(be, weights, mul_e(be, a_1, b_1)));
    let top = mul_e(be, E::xor(be, a_0, a_1), E::xor(be, b_0, b_1));
    *leading = products_xor(be, *leading, products_e(be, weights, top));
}
