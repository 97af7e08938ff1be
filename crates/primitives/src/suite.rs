//! The kernels of a back end against their definitions, as a function: it runs under any test runner, in an emulator or
//! on the bare machine.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::backend::{Backend, MAX_HASH_LANES, MAX_LANES, Token};
use crate::blake2s::lanes::{Prefix, hash_many};
use crate::blake2s::{Blake2s, Digest};
use crate::field::{B8, E, K};
use crate::multilinear::{eq_at_index, fill_eq_table};
use crate::vectors::{Element, combine, products_e, reduce_e, splat_e, transpose_square};
use crate::{bits, dispatch, slices};

/// Random inputs to each kernel in an ordinary test run; the number of cases of every property test.
pub const CASES: usize = 64;

/// A kernel that differs from its definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The operation.
    pub kernel: &'static str,
    /// The length of its inputs, or the number of the case.
    pub case: usize,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} differs from its definition at case {}",
            self.kernel, self.case
        )
    }
}

impl core::error::Error for Mismatch {}

/// Checks every kernel of this back end.
///
/// # Errors
/// The first kernel that differs.
pub fn run(token: Token, cases: usize) -> Result<(), Mismatch> {
    dispatch!(token, |be| vectors(be, cases))?;
    dispatch!(token, |be| products(be, cases))?;
    dispatch!(token, |be| byte_products(be))?;
    dispatch!(token, |be| byte_maps(be, cases))?;
    dispatch!(token, |be| slices_in_k(be, cases))?;
    dispatch!(token, |be| slices_in_e(be, cases))?;
    dispatch!(token, |be| eq_tables(be, cases))?;
    dispatch!(token, |be| hashing(be))?;
    dispatch!(token, |be| transposes(be, cases))
}

/// The definitions, from the defining polynomials.
mod definition {
    use super::{E, K};

    pub(super) fn mul_k(a: K, b: K) -> K {
        a.mul_const(b)
    }

    pub(super) fn mul_e(a: E, b: E) -> E {
        let mut product = [K::ZERO; 5];
        for (i, a) in a.0.iter().enumerate() {
            for (j, b) in b.0.iter().enumerate() {
                product[i + j] += mul_k(*a, *b);
            }
        }
        for degree in [4, 3] {
            let top = product[degree];
            product[degree - 3] += top;
            product[degree - 2] += top;
        }
        E([product[0], product[1], product[2]])
    }
}

/// Words that break arithmetic, then a sequence without a pattern (Marsaglia's xorshift).
struct Inputs(u64);

impl Inputs {
    const EDGES: [u64; 8] = [
        0,
        u64::MAX,
        1,
        1 << 63,
        0x1b,
        u64::MAX << 32,
        u64::MAX >> 1,
        0xf << 60,
    ];

    fn new(seed: u64) -> Self {
        Self(0x9e37_79b9_7f4a_7c15 ^ seed)
    }

    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        if self.0.is_multiple_of(5) {
            Self::EDGES[(self.0 >> 32) as usize % 8]
        } else {
            self.0
        }
    }

    fn k(&mut self) -> K {
        K(self.word())
    }

    fn e(&mut self) -> E {
        E([self.k(), self.k(), self.k()])
    }

    fn ks(&mut self, length: usize) -> Vec<K> {
        (0..length).map(|_| self.k()).collect()
    }

    fn es(&mut self, length: usize) -> Vec<E> {
        (0..length).map(|_| self.e()).collect()
    }
}

/// Lengths around every vector and group width, and one that is long.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=18).chain([23, 31, 32, 33, 63, 64, 65, 127, 251])
}

fn equal<T: PartialEq>(kernel: &'static str, case: usize, computed: &T, defined: &T) -> Result<(), Mismatch> {
    if computed == defined {
        Ok(())
    } else {
        Err(Mismatch { kernel, case })
    }
}

#[inline(always)]
fn vectors<B: Backend>(be: B, cases: usize) -> Result<(), Mismatch> {
    let mut inputs = Inputs::new(1);
    let n = B::LANES;
    for case in 0..cases {
        let (a, b) = (inputs.ks(n), inputs.ks(n));
        let (va, vb) = (be.load(&a), be.load(&b));
        let words = |v: B::V| {
            let mut out = vec![K::ZERO; n];
            be.store(v, &mut out);
            out
        };
        let each = |f: &dyn Fn(u64, u64) -> u64| -> Vec<K> {
            a.iter().zip(&b).map(|(a, b)| K(f(a.0, b.0))).collect()
        };
        equal("store of load", case, &words(va), &a)?;
        let mut streamed = vec![K::ZERO; n];
        be.store_streaming(va, &mut streamed);
        be.fence();
        equal("store_streaming", case, &streamed, &a)?;
        equal("splat", case, &words(be.splat(a[0])), &vec![a[0]; n])?;
        equal("xor", case, &words(be.xor(va, vb)), &each(&|a, b| a ^ b))?;
        equal("and", case, &words(be.and(va, vb)), &each(&|a, b| a & b))?;
        equal("shl", case, &words(be.shl::<13>(va)), &each(&|a, _| a << 13))?;
        equal("shr", case, &words(be.shr::<13>(va)), &each(&|a, _| a >> 13))?;
        equal("sum", case, &be.sum(va), &a.iter().copied().sum())?;

        let sequence = [&a[..], &b[..]].concat();
        let (even, odd) = be.unzip(va, vb);
        let every_other = |first: usize| {
            sequence
                .iter()
                .skip(first)
                .step_by(2)
                .copied()
                .collect::<Vec<_>>()
        };
        equal(
            "unzip",
            case,
            &(words(even), words(odd)),
            &(every_other(0), every_other(1)),
        )?;
        let (low, high) = be.zip(even, odd);
        equal("zip", case, &(words(low), words(high)), &(a.clone(), b.clone()))?;

        let elements = inputs.es(n);
        let coefficients = be.load_e(&elements);
        for (i, coefficient) in coefficients.into_iter().enumerate() {
            let defined = elements.iter().map(|e| e.0[i]).collect::<Vec<_>>();
            equal("load_e", case, &words(coefficient), &defined)?;
        }
        let mut stored = vec![E::ZERO; n];
        be.store_e(coefficients, &mut stored);
        equal("store_e", case, &stored, &elements)?;

        for length in 0..=n {
            let mut padded = a.clone();
            padded[length..].fill(K::ZERO);
            let partial = be.load_partial(&a[..length]);
            equal("load_partial", length, &words(partial), &padded)?;
            let mut out = b.clone();
            be.store_partial(va, &mut out[..length]);
            equal(
                "store_partial",
                length,
                &out,
                &[&a[..length], &b[length..]].concat(),
            )?;

            let mut padded = elements.clone();
            padded[length..].fill(E::ZERO);
            let mut out = vec![E::ONE; n];
            be.store_e(be.load_e_partial(&elements[..length]), &mut out);
            equal("load_e_partial", length, &out, &padded)?;
            let mut out = vec![E::ONE; n];
            be.store_e_partial(coefficients, &mut out[..length]);
            let defined = [&elements[..length], &vec![E::ONE; n - length][..]].concat();
            equal("store_e_partial", length, &out, &defined)?;
        }
    }
    Ok(())
}

#[inline(always)]
fn products<B: Backend>(be: B, cases: usize) -> Result<(), Mismatch> {
    let mut inputs = Inputs::new(2);
    let n = B::LANES;
    let words = |v: B::V| {
        let mut out = vec![K::ZERO; n];
        be.store(v, &mut out);
        out
    };
    // All pairs of edges, then the rest.
    let edges = Inputs::EDGES
        .iter()
        .flat_map(|a| Inputs::EDGES.iter().map(|b| (K(*a), K(*b))));
    for (case, (a, b)) in edges.enumerate() {
        let product = words(be.mul(be.splat(a), be.splat(b)));
        equal("mul of edges", case, &product, &vec![definition::mul_k(a, b); n])?;
    }
    for case in 0..16 * cases {
        let [a, b, c, d] = [0; 4].map(|_| inputs.ks(n));
        let [va, vb, vc, vd] = [&a, &b, &c, &d].map(|words| be.load(words));
        let sum = be.wide_xor(
            be.mul_wide(va, vb),
            be.wide_xor(be.mul_wide(vc, vd), be.wide_zero()),
        );
        let defined = (0..n)
            .map(|i| definition::mul_k(a[i], b[i]) + definition::mul_k(c[i], d[i]))
            .collect::<Vec<_>>();
        equal(
            "reduce of a sum of products",
            case,
            &words(be.reduce(sum)),
            &defined,
        )?;
        let total = be.wide_sum(sum).reduce();
        equal("wide_sum", case, &total, &defined.iter().copied().sum())?;

        let (x, y) = (inputs.es(n), inputs.es(n));
        let product = reduce_e(be, combine(be, products_e(be, be.load_e(&x), be.load_e(&y))));
        let mut out = vec![E::ZERO; n];
        be.store_e(product, &mut out);
        let defined = x
            .iter()
            .zip(&y)
            .map(|(x, y)| definition::mul_e(*x, *y))
            .collect::<Vec<_>>();
        equal("product in E", case, &out, &defined)?;
        let by_k = reduce_e(be, K::mul_wide_by_e(be, splat_e(be, x[0]), vb));
        be.store_e(by_k, &mut out);
        let defined = b
            .iter()
            .map(|b| definition::mul_e(x[0], E::from(*b)))
            .collect::<Vec<_>>();
        equal("product of E and K", case, &out, &defined)?;
    }
    Ok(())
}

/// All 65,536 pairs.
#[inline(always)]
fn byte_products<B: Backend>(be: B) -> Result<(), Mismatch> {
    for a in 0..=u8::MAX {
        let word = |bytes: [u8; 8]| K(u64::from_le_bytes(bytes));
        let left = vec![word([a; 8]); 32];
        let right = (0..32u8)
            .map(|i| word(core::array::from_fn(|j| 8 * i + j as u8)))
            .collect::<Vec<_>>();
        let defined = (0..32u8)
            .map(|i| word(core::array::from_fn(|j| B8(a).mul_const(B8(8 * i + j as u8)).0)))
            .collect::<Vec<_>>();
        let mut out = vec![K::ZERO; 32];
        slices::mul_bytes(be, &left, &right, &mut out);
        equal("mul_bytes", usize::from(a), &out, &defined)?;
        slices::mul_bytes(be, &right, &left, &mut out);
        equal(
            "mul_bytes, the operands exchanged",
            usize::from(a),
            &out,
            &defined,
        )?;
    }
    Ok(())
}

/// Every byte, by random matrices, where the back end says that it maps bytes.
#[inline(always)]
fn byte_maps<B: Backend>(be: B, cases: usize) -> Result<(), Mismatch> {
    if B::MAPS_BYTES && !be.maps_bytes() {
        return Ok(());
    }
    let mut inputs = Inputs::new(7);
    for case in 0..cases {
        let matrices = inputs.ks(MAX_LANES);
        for first in (0..=u8::MAX).step_by(8) {
            let bytes: [u8; 8] = core::array::from_fn(|i| first + i as u8);
            let map = |matrix: &K| {
                let rows = matrix.0.to_be_bytes();
                K(u64::from_le_bytes(bytes.map(|byte| {
                    let parities = rows.map(|row| ((row & byte).count_ones() % 2) as u8);
                    (0..8).fold(0, |mapped, i| mapped | parities[i] << i)
                })))
            };
            let defined = matrices.iter().map(map).take(B::LANES).collect::<Vec<_>>();
            let mut out = vec![K::ZERO; B::LANES];
            let bytes = be.splat(K(u64::from_le_bytes(bytes)));
            be.store(be.map_bytes(be.load(&matrices), bytes), &mut out);
            equal("map_bytes", case, &out, &defined)?;
        }
    }
    Ok(())
}

#[inline(always)]
fn slices_in_k<B: Backend>(be: B, cases: usize) -> Result<(), Mismatch> {
    let mut inputs = Inputs::new(3);
    for _ in 0..cases.div_ceil(16) {
        for n in lengths() {
            // One word off, so that no start is aligned.
            let (a, b) = (inputs.ks(n + 1), inputs.ks(n + 1));
            let (a, b) = (&a[1..], &b[1..]);
            let products = || a.iter().zip(b).map(|(a, b)| definition::mul_k(*a, *b));
            let mut out = vec![K::ONE; n];
            slices::mul_k(be, a, b, &mut out);
            equal("slices::mul_k", n, &out, &products().collect())?;
            equal(
                "slices::dot_k",
                n,
                &slices::dot_k(be, a, b).reduce(),
                &products().sum(),
            )?;

            let s = inputs.k();
            let mut out = b.to_vec();
            slices::add_scaled_k(be, &mut out, s, a);
            let defined = a
                .iter()
                .zip(b)
                .map(|(a, b)| *b + definition::mul_k(s, *a))
                .collect();
            equal("slices::add_scaled_k", n, &out, &defined)?;
            let mut out = b.to_vec();
            slices::add(be, &mut out, a);
            equal(
                "slices::add in K",
                n,
                &out,
                &a.iter().zip(b).map(|(a, b)| *a + *b).collect(),
            )?;
        }
    }
    Ok(())
}

#[inline(always)]
fn slices_in_e<B: Backend>(be: B, cases: usize) -> Result<(), Mismatch> {
    let mut inputs = Inputs::new(4);
    for _ in 0..cases.div_ceil(16) {
        for n in lengths() {
            let (a, b, k) = (inputs.es(n), inputs.es(n), inputs.ks(n + 1));
            let (k, s) = (&k[1..], inputs.e());
            let in_e = k.iter().map(|k| E::from(*k)).collect::<Vec<_>>();
            let products = || a.iter().zip(&b).map(|(a, b)| definition::mul_e(*a, *b));
            let mut out = vec![E::ONE; n];
            slices::mul_e(be, &a, &b, &mut out);
            equal("slices::mul_e", n, &out, &products().collect())?;
            equal(
                "slices::dot_e",
                n,
                &slices::dot_e(be, &a, &b).reduce(),
                &products().sum(),
            )?;
            let defined = a.iter().zip(&in_e).map(|(a, k)| definition::mul_e(*a, *k)).sum();
            equal("slices::dot_ek", n, &slices::dot_ek(be, &a, k).reduce(), &defined)?;

            let scaled = |x: &[E]| x.iter().map(|x| definition::mul_e(s, *x)).collect::<Vec<_>>();
            slices::scale(be, s, &a, &mut out);
            equal("slices::scale in E", n, &out, &scaled(&a))?;
            slices::scale(be, s, k, &mut out);
            equal("slices::scale in K", n, &out, &scaled(&in_e))?;
            let sum = |x: &[E], y: &[E]| x.iter().zip(y).map(|(x, y)| *x + *y).collect::<Vec<_>>();
            let mut out = b.clone();
            slices::add(be, &mut out, &a);
            equal("slices::add in E", n, &out, &sum(&a, &b))?;
            let mut out = b.clone();
            slices::add_scaled(be, &mut out, s, &a);
            equal("slices::add_scaled in E", n, &out, &sum(&b, &scaled(&a)))?;
            let mut out = b.clone();
            slices::add_scaled(be, &mut out, s, k);
            equal("slices::add_scaled in K", n, &out, &sum(&b, &scaled(&in_e)))?;

            let line = |x0: E, x1: E| x0 + definition::mul_e(s, x0 + x1);
            let defined = a.iter().zip(&b).map(|(a, b)| line(*a, *b)).collect::<Vec<_>>();
            let mut out = vec![E::ONE; n];
            slices::fold_highest(be, &a, &b, s, &mut out);
            equal("slices::fold_highest in E", n, &out, &defined)?;
            let mut out = a.clone();
            slices::fold_highest_in_place(be, &mut out, &b, s);
            equal("slices::fold_highest_in_place", n, &out, &defined)?;
            let pairs = a.iter().zip(&b).flat_map(|(a, b)| [*a, *b]).collect::<Vec<_>>();
            let mut out = vec![E::ONE; n];
            slices::fold_lowest(be, &pairs, s, &mut out);
            equal("slices::fold_lowest in E", n, &out, &defined)?;

            let k1 = inputs.ks(n);
            let defined = k
                .iter()
                .zip(&k1)
                .map(|(a, b)| line((*a).into(), (*b).into()))
                .collect::<Vec<_>>();
            let mut out = vec![E::ONE; n];
            slices::fold_highest(be, k, &k1, s, &mut out);
            equal("slices::fold_highest in K", n, &out, &defined)?;
            let pairs = k.iter().zip(&k1).flat_map(|(a, b)| [*a, *b]).collect::<Vec<_>>();
            slices::fold_lowest(be, &pairs, s, &mut out);
            equal("slices::fold_lowest in K", n, &out, &defined)?;
        }
    }
    Ok(())
}

#[inline(always)]
fn eq_tables<B: Backend>(be: B, cases: usize) -> Result<(), Mismatch> {
    let mut inputs = Inputs::new(5);
    for variables in 0..=7 {
        for _ in 0..cases.div_ceil(16) {
            let (point, scale) = (inputs.es(variables), inputs.e());
            let mut out = vec![E::ZERO; 1 << variables];
            fill_eq_table(be, &point, scale, &mut out);
            let defined = (0..out.len()).map(|v| scale * eq_at_index(&point, v)).collect();
            equal("fill_eq_table", variables, &out, &defined)?;
        }
    }
    Ok(())
}

#[inline(always)]
fn hashing<B: Backend>(be: B) -> Result<(), Mismatch> {
    // A prime period, so that exchanged blocks show.
    let byte = |i: usize| (i % 251) as u8;
    for (length, count) in (0..=300).map(|length| (length, 1 + length % (2 * MAX_HASH_LANES + 1))) {
        let messages = (0..length * count).map(byte).collect::<Vec<_>>();
        for prefix_blocks in 0..=usize::from(length > 0) * 2 {
            let prefix_bytes = (0..64 * prefix_blocks).map(|i| byte(i + 7)).collect::<Vec<_>>();
            let prefix = Prefix::of_blocks(prefix_bytes.as_chunks::<64>().0);
            let mut out: Vec<Digest> = vec![[0; 32]; count];
            hash_many(be, &prefix, &messages, length, &mut out);
            let defined = (0..count)
                .map(|i| {
                    let mut hasher = Blake2s::new();
                    hasher.update(&prefix_bytes);
                    hasher.update(&messages[i * length..][..length]);
                    hasher.finalize()
                })
                .collect::<Vec<_>>();
            equal("hash_many", length, &out, &defined)?;
        }
    }
    Ok(())
}

#[inline(always)]
fn transposes<B: Backend>(be: B, cases: usize) -> Result<(), Mismatch> {
    let mut inputs = Inputs::new(6);
    for case in 0..cases {
        let matrix: [u64; 64] = core::array::from_fn(|_| inputs.word());
        let mut transposed = matrix;
        be.transpose_64x64(&mut transposed);
        let defined = core::array::from_fn(|j| (0..64).fold(0, |word, i| word | (matrix[i] >> j & 1) << i));
        equal("transpose_64x64", case, &transposed, &defined)?;

        let words = inputs.ks(MAX_LANES * MAX_LANES);
        let (mut square, mut transposed) = ([be.splat(K::ZERO); MAX_LANES], words.clone());
        for (vector, words) in square.iter_mut().zip(words.chunks_exact(MAX_LANES)) {
            *vector = be.load(words);
        }
        transpose_square(be, &mut square);
        for (&vector, words) in square
            .iter()
            .zip(transposed.chunks_exact_mut(MAX_LANES))
            .take(B::LANES)
        {
            be.store(vector, words);
        }
        let defined = (0..words.len()).map(|at| {
            let (i, j) = (at / MAX_LANES, at % MAX_LANES);
            let is_inside = i < B::LANES && j < B::LANES;
            words[if is_inside { j * MAX_LANES + i } else { at }]
        });
        equal("transpose_square", case, &transposed, &defined.collect())?;

        let words = inputs.ks(8 * B::LANES);
        let (mut vectors, mut transposed) = ([be.splat(K::ZERO); 8], words.clone());
        for (vector, words) in vectors.iter_mut().zip(words.chunks_exact(B::LANES)) {
            *vector = be.load(words);
        }
        be.transpose_bytes(&mut vectors);
        for (&vector, words) in vectors.iter().zip(transposed.chunks_exact_mut(B::LANES)) {
            be.store(vector, words);
        }
        let defined = (0..words.len()).map(|at| {
            let (i, lane) = (at / B::LANES, at % B::LANES);
            K(u64::from_le_bytes(core::array::from_fn(|j| {
                words[j * B::LANES + lane].0.to_le_bytes()[i]
            })))
        });
        equal("transpose_bytes", case, &transposed, &defined.collect())?;

        let block: [[u64; 8]; 8] = core::array::from_fn(|_| core::array::from_fn(|_| inputs.word()));
        let mut transposed = block;
        bits::transpose_8x8(&mut transposed);
        let defined = core::array::from_fn(|j| core::array::from_fn(|i| block[i][j]));
        equal("transpose_8x8", case, &transposed, &defined)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{CASES, run};
    use crate::backend::available;

    #[test]
    fn every_back_end_equals_the_definitions() {
        for token in available() {
            if let Err(mismatch) = run(token, CASES) {
                panic!("{}: {mismatch}", token.kind());
            }
        }
    }
}
