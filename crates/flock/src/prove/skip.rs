//! The skip message, by bytes.
//!
//! In plain words: for each row v (a word of a and b) extend a and b from S to Lambda, multiply them there, and add the
//! products with weight `eq(r, v)`. The part of c comes from [`Marginals`], and is extended as one.
//!
//! 1. The extension is F2-linear in the 64 bits, and its values are bytes: eight look-ups of 64 bytes.
//! 2. A product is one of the byte field, 64 at a time.
//! 3. The fixed coordinates give row v the weight `phi(t^(v % 8)) x^(v / 8 % 8) y^(v / 64)` (`skip`'s tests). Eight
//!    rows are summed inside the byte field, by Horner's rule in t.
//! 4. For each point, eight such bytes, shifted by 0 to 7, are one element of K: transposed to one word, they take
//!    eight look-ups in tables of `x^k phi(byte)`. Two of those, of 64 rows each, are the coefficients of 1 and y.
//!    Where the back end maps bytes, steps 1 and 4 are maps of planes, without look-ups.
//! 5. The weight of 128 rows, over the other coordinates, is the one product with an element of E.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::dispatch;
use primitives::field::{B8, E, K};
use primitives::pool;
use primitives::vectors::{WideE, splat_e, wide_xor_e};

use super::linear::Marginals;
use super::rounds::Member;
use super::skip_maps::{self, Maps};
use crate::skip::{FIXED, SKIP, fixed_coordinates, lagrange_in_bytes};

/// log2 of the rows that the fixed coordinates span.
const LOG_ROWS: usize = FIXED;
pub(super) const ROWS: usize = 1 << LOG_ROWS;

/// Groups of [`ROWS`] rows in a task.
const TASK: usize = 64;

/// A byte for each point of S or Lambda, in one line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Points(pub(super) [K; SKIP / 8]);

/// P on Lambda.
pub(super) fn message(members: &[Member<'_>], marginals: &Marginals, r: &[E]) -> Vec<E> {
    let common: E = fixed_coordinates().iter().map(|&r| E::ONE + r).product();
    let tables = Tables::new();
    let mut products = [E::ZERO; SKIP];
    for member in members {
        let weights =
            member
                .units
                .chunk_weights(LOG_ROWS, &r[LOG_ROWS..member.log_words], common * member.scale);
        let words = member.words().each_ref().map(|words| &words[..]);
        let partial = pool::map(weights.len().div_ceil(TASK), |task| {
            let groups = task * TASK..weights.len().min((task + 1) * TASK);
            dispatch!(|be| sum_groups(be, &tables, words, groups, &weights))
        });
        for partial in &partial {
            let pairs = products.iter_mut().zip(partial);
            pairs.for_each(|(sum, &partial)| *sum += partial);
        }
    }
    let c = marginals.skip(r);
    let extension = |y: usize| -> E {
        let weights = (0..SKIP).map(|i| lagrange_in_bytes(i as u8, (SKIP + y) as u8).embed());
        c.iter().zip(weights).map(|(&c, weight)| c * weight).sum()
    };
    (0..SKIP).map(|y| products[y] + extension(y)).collect()
}

struct Tables {
    /// Where the back end maps bytes.
    maps: Option<Box<Maps>>,
    /// For every byte at every place of a word, the extension of its bits to Lambda.
    extensions: Vec<[Points; 256]>,
    /// `x^k phi(byte)`.
    shifted: Box<[[K; 256]; 8]>,
}

impl Tables {
    fn new() -> Self {
        let mut extensions = vec![[Points([K::ZERO; 8]); 256]; 8];
        for (place, table) in extensions.iter_mut().enumerate() {
            for bit in 0..8 {
                let image = extension_of_bit((8 * place + bit) as u8);
                let (low, high) = table[..2 << bit].split_at_mut(1 << bit);
                for (low, high) in low.iter().zip(high) {
                    for (high, (&low, image)) in high.0.iter_mut().zip(low.0.iter().zip(image.0)) {
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
        Self {
            maps: dispatch!(|be| Maps::detect(be, &extensions, &shifted)),
            extensions,
            shifted,
        }
    }
}

/// `L_i` on Lambda, a byte for each point.
fn extension_of_bit(i: u8) -> Points {
    Points(core::array::from_fn(|word| {
        let bytes = core::array::from_fn(|byte| lagrange_in_bytes(i, (SKIP + 8 * word + byte) as u8).0);
        K(u64::from_le_bytes(bytes))
    }))
}

/// Of every point of Lambda the sum of the products, over groups of rows.
#[inline(always)]
fn sum_groups<B: Backend>(
    be: B,
    tables: &Tables,
    words: [&[K]; 2],
    groups: core::ops::Range<usize>,
    weights: &[E],
) -> [E; SKIP] {
    match &tables.maps {
        Some(maps) if B::MAPS_BYTES => skip_maps::sum_groups(be, maps, words, groups, weights),
        _ => sum_groups_by_tables(be, tables, words, groups, weights),
    }
}

#[inline(always)]
fn sum_groups_by_tables<B: Backend>(
    be: B,
    tables: &Tables,
    words: [&[K]; 2],
    groups: core::ops::Range<usize>,
    weights: &[E],
) -> [E; SKIP] {
    let mut products = [[be.wide_zero(); 3]; SKIP];
    let extensions: &[[Points; 256]; 8] = tables.extensions[..].as_array().expect("eight places");
    let mut bytes = [Points([K::ZERO; 8]); ROWS / 8];
    for group in groups {
        let [a, b] = words.map(|words| {
            let rows = words[group * ROWS..].first_chunk::<ROWS>().expect("whole groups");
            rows.as_chunks::<8>().0
        });
        for (bytes, (a, b)) in bytes.iter_mut().zip(a.iter().zip(b)) {
            products_of_eight(be, extensions, a, b, bytes);
        }
        accumulate(be, &tables.shifted, &mut bytes, weights[group], &mut products);
    }
    reduce(be, &products)
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
        be.store(sum, &mut out.0[lanes..]);
    }
}

/// The extension of a word, from word `lanes` on.
#[inline(always)]
fn extension<B: Backend>(be: B, extensions: &[[Points; 256]; 8], word: u64, lanes: usize) -> B::V {
    let mut sum = be.splat(K::ZERO);
    for (table, byte) in extensions.iter().zip(word.to_le_bytes()) {
        sum = be.xor(sum, be.load(&table[usize::from(byte)].0[lanes..]));
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

/// Exchanges byte j of word l of row i with byte i of word l of row j.
#[inline(always)]
fn transpose_bytes<B: Backend>(be: B, rows: &mut [Points; 8]) {
    for lanes in (0..8).step_by(B::LANES) {
        let mut vectors = [be.splat(K::ZERO); 8];
        for (vector, row) in vectors.iter_mut().zip(rows.iter()) {
            *vector = be.load(&row.0[lanes..]);
        }
        be.transpose_bytes(&mut vectors);
        for (vector, row) in vectors.into_iter().zip(rows.iter_mut()) {
            be.store(vector, &mut row.0[lanes..]);
        }
    }
}

/// Adds `weight (low + y high)` for every point: low is `sum_k x^k phi(bytes[k])`, high the same of the other eight.
/// The bytes are transposed.
#[inline(always)]
fn accumulate<B: Backend>(
    be: B,
    shifted: &[[K; 256]; 8],
    bytes: &mut [Points; ROWS / 8],
    weight: E,
    sums: &mut [WideE<B>; SKIP],
) {
    let mut limbs = [[K::ZERO; SKIP]; 2];
    for (limbs, rows) in limbs.iter_mut().zip(bytes.as_chunks_mut::<8>().0) {
        transpose_bytes(be, rows);
        for (point, words) in rows.iter().enumerate() {
            for (of_word, word) in words.0.iter().enumerate() {
                let mut limb = K::ZERO;
                for (table, byte) in shifted.iter().zip(word.0.to_le_bytes()) {
                    limb += table[usize::from(byte)];
                }
                limbs[8 * of_word + point] = limb;
            }
        }
    }
    add_weighted(be, &limbs, weight, sums);
}

/// Adds `weight (low + y high)` for every point.
#[inline(always)]
pub(super) fn add_weighted<B: Backend>(
    be: B,
    [low, high]: &[[K; SKIP]; 2],
    weight: E,
    sums: &mut [WideE<B>; SKIP],
) {
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
pub(super) fn reduce<B: Backend>(be: B, sums: &[WideE<B>; SKIP]) -> [E; SKIP] {
    let mut out = [E::ZERO; SKIP];
    for (out, sum) in out.chunks_exact_mut(B::LANES).zip(sums) {
        be.store_e(primitives::vectors::reduce_e(be, *sum), out);
    }
    out
}

#[cfg(test)]
mod tests {
    use primitives::backend::{MAX_LANES, available};

    use super::*;
    use crate::tests::words;

    #[test]
    fn bytes_of_eight_rows_are_transposed() {
        let words = words(64, 10);
        let rows: [Points; 8] = core::array::from_fn(|i| Points(*words[8 * i..].first_chunk().unwrap()));
        for token in available() {
            let mut transposed = rows;
            dispatch!(token, |be| transpose_bytes(be, &mut transposed));
            for (i, j, l) in (0..512).map(|n| (n % 8, n / 8 % 8, n / 64)) {
                assert_eq!(
                    transposed[i].0[l].0.to_le_bytes()[j],
                    rows[j].0[l].0.to_le_bytes()[i]
                );
            }
        }
    }

    #[test]
    fn groups_are_summed_by_tables_and_by_maps() {
        let (tables, weights) = (Tables::new(), crate::tests::scalars(3, 11));
        let [a, b] = [12, 13].map(|seed| words(3 * ROWS, seed));
        // By the definition: the weight of a row is `phi(t^(v mod 8)) x^(v div 8 mod 8) y^(v div 64)`.
        let extended = |word: K, y: usize| -> B8 {
            let bits = (0..SKIP).filter(|i| word.0 >> i & 1 == 1);
            bits.map(|i| lagrange_in_bytes(i as u8, (SKIP + y) as u8))
                .fold(B8(0), |sum, value| sum + value)
        };
        let expected = |y: usize| -> E {
            let rows = a.iter().zip(&b).enumerate();
            let terms = rows.filter(|(v, _)| v / ROWS != 1).map(|(v, (&a, &b))| {
                let byte = extended(a, y) * extended(b, y) * B8(1 << (v % 8));
                let row = weights[v / ROWS] * (byte.embed() * K(1 << (v / 8 % 8)));
                if v / 64 % 2 == 1 { row.mul_y() } else { row }
            });
            terms.sum()
        };
        for token in available() {
            let sums = dispatch!(token, |be| {
                let maps = Maps::new(be, &tables.extensions, &tables.shifted);
                let words = [&a[..], &b];
                [
                    [0..1, 2..3].map(|groups| sum_groups_by_tables(be, &tables, words, groups, &weights)),
                    [0..1, 2..3].map(|groups| skip_maps::sum_groups(be, &maps, words, groups, &weights)),
                ]
            });
            for [first, last] in sums {
                for y in [0, 1, 6, 23, 40, 63] {
                    assert_eq!(first[y] + last[y], expected(y), "{token:?}, point {y}");
                }
            }
        }
    }

    #[test]
    fn every_byte_is_multiplied_by_t() {
        for token in available() {
            dispatch!(token, |be| {
                for byte in 0..=255u8 {
                    let word = K(u64::from_le_bytes([byte; 8]));
                    let mut out = [K::ZERO; MAX_LANES];
                    be.store(times_t(be, be.splat(word)), &mut out);
                    let expected = (B8(byte) * B8::T).0;
                    assert_eq!(out[0].0.to_le_bytes(), [expected; 8]);
                }
            });
        }
    }
}
