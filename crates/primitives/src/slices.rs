//! Kernels over slices of K and E: products, sums of products, folds.
//!
//! Every function takes the back end's token first and is inlined into the function that [`dispatch!`](crate::dispatch)
//! enters. Lengths need not be multiples of anything; a function panics if they do not fit together. Where a type
//! parameter is an [`Element`], it is K or E.

use crate::backend::Backend;
use crate::field::{E, EWide, K, KWide};
use crate::vectors::{
    Element, VectorE, accumulate, combine, map, map_pairs, mul_e as mul_vectors_e, products_e, products_xor,
    products_zero, reduce_e, splat_e, update, wide_sum_e, wide_xor_e,
};

/// `out[i] = a[i] b[i]` in K.
#[inline(always)]
pub fn mul_k<B: Backend>(be: B, a: &[K], b: &[K], out: &mut [K]) {
    map::<B, K, K, K>(
        be,
        a,
        b,
        out,
        #[inline(always)]
        |a, b| be.mul(a, b),
    );
}

/// `out[i] = a[i] b[i]` in E.
#[inline(always)]
pub fn mul_e<B: Backend>(be: B, a: &[E], b: &[E], out: &mut [E]) {
    map::<B, E, E, E>(
        be,
        a,
        b,
        out,
        #[inline(always)]
        |a, b| mul_vectors_e(be, a, b),
    );
}

/// `out[i] = a[i] b[i]` in the byte field, in every byte.
#[inline(always)]
pub fn mul_bytes<B: Backend>(be: B, a: &[K], b: &[K], out: &mut [K]) {
    map::<B, K, K, K>(
        be,
        a,
        b,
        out,
        #[inline(always)]
        |a, b| be.mul_bytes(a, b),
    );
}

/// `out[i] = s x[i]`.
#[inline(always)]
pub fn scale<B: Backend, X: Element>(be: B, s: E, x: &[X], out: &mut [E]) {
    let s = splat_e(be, s);
    map::<B, X, X, E>(
        be,
        x,
        x,
        out,
        #[inline(always)]
        |x, _| reduce_e(be, X::mul_wide_by_e(be, s, x)),
    );
}

/// `out[i] += x[i]`.
#[inline(always)]
pub fn add<B: Backend, X: Element>(be: B, out: &mut [X], x: &[X]) {
    update::<B, X, X>(
        be,
        out,
        x,
        #[inline(always)]
        |out, x| X::xor(be, out, x),
    );
}

/// `out[i] += s x[i]` in K.
#[inline(always)]
pub fn add_scaled_k<B: Backend>(be: B, out: &mut [K], s: K, x: &[K]) {
    let s = be.splat(s);
    update::<B, K, K>(
        be,
        out,
        x,
        #[inline(always)]
        |out, x| be.xor(out, be.mul(s, x)),
    );
}

/// `out[i] += s x[i]`.
#[inline(always)]
pub fn add_scaled<B: Backend, X: Element>(be: B, out: &mut [E], s: E, x: &[X]) {
    let s = splat_e(be, s);
    update::<B, X, E>(
        be,
        out,
        x,
        #[inline(always)]
        |out, x| E::xor(be, out, reduce_e(be, X::mul_wide_by_e(be, s, x))),
    );
}

/// `sum_i a[i] b[i]` in K, not reduced.
#[inline(always)]
pub fn dot_k<B: Backend>(be: B, a: &[K], b: &[K]) -> KWide {
    let sum = accumulate::<B, K, K, _>(
        be,
        a,
        b,
        be.wide_zero(),
        #[inline(always)]
        |sum, a, b| be.wide_xor(sum, be.mul_wide(a, b)),
    );
    be.wide_sum(sum)
}

/// `sum_i a[i] b[i]` of elements of E and of K, not reduced.
#[inline(always)]
pub fn dot_ek<B: Backend>(be: B, a: &[E], b: &[K]) -> EWide {
    let zero = [be.wide_zero(); 3];
    let sum = accumulate::<B, E, K, _>(
        be,
        a,
        b,
        zero,
        #[inline(always)]
        |sum, a, b| wide_xor_e(be, sum, K::mul_wide_by_e(be, a, b)),
    );
    wide_sum_e(be, sum)
}

/// `sum_i a[i] b[i]` in E, not reduced.
#[inline(always)]
pub fn dot_e<B: Backend>(be: B, a: &[E], b: &[E]) -> EWide {
    let sum = accumulate::<B, E, E, _>(
        be,
        a,
        b,
        products_zero(be),
        #[inline(always)]
        |sum, a, b| products_xor(be, sum, products_e(be, a, b)),
    );
    wide_sum_e(be, combine(be, sum))
}

/// Binds the lowest variable of a table to `r`: `out[i] = x[2i] + r (x[2i] + x[2i + 1])`.
#[inline(always)]
pub fn fold_lowest<B: Backend, X: Element>(be: B, x: &[X], r: E, out: &mut [E]) {
    let r = splat_e(be, r);
    map_pairs::<B, X, E>(
        be,
        x,
        out,
        #[inline(always)]
        |x0, x1| interpolate::<B, X>(be, x0, x1, r),
    );
}

/// Binds the highest variable of a table to `r`: `out[i] = low[i] + r (low[i] + high[i])`.
///
/// `low` and `high` are the table's halves, where the variable is 0 and 1.
#[inline(always)]
pub fn fold_highest<B: Backend, X: Element>(be: B, low: &[X], high: &[X], r: E, out: &mut [E]) {
    let r = splat_e(be, r);
    map::<B, X, X, E>(
        be,
        low,
        high,
        out,
        #[inline(always)]
        |x0, x1| interpolate::<B, X>(be, x0, x1, r),
    );
}

/// [`fold_highest`] in place: `low[i] += r (low[i] + high[i])`.
#[inline(always)]
pub fn fold_highest_in_place<B: Backend>(be: B, low: &mut [E], high: &[E], r: E) {
    let r = splat_e(be, r);
    update::<B, E, E>(
        be,
        low,
        high,
        #[inline(always)]
        |x0, x1| interpolate::<B, E>(be, x0, x1, r),
    );
}

/// `x0 + r (x0 + x1)`: the line through `x0` at 0 and `x1` at 1, at `r`.
#[inline(always)]
pub fn interpolate<B: Backend, X: Element>(
    be: B,
    x0: X::Vector<B>,
    x1: X::Vector<B>,
    r: VectorE<B>,
) -> VectorE<B> {
    let slope = reduce_e(be, X::mul_wide_by_e(be, r, X::xor(be, x0, x1)));
    E::xor(be, X::to_e(be, x0), slope)
}

/// Replaces every element by its inverse, zero staying zero: three products an element and one inversion
/// (Montgomery's trick).
///
/// `partial` is scratch of the same length.
///
/// # Panics
/// If the lengths differ.
pub fn invert_all(elements: &mut [E], partial: &mut [E]) {
    assert_eq!(elements.len(), partial.len(), "slices of one length");
    let mut product = E::ONE;
    for (element, partial) in elements.iter().zip(partial.iter_mut()) {
        *partial = product;
        if *element != E::ZERO {
            product *= *element;
        }
    }
    let mut inverse = product.inverse_or_zero();
    for (element, partial) in elements.iter_mut().zip(partial.iter()).rev() {
        if *element != E::ZERO {
            let of_this = inverse * *partial;
            inverse *= *element;
            *element = of_this;
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::dispatch;

    #[test]
    fn all_inverses_at_once_equal_the_inverses_one_by_one() {
        for length in 0..10u64 {
            let elements = (0..length)
                .map(|i| E::from_words([i, i / 3, 0]))
                .collect::<Vec<_>>();
            let mut inverses = elements.clone();
            invert_all(&mut inverses, &mut vec![E::ZERO; elements.len()]);
            assert_eq!(
                inverses,
                elements.iter().map(|e| e.inverse_or_zero()).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    #[should_panic(expected = "slices of one length")]
    fn slices_of_different_lengths_are_refused() {
        dispatch!(|be| mul_k(be, &[K::ONE; 3], &[K::ONE; 4], &mut [K::ZERO; 3]));
    }

    #[test]
    #[should_panic(expected = "pairs for every output")]
    fn a_fold_of_an_odd_table_is_refused() {
        dispatch!(|be| fold_lowest(be, &[K::ONE; 3], E::ONE, &mut [E::ZERO; 1]));
    }
}
