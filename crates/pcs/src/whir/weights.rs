//! What the prover asks of the weights: any chunk of them, as often as it likes.

use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::field::{E, K};
use primitives::vectors::VectorE;

/// Weights in a chunk: consecutive ones, at a multiple of their number.
pub const CHUNK: usize = 64;

/// The weights of a chunk, the coefficients of 1, y and y^2 each in a row.
pub type Chunk = [[K; CHUNK]; 3];

/// The weights of a stack.
pub trait Weights: Sync {
    /// Chunks before those whose weights are all zero; chunk c is the weights from word `c CHUNK` on.
    fn chunks(&self) -> usize;

    /// Adds the weights of chunk `first + i stride` to `out[i]`, for all i.
    fn add_to(&self, first: usize, stride: usize, out: &mut [Chunk]);
}

/// A zeroed vector of scalars, whose pages are not touched.
pub(crate) fn zeroed(scalars: usize) -> Vec<E> {
    let words = vec![0u64; 3 * scalars].into_boxed_slice();
    bytemuck::allocation::cast_slice_box::<u64, E>(words).into_vec()
}

/// The vector from scalar `x` of a chunk on.
#[inline(always)]
pub(crate) fn load_planes<B: Backend>(be: B, chunk: &Chunk, x: usize) -> VectorE<B> {
    [
        be.load(&chunk[0][x..]),
        be.load(&chunk[1][x..]),
        be.load(&chunk[2][x..]),
    ]
}
