//! Transposes of 64 by 64 bit matrices, eight side by side.

use core::ops::{Deref, DerefMut};

use primitives::backend::Backend;
use primitives::field::K;

/// A row of eight matrices: a word of each, in one line of the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(crate) struct Row(pub(crate) [K; 8]);

impl Row {
    pub(crate) const ZERO: Self = Self([K::ZERO; 8]);
}

impl Deref for Row {
    type Target = [K; 8];

    fn deref(&self) -> &[K; 8] {
        &self.0
    }
}

impl DerefMut for Row {
    fn deref_mut(&mut self) -> &mut [K; 8] {
        &mut self.0
    }
}

/// Exchanges bit `j` of `rows[i][l]` with bit `i` of `rows[j][l]`, for every matrix `l`.
#[inline(always)]
pub(crate) fn transpose<B: Backend>(be: B, rows: &mut [Row; 64]) {
    exchange::<B, 32>(be, rows, 0x0000_0000_ffff_ffff);
    exchange::<B, 16>(be, rows, 0x0000_ffff_0000_ffff);
    exchange::<B, 8>(be, rows, 0x00ff_00ff_00ff_00ff);
    exchange::<B, 4>(be, rows, 0x0f0f_0f0f_0f0f_0f0f);
    exchange::<B, 2>(be, rows, 0x3333_3333_3333_3333);
    exchange::<B, 1>(be, rows, 0x5555_5555_5555_5555);
}

/// In every square of `2 S` rows and columns: exchanges the upper right quarter with the lower left one; the
/// left columns are those in `low`.
#[inline(always)]
fn exchange<B: Backend, const S: u32>(be: B, rows: &mut [Row; 64], low: u64) {
    let low = be.splat(K(low));
    for square in rows.chunks_exact_mut(2 * S as usize) {
        let (upper, lower) = square.split_at_mut(S as usize);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            for (upper, lower) in upper
                .chunks_exact_mut(B::LANES)
                .zip(lower.chunks_exact_mut(B::LANES))
            {
                let (u, l) = (be.load(upper), be.load(lower));
                let moved = be.and(be.xor(be.shr::<S>(u), l), low);
                be.store(be.xor(u, be.shl::<S>(moved)), upper);
                be.store(be.xor(l, moved), lower);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use primitives::backend::available;
    use primitives::bits::transpose_64x64;
    use primitives::dispatch;

    use super::*;
    use crate::tests::Words;

    #[test]
    fn every_matrix_is_transposed_on_every_back_end() {
        let mut words = Words(1);
        let rows: [Row; 64] = core::array::from_fn(|_| Row(core::array::from_fn(|_| K(words.word()))));
        for token in available() {
            let mut transposed = rows;
            dispatch!(token, |be| transpose(be, &mut transposed));
            for l in 0..8 {
                let mut expected = rows.map(|row| row[l].0);
                transpose_64x64(&mut expected);
                assert_eq!(transposed.map(|row| row[l].0), expected);
            }
        }
    }
}
