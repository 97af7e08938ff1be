//! Multilinear extensions of tables on the cube.
//!
//! Tables are indexed by integers; variable `i` is bit `i` of the index, low bit first, and a point lists its
//! coordinates in that order.

use alloc::vec;
use alloc::vec::Vec;

use crate::backend::Backend;
use crate::dispatch;
use crate::field::{E, EWide, K};
use crate::slices;
use crate::vectors::{Element, mul_e, splat_e};

/// `eq(a, b) = prod_i (1 + a_i + b_i)`: the multilinear polynomial that is 1 where `a = b` on the cube.
///
/// # Panics
/// If the points have different lengths.
#[must_use]
pub fn eq(a: &[E], b: &[E]) -> E {
    assert_eq!(a.len(), b.len(), "points of one length");
    a.iter().zip(b).map(|(a, b)| E::ONE + *a + *b).product()
}

/// `eq(point, v)` of the vertex whose coordinate `i` is bit `i` of `index`; bits from `point.len()` on are ignored.
#[must_use]
pub fn eq_at_index(point: &[E], index: usize) -> E {
    let factor = |(i, r): (usize, &E)| if index >> i & 1 == 1 { *r } else { *r + E::ONE };
    point.iter().enumerate().map(factor).product()
}

/// The table of `eq(point, v)` over all `2^point.len()` vertices `v`.
#[must_use]
pub fn eq_table(point: &[E]) -> Vec<E> {
    scaled_eq_table(point, E::ONE)
}

/// The table of `scale * eq(point, v)` over all `2^point.len()` vertices `v`.
#[must_use]
pub fn scaled_eq_table(point: &[E], scale: E) -> Vec<E> {
    let mut table = vec![E::ZERO; 1 << point.len()];
    dispatch!(|be| fill_eq_table(be, point, scale, &mut table));
    table
}

/// Writes `scale * eq(point, v)` for all vertices `v`: one product for each entry but the first.
///
/// # Panics
/// If `out` has not `2^point.len()` entries.
#[inline(always)]
pub fn fill_eq_table<B: Backend>(be: B, point: &[E], scale: E, out: &mut [E]) {
    assert_eq!(out.len(), 1 << point.len(), "an entry for every vertex");
    out[0] = scale;
    for (i, r) in point.iter().enumerate() {
        let (low, high) = out[..2 << i].split_at_mut(1 << i);
        let r = splat_e(be, *r);
        let mut low = low.chunks_mut(B::LANES);
        let mut high = high.chunks_mut(B::LANES);
        for (low, high) in (&mut low).zip(&mut high) {
            if low.len() == B::LANES {
                let v = be.load_e(low);
                let product = mul_e(be, v, r);
                be.store_e(product, high);
                be.store_e(E::xor(be, v, product), low);
            } else {
                let v = be.load_e_partial(low);
                let product = mul_e(be, v, r);
                be.store_e_partial(product, high);
                be.store_e_partial(E::xor(be, v, product), low);
            }
        }
    }
}

/// `scale * eq(point, v)` for all vertices as products of two tables, for where one table would leave the cache.
///
/// The low table has the low variables: entry `v` is `high[v >> low_variables] * low[v % 2^low_variables]`.
#[derive(Clone, Debug)]
pub struct SplitEq {
    /// The table over the low variables.
    pub low: Vec<E>,
    /// The table over the high variables, with the scale.
    pub high: Vec<E>,
}

impl SplitEq {
    /// The two tables of `scale * eq(point, .)`, the low one over at most `low_variables` variables.
    #[must_use]
    pub fn new(point: &[E], scale: E, low_variables: usize) -> Self {
        let (low, high) = point.split_at(point.len().min(low_variables));
        Self {
            low: eq_table(low),
            high: scaled_eq_table(high, scale),
        }
    }

    /// `scale * eq(point, v)` at the vertex of this index.
    ///
    /// # Panics
    /// If there is no such vertex.
    #[must_use]
    pub fn get(&self, index: usize) -> E {
        let low_variables = self.low.len().trailing_zeros();
        self.high[index >> low_variables] * self.low[index % self.low.len()]
    }
}

/// The multilinear extension of `table` at `point`.
///
/// # Panics
/// If `table` has not `2^point.len()` entries.
#[must_use]
pub fn evaluate<X: Evaluate>(table: &[X], point: &[E]) -> E {
    assert_eq!(table.len(), 1 << point.len(), "an entry for every vertex");
    let eq = SplitEq::new(point, E::ONE, LOW_VARIABLES);
    dispatch!(|be| {
        let mut sum = EWide::ZERO;
        for (chunk, weight) in table.chunks_exact(eq.low.len()).zip(&eq.high) {
            sum += X::dot(be, &eq.low, chunk).reduce().mul_wide(*weight);
        }
        sum.reduce()
    })
}

/// Variables of the low table of [`evaluate`]: a table of 24 KiB.
const LOW_VARIABLES: usize = 10;

/// A field whose tables have multilinear extensions over E: K or E.
pub trait Evaluate: Element {
    /// `sum_i weights[i] values[i]`, not reduced.
    fn dot<B: Backend>(be: B, weights: &[E], values: &[Self]) -> EWide;
}

impl Evaluate for K {
    #[inline(always)]
    fn dot<B: Backend>(be: B, weights: &[E], values: &[K]) -> EWide {
        slices::dot_ek(be, weights, values)
    }
}

impl Evaluate for E {
    #[inline(always)]
    fn dot<B: Backend>(be: B, weights: &[E], values: &[E]) -> EWide {
        slices::dot_e(be, weights, values)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::suite::CASES;

    fn element() -> impl Strategy<Value = E> {
        any::<[u64; 3]>().prop_map(E::from_words)
    }

    fn points(variables: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<E>> {
        prop::collection::vec(element(), variables)
    }

    /// The multilinear extension by its definition.
    fn sum_over_vertices(table: &[E], point: &[E]) -> E {
        table
            .iter()
            .enumerate()
            .map(|(v, value)| eq_at_index(point, v) * *value)
            .sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(CASES as u32))]

        #[test]
        fn eq_on_the_cube_tells_vertices_apart(a in 0usize..64, b in 0usize..64) {
            let vertex = |index: usize| (0..6).map(|i| E::from(K((index >> i & 1) as u64))).collect::<Vec<_>>();
            let expected = if a == b { E::ONE } else { E::ZERO };
            prop_assert_eq!(eq(&vertex(a), &vertex(b)), expected);
            prop_assert_eq!(eq_at_index(&vertex(a), b), expected);
        }

        #[test]
        fn eq_tables_hold_eq_at_every_vertex(point in points(0..=9), scale in element(), low in 0usize..12) {
            let table = scaled_eq_table(&point, scale);
            let split = SplitEq::new(&point, scale, low);
            prop_assert_eq!(eq_table(&point).iter().copied().sum::<E>(), E::ONE);
            for (index, entry) in table.iter().enumerate() {
                prop_assert_eq!(*entry, scale * eq_at_index(&point, index));
                prop_assert_eq!(*entry, split.get(index));
            }
        }

        #[test]
        fn an_extension_is_the_sum_over_vertices_and_what_folding_leaves(point in points(0..=8), seed in any::<u64>()) {
            let in_k = (0..1 << point.len()).map(|i| K::X.pow(seed ^ i)).collect::<Vec<_>>();
            let mut table = in_k.iter().map(|k| E::from(*k) * E([K(seed), K::X, K::ONE])).collect::<Vec<_>>();
            let value = evaluate(&table, &point);
            prop_assert_eq!(value, sum_over_vertices(&table, &point));
            prop_assert_eq!(evaluate(&in_k, &point) * E([K(seed), K::X, K::ONE]), value);
            for r in &point {
                let mut folded = vec![E::ZERO; table.len() / 2];
                dispatch!(|be| slices::fold_lowest(be, &table, *r, &mut folded));
                table = folded;
            }
            prop_assert_eq!(table[0], value);
        }
    }

    /// More variables than the low table has.
    #[test]
    fn the_extension_of_a_long_table_is_linear_in_its_last_variable() {
        let point = (0..LOW_VARIABLES as u64 + 2)
            .map(|i| E::from_words([i + 5, 7 * i, 1]))
            .collect::<Vec<_>>();
        let table = (0..1u64 << point.len())
            .map(|i| K::X.pow(i * i))
            .collect::<Vec<_>>();
        let (low, high) = table.split_at(table.len() / 2);
        let (r, rest) = point.split_last().unwrap();
        let (at_0, at_1) = (evaluate(low, rest), evaluate(high, rest));
        assert_eq!(evaluate(&table, &point), at_0 + *r * (at_0 + at_1));
    }

    #[test]
    #[should_panic(expected = "an entry for every vertex")]
    fn a_table_of_another_length_is_refused() {
        let _ = evaluate(&[K::ONE; 3], &[E::ONE; 2]);
    }
}
