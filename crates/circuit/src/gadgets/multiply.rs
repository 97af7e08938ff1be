//! Sums of words and products, in carry-save form: [`Sum`], and the multipliers built on it.
//!
//! Partial products are free. For bits, `2 a b = a + b - 1 + e` over the integers with `e = 1 + a + b` in
//! GF(2), which is a XOR wire. Let A and B have bits `a_i`, `b_j` with weights `u_i`, `v_j` (powers of two; the
//! sign bit's is negative), and `U = sum u_i`, `V = sum v_j`. Then
//!
//! `2 A B = V A + U B - U V + sum_ij u_i v_j e_ij`
//!
//! is a sum of shifted bits: U is `2^n - 1` for an unsigned word of n bits and -1 for a signed one. All bits
//! of one weight are compressed by full adders, one AND for each two bits removed from the column and one
//! put into the next, and this includes the final carry propagation.

use alloc::vec;
use alloc::vec::Vec;

use crate::{Builder, Wire};

/// A sum of words, differences and products under construction, modulo `2^width`.
///
/// It costs no gate until [`finish`](Sum::finish), but for the constant number of XOR wires.
#[derive(Clone, Debug)]
pub struct Sum {
    /// The bits of weight `2^(i-1)`: twice the sum is collected, since products come doubled.
    columns: Vec<Vec<Wire>>,
    /// The constant part, one bit a column.
    constant: Vec<bool>,
}

/// A word as a number: unsigned, or in two's complement.
#[derive(Clone, Copy, Debug)]
pub struct Number<'a> {
    bits: &'a [Wire],
    signed: bool,
}

impl<'a> Number<'a> {
    /// `sum_i bits_i 2^i`.
    #[must_use]
    pub fn unsigned(bits: &'a [Wire]) -> Self {
        Self { bits, signed: false }
    }

    /// As [`unsigned`](Self::unsigned), but the last bit's weight is negative.
    ///
    /// # Panics
    /// If there are no bits.
    #[must_use]
    pub fn signed(bits: &'a [Wire]) -> Self {
        assert!(!bits.is_empty(), "a signed word has a sign");
        Self { bits, signed: true }
    }

    /// The lower bits, which are unsigned, and the upper ones.
    fn split(self, at: usize) -> (Self, Self) {
        let (low, high) = self.bits.split_at(at);
        (
            Self::unsigned(low),
            Self {
                bits: high,
                signed: self.signed,
            },
        )
    }

    fn is_negative_at(self, bit: usize) -> bool {
        self.signed && bit + 1 == self.bits.len()
    }
}

impl Sum {
    /// Zero, modulo `2^width`.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self {
            columns: vec![Vec::new(); width + 1],
            constant: vec![false; width + 1],
        }
    }

    /// Adds `2^shift a`.
    pub fn add(&mut self, builder: &mut Builder, shift: usize, a: Number<'_>) {
        self.add_number(builder, shift + 1, a, false);
    }

    /// Subtracts `2^shift a`.
    pub fn subtract(&mut self, builder: &mut Builder, shift: usize, a: Number<'_>) {
        self.add_number(builder, shift + 1, a, true);
    }

    /// Adds `2^shift a b`.
    pub fn add_product(&mut self, builder: &mut Builder, shift: usize, a: Number<'_>, b: Number<'_>) {
        let (n, m) = (a.bits.len(), b.bits.len());
        // The products of halves are used twice, so nothing is gained by them where much of the product is cut
        // off, or by words of different widths.
        let cut = (shift + n + m).saturating_sub(self.width());
        if n.min(m) >= SPLIT && n.abs_diff(m) <= 2 && cut <= n / 8 {
            self.add_product_by_halves(builder, shift, a, b);
        } else {
            self.add_partial_products(builder, shift, a, b);
        }
    }

    fn width(&self) -> usize {
        self.columns.len() - 1
    }

    /// Adds `2^shift a b` by three products of half the width (Karatsuba and Ofman, 1962): with
    /// `z0 = a0 b0`, `z2 = a1 b1` and h the bits of a lower half,
    ///
    /// `a b = z0 + 2^h (z0 + z2 + (a0 - a1)(b1 - b0)) + 2^(2h) z2`.
    fn add_product_by_halves(&mut self, builder: &mut Builder, shift: usize, a: Number<'_>, b: Number<'_>) {
        let half = a.bits.len().min(b.bits.len()) / 2;
        let ((a0, a1), (b0, b1)) = (a.split(half), b.split(half));
        let z0 = builder.multiply(a0, b0, 2 * half);
        let z2 = builder.multiply(a1, b1, a1.bits.len() + b1.bits.len());
        let (z0, z2) = (
            Number::unsigned(&z0),
            Number {
                bits: &z2,
                signed: a.signed || b.signed,
            },
        );
        let (x, y) = (builder.difference(a0, a1), builder.difference(b1, b0));
        self.add_product(builder, shift + half, Number::signed(&x), Number::signed(&y));
        for shift in [shift, shift + half] {
            self.add(builder, shift, z0);
            self.add(builder, shift + half, z2);
        }
    }

    /// Adds `2^shift a b` as a sum of bits.
    fn add_partial_products(&mut self, builder: &mut Builder, shift: usize, a: Number<'_>, b: Number<'_>) {
        // V A and U B, each as 2^n A - A or as -A.
        for (x, y) in [(a, b), (b, a)] {
            self.add_number(builder, shift, x, true);
            if !y.signed {
                self.add_number(builder, shift + y.bits.len(), x, false);
            }
        }
        // -U V, which is -(2^n - 1)(2^m - 1), or 2^m - 1 with one sign, or -1 with two.
        let (n, m) = (a.bits.len(), b.bits.len());
        self.add_power(shift, true);
        if !a.signed {
            self.add_power(shift + n, false);
        }
        if !b.signed {
            self.add_power(shift + m, false);
        }
        if !a.signed && !b.signed {
            self.add_power(shift + n + m, true);
        }
        for (i, &x) in a.bits.iter().enumerate() {
            for (j, &y) in b.bits.iter().enumerate() {
                if shift + i + j < self.columns.len() {
                    let negative = a.is_negative_at(i) != b.is_negative_at(j);
                    // e or, since -e = (1 + e) - 1 over the integers, its complement.
                    let bit = builder.xor_all([x, y, Wire::from(!negative)]);
                    self.add_wire(shift + i + j, bit);
                    if negative {
                        self.add_power(shift + i + j, true);
                    }
                }
            }
        }
    }

    /// The bits of the sum, bit 0 first.
    #[must_use]
    pub fn finish(mut self, builder: &mut Builder) -> Vec<Wire> {
        let mut carries = Vec::new();
        let mut bits = Vec::new();
        for (column, constant) in self.columns.iter_mut().zip(self.constant) {
            // The constant last: if the column is even, it is in a half adder, which it makes free.
            column.append(&mut carries);
            column.extend(constant.then_some(Wire::ONE));
            let mut wires = column.iter().copied();
            let mut sum = wires.next().unwrap_or(Wire::ZERO);
            while let Some(a) = wires.next() {
                let b = wires.next().unwrap_or(Wire::ZERO);
                let carry;
                (sum, carry) = builder.full_adder(a, b, sum);
                carries.push(carry);
            }
            bits.push(sum);
        }
        // Twice the sum was collected.
        bits.split_off(1)
    }

    /// Adds a number of `2^column`, or subtracts it.
    fn add_number(&mut self, builder: &mut Builder, column: usize, a: Number<'_>, negative: bool) {
        for (i, &bit) in a.bits.iter().enumerate() {
            if negative == a.is_negative_at(i) {
                self.add_wire(column + i, bit);
            } else {
                let complement = builder.not(bit);
                self.add_wire(column + i, complement);
                self.add_power(column + i, true);
            }
        }
    }

    fn add_wire(&mut self, column: usize, bit: Wire) {
        match self.columns.get_mut(column) {
            Some(_) if bit == Wire::ONE => self.add_power(column, false),
            Some(wires) if bit != Wire::ZERO => wires.push(bit),
            _ => {}
        }
    }

    /// Adds `2^column` to the constant, or subtracts it, modulo two to the number of columns.
    fn add_power(&mut self, column: usize, negative: bool) {
        // Adding carries through ones, subtracting borrows through zeros.
        for bit in self.constant.iter_mut().skip(column) {
            *bit = !*bit;
            if *bit != negative {
                break;
            }
        }
    }
}

impl Builder {
    /// `a b` modulo `2^width`, for words of n and m bits. A width below `n + m` costs about one AND for each
    /// pair of bits whose weights are below the width; the full product of wide words costs less than `n m`.
    ///
    /// 2,144 ANDs for the low word of two unsigned words of 64 bits, 3,547 for both words.
    pub fn multiply(&mut self, a: Number<'_>, b: Number<'_>, width: usize) -> Vec<Wire> {
        let mut sum = Sum::new(width);
        sum.add_product(self, 0, a, b);
        sum.finish(self)
    }

    /// `a - b` as a signed word that has room for every difference.
    fn difference(&mut self, a: Number<'_>, b: Number<'_>) -> Vec<Wire> {
        // Between unsigned words of w bits a difference has w + 1; else one more than the wider operand as a
        // signed word.
        let both_unsigned = !a.signed && !b.signed;
        let signed_width = |x: Number<'_>| x.bits.len() + usize::from(!x.signed && !both_unsigned);
        let width = signed_width(a).max(signed_width(b)) + 1;
        let mut sum = Sum::new(width);
        sum.add(self, 0, a);
        sum.subtract(self, 0, b);
        sum.finish(self)
    }
}

/// The least width of a product that is split into halves: below it, the sums cost more than is saved.
const SPLIT: usize = 32;
