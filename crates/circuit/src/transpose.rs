//! The transpose of a 64 by 64 bit matrix.

/// Exchanges bit `j` of word `i` with bit `i` of word `j`, in place.
#[inline]
pub(crate) fn transpose(rows: &mut [u64; 64]) {
    // Six rounds: round s exchanges the off-diagonal s by s quarters of every aligned 2s by 2s square.
    let mut size = 32;
    let mut low: u64 = 0xffff_ffff;
    while size > 0 {
        let mut row = 0;
        while row < 64 {
            for i in row..row + size {
                let exchanged = (rows[i] >> size ^ rows[i + size]) & low;
                rows[i] ^= exchanged << size;
                rows[i + size] ^= exchanged;
            }
            row += 2 * size;
        }
        size /= 2;
        low ^= low << size;
    }
}
