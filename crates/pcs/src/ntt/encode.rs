//! The transform: from a message in lanes to a codeword in rows.
//!
//! Plainly: copy the message `2^R` times, row by row, and apply the layers one after another
//! ([`reference::encode`](super::reference::encode)). What that costs is traffic of memory, so:
//!
//! 1. A *region* is as many consecutive rows as the second cache holds, and a *tile* as the first one does.
//!    A region is one task: one pass over all of it leaves layers that stay inside of tiles. These are
//!    finished tile by tile, and the rows are given to the [`RowSink`] while they are in cache. So the
//!    codeword is read and written once for all the layers of regions.
//! 2. The layers above regions pair rows that are far apart, but the rows of one residue modulo the
//!    distance have nothing to do with those of another. A *comb* is a group of adjacent residues, wide
//!    enough for whole lines of the message. Block by block of its rows, it is gathered to a buffer, where
//!    up to [`MAX_COMB_LAYERS`] layers run, and is scattered by the last of their passes.
//! 3. The `2^R` copies are never made. A codeword is `2^R` transforms of the message that differ in their
//!    twiddles alone, so a comb, or a region where the message fits one, starts all of them from one
//!    gathered piece of the message. Gathering turns lanes into rows in registers.
//! 4. Where the layers of a sequence of passes are no multiple of three, the short pass comes first: that
//!    one waits for memory anyway.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use primitives::pool;

use super::Interleaving;
use super::block::{Block, Comb, Symbol};
use super::butterfly::{MAX_LOG_RADIX, sweep, sweep_to};

/// Takes the finished rows of one task.
pub trait RowSink: Send {
    /// The next rows of the task: all that the codeword has, or a multiple of [`MIN_TILE_ROWS`].
    fn rows(&mut self, rows: &[Block]);
}

/// Nobody waits for the rows.
impl RowSink for () {
    fn rows(&mut self, _: &[Block]) {}
}

/// A tile has a multiple of this many rows, unless the codeword has fewer: whole batches of any back end's
/// hash.
pub const MIN_TILE_ROWS: usize = 64;

/// The rows that [`encode`] gives to one sink.
#[must_use]
pub fn task_rows<T: Symbol>(shape: &Interleaving) -> usize {
    1 << Plan::new::<T>(shape).log_region
}

/// The codeword of `message`, row by row.
///
/// `message`: the present lanes, [`Interleaving::message_symbols`] symbols. `sinks`: sink i gets the rows of
/// task i, [`task_rows`] of them, in order. Returns `2^log_rows` rows of [`Interleaving::row_blocks`] blocks.
///
/// # Panics
/// When the message is not of this shape, when there are not as many sinks as tasks, or when the shape
/// breaks its own bounds.
pub fn encode<T: Symbol, S: RowSink>(message: &[T], shape: &Interleaving, sinks: Vec<S>) -> Box<[Block]> {
    shape.check::<T>();
    encode_by_plan(message, shape, &Plan::new::<T>(shape), sinks)
}

/// [`encode`], cut in the way that `plan` says.
fn encode_by_plan<T: Symbol, S: RowSink>(
    message: &[T],
    shape: &Interleaving,
    plan: &Plan,
    sinks: Vec<S>,
) -> Box<[Block]> {
    assert_eq!(message.len(), shape.message_symbols(), "symbols of {shape:?}");
    assert_eq!(
        sinks.len(),
        1 << (shape.log_rows() - plan.log_region),
        "sinks of {shape:?}"
    );
    let mut codeword = Box::new_uninit_slice(plan.row << shape.log_rows());
    let combed = plan.comb_layers();
    if combed == 0 {
        encode_regions(message, shape, plan, &mut codeword, sinks);
        // SAFETY: the regions partition the codeword, and each was written whole.
        return unsafe { codeword.assume_init() };
    }
    let mut done = combed.min(plan.max_comb_layers);
    encode_combs(message, shape, plan, done, &mut codeword);
    // SAFETY: the combs partition the codeword, and each was written whole.
    let mut codeword = unsafe { codeword.assume_init() };
    while done < combed {
        let layers = (combed - done).min(plan.max_comb_layers);
        transform_combs(&mut codeword, plan, plan.log_message - done, layers);
        done += layers;
    }
    finish_regions(&mut codeword, plan, sinks);
    codeword
}

/// How the layers are cut: a function of the shape alone.
#[derive(Clone, Debug)]
struct Plan {
    /// Blocks of a row.
    row: usize,
    /// kappa.
    log_message: usize,
    /// Log2 of the rows of a tile, and of a region: at most [`MAX_LOG_RADIX`] more.
    log_tile: usize,
    log_region: usize,
    /// The most layers of a comb, and log2 of the blocks of its buffer: at least as many.
    max_comb_layers: usize,
    log_comb_blocks: usize,
}

impl Plan {
    fn new<T: Symbol>(shape: &Interleaving) -> Self {
        let row = shape.row_blocks::<T>();
        let log_tile = (TILE_BLOCKS / row).max(MIN_TILE_ROWS).ilog2() as usize;
        let log_region = (log_tile + MAX_LOG_RADIX).min(shape.log_rows());
        Self {
            row,
            log_message: shape.log_message,
            log_tile: log_tile.min(log_region),
            log_region,
            max_comb_layers: MAX_COMB_LAYERS,
            log_comb_blocks: LOG_COMB_BLOCKS,
        }
    }

    /// Layers whose pairs lie in different regions.
    fn comb_layers(&self) -> usize {
        self.log_message.saturating_sub(self.log_region)
    }

    /// Adjacent rows of a comb.
    fn tooth_rows(&self, layers: usize, log_distance: usize) -> usize {
        1 << log_distance.min(self.log_comb_blocks - layers).min(MAX_LOG_TOOTH)
    }
}

/// Where the message fits a region: tasks that start from the message in rows, once for every copy of it that
/// meets their region.
fn encode_regions<T: Symbol, S: RowSink>(
    message: &[T],
    shape: &Interleaving,
    plan: &Plan,
    codeword: &mut [MaybeUninit<Block>],
    sinks: Vec<S>,
) {
    let message = message_rows(message, shape);
    let top = plan.log_message.min(MAX_LOG_RADIX);
    let tasks = codeword
        .chunks_mut(plan.row << plan.log_region)
        .zip(sinks)
        .enumerate()
        .collect();
    pool::for_each_item(
        tasks,
        |(task, (region, sink)): (usize, (&mut [MaybeUninit<Block>], S))| {
            let first_row = task << plan.log_region;
            for (copy, out) in region.chunks_exact_mut(message.len()).enumerate() {
                if top == 0 {
                    out.write_copy_of_slice(&message);
                } else {
                    let mut parts: Vec<_> = out.chunks_exact_mut(message.len() >> top).collect();
                    sweep_to(
                        &message,
                        top,
                        (first_row >> plan.log_message) + copy,
                        &mut parts,
                        0,
                        1,
                    );
                }
            }
            // SAFETY: the message and a region are a power of two of rows, and the message not the longer one,
            // so the copies cover the region; each was written whole.
            let region = unsafe { region.assume_init_mut() };
            finish_tiles(region, plan, plan.log_message - top, first_row, sink);
        },
    );
}

/// The message in rows.
fn message_rows<T: Symbol>(message: &[T], shape: &Interleaving) -> Vec<Block> {
    let row = shape.row_blocks::<T>();
    let count = 1 << shape.log_message;
    let mut rows = vec![Block::default(); row * count];
    let mut gathered = vec![Block::default(); count];
    for column in 0..row {
        T::gather(
            message,
            shape,
            column,
            Comb {
                first: 0,
                rows: count,
                distance: count,
            },
            &mut gathered,
        );
        for (row, block) in rows.chunks_exact_mut(row).zip(&gathered) {
            row[column] = *block;
        }
    }
    rows
}

/// The layers inside of regions.
fn finish_regions<S: RowSink>(codeword: &mut [Block], plan: &Plan, sinks: Vec<S>) {
    let top = plan.log_region - plan.log_tile;
    let tasks = codeword
        .chunks_mut(plan.row << plan.log_region)
        .zip(sinks)
        .enumerate()
        .collect();
    pool::for_each_item(tasks, |(task, (region, sink)): (usize, (&mut [Block], S))| {
        if top > 0 {
            let span = region.len();
            sweep(region, span, top, task);
        }
        finish_tiles(region, plan, plan.log_tile, task << plan.log_region, sink);
    });
}

/// The lowest `layers` layers of a region, tile by tile.
fn finish_tiles<S: RowSink>(region: &mut [Block], plan: &Plan, layers: usize, first_row: usize, mut sink: S) {
    for (i, tile) in region.chunks_exact_mut(plan.row << plan.log_tile).enumerate() {
        let first_row = first_row + (i << plan.log_tile);
        let mut left = layers;
        while left > 0 {
            let radix = short_first(left);
            sweep(tile, plan.row << left, radix, first_row >> left);
            left -= radix;
        }
        sink.rows(tile);
    }
}

/// The top `layers` layers of all copies of the message.
fn encode_combs<T: Symbol>(
    message: &[T],
    shape: &Interleaving,
    plan: &Plan,
    layers: usize,
    codeword: &mut [MaybeUninit<Block>],
) {
    let log_distance = plan.log_message - layers;
    let rows = plan.tooth_rows(layers, log_distance);
    pool::for_each_item(combs(codeword, plan, log_distance, rows), |(task, mut outs)| {
        let mut gathered = vec![Block::default(); rows << layers];
        let mut buffer = gathered.clone();
        for column in 0..plan.row {
            let comb = Comb {
                first: task * rows,
                rows,
                distance: 1 << log_distance,
            };
            T::gather(message, shape, column, comb, &mut gathered);
            for (copy, outs) in outs.chunks_exact_mut(1 << layers).enumerate() {
                transform_comb(&gathered, &mut buffer, copy, outs, column, plan.row);
            }
        }
    });
}

/// `layers` layers, in place, of every subtree of `2^log_rows` rows.
fn transform_combs(codeword: &mut [Block], plan: &Plan, log_rows: usize, layers: usize) {
    let log_distance = log_rows - layers;
    let rows = plan.tooth_rows(layers, log_distance);
    for (subtree, codeword) in codeword.chunks_exact_mut(plan.row << log_rows).enumerate() {
        pool::for_each_item(combs(codeword, plan, log_distance, rows), |(_, mut outs)| {
            let mut gathered = vec![Block::default(); rows << layers];
            let mut buffer = gathered.clone();
            for column in 0..plan.row {
                for (gathered, out) in gathered.chunks_exact_mut(rows).zip(&outs) {
                    for (block, row) in gathered.iter_mut().zip(out.chunks_exact(plan.row)) {
                        *block = row[column];
                    }
                }
                let mut outs: Vec<_> = outs.iter_mut().map(|out| as_uninit(out)).collect();
                transform_comb(&gathered, &mut buffer, subtree, &mut outs, column, plan.row);
            }
        });
    }
}

/// The combs of `codeword`: comb i holds the rows `i rows..(i + 1) rows` of every `2^log_distance`.
fn combs<'a, A>(
    codeword: &'a mut [A],
    plan: &Plan,
    log_distance: usize,
    rows: usize,
) -> Vec<(usize, Vec<&'a mut [A]>)> {
    let subtree = plan.row << log_distance;
    let teeth = codeword.len() / subtree;
    let tasks = (1 << log_distance) / rows;
    let mut combs: Vec<_> = (0..tasks).map(|task| (task, Vec::with_capacity(teeth))).collect();
    for subtree in codeword.chunks_exact_mut(subtree) {
        for ((_, comb), tooth) in combs.iter_mut().zip(subtree.chunks_exact_mut(plan.row * rows)) {
            comb.push(tooth);
        }
    }
    combs
}

/// The layers that pair the teeth of a comb, from `gathered` to `outs`, one for each tooth: its blocks lie
/// `stride` apart there, from `offset` on. The top layer is block `block` of its layer.
fn transform_comb(
    gathered: &[Block],
    buffer: &mut [Block],
    block: usize,
    outs: &mut [&mut [MaybeUninit<Block>]],
    offset: usize,
    stride: usize,
) {
    let layers = outs.len().ilog2() as usize;
    if layers <= MAX_LOG_RADIX {
        return sweep_to(gathered, layers, block, outs, offset, stride);
    }
    let mut done = short_first(layers);
    let mut parts: Vec<_> = as_uninit(buffer)
        .chunks_exact_mut(gathered.len() >> done)
        .collect();
    sweep_to(gathered, done, block, &mut parts, 0, 1);
    while layers - done > MAX_LOG_RADIX {
        sweep(buffer, gathered.len() >> done, MAX_LOG_RADIX, block << done);
        done += MAX_LOG_RADIX;
    }
    sweep_to(buffer, MAX_LOG_RADIX, block << done, outs, offset, stride);
}

/// The layers of the first pass where passes of three are to follow.
fn short_first(layers: usize) -> usize {
    (layers - 1) % MAX_LOG_RADIX + 1
}

/// Blocks as a place to write blocks to; what is written must be initialised, as [`sweep_to`] does.
fn as_uninit(blocks: &mut [Block]) -> &mut [MaybeUninit<Block>] {
    let length = blocks.len();
    // SAFETY: the layouts are the same, the borrow is passed on, and only initialised blocks are written.
    unsafe { core::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), length) }
}

/// The most layers of a comb; with eight adjacent residues it then fills its buffer.
const MAX_COMB_LAYERS: usize = 8;

/// Log2 of the blocks of a comb's buffer: 128 KiB, twice.
const LOG_COMB_BLOCKS: usize = 11;

/// Log2 of the most adjacent rows of a comb: a longer run of lines of the message gains nothing, and short
/// messages would be left with too few tasks.
const MAX_LOG_TOOTH: usize = 5;

/// Blocks of a tile: 32 KiB.
const TILE_BLOCKS: usize = 512;

#[cfg(test)]
mod tests;
