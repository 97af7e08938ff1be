//! The first three rounds, over the words of the stack, and the fold that ends them.
//!
//! Plainly: build W, the weights of all words; for each of three rounds, sum `W f` to a message and bind both
//! tables to the challenge. The tricks:
//!
//! 1. The three messages come from one pass ([`grid`](super::grid)), in which f still is words of K, so that a
//!    product costs three carry-less products; then one pass binds all three variables.
//! 2. Weights exist in chunks. A *group* is a chunk of each of the eight blocks that the three variables
//!    select; it is made where it is used, in the first cache. The blocks behind the last weight and the last word
//!    are left out of it.
//! 3. With few workers the groups are kept for the second pass; 24 bytes a word, which the second pass
//!    overwrites by the folded weights. With many workers they are made again, which costs every worker some
//!    time and the machine no memory.
//! 4. Of the grid's points, those of the first two digits are taken in turn, and the third digit's are summed
//!    together, unreduced: three sums of three wide vectors stay in registers.
//! 5. The second pass takes groups in pairs, half of the table apart, which is what the next round's message
//!    pairs: that message comes for free.

use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::field::{E, EWide, K};
use primitives::vectors::{
    Element, ProductsE, VectorE, WideE, combine, products_e, products_xor, products_zero, reduce_e, splat_e,
    wide_sum_e, wide_xor_e,
};
use primitives::{dispatch, pool};

use super::grid::{Grid, POINTS, ROUNDS};
use super::rounds::{Message, Tables};
use super::weights::{CHUNK, Chunk, Weights, ZERO_CHUNK, load_planes, zeroed};

/// Blocks that the first rounds' variables select.
const BLOCKS: usize = 1 << ROUNDS;

/// The weights of one chunk of every block.
type Group<'a> = [&'a Chunk; BLOCKS];

/// Groups of one task.
const TASK_GROUPS: usize = 64;

/// Groups that are made before they are used: as many as the second cache holds easily.
const BATCH_GROUPS: usize = 8;

/// With at most this many workers the weights are kept.
const KEEPING_WORKERS: usize = 4;

/// Whether the weights are kept from the first pass to the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Strategy {
    /// They are kept: 24 bytes a word.
    Keep,
    /// They are made twice.
    Refill,
}

impl Strategy {
    /// The strategy for the current scope's workers.
    pub(super) fn of_scope() -> Self {
        if pool::threads() <= KEEPING_WORKERS {
            Self::Keep
        } else {
            Self::Refill
        }
    }
}

/// The state between the two passes.
pub(super) struct FirstRounds<'a> {
    input: Input<'a>,
    /// 24 bytes a word of the present blocks, in groups; empty if they are made again.
    kept: Vec<Chunk>,
    grid: Grid,
}

impl<'a> FirstRounds<'a> {
    /// The first pass.
    ///
    /// `stack`: whole chunks, those up to 2^`log_words` words being zero.
    pub(super) fn new(
        stack: &'a [K],
        weights: &'a dyn Weights,
        log_words: usize,
        strategy: Strategy,
    ) -> Self {
        assert!(
            log_words > ROUNDS + CHUNK.ilog2() as usize,
            "2^{log_words} words are too few for groups"
        );
        assert!(
            stack.len().is_multiple_of(CHUNK) && stack.len() <= 1 << log_words,
            "a stack of whole chunks"
        );
        let groups = (1 << log_words) / (BLOCKS * CHUNK);
        let chunks = weights.chunks().max(stack.len() / CHUNK);
        let input = Input {
            stack,
            weights,
            groups,
            blocks: chunks.div_ceil(groups).max(1),
        };
        let (kept, sums) = match strategy {
            Strategy::Keep => {
                let batch = BATCH_GROUPS * input.blocks;
                pool::make_vec(groups * input.blocks, batch, ZERO_CHUNK, |batch, chunks| {
                    let mut sums = [EWide::ZERO; POINTS];
                    input.make_and_sum(batch * BATCH_GROUPS, chunks, &mut sums);
                    sums
                })
            }
            Strategy::Refill => {
                let tasks = groups.div_ceil(TASK_GROUPS);
                let sums = pool::map(tasks, |task| {
                    let mut sums = [EWide::ZERO; POINTS];
                    let mut chunks = input.buffer();
                    for first in input.task(task).step_by(BATCH_GROUPS) {
                        let batch = BATCH_GROUPS.min(groups - first);
                        let chunks = &mut chunks[..batch * input.blocks];
                        chunks.fill(ZERO_CHUNK);
                        input.make_and_sum(first, chunks, &mut sums);
                    }
                    sums
                });
                (Vec::new(), sums)
            }
        };
        let mut total = [EWide::ZERO; POINTS];
        for sums in &sums {
            add_totals(&mut total, sums);
        }
        Self {
            input,
            kept,
            grid: Grid::new(total.map(EWide::reduce)),
        }
    }

    /// The message of the next of the three rounds.
    pub(super) fn message(&self) -> [E; 2] {
        self.grid.message()
    }

    /// Binds the round's variable.
    pub(super) fn bind(&mut self, c: E) {
        self.grid.bind(c);
    }

    /// The second pass: both tables with their top three variables bound to `challenges`, the top one first,
    /// and the message of the round after.
    pub(super) fn fold(self, challenges: [E; ROUNDS]) -> (Tables, [E; 2]) {
        let Self { input, mut kept, .. } = self;
        let folder = Folder::new(challenges);
        let half = input.groups / 2;
        let mut f = zeroed(input.groups * CHUNK);
        let mut messages = alloc::vec![Message::ZERO; half.div_ceil(TASK_GROUPS)];
        let f_tasks = halves(as_chunks(&mut f), half, 1).zip(&mut messages);
        let weights = if kept.is_empty() {
            let mut folded = zeroed(input.groups * CHUNK);
            let tasks = f_tasks
                .zip(halves(as_chunks(&mut folded), half, 1))
                .enumerate()
                .collect();
            pool::for_each_item(tasks, |(task, ((f, message), w))| {
                let mut chunks = [input.buffer(), input.buffer()];
                for (batch, out) in f.batches().zip(w.batches()).enumerate() {
                    let at = [0, half].map(|offset| offset + task * TASK_GROUPS + batch * BATCH_GROUPS);
                    let used = out.0.low.len() * input.blocks;
                    let [low, high] = chunks.each_mut().map(|chunks| &mut chunks[..used]);
                    for (first, chunks) in at.into_iter().zip([&mut *low, &mut *high]) {
                        chunks.fill(ZERO_CHUNK);
                        input.make(first, chunks);
                    }
                    let sum = dispatch!(|be| input.fold(be, &folder, at, [low, high], out));
                    *message = *message + sum;
                }
            });
            folded
        } else {
            let tasks = f_tasks
                .zip(halves(&mut kept, half, input.blocks))
                .enumerate()
                .collect();
            pool::for_each_item(tasks, |(task, ((f, message), chunks))| {
                let mut w = [[[E::ZERO; CHUNK]; BATCH_GROUPS]; 2];
                for (batch, (f, chunks)) in f.batches().zip(chunks.batches()).enumerate() {
                    let at = [0, half].map(|offset| offset + task * TASK_GROUPS + batch * BATCH_GROUPS);
                    let Halves { low, high, .. } = chunks;
                    let [w_low, w_high] = w.each_mut().map(|w| &mut w[..f.low.len()]);
                    let out = (
                        f,
                        Halves {
                            low: w_low,
                            high: w_high,
                            stride: 1,
                        },
                    );
                    let sum = dispatch!(|be| input.fold(be, &folder, at, [low, high], out));
                    *message = *message + sum;
                    for (chunks, w) in [low, high].into_iter().zip(&w) {
                        for (group, w) in chunks.chunks_mut(input.blocks).zip(w) {
                            group[0] = bytemuck::cast(*w);
                        }
                    }
                }
            });
            // The folded weights are the first chunk of every group.
            for group in 0..input.groups {
                kept[group] = kept[input.blocks * group];
            }
            kept.truncate(input.groups);
            bytemuck::allocation::cast_slice_box::<Chunk, E>(kept.into_boxed_slice()).into_vec()
        };
        let message = messages.into_iter().fold(Message::ZERO, |a, b| a + b).reduce();
        (Tables { weights, f }, message)
    }
}

/// What both passes read.
struct Input<'a> {
    stack: &'a [K],
    weights: &'a dyn Weights,
    groups: usize,
    /// The present ones: behind them all weights and words are zero.
    blocks: usize,
}

impl<'a> Input<'a> {
    /// The groups of a task.
    fn task(&self, task: usize) -> core::ops::Range<usize> {
        task * TASK_GROUPS..self.groups.min((task + 1) * TASK_GROUPS)
    }

    /// The chunks of a batch's groups.
    fn buffer(&self) -> Vec<Chunk> {
        alloc::vec![ZERO_CHUNK; BATCH_GROUPS * self.blocks]
    }

    /// Adds the weights of the groups from `first` on.
    fn make(&self, first: usize, chunks: &mut [Chunk]) {
        for (i, group) in chunks.chunks_mut(self.blocks).enumerate() {
            self.weights.add_to(first + i, self.groups, group);
        }
    }

    /// Makes the groups from `first` on, and adds their sums on the grid. `chunks`: zeros.
    fn make_and_sum(&self, first: usize, chunks: &mut [Chunk], sums: &mut GridTotal) {
        self.make(first, chunks);
        add_totals(sums, &dispatch!(|be| self.sum(be, first, chunks)));
    }

    /// Group `i` of those in `chunks`.
    #[inline(always)]
    fn group<'b>(&self, chunks: &'b [Chunk], i: usize) -> Group<'b> {
        let present = &chunks[i * self.blocks..][..self.blocks];
        core::array::from_fn(|block| present.get(block).unwrap_or(&ZERO_CHUNK))
    }

    /// The words of a group.
    #[inline(always)]
    fn words(&self, group: usize) -> Words<'a> {
        let chunks = self.stack.as_chunks::<CHUNK>().0;
        core::array::from_fn(|block| {
            chunks
                .get(block * self.groups + group)
                .unwrap_or(&[K::ZERO; CHUNK])
        })
    }

    /// The sums on the grid over the groups from `first` on.
    #[inline(always)]
    fn sum<B: Backend>(&self, be: B, first: usize, chunks: &[Chunk]) -> GridTotal {
        let mut sums = GridSums::new(be);
        for i in 0..chunks.len() / self.blocks {
            sums.add(be, self.blocks, self.group(chunks, i), self.words(first + i));
        }
        sums.total(be)
    }

    /// Folds the groups from `at[0]` and from `at[1]` on, and sums the message of what they become.
    #[inline(always)]
    fn fold<B: Backend>(
        &self,
        be: B,
        folder: &Folder,
        at: [usize; 2],
        chunks: [&[Chunk]; 2],
        (f, w): (Halves<'_, [E; CHUNK]>, Halves<'_, [E; CHUNK]>),
    ) -> Message {
        let mut message = MessageSum::new(be);
        let [low, high] = chunks;
        for i in 0..f.low.len() {
            let mut sides = [
                (low, &mut f.low[i], &mut w.low[i]),
                (high, &mut f.high[i], &mut w.high[i]),
            ];
            for (at, (chunks, f, w)) in at.iter().zip(&mut sides) {
                folder.words(be, self.blocks, self.words(at + i), f);
                folder.weights(be, self.blocks, self.group(chunks, i), w);
            }
            message.add(be, [&w.low[i], &w.high[i]], [&f.low[i], &f.high[i]]);
        }
        message.total(be)
    }
}

/// Pieces of the two halves of a table, which has `stride` items for each group.
struct Halves<'a, T> {
    low: &'a mut [T],
    high: &'a mut [T],
    stride: usize,
}

impl<'a, T> Halves<'a, T> {
    /// Pieces of so many groups.
    fn pieces(self, groups: usize) -> impl Iterator<Item = Self> {
        let stride = self.stride;
        let low = self.low.chunks_mut(groups * stride);
        let high = self.high.chunks_mut(groups * stride);
        low.zip(high).map(move |(low, high)| Halves { low, high, stride })
    }

    fn batches(self) -> impl Iterator<Item = Self> {
        self.pieces(BATCH_GROUPS)
    }
}

/// The pieces of the tasks.
fn halves<T>(table: &mut [T], half: usize, stride: usize) -> impl Iterator<Item = Halves<'_, T>> {
    let (low, high) = table.split_at_mut(half * stride);
    Halves { low, high, stride }.pieces(TASK_GROUPS)
}

/// A table's scalars, as many as a group folds to each.
fn as_chunks(table: &mut [E]) -> &mut [[E; CHUNK]] {
    table.as_chunks_mut().0
}

/// The words of one chunk of every block.
type Words<'a> = [&'a [K; CHUNK]; BLOCKS];

/// Sums on the grid.
type GridTotal = [EWide; POINTS];

fn add_totals(total: &mut GridTotal, sums: &GridTotal) {
    for (total, &sum) in total.iter_mut().zip(sums) {
        *total += sum;
    }
}

/// Sums on the grid, in vectors: for each point of the first two digits, those of the third.
struct GridSums<B: Backend> {
    sums: [[WideE<B>; 3]; 9],
}

impl<B: Backend> GridSums<B> {
    #[inline(always)]
    fn new(be: B) -> Self {
        Self {
            sums: [[[be.wide_zero(); 3]; 3]; 9],
        }
    }

    /// Adds one group, of which so many blocks are present.
    #[inline(always)]
    fn add(&mut self, be: B, present: usize, weights: Group<'_>, words: Words<'_>) {
        // The blocks whose sum has the first two digits, with the third variable 0; with it 1 they are the next.
        let [
            zero_zero,
            zero_one,
            zero_both,
            one_zero,
            one_one,
            one_both,
            both_zero,
            both_one,
            both,
        ] = &mut self.sums;
        for (block, sums) in [(0, zero_zero), (2, zero_one), (4, one_zero), (6, one_one)] {
            if block < present {
                add_points(be, weights, words, [block], sums);
            }
        }
        let pairs = [
            ([0, 2], zero_both),
            ([4, 6], one_both),
            ([0, 4], both_zero),
            ([2, 6], both_one),
        ];
        for (blocks, sums) in pairs {
            if blocks[0] < present {
                add_points(be, weights, words, blocks, sums);
            }
        }
        add_points(be, weights, words, [0, 2, 4, 6], both);
    }

    #[inline(always)]
    fn total(self, be: B) -> GridTotal {
        let mut total = [EWide::ZERO; POINTS];
        for (total, sums) in total.as_chunks_mut::<3>().0.iter_mut().zip(self.sums) {
            for (total, sum) in total.iter_mut().zip(sums) {
                *total = wide_sum_e(be, sum);
            }
        }
        total
    }
}

// Loops over vectors count by hand: what a closure or an adaptor of the standard library does may be compiled
// outside of the function that carries the target features.

/// Adds the products at the three points that share their first two digits.
#[inline(always)]
fn add_points<B: Backend, const N: usize>(
    be: B,
    weights: Group<'_>,
    words: Words<'_>,
    blocks: [usize; N],
    sums: &mut [WideE<B>; 3],
) {
    let [mut at_0, mut at_1, mut at_infinity] = *sums;
    let mut x = 0;
    while x < CHUNK {
        let (w_0, f_0) = sum_at(be, weights, words, blocks, 0, x);
        let (w_1, f_1) = sum_at(be, weights, words, blocks, 1, x);
        at_0 = wide_xor_e(be, at_0, mul_word(be, w_0, f_0));
        at_1 = wide_xor_e(be, at_1, mul_word(be, w_1, f_1));
        let (w_i, f_i) = (E::xor(be, w_0, w_1), be.xor(f_0, f_1));
        at_infinity = wide_xor_e(be, at_infinity, mul_word(be, w_i, f_i));
        x += B::LANES;
    }
    *sums = [at_0, at_1, at_infinity];
}

/// The sums of the weights and of the words of some blocks, with the third variable as given.
#[inline(always)]
fn sum_at<B: Backend, const N: usize>(
    be: B,
    weights: Group<'_>,
    words: Words<'_>,
    blocks: [usize; N],
    third: usize,
    x: usize,
) -> (VectorE<B>, B::V) {
    let mut weight = load_planes(be, weights[blocks[0] + third], x);
    let mut word = be.load(&words[blocks[0] + third][x..]);
    let mut i = 1;
    while i < N {
        weight = E::xor(be, weight, load_planes(be, weights[blocks[i] + third], x));
        word = be.xor(word, be.load(&words[blocks[i] + third][x..]));
        i += 1;
    }
    (weight, word)
}

/// The product of a vector in E and one in K.
#[inline(always)]
fn mul_word<B: Backend>(be: B, [e0, e1, e2]: VectorE<B>, word: B::V) -> WideE<B> {
    [
        be.mul_wide(e0, word),
        be.mul_wide(e1, word),
        be.mul_wide(e2, word),
    ]
}

/// Binds the three variables of a group.
struct Folder {
    /// `eq` of the challenges, by block.
    eq: [E; BLOCKS],
}

impl Folder {
    fn new(challenges: [E; ROUNDS]) -> Self {
        let eq = |block: usize| {
            let factor = |(i, &c): (usize, &E)| {
                if block >> (ROUNDS - 1 - i) & 1 == 1 {
                    c
                } else {
                    E::ONE + c
                }
            };
            challenges.iter().enumerate().map(factor).product()
        };
        Self {
            eq: core::array::from_fn(eq),
        }
    }

    #[inline(always)]
    fn words<B: Backend>(&self, be: B, present: usize, words: Words<'_>, out: &mut [E; CHUNK]) {
        let mut x = 0;
        while x < CHUNK {
            let mut sum = [be.wide_zero(); 3];
            for (eq, words) in self.eq[..present].iter().zip(words) {
                sum = wide_xor_e(
                    be,
                    sum,
                    K::mul_wide_by_e(be, splat_e(be, *eq), be.load(&words[x..])),
                );
            }
            be.store_e(reduce_e(be, sum), &mut out[x..]);
            x += B::LANES;
        }
    }

    #[inline(always)]
    fn weights<B: Backend>(&self, be: B, present: usize, group: Group<'_>, out: &mut [E; CHUNK]) {
        let mut x = 0;
        while x < CHUNK {
            let mut sum: ProductsE<B> = products_zero(be);
            let mut block = 0;
            while block < present {
                let weight = load_planes(be, group[block], x);
                sum = products_xor(be, sum, products_e(be, splat_e(be, self.eq[block]), weight));
                block += 1;
            }
            be.store_e(reduce_e(be, combine(be, sum)), &mut out[x..]);
            x += B::LANES;
        }
    }
}

/// A round's message, in vectors.
struct MessageSum<B: Backend> {
    sums: [ProductsE<B>; 2],
}

impl<B: Backend> MessageSum<B> {
    #[inline(always)]
    fn new(be: B) -> Self {
        Self {
            sums: [products_zero(be); 2],
        }
    }

    #[inline(always)]
    fn add(&mut self, be: B, [w_0, w_1]: [&[E; CHUNK]; 2], [f_0, f_1]: [&[E; CHUNK]; 2]) {
        let [mut at_0, mut at_infinity] = self.sums;
        let mut x = 0;
        while x < CHUNK {
            let (w_0, w_1) = (be.load_e(&w_0[x..]), be.load_e(&w_1[x..]));
            let (f_0, f_1) = (be.load_e(&f_0[x..]), be.load_e(&f_1[x..]));
            at_0 = products_xor(be, at_0, products_e(be, w_0, f_0));
            let (w_i, f_i) = (E::xor(be, w_0, w_1), E::xor(be, f_0, f_1));
            at_infinity = products_xor(be, at_infinity, products_e(be, w_i, f_i));
            x += B::LANES;
        }
        self.sums = [at_0, at_infinity];
    }

    #[inline(always)]
    fn total(self, be: B) -> Message {
        let [at_0, at_infinity] = self.sums;
        Message([
            wide_sum_e(be, combine(be, at_0)),
            wide_sum_e(be, combine(be, at_infinity)),
        ])
    }
}
