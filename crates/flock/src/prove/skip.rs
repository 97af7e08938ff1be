//! The skip message, by bytes.
//!
//! In plain words: for each row v (a word of a, b and c) extend a and b from S to Lambda, multiply them there, and
//! add the products with weight `eq(r, v)`; sum c with the same weights, and extend the sum.
//!
//! 1. The extension is F2-linear in the 64 bits, and its values are bytes: eight look-ups of 64 bytes.
//! 2. A product is one of the byte field, 64 at a time.
//! 3. The fixed coordinates give row v the weight `phi(t^(v % 8)) x^(v / 8 % 8) y^(v / 64)` (`skip`'s tests). Eight
//!    rows are summed inside the byte field, by Horner's rule in t; of c, which is bits, the byte of eight rows is
//!    their transpose.
//! 4. For each point, eight such bytes, shifted by 0 to 7, are one element of K: eight look-ups in tables of
//!    `x^k phi(byte)`. Two of those, of 64 rows each, are the coefficients of 1 and y.
//! 5. The weight of 128 rows, over the other coordinates, is the one product with an element of E.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::dispatch;
use primitives::field::{B8, E, K};
use primitives::pool;
use primitives::vectors::{WideE, splat_e, wide_xor_e};

use super::rounds::Member;
use crate::skip::{FIXED, SKIP, fixed_coordinates, lagrange_in_bytes};

/// log2 of the rows that the fixed coordinates span.
const LOG_ROWS: usize = FIXED;
const ROWS: usize = 1 << LOG_ROWS;

/// Groups of [`ROWS`] rows in a task.
const TASK: usize = 64;

/// A byte for each point of S or Lambda.
type Points = [K; SKIP / 8];

/// P on Lambda.
pub(super) fn message(members: &[Member<'_>], r: &[E]) -> Vec<E> {
    let common: E = fixed_coordinates().iter().map(|&r| E::ONE + r).product();
    let tables = Tables::new();
    let mut sums = Sums::default();
    for member in members {
        let weights =
            member
                .units
                .chunk_weights(LOG_ROWS, &r[LOG_ROWS..member.log_words], common * member.scale);
        let tasks = weights.len().div_ceil(TASK);
        let partial = pool::map(tasks, |task| {
            let groups = task * TASK..weights.len().min((task + 1) * TASK);
            dispatch!(|be| sum_groups(be, &tables, member, groups, &weights))
        });
        partial.into_iter().for_each(|partial| sums.add(&partial));
    }
    let extension = |y: usize| -> E {
        let weights = (0..SKIP).map(|i| lagrange_in_bytes(i as u8, (SKIP + y) as u8).embed());
        sums.c.iter().zip(weights).map(|(&c, weight)| c * weight).sum()
    };
    (0..SKIP).map(|y| sums.products[y] + extension(y)).collect()
}

/// Of every point of Lambda the sum of the products, of every point of S that of c.
struct Sums {
    products: [E; SKIP],
    c: [E; SKIP],
}

impl Default for Sums {
    fn default() -> Self {
        Self {
            products: [E::ZERO; SKIP],
            c: [E::ZERO; SKIP],
        }
    }
}

impl Sums {
    fn add(&mut self, other: &Self) {
        let pairs = self.products.iter_mut().zip(&other.products);
        for (sum, &other) in pairs.chain(self.c.iter_mut().zip(&other.c)) {
            *sum += other;
        }
    }
}

struct Tables {
    /// For every byte at every place of a word, the extension of its bits to Lambda.
    extensions: Vec<[Points; 256]>,
    /// `x^k phi(byte)`.
    shifted: Box<[[K; 256]; 8]>,
}

impl Tables {
    fn new() -> Self {
        let mut extensions = vec![[[K::ZERO; 8]; 256]; 8];
        for (place, table) in extensions.iter_mut().enumerate() {
            for bit in 0..8 {
                let image = extension_of_bit((8 * place + bit) as u8);
                let (low, high) = table[..2 << bit].split_at_mut(1 << bit);
                for (low, high) in low.iter().zip(high) {
                    for (high, (&low, image)) in high.iter_mut().zip(low.iter().zip(image)) {
                        *high = low + image;
                    }
                }
            }
        }
        let mut shifted = Box::new([[K::ZERO; 256]; 8]);
        for (k, table) in shifted.iter_mut().enumerate() {
            for (byte, image) in table.iter_mut().enumerate() {
                *image = B8(byte as u8).embed() * K(1 << k);
            }
        }
        Self { extensions, shifted }
    }
}

/// `L_i` on Lambda, a byte for each point.
fn extension_of_bit(i: u8) -> Points {
    core::array::from_fn(|word| {
        let bytes = core::array::from_fn(|byte| lagrange_in_bytes(i, (SKIP + 8 * word + byte) as u8).0);
        K(u64::from_le_bytes(bytes))
    })
}

#[inline(always)]
fn sum_groups<B: Backend>(
    be: B,
    tables: &Tables,
    member: &Member<'_>,
    groups: core::ops::Range<usize>,
    weights: &[E],
) -> Sums {
    let mut products = [[be.wide_zero(); 3]; SKIP];
    let mut c_sums = products;
    let extensions: &[[Points; 256]; 8] = tables.extensions[..].as_array().expect("eight places");
    let rows = |words: &'_ [K], group: usize| -> [K; ROWS] {
        *words[group * ROWS..].first_chunk().expect("whole groups")
    };
    let mut bytes = [[K::ZERO; 8]; ROWS / 8];
    for group in groups {
        let (a, b) = (rows(&member.a, group), rows(&member.b, group));
        for (bytes, (a, b)) in bytes
            .iter_mut()
            .zip(a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0))
        {
            products_of_eight(be, extensions, a, b, bytes);
        }
        accumulate(be, &tables.shifted, &bytes, weights[group], &mut products);
        let c = rows(member.c, group);
        for (bytes, c) in bytes.iter_mut().zip(c.as_chunks::<8>().0) {
            transpose_of_eight(c, bytes);
        }
        accumulate(be, &tables.shifted, &bytes, weights[group], &mut c_sums);
    }
    Sums {
        products: reduce(be, &products),
        c: reduce(be, &c_sums),
    }
}

/// `sum_i t^i a_i b_i` on Lambda, for eight rows.
#[inline(always)]
fn products_of_eight<B: Backend>(
    be: B,
    extensions: &[[Points; 256]; 8],
    a: &[K; 8],
    b: &[K; 8],
    out: &mut Points,
) {
    for lanes in (0..8).step_by(B::LANES) {
        let mut sum = be.splat(K::ZERO);
        for (a, b) in a.iter().zip(b).rev() {
            let product = be.mul_bytes(
                extension(be, extensions, a.0, lanes),
                extension(be, extensions, b.0, lanes),
            );
            sum = be.xor(times_t(be, sum), product);
        }
        be.store(sum, &mut out[lanes..]);
    }
}

/// The extension of a word, from word `lanes` on.
#[inline(always)]
fn extension<B: Backend>(be: B, extensions: &[[Points; 256]; 8], word: u64, lanes: usize) -> B::V {
    let mut sum = be.splat(K::ZERO);
    for (table, byte) in extensions.iter().zip(word.to_le_bytes()) {
        sum = be.xor(sum, be.load(&table[usize::from(byte)][lanes..]));
    }
    sum
}

/// Every byte times t.
#[inline(always)]
fn times_t<B: Backend>(be: B, v: B::V) -> B::V {
    let high = be.and(be.shr::<7>(v), be.splat(K(0x0101_0101_0101_0101)));
    let low = be.and(be.shl::<1>(v), be.splat(K(0xfefe_fefe_fefe_fefe)));
    // t^8 = t^4 + t^3 + t + 1.
    let fold = be.xor(
        be.xor(high, be.shl::<1>(high)),
        be.xor(be.shl::<3>(high), be.shl::<4>(high)),
    );
    be.xor(low, fold)
}

/// Byte i gets bit i of each of eight rows.
#[inline(always)]
fn transpose_of_eight(rows: &[K; 8], out: &mut Points) {
    // Byte j of word i becomes byte i of word j.
    let mut w = [0; 8];
    for (w, row) in w.iter_mut().zip(rows) {
        *w = row.0;
    }
    for (distance, low) in [
        (4, 0x0000_0000_ffff_ffff_u64),
        (2, 0x0000_ffff_0000_ffff),
        (1, 0x00ff_00ff_00ff_00ff),
    ] {
        for i in (0..8).filter(|i| i & distance == 0) {
            let moved = (w[i] >> (8 * distance) ^ w[i + distance]) & low;
            w[i + distance] ^= moved;
            w[i] ^= moved << (8 * distance);
        }
    }
    // Bit j of byte i becomes bit i of byte j, in each word (Warren, Hacker's Delight, section 7-3).
    for (word, out) in w.iter_mut().zip(out) {
        for (distance, mask) in [
            (7, 0x00aa_00aa_00aa_00aa_u64),
            (14, 0x0000_cccc_0000_cccc),
            (28, 0x0000_0000_f0f0_f0f0),
        ] {
            let moved = (*word ^ *word >> distance) & mask;
            *word ^= moved ^ moved << distance;
        }
        *out = K(*word);
    }
}

/// Adds `weight (low + y high)` for every point: low is `sum_k x^k phi(bytes[k])`, high the same of the other eight.
#[inline(always)]
fn accumulate<B: Backend>(
    be: B,
    shifted: &[[K; 256]; 8],
    bytes: &[Points; ROWS / 8],
    weight: E,
    sums: &mut [WideE<B>; SKIP],
) {
    let mut limbs = [[K::ZERO; SKIP]; 2];
    for (limbs, bytes) in limbs.iter_mut().zip(bytes.as_chunks::<8>().0) {
        for (table, bytes) in shifted.iter().zip(bytes) {
            for (limbs, word) in limbs.as_chunks_mut::<8>().0.iter_mut().zip(bytes) {
                for (limb, byte) in limbs.iter_mut().zip(word.0.to_le_bytes()) {
                    *limb += table[usize::from(byte)];
                }
            }
        }
    }
    let [low, high] = &limbs;
    let [w0, w1, w2] = splat_e(be, weight);
    let [y0, y1, y2] = splat_e(be, weight.mul_y());
    let pairs = low.chunks_exact(B::LANES).zip(high.chunks_exact(B::LANES));
    for (sum, (low, high)) in sums.iter_mut().zip(pairs) {
        let (low, high) = (be.load(low), be.load(high));
        let by_low = [be.mul_wide(w0, low), be.mul_wide(w1, low), be.mul_wide(w2, low)];
        let by_high = [
            be.mul_wide(y0, high),
            be.mul_wide(y1, high),
            be.mul_wide(y2, high),
        ];
        *sum = wide_xor_e(be, *sum, wide_xor_e(be, by_low, by_high));
    }
}

#[inline(always)]
fn reduce<B: Backend>(be: B, sums: &[WideE<B>; SKIP]) -> [E; SKIP] {
    let mut out = [E::ZERO; SKIP];
    for (out, sum) in out.chunks_exact_mut(B::LANES).zip(sums) {
        be.store_e(primitives::vectors::reduce_e(be, *sum), out);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::words;

    #[test]
    fn eight_rows_are_transposed_to_bytes() {
        let rows: [K; 8] = *words(8, 10).as_array().unwrap();
        let mut out = [K::ZERO; 8];
        transpose_of_eight(&rows, &mut out);
        for i in 0..64 {
            let byte = (0..8).fold(0, |byte, row| byte | (rows[row].0 >> i & 1) << row);
            assert_eq!(out[i / 8].0 >> (8 * (i % 8)) & 0xff, byte);
        }
    }

    #[test]
    fn every_byte_is_multiplied_by_t() {
        for token in primitives::backend::available() {
            dispatch!(token, |be| {
                for byte in 0..=255u8 {
                    let word = K(u64::from_le_bytes([byte; 8]));
                    let mut out = [K::ZERO; primitives::backend::MAX_LANES];
                    be.store(times_t(be, be.splat(word)), &mut out);
                    let expected = (B8(byte) * B8::T).0;
                    assert_eq!(out[0].0.to_le_bytes(), [expected; 8]);
                }
            });
        }
    }
}
