//! What the queries of a level add to the weights: `sum_q b^(q+1) W_(x_q)`.
//!
//! `W_x(w) = prod_i W_i(x)^(bit i of w)` is a product of a function of the low bits of w and one of the high
//! bits. With the powers of the challenge in the high part, the sum is a product of matrices, with as many
//! inner terms as there are queries; it is summed unreduced, a tile of low parts at a time.

use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::{Backend, MAX_LANES};
use primitives::field::{E, K};
use primitives::vectors::{Element, reduce_e, splat_e, wide_xor_e};
use primitives::{dispatch, pool};

use crate::ntt::basis::subspace_value;

/// At most so many low variables: a tile's low parts of all queries stay in the first cache.
const LOW_VARIABLES: usize = 8;

/// Low parts of a tile.
const TILE: usize = MAX_LANES;

/// Adds `sum_q scales[q] W_(indices[q])` to `weights`.
///
/// `weights`: one for each word of the message, a power of two.
pub(super) fn add_query_weights(weights: &mut [E], indices: &[usize], scales: &[E]) {
    let variables = weights.len().ilog2() as usize;
    let low = variables.min(LOW_VARIABLES);
    let queries = indices.len();
    // High parts: a row of all queries for each. Low parts: for each tile a row of the tile for each query.
    let mut high_parts = vec![E::ZERO; queries << (variables - low)];
    let tiles = (1usize << low).div_ceil(TILE);
    let mut low_parts = vec![[K::ZERO; TILE]; queries * tiles];
    for (q, (&index, &scale)) in indices.iter().zip(scales).enumerate() {
        let values: Vec<K> = (0..variables).map(|i| subspace_value(i, index as u32)).collect();
        let (low_values, high_values) = values.split_at(low);
        for (h, part) in tensor(scale, high_values).into_iter().enumerate() {
            high_parts[h * queries + q] = part;
        }
        for (tile, parts) in tensor(K::ONE, low_values).chunks(TILE).enumerate() {
            low_parts[tile * queries + q][..parts.len()].copy_from_slice(parts);
        }
    }
    pool::for_each_chunk_mut(weights, 1 << low, |h, weights| {
        let high_parts = &high_parts[h * queries..][..queries];
        dispatch!(|be| {
            for (tile, weights) in weights.chunks_mut(TILE).enumerate() {
                add_tile(be, weights, high_parts, &low_parts[tile * queries..][..queries]);
            }
        });
    });
}

/// `weights[l] += sum_q high_parts[q] low_parts[q][l]`.
#[inline(always)]
fn add_tile<B: Backend>(be: B, weights: &mut [E], high_parts: &[E], low_parts: &[[K; TILE]]) {
    let mut at = 0;
    while at < weights.len() {
        let mut sum = [be.wide_zero(); 3];
        let mut q = 0;
        while q < low_parts.len() {
            let [e0, e1, e2] = splat_e(be, high_parts[q]);
            let low = be.load(&low_parts[q][at..]);
            let product = [be.mul_wide(e0, low), be.mul_wide(e1, low), be.mul_wide(e2, low)];
            sum = wide_xor_e(be, sum, product);
            q += 1;
        }
        let end = weights.len().min(at + B::LANES);
        let out = &mut weights[at..end];
        let sum = E::xor(be, reduce_e(be, sum), be.load_e_partial(out));
        be.store_e_partial(sum, out);
        at += B::LANES;
    }
}

/// `scale prod_i values[i]^(bit i of w)` for all w.
fn tensor<T: Copy + core::ops::Mul<K, Output = T>>(scale: T, values: &[K]) -> Vec<T> {
    let mut table = vec![scale];
    for &value in values {
        table.extend_from_within(..);
        let half = table.len() / 2;
        for entry in &mut table[half..] {
            *entry = *entry * value;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whir::tests::scalars;

    #[test]
    fn the_sum_is_that_of_the_definition() {
        for variables in 0..11 {
            let indices = [0usize, 5, 1023, 77, 5];
            let scales = scalars(indices.len(), 1);
            let mut weights = scalars(1 << variables, 2);
            let before = weights.clone();
            add_query_weights(&mut weights, &indices, &scales);
            for (w, (after, before)) in weights.iter().zip(before).enumerate() {
                let of_query = |(&index, &scale): (&usize, &E)| {
                    let factors = (0..variables).filter(|i| w >> i & 1 == 1);
                    scale * factors.map(|i| subspace_value(i, index as u32)).product::<K>()
                };
                assert_eq!(
                    *after,
                    before + indices.iter().zip(&scales).map(of_query).sum::<E>()
                );
            }
        }
    }
}
