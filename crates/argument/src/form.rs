//! Arithmetic of forms: sums and products, in a form that is unique for a polynomial.
//!
//! A sum or product has its terms by ascending columns, each monomial once and none with coefficient zero; in a
//! pair the lower column is first.

use alloc::vec::Vec;
use core::ops::{Add, Mul};

use primitives::field::K;

use crate::machine::Form;

impl Form {
    /// A constant.
    #[must_use]
    pub fn constant(value: K) -> Self {
        Self {
            constant: value,
            ..Self::default()
        }
    }

    /// A column.
    #[must_use]
    pub fn column(column: usize) -> Self {
        Self {
            linear: [(column, K::ONE)].into(),
            ..Self::default()
        }
    }

    /// The product of two columns.
    #[must_use]
    pub fn product(a: usize, b: usize) -> Self {
        Self::column(a) * Self::column(b)
    }

    /// The sum of two forms.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self + other
    }

    /// The form times a constant.
    #[must_use]
    pub fn times(self, factor: K) -> Self {
        self * Self::constant(factor)
    }

    /// The degree; that of a constant is 0.
    #[must_use]
    pub fn degree(&self) -> usize {
        if !self.products.is_empty() {
            2
        } else {
            usize::from(!self.linear.is_empty())
        }
    }

    /// The columns that the form names, in the order of its terms; one may come more than once.
    pub fn columns(&self) -> impl Iterator<Item = usize> {
        let products = self.products.iter().flat_map(|&(i, j, _)| [i, j]);
        self.linear.iter().map(|&(i, _)| i).chain(products)
    }

    /// The value on a row with these columns.
    ///
    /// # Panics
    /// If a column is missing.
    #[must_use]
    pub fn evaluate(&self, columns: &[K]) -> K {
        let linear = self.linear.iter().map(|&(i, c)| c * columns[i]);
        let products = self.products.iter().map(|&(i, j, c)| c * columns[i] * columns[j]);
        linear.chain(products).fold(self.constant, |sum, term| sum + term)
    }
}

impl From<K> for Form {
    fn from(constant: K) -> Self {
        Self::constant(constant)
    }
}

impl Add for Form {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let linear = self.linear.into_iter().chain(other.linear);
        let products = self.products.into_iter().chain(other.products);
        Self {
            constant: self.constant + other.constant,
            linear: merge(linear.collect()),
            products: pairs(products.collect()),
        }
    }
}

/// # Panics
/// If the product has a degree above two: no table can have it.
impl Mul for Form {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let degree = self.degree() + other.degree();
        // Zero may be multiplied by anything.
        let zero = self == Self::default() || other == Self::default();
        assert!(degree <= 2 || zero, "a form of degree {degree}: a bug of ours");
        let (a, b) = (self.constant, other.constant);
        let scaled = |terms: &[(usize, K)], factor: K| -> Vec<(usize, K)> {
            terms.iter().map(|&(i, c)| (i, c * factor)).collect()
        };
        let linear = [scaled(&self.linear, b), scaled(&other.linear, a)].concat();
        let mut products = Vec::new();
        for (form, factor) in [(&self, b), (&other, a)] {
            products.extend(form.products.iter().map(|&(i, j, c)| (i, j, c * factor)));
        }
        for &(i, c) in &self.linear {
            products.extend(other.linear.iter().map(|&(j, d)| (i, j, c * d)));
        }
        Self {
            constant: a * b,
            linear: merge(linear),
            products: pairs(products),
        }
    }
}

/// The pairs with the lower column first, then as [`merge`] has them.
fn pairs(products: Vec<(usize, usize, K)>) -> Vec<(usize, usize, K)> {
    let pairs = products.into_iter().map(|(i, j, c)| ((i.min(j), i.max(j)), c));
    let merged = merge(pairs.collect()).into_iter();
    merged.map(|((i, j), c)| (i, j, c)).collect()
}

/// Monomials by ascending columns, each once, none with coefficient zero.
fn merge<M: Copy + Ord>(mut terms: Vec<(M, K)>) -> Vec<(M, K)> {
    terms.sort_by_key(|&(monomial, _)| monomial);
    let mut merged: Vec<(M, K)> = Vec::with_capacity(terms.len());
    for (monomial, coefficient) in terms {
        match merged.last_mut() {
            Some((last, sum)) if *last == monomial => *sum += coefficient,
            _ => merged.push((monomial, coefficient)),
        }
    }
    merged.retain(|&(_, coefficient)| coefficient != K::ZERO);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns with no relation between them.
    const ROW: [K; 3] = [
        K(0x0123_4567_89ab_cdef),
        K(0x8000_0000_0000_0001),
        K(0xdead_beef_0bad_f00d),
    ];

    /// Forms of degree at most one.
    fn affine() -> Vec<Form> {
        let mut forms = Vec::from([Form::default(), Form::constant(K(7))]);
        for i in 0..3 {
            forms.push(Form::column(i));
            let sum = Form::column(i) + Form::column((i + 1) % 3).times(K(3)) + Form::constant(K(1 << 63));
            forms.push(sum);
        }
        forms
    }

    #[test]
    fn sums_and_products_have_the_values_of_their_operands() {
        for a in affine() {
            for b in affine() {
                let (x, y) = (a.evaluate(&ROW), b.evaluate(&ROW));
                let (sum, product) = (a.clone() + b.clone(), a.clone() * b.clone());
                assert_eq!(sum.evaluate(&ROW), x + y, "{a:?} {b:?}");
                assert_eq!(product.evaluate(&ROW), x * y, "{a:?} {b:?}");
                let both = product + sum;
                assert_eq!(both.evaluate(&ROW), x * y + x + y, "{a:?} {b:?}");
                assert_eq!(both.times(K(5)).evaluate(&ROW), K(5) * (x * y + x + y));
            }
        }
    }

    #[test]
    fn one_polynomial_is_one_form() {
        let [x, y] = [0, 1].map(Form::column);
        assert_eq!(x.clone() * y.clone(), Form::product(1, 0));
        assert_eq!(x.clone() + x.clone(), Form::default());
        assert_eq!(
            (x.clone() + y.clone()) * (x.clone() + y.clone()),
            Form::product(0, 0) + Form::product(1, 1)
        );
        assert_eq!(x.times(K::ZERO), Form::default());
        assert_eq!(y * Form::default(), Form::default());
        assert_eq!(Form::product(0, 1) * Form::default(), Form::default());
    }

    #[test]
    #[should_panic(expected = "a form of degree 3")]
    fn a_product_of_degree_three_is_no_form() {
        let _ = Form::product(0, 1) * Form::column(2);
    }
}
