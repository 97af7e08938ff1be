//! A member's rounds of the zerocheck.
//!
//! Round 0 reads words: `a^(z, v)` is the sum of `L_i(z)` over the bits of a word. Round 1 reads them again, and
//! writes the tables with variable 0 bound; so no table of all words in E is ever made. Every further round binds
//! one variable and gives the next message, tile by tile, while a tile is in cache.

use alloc::vec;
use alloc::vec::Vec;

use circuit::Circuit;
use primitives::backend::Backend;
use primitives::field::{E, EWide, K};
use primitives::slices::fold_lowest;
use primitives::vectors::{
    Element, ProductsE, VectorE, combine, mul_e, products_e, products_xor, products_zero, wide_sum_e,
};
use primitives::{dispatch, pool};

use super::Witness;
use super::bit_tables::BitTables;
use super::constraints::constraint_words;
use super::units::{LOG_TILE, Segment, Units};
use crate::skip::{FIXED, LOG_SKIP};

/// Entries of a tile: those of its pairs.
const TILE: usize = 2 << LOG_TILE;

/// Entries of a task, at most.
const TASK: usize = 16 * TILE;

/// A member in the zerocheck.
pub(super) struct Member<'w> {
    pub(super) log_words: usize,
    /// The power of the batching challenge.
    pub(super) scale: E,
    pub(super) units: Units,
    /// The stored words of `A z`, `B z` and z.
    pub(super) a: Vec<K>,
    pub(super) b: Vec<K>,
    pub(super) c: &'w [K],
    /// The tables in E, once variable 0 is bound.
    folded: [Vec<E>; 3],
    state: State,
}

enum State {
    /// The words are not folded yet.
    Words,
    Folded,
    /// Every variable is bound, to these values.
    Done([E; 3]),
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
    pub(super) fn new(circuit: &Circuit, member: &crate::Member, witness: &Witness<'w>, scale: E) -> Self {
        let log_block_words = circuit.log_block() - LOG_SKIP;
        let live = witness.live.min(1 << member.log_instances) << log_block_words;
        let units = Units::new(member.log_words, log_block_words.max(FIXED), live);
        let c = &witness.words[..units.stored()];
        let [a, b] = constraint_words(circuit, c);
        Self {
            log_words: member.log_words,
            scale,
            units,
            a,
            b,
            c,
            folded: [const { Vec::new() }; 3],
            state: State::Words,
        }
    }

    /// The message of a round, after binding the last round's variable to `bound`.
    pub(super) fn round(&mut self, round: usize, r: &[E], lagrange: &[E], bound: Option<E>) -> Message {
        if let (State::Words | State::Folded, true) = (&self.state, round == self.log_words) {
            self.fold_last(bound);
        }
        if let State::Done([a, b, c]) = self.state {
            return Message {
                at_one: self.scale * (a * b + c),
                leading: E::ZERO,
            };
        }
        let pairs = &r[round + 1..self.log_words];
        let message = match bound {
            None => self.first(pairs, &BitTables::new(lagrange)),
            Some(bound) if round == 1 => self.second(pairs, &BitTables::new(lagrange), bound),
            Some(bound) => self.further(pairs, bound),
        };
        Message {
            at_one: self.scale * message.at_one,
            leading: self.scale * message.leading,
        }
    }

    /// `v_a`, `v_b`, `v_c`.
    pub(super) fn finish(mut self, point: &[E]) -> [E; 3] {
        self.fold_last(point.last().copied());
        match self.state {
            State::Done(values) => values,
            _ => unreachable!("a member has seven variables at least, and all are bound"),
        }
    }

    fn fold_last(&mut self, bound: Option<E>) {
        if let (State::Folded, Some(bound)) = (&self.state, bound) {
            let value = |table: &Vec<E>| table[0] + bound * (table[0] + table[1]);
            let [a, b, c] = &self.folded;
            self.state = State::Done([value(a), value(b), value(c)]);
        }
    }

    /// The message of round 0, from words.
    fn first(&self, pairs: &[E], tables: &BitTables) -> Message {
        let mut message = Message::default();
        for segment in self.units.segments(pairs) {
            let tasks = segment.len.div_ceil(TASK);
            let partial = pool::map(tasks, |task| {
                let range = segment.task(task);
                dispatch!(|be| self.first_task(be, tables, &segment, range))
            });
            partial.into_iter().for_each(|partial| message.add(partial));
        }
        message
    }

    #[inline(always)]
    fn first_task<B: Backend>(
        &self,
        be: B,
        tables: &BitTables,
        segment: &Segment,
        range: core::ops::Range<usize>,
    ) -> Message {
        let mut tile = [[E::ZERO; TILE]; 3];
        let mut sum = Sum::default();
        for start in range.clone().step_by(TILE) {
            let len = TILE.min(range.end - start);
            self.expand(tables, segment.start + start, &mut tile, len);
            let [a, b, c] = &tile;
            sum.tile(be, segment, start, [&a[..len], &b[..len], &c[..len]]);
        }
        sum.reduce()
    }

    /// Writes `a^(z, v)`, `b^`, `c^` of `len` words from `start` on.
    #[inline(always)]
    fn expand(&self, tables: &BitTables, start: usize, tile: &mut [[E; TILE]; 3], len: usize) {
        for (tile, words) in tile.iter_mut().zip([&self.a, &self.b, self.c]) {
            for (entry, word) in tile.iter_mut().zip(&words[start..start + len]) {
                *entry = tables.sum(word.0);
            }
        }
    }

    /// Binds variable 0, and gives the message of round 1.
    fn second(&mut self, pairs: &[E], tables: &BitTables, bound: E) -> Message {
        let mut folded = [const { Vec::new() }; 3].map(|_: Vec<E>| vec![E::ZERO; self.units.stored() / 2]);
        self.units = self.units.halved();
        let segments = self.units.segments(pairs);
        let tasks = tasks(&segments, &mut folded);
        let message = run(tasks, |segment, range, out| {
            dispatch!(|be| self.second_task(be, tables, bound, segment, range, out))
        });
        self.folded = folded;
        self.a = Vec::new();
        self.b = Vec::new();
        self.state = State::Folded;
        message
    }

    #[inline(always)]
    fn second_task<B: Backend>(
        &self,
        be: B,
        tables: &BitTables,
        bound: E,
        segment: &Segment,
        range: core::ops::Range<usize>,
        out: [&mut [E]; 3],
    ) -> Message {
        let [a, b, c] = out;
        let mut tile = [[E::ZERO; TILE]; 3];
        let mut sum = Sum::default();
        for start in range.clone().step_by(TILE) {
            let len = TILE.min(range.end - start);
            let at = start - range.start;
            // Twice as many words as entries: two halves of the tile.
            for half in (0..len).step_by(TILE / 2) {
                let entries = (TILE / 2).min(len - half);
                let first = 2 * (segment.start + start + half);
                self.expand(tables, first, &mut tile, 2 * entries);
                for (out, tile) in [&mut *a, &mut *b, &mut *c].into_iter().zip(&tile) {
                    let out = &mut out[at + half..at + half + entries];
                    fold_lowest(be, &tile[..2 * entries], bound, out);
                }
            }
            let entries = at..at + len;
            sum.tile(
                be,
                segment,
                start,
                [&a[entries.clone()], &b[entries.clone()], &c[entries]],
            );
        }
        sum.reduce()
    }

    /// Binds the lowest variable, and gives the message of the next round.
    fn further(&mut self, pairs: &[E], bound: E) -> Message {
        let mut folded = [const { Vec::new() }; 3].map(|_: Vec<E>| vec![E::ZERO; self.units.stored() / 2]);
        let halved = self.units.halved();
        let [a, b, c] = &mut folded;
        if halved.log_unit == 0 {
            // Pairs of what is bound are made first: a message needs them.
            for (out, table) in [&mut *a, &mut *b, &mut *c].into_iter().zip(&self.folded) {
                dispatch!(|be| fold_lowest(be, table, bound, out));
            }
            self.units = halved.paired([a, b, c]);
            self.folded = folded;
            return self.message(pairs);
        }
        self.units = halved;
        let segments = self.units.segments(pairs);
        let tables = &self.folded;
        let message = run(tasks(&segments, &mut folded), |segment, range, out| {
            dispatch!(|be| further_task(be, tables, bound, segment, range, out))
        });
        self.folded = folded;
        message
    }

    /// The message of the tables as they are.
    fn message(&self, pairs: &[E]) -> Message {
        let mut message = Message::default();
        for segment in self.units.segments(pairs) {
            let partial = pool::map(segment.len.div_ceil(TASK), |task| {
                let range = segment.task(task);
                dispatch!(|be| {
                    let mut sum = Sum::default();
                    for start in range.clone().step_by(TILE) {
                        let entries = segment.start + start..segment.start + range.end.min(start + TILE);
                        let [a, b, c] = &self.folded;
                        let tile = [&a[entries.clone()], &b[entries.clone()], &c[entries]];
                        sum.tile(be, &segment, start, tile);
                    }
                    sum.reduce()
                })
            });
            partial.into_iter().for_each(|partial| message.add(partial));
        }
        message
    }
}

#[inline(always)]
fn further_task<B: Backend>(
    be: B,
    tables: &[Vec<E>; 3],
    bound: E,
    segment: &Segment,
    range: core::ops::Range<usize>,
    out: [&mut [E]; 3],
) -> Message {
    let [a, b, c] = out;
    let mut sum = Sum::default();
    for start in range.clone().step_by(TILE) {
        let len = TILE.min(range.end - start);
        let entries = start - range.start..start - range.start + len;
        let first = 2 * (segment.start + start);
        for (out, table) in [&mut *a, &mut *b, &mut *c].into_iter().zip(tables) {
            fold_lowest(
                be,
                &table[first..first + 2 * len],
                bound,
                &mut out[entries.clone()],
            );
        }
        sum.tile(
            be,
            segment,
            start,
            [&a[entries.clone()], &b[entries.clone()], &c[entries]],
        );
    }
    sum.reduce()
}

/// A segment, the task's entries in it, and where they are to be written.
type Task<'t> = (&'t Segment, core::ops::Range<usize>, [&'t mut [E]; 3]);

/// The tasks that write these tables.
fn tasks<'t>(segments: &'t [Segment], [a, b, c]: &'t mut [Vec<E>; 3]) -> Vec<Task<'t>> {
    let mut rest = [&mut a[..], &mut b[..], &mut c[..]];
    let mut tasks = Vec::new();
    for segment in segments {
        for task in 0..segment.len.div_ceil(TASK) {
            let range = segment.task(task);
            let out = rest.each_mut().map(|rest| {
                let (piece, left) = core::mem::take(rest).split_at_mut(range.len());
                *rest = left;
                piece
            });
            tasks.push((segment, range, out));
        }
    }
    tasks
}

/// Runs tasks, and sums their messages in order.
fn run(
    tasks: Vec<Task<'_>>,
    f: impl Fn(&Segment, core::ops::Range<usize>, [&mut [E]; 3]) -> Message + Sync,
) -> Message {
    let mut messages = vec![Message::default(); tasks.len()];
    let items = tasks.into_iter().zip(&mut messages).collect();
    pool::for_each_item(items, |((segment, range, out), message)| {
        *message = f(segment, range, out);
    });
    let mut sum = Message::default();
    messages.into_iter().for_each(|message| sum.add(message));
    sum
}

impl Segment {
    /// The entries of a task, from the segment's first.
    fn task(&self, task: usize) -> core::ops::Range<usize> {
        task * TASK..self.len.min((task + 1) * TASK)
    }
}

impl Message {
    fn add(&mut self, other: Self) {
        self.at_one += other.at_one;
        self.leading += other.leading;
    }
}

/// A message, not reduced.
#[derive(Default)]
struct Sum {
    at_one: EWide,
    leading: EWide,
}

impl Sum {
    /// Adds a tile: entries from `start` on of a segment.
    #[inline(always)]
    fn tile<B: Backend>(&mut self, be: B, segment: &Segment, start: usize, [a, b, c]: [&[E]; 3]) {
        let (low, high) = (&segment.weights.low, &segment.weights.high);
        let pairs = a.len() / 2;
        let [at_one, leading] = pair_sums(be, a, b, c, &low[..pairs]);
        let weight = high[(start / 2) >> low.len().trailing_zeros()];
        self.at_one += weight.mul_wide(at_one.reduce());
        self.leading += weight.mul_wide(leading.reduce());
    }

    fn reduce(self) -> Message {
        Message {
            at_one: self.at_one.reduce(),
            leading: self.leading.reduce(),
        }
    }
}

/// `sum_i w_i (a_1 b_1 + c_1)` and `sum_i w_i (a_0 + a_1)(b_0 + b_1)` over pairs i.
#[inline(always)]
fn pair_sums<B: Backend>(be: B, a: &[E], b: &[E], c: &[E], weights: &[E]) -> [EWide; 2] {
    let mut sums = [products_zero(be); 2];
    let whole = weights.len() - weights.len() % B::LANES;
    for start in (0..whole).step_by(B::LANES) {
        let [a, b, c] = [
            load_pairs(be, a, start),
            load_pairs(be, b, start),
            load_pairs(be, c, start),
        ];
        add_pairs(be, &mut sums, a, b, c, be.load_e(&weights[start..]));
    }
    if whole < weights.len() {
        let [a, b, c] = [
            load_rest(be, a, whole),
            load_rest(be, b, whole),
            load_rest(be, c, whole),
        ];
        add_pairs(be, &mut sums, a, b, c, be.load_e_partial(&weights[whole..]));
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
    (_, c_1): (VectorE<B>, VectorE<B>),
    weights: VectorE<B>,
) {
    let one = E::xor(be, mul_e(be, a_1, b_1), c_1);
    *at_one = products_xor(be, *at_one, products_e(be, weights, one));
    let top = mul_e(be, E::xor(be, a_0, a_1), E::xor(be, b_0, b_1));
    *leading = products_xor(be, *leading, products_e(be, weights, top));
}
