//! What the prover asks of the weights: any chunk of them, as often as it likes.

use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::field::{E, K};
use primitives::vectors::{VectorE, mul_e, splat_e};

/// Weights in a chunk: consecutive ones, at a multiple of their number.
pub const CHUNK: usize = 64;

/// The weights of a chunk, the coefficients of 1, y and y^2 each in a row.
pub type Chunk = [[K; CHUNK]; 3];

/// Weights of zero.
pub(crate) const ZERO_CHUNK: Chunk = [[K::ZERO; CHUNK]; 3];

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

/// The vector from scalar `x` on of scalars in planes.
#[inline(always)]
pub(crate) fn load_planes<B: Backend, const N: usize>(be: B, planes: &[[K; N]; 3], x: usize) -> VectorE<B> {
    [
        be.load(&planes[0][x..]),
        be.load(&planes[1][x..]),
        be.load(&planes[2][x..]),
    ]
}

/// `out += scale pattern`.
#[inline(always)]
pub(crate) fn add_scaled<B: Backend>(be: B, out: &mut Chunk, scale: E, pattern: &Chunk) {
    let scale = splat_e(be, scale);
    let mut x = 0;
    while x < CHUNK {
        let [o0, o1, o2] = load_planes(be, out, x);
        let [p0, p1, p2] = mul_e(be, scale, load_planes(be, pattern, x));
        be.store(be.xor(o0, p0), &mut out[0][x..]);
        be.store(be.xor(o1, p1), &mut out[1][x..]);
        be.store(be.xor(o2, p2), &mut out[2][x..]);
        x += B::LANES;
    }
}
