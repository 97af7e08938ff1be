//! Transposes of bit matrices and of blocks of words, and maps by bit matrices.

/// Transposes a 64x64 bit matrix: bit `j` of word `i` becomes bit `i` of word `j`.
///
/// Six rounds, each exchanging the off-diagonal blocks of half the size (Warren, Hacker's Delight, section 7-3).
#[inline(always)]
pub fn transpose_64x64(matrix: &mut [u64; 64]) {
    exchange::<32>(matrix, 0x0000_0000_ffff_ffff);
    exchange::<16>(matrix, 0x0000_ffff_0000_ffff);
    exchange::<8>(matrix, 0x00ff_00ff_00ff_00ff);
    exchange::<4>(matrix, 0x0f0f_0f0f_0f0f_0f0f);
    exchange::<2>(matrix, 0x3333_3333_3333_3333);
    exchange::<1>(matrix, 0x5555_5555_5555_5555);
}

/// In every block of `2 SIZE` rows: exchanges the high columns (those not in `low`) of the first `SIZE` rows with
/// the low columns of the others.
#[inline(always)]
fn exchange<const SIZE: usize>(matrix: &mut [u64; 64], low: u64) {
    for block in matrix.chunks_exact_mut(2 * SIZE) {
        let (upper, lower) = block.split_at_mut(SIZE);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let moved = (*upper >> SIZE ^ *lower) & low;
            *lower ^= moved;
            *upper ^= moved << SIZE;
        }
    }
}

/// Linear maps over GF(2) of the eight bytes of a word, all by one 8x8 matrix: bit `i` of a result is the parity of the
/// bits that byte `7 - i` of the matrix has in common with the byte.
#[inline(always)]
#[must_use]
pub const fn map_bytes(matrix: u64, bytes: u64) -> u64 {
    const LOW_BITS: u64 = 0x0101_0101_0101_0101;
    let mut mapped = 0;
    let mut i = 0;
    while i < 8 {
        let common = bytes & ((matrix >> (8 * (7 - i)) & 0xff) * LOW_BITS);
        let folded = common ^ common >> 4;
        let folded = folded ^ folded >> 2;
        mapped |= ((folded ^ folded >> 1) & LOW_BITS) << i;
        i += 1;
    }
    mapped
}

/// Transposes an 8x8 block of words: word `j` of row `i` becomes word `i` of row `j`.
#[inline(always)]
pub fn transpose_8x8(block: &mut [[u64; 8]; 8]) {
    for i in 0..8 {
        for j in 0..i {
            let (above, below) = block.split_at_mut(i);
            core::mem::swap(&mut above[j][i], &mut below[0][j]);
        }
    }
}
