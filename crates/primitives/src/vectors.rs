//! Vectors of elements of K and E on any back end, and loops over slices in whole vectors.
//!
//! The loops take a function of vectors and call it on whole vectors, then once on what is left, padded with
//! zeros. So a function must give zeros (or, where it accumulates, add zero) on zeros.

use crate::backend::{Backend, MAX_LANES};
use crate::field::{E, EWide, K};

/// A vector in E: one vector in K for each coefficient of 1, y, y^2.
pub type VectorE<B> = [<B as Backend>::V; 3];

/// A vector in E whose coefficients are not reduced in K.
pub type WideE<B> = [<B as Backend>::Wide; 3];

/// Sums of the six products of Karatsuba's form of a product in E: 00, 11, 22, 01, 02, 12.
pub type ProductsE<B> = [<B as Backend>::Wide; 6];

/// A field whose elements go into vectors: K or E.
pub trait Element: Copy {
    /// A vector of `LANES` elements.
    type Vector<B: Backend>: Copy;

    /// The first `LANES` elements. Panics if there are fewer.
    fn load<B: Backend>(be: B, elements: &[Self]) -> Self::Vector<B>;
    /// At most `LANES` elements, the missing ones zero. Panics if there are more.
    fn load_partial<B: Backend>(be: B, elements: &[Self]) -> Self::Vector<B>;
    /// Writes the first `LANES` elements. Panics if there are fewer.
    fn store<B: Backend>(be: B, vector: Self::Vector<B>, out: &mut [Self]);
    /// Writes as many lanes as `out` has elements. Panics if these are more than `LANES`.
    fn store_partial<B: Backend>(be: B, vector: Self::Vector<B>, out: &mut [Self]);
    /// The even elements, then the odd ones, of two vectors in sequence.
    fn unzip<B: Backend>(be: B, a: Self::Vector<B>, b: Self::Vector<B>)
    -> (Self::Vector<B>, Self::Vector<B>);
    /// The sum.
    fn xor<B: Backend>(be: B, a: Self::Vector<B>, b: Self::Vector<B>) -> Self::Vector<B>;
    /// `r` times every lane, not reduced. `r` is [`splat_e`] of a scalar, or any vector in E.
    fn mul_wide_by_e<B: Backend>(be: B, r: VectorE<B>, v: Self::Vector<B>) -> WideE<B>;
    /// The vector as one in E.
    fn to_e<B: Backend>(be: B, v: Self::Vector<B>) -> VectorE<B>;
}

impl Element for K {
    type Vector<B: Backend> = B::V;

    #[inline(always)]
    fn load<B: Backend>(be: B, elements: &[K]) -> B::V {
        be.load(elements)
    }
    #[inline(always)]
    fn load_partial<B: Backend>(be: B, elements: &[K]) -> B::V {
        be.load_partial(elements)
    }
    #[inline(always)]
    fn store<B: Backend>(be: B, vector: B::V, out: &mut [K]) {
        be.store(vector, out);
    }
    #[inline(always)]
    fn store_partial<B: Backend>(be: B, vector: B::V, out: &mut [K]) {
        be.store_partial(vector, out);
    }
    #[inline(always)]
    fn unzip<B: Backend>(be: B, a: B::V, b: B::V) -> (B::V, B::V) {
        be.unzip(a, b)
    }
    #[inline(always)]
    fn xor<B: Backend>(be: B, a: B::V, b: B::V) -> B::V {
        be.xor(a, b)
    }
    #[inline(always)]
    fn mul_wide_by_e<B: Backend>(be: B, r: VectorE<B>, v: B::V) -> WideE<B> {
        // Written out: a closure handed to `array::map` may not be inlined, and then has no target features.
        let [r0, r1, r2] = r;
        [be.mul_wide(r0, v), be.mul_wide(r1, v), be.mul_wide(r2, v)]
    }
    #[inline(always)]
    fn to_e<B: Backend>(be: B, v: B::V) -> VectorE<B> {
        let zero = be.splat(K::ZERO);
        [v, zero, zero]
    }
}

impl Element for E {
    type Vector<B: Backend> = VectorE<B>;

    #[inline(always)]
    fn load<B: Backend>(be: B, elements: &[E]) -> VectorE<B> {
        be.load_e(elements)
    }
    #[inline(always)]
    fn load_partial<B: Backend>(be: B, elements: &[E]) -> VectorE<B> {
        be.load_e_partial(elements)
    }
    #[inline(always)]
    fn store<B: Backend>(be: B, vector: VectorE<B>, out: &mut [E]) {
        be.store_e(vector, out);
    }
    #[inline(always)]
    fn store_partial<B: Backend>(be: B, vector: VectorE<B>, out: &mut [E]) {
        be.store_e_partial(vector, out);
    }
    #[inline(always)]
    fn unzip<B: Backend>(be: B, a: VectorE<B>, b: VectorE<B>) -> (VectorE<B>, VectorE<B>) {
        let ([a0, a1, a2], [b0, b1, b2]) = (a, b);
        let ((e0, o0), (e1, o1), (e2, o2)) = (be.unzip(a0, b0), be.unzip(a1, b1), be.unzip(a2, b2));
        ([e0, e1, e2], [o0, o1, o2])
    }
    #[inline(always)]
    fn xor<B: Backend>(be: B, a: VectorE<B>, b: VectorE<B>) -> VectorE<B> {
        let ([a0, a1, a2], [b0, b1, b2]) = (a, b);
        [be.xor(a0, b0), be.xor(a1, b1), be.xor(a2, b2)]
    }
    #[inline(always)]
    fn mul_wide_by_e<B: Backend>(be: B, r: VectorE<B>, v: VectorE<B>) -> WideE<B> {
        combine(be, products_e(be, r, v))
    }
    #[inline(always)]
    fn to_e<B: Backend>(_be: B, v: VectorE<B>) -> VectorE<B> {
        v
    }
}

/// Transposes the square of the first `LANES` vectors in place: lane j of vector i is exchanged with lane i of vector j.
///
/// `log2 LANES` times, every vector is zipped with the one half of them further on, which rotates the bits of
/// the index (vector, lane) by one.
#[inline(always)]
pub fn transpose_square<B: Backend>(be: B, vectors: &mut [B::V; MAX_LANES]) {
    let half = B::LANES / 2;
    for _ in 0..B::LANES.ilog2() {
        let before = *vectors;
        for i in 0..half {
            (vectors[2 * i], vectors[2 * i + 1]) = be.zip(before[i], before[i + half]);
        }
    }
}

/// The element in every lane.
#[inline(always)]
pub fn splat_e<B: Backend>(be: B, element: E) -> VectorE<B> {
    let [a0, a1, a2] = element.0;
    [be.splat(a0), be.splat(a1), be.splat(a2)]
}

/// The sum of unreduced vectors in E.
#[inline(always)]
pub fn wide_xor_e<B: Backend>(be: B, [a0, a1, a2]: WideE<B>, [b0, b1, b2]: WideE<B>) -> WideE<B> {
    [be.wide_xor(a0, b0), be.wide_xor(a1, b1), be.wide_xor(a2, b2)]
}

/// The empty sum of products.
#[inline(always)]
pub fn products_zero<B: Backend>(be: B) -> ProductsE<B> {
    [be.wide_zero(); 6]
}

/// Karatsuba's six products of vectors in E: sum them, then [`combine`].
#[inline(always)]
pub fn products_e<B: Backend>(be: B, [a0, a1, a2]: VectorE<B>, [b0, b1, b2]: VectorE<B>) -> ProductsE<B> {
    [
        be.mul_wide(a0, b0),
        be.mul_wide(a1, b1),
        be.mul_wide(a2, b2),
        be.mul_wide(be.xor(a0, a1), be.xor(b0, b1)),
        be.mul_wide(be.xor(a0, a2), be.xor(b0, b2)),
        be.mul_wide(be.xor(a1, a2), be.xor(b1, b2)),
    ]
}

/// Sums of Karatsuba's products.
#[inline(always)]
pub fn products_xor<B: Backend>(be: B, a: ProductsE<B>, b: ProductsE<B>) -> ProductsE<B> {
    let ([a0, a1, a2, a3, a4, a5], [b0, b1, b2, b3, b4, b5]) = (a, b);
    [
        be.wide_xor(a0, b0),
        be.wide_xor(a1, b1),
        be.wide_xor(a2, b2),
        be.wide_xor(a3, b3),
        be.wide_xor(a4, b4),
        be.wide_xor(a5, b5),
    ]
}

/// The unreduced product in E whose six products these are (derived at [`E::mul_wide`]).
#[inline(always)]
pub fn combine<B: Backend>(be: B, [p00, p11, p22, p01, p02, p12]: ProductsE<B>) -> WideE<B> {
    let p00_p12 = be.wide_xor(p00, p12);
    [
        be.wide_xor(be.wide_xor(p00_p12, p11), p22),
        be.wide_xor(p00_p12, p01),
        be.wide_xor(be.wide_xor(p00, p11), p02),
    ]
}

/// Every coefficient reduced in K.
#[inline(always)]
pub fn reduce_e<B: Backend>(be: B, [w0, w1, w2]: WideE<B>) -> VectorE<B> {
    [be.reduce(w0), be.reduce(w1), be.reduce(w2)]
}

/// The product in E.
#[inline(always)]
pub fn mul_e<B: Backend>(be: B, a: VectorE<B>, b: VectorE<B>) -> VectorE<B> {
    reduce_e(be, combine(be, products_e(be, a, b)))
}

/// The sum of all lanes, not reduced.
#[inline(always)]
pub fn wide_sum_e<B: Backend>(be: B, [w0, w1, w2]: WideE<B>) -> EWide {
    EWide([be.wide_sum(w0), be.wide_sum(w1), be.wide_sum(w2)])
}

/// `out[i] = f(x[i], y[i])`, in vectors.
///
/// # Panics
/// If the lengths differ.
#[inline(always)]
pub fn map<B: Backend, X: Element, Y: Element, Z: Element>(
    be: B,
    x: &[X],
    y: &[Y],
    out: &mut [Z],
    f: impl Fn(X::Vector<B>, Y::Vector<B>) -> Z::Vector<B>,
) {
    assert!(
        x.len() == out.len() && y.len() == out.len(),
        "slices of one length"
    );
    let whole = out.len() / B::LANES * B::LANES;
    let (x, x_rest) = x.split_at(whole);
    let (y, y_rest) = y.split_at(whole);
    let (out, out_rest) = out.split_at_mut(whole);
    let inputs = x.chunks_exact(B::LANES).zip(y.chunks_exact(B::LANES));
    for (out, (x, y)) in out.chunks_exact_mut(B::LANES).zip(inputs) {
        Z::store(be, f(X::load(be, x), Y::load(be, y)), out);
    }
    if !out_rest.is_empty() {
        let value = f(X::load_partial(be, x_rest), Y::load_partial(be, y_rest));
        Z::store_partial(be, value, out_rest);
    }
}

/// `out[i] = f(out[i], x[i])`, in vectors.
///
/// # Panics
/// If the lengths differ.
#[inline(always)]
pub fn update<B: Backend, X: Element, Z: Element>(
    be: B,
    out: &mut [Z],
    x: &[X],
    f: impl Fn(Z::Vector<B>, X::Vector<B>) -> Z::Vector<B>,
) {
    assert_eq!(x.len(), out.len(), "slices of one length");
    let whole = out.len() / B::LANES * B::LANES;
    let (x, x_rest) = x.split_at(whole);
    let (out, out_rest) = out.split_at_mut(whole);
    for (out, x) in out.chunks_exact_mut(B::LANES).zip(x.chunks_exact(B::LANES)) {
        Z::store(be, f(Z::load(be, out), X::load(be, x)), out);
    }
    if !out_rest.is_empty() {
        let value = f(Z::load_partial(be, out_rest), X::load_partial(be, x_rest));
        Z::store_partial(be, value, out_rest);
    }
}

/// `sum = f(sum, x[i], y[i])` from `zero` on, in vectors.
///
/// # Panics
/// If the lengths differ.
#[inline(always)]
pub fn accumulate<B: Backend, X: Element, Y: Element, S>(
    be: B,
    x: &[X],
    y: &[Y],
    zero: S,
    f: impl Fn(S, X::Vector<B>, Y::Vector<B>) -> S,
) -> S {
    assert_eq!(x.len(), y.len(), "slices of one length");
    // Two vectors a pass, so that two sums at a time become one three-way XOR where there is one.
    let pair = 2 * B::LANES;
    let (x, x_rest) = x.split_at(x.len() / pair * pair);
    let (y, y_rest) = y.split_at(x.len());
    let mut sum = zero;
    for (x, y) in x.chunks_exact(pair).zip(y.chunks_exact(pair)) {
        sum = f(sum, X::load(be, x), Y::load(be, y));
        sum = f(sum, X::load(be, &x[B::LANES..]), Y::load(be, &y[B::LANES..]));
    }
    for (x, y) in x_rest.chunks(B::LANES).zip(y_rest.chunks(B::LANES)) {
        sum = f(sum, X::load_partial(be, x), Y::load_partial(be, y));
    }
    sum
}

/// `out[i] = f(x[2i], x[2i + 1])`, in vectors.
///
/// # Panics
/// If `x` has not twice the length of `out`.
#[inline(always)]
pub fn map_pairs<B: Backend, X: Element, Z: Element>(
    be: B,
    x: &[X],
    out: &mut [Z],
    f: impl Fn(X::Vector<B>, X::Vector<B>) -> Z::Vector<B>,
) {
    assert_eq!(x.len(), 2 * out.len(), "pairs for every output");
    let whole = out.len() / B::LANES * B::LANES;
    let (x, x_rest) = x.split_at(2 * whole);
    let (out, out_rest) = out.split_at_mut(whole);
    for (out, x) in out.chunks_exact_mut(B::LANES).zip(x.chunks_exact(2 * B::LANES)) {
        let (low, high) = x.split_at(B::LANES);
        let (even, odd) = X::unzip(be, X::load(be, low), X::load(be, high));
        Z::store(be, f(even, odd), out);
    }
    if !out_rest.is_empty() {
        let (low, high) = x_rest.split_at(x_rest.len().min(B::LANES));
        let (even, odd) = X::unzip(be, X::load_partial(be, low), X::load_partial(be, high));
        Z::store_partial(be, f(even, odd), out_rest);
    }
}
