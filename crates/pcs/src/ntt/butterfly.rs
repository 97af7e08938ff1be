//! Layers of the butterfly network, several to a pass.
//!
//! A pass of one to three layers cuts a *span* of blocks into 2, 4 or 8 equal parts, and holds the vectors
//! of one place of all parts in registers. Rows do not matter to it: every place of the parts has the same
//! twiddles. What is here is entered once per sweep over many places, and is compiled once per back end.

use core::mem::MaybeUninit;

use primitives::backend::Backend;
use primitives::dispatch;
use primitives::field::K;

use super::basis::{BETA, TwiddleWalk};
use super::block::{BLOCK_WORDS, Block};

/// The most layers of a pass: eight vectors and their twiddles.
pub(super) const MAX_LOG_RADIX: usize = 3;

/// A pass of `log_radix` layers in place, over every span of `span` blocks. Their top layer has the blocks of
/// the network from `first_block` on.
///
/// # Panics
/// If `log_radix` is not 1, 2 or 3.
pub(super) fn sweep(spans: &mut [Block], span: usize, log_radix: usize, first_block: usize) {
    dispatch!(|be| match log_radix {
        1 => sweep_radix::<_, 2>(be, spans, span, first_block),
        2 => sweep_radix::<_, 4>(be, spans, span, first_block),
        3 => sweep_radix::<_, 8>(be, spans, span, first_block),
        _ => panic!("a pass of {log_radix} layers"),
    });
}

/// [`sweep`] out of place: part i of all spans goes to `outs[i]`, its blocks `stride` apart there, from
/// `offset` on. Where a place lies, an initialised block is written.
///
/// # Panics
/// If `log_radix` is not 1, 2 or 3, or a place lies outside of its `outs`.
pub(super) fn sweep_to(
    spans: &[Block],
    log_radix: usize,
    first_block: usize,
    outs: &mut [&mut [MaybeUninit<Block>]],
    offset: usize,
    stride: usize,
) {
    dispatch!(|be| match log_radix {
        1 => sweep_radix_to::<_, 2>(be, spans, first_block, outs, offset, stride),
        2 => sweep_radix_to::<_, 4>(be, spans, first_block, outs, offset, stride),
        3 => sweep_radix_to::<_, 8>(be, spans, first_block, outs, offset, stride),
        _ => panic!("a pass of {log_radix} layers"),
    });
}

#[inline(always)]
fn sweep_radix<B: Backend, const RADIX: usize>(be: B, spans: &mut [Block], span: usize, first_block: usize) {
    let mut walk = PassWalk::new(first_block);
    for span in spans.chunks_exact_mut(span) {
        let twiddles: Twiddles<B, RADIX> = walk.next_twiddles(be);
        let length = span.len() / RADIX;
        for place in 0..length {
            for word in (0..BLOCK_WORDS).step_by(B::LANES) {
                let mut x: [B::V; RADIX] =
                    core::array::from_fn(|k| be.load(&span[k * length + place].0[word..]));
                butterflies(be, &mut x, &twiddles);
                for (k, v) in x.into_iter().enumerate() {
                    be.store(v, &mut span[k * length + place].0[word..]);
                }
            }
        }
    }
}

#[inline(always)]
fn sweep_radix_to<B: Backend, const RADIX: usize>(
    be: B,
    spans: &[Block],
    first_block: usize,
    outs: &mut [&mut [MaybeUninit<Block>]],
    offset: usize,
    stride: usize,
) {
    let mut walk = PassWalk::new(first_block);
    let span = spans.len() / outs.len() * RADIX;
    for (span, outs) in spans.chunks_exact(span).zip(outs.as_chunks_mut::<RADIX>().0) {
        let twiddles: Twiddles<B, RADIX> = walk.next_twiddles(be);
        let length = span.len() / RADIX;
        for place in 0..length {
            let mut blocks = [Block::default(); RADIX];
            for word in (0..BLOCK_WORDS).step_by(B::LANES) {
                let mut x: [B::V; RADIX] =
                    core::array::from_fn(|k| be.load(&span[k * length + place].0[word..]));
                butterflies(be, &mut x, &twiddles);
                for (block, v) in blocks.iter_mut().zip(x) {
                    be.store(v, &mut block.0[word..]);
                }
            }
            for (out, block) in outs.iter_mut().zip(&blocks) {
                out[offset + place * stride].write(*block);
            }
        }
    }
}

/// The twiddles of a pass: entry `2^l + i` is that of block i of layer l, the top one being 0; entry 0 is
/// nothing.
type Twiddles<B, const RADIX: usize> = [<B as Backend>::V; RADIX];

/// The layers of a pass on the vectors of one place.
#[inline(always)]
fn butterflies<B: Backend, const RADIX: usize>(be: B, x: &mut [B::V; RADIX], twiddles: &Twiddles<B, RADIX>) {
    for l in 0..RADIX.ilog2() as usize {
        let distance = RADIX >> (l + 1);
        for i in 0..1 << l {
            for low in 2 * distance * i..2 * distance * i + distance {
                let high = low + distance;
                x[low] = be.xor(x[low], be.mul(x[high], twiddles[(1 << l) + i]));
                x[high] = be.xor(x[high], x[low]);
            }
        }
    }
}

/// Walks the twiddles of consecutive spans: layer l of span b has those of the blocks `2^l b..2^l (b + 1)`.
struct PassWalk(TwiddleWalk<0>, TwiddleWalk<1>, TwiddleWalk<2>);

impl PassWalk {
    #[inline(always)]
    fn new(first_block: usize) -> Self {
        let first = first_block as u32;
        Self(
            TwiddleWalk::new(first),
            TwiddleWalk::new(first),
            TwiddleWalk::new(first),
        )
    }

    #[inline(always)]
    fn next_twiddles<B: Backend, const RADIX: usize>(&mut self, be: B) -> Twiddles<B, RADIX> {
        let first = [
            self.0.next_twiddle(),
            self.1.next_twiddle(),
            self.2.next_twiddle(),
        ];
        let mut all = [be.splat(K::ZERO); RADIX];
        for l in 0..RADIX.ilog2() as usize {
            for i in 0..1 << l {
                all[(1 << l) + i] = be.splat(first[l] + POINTS[i]);
            }
        }
        all
    }
}

/// `point(2 i)`.
const POINTS: [K; 4] = [K::ZERO, BETA[1], BETA[2], K(BETA[1].0 ^ BETA[2].0)];
