//! Addition and subtraction by ripple carry.

use alloc::vec::Vec;

use super::bitwise::zip;
use crate::{Builder, Wire};

impl Builder {
    /// `a + b`: one AND a bit, less one.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn add(&mut self, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
        self.add_with_carry(a, b, Wire::ZERO).0
    }

    /// `a + b + carry`, and the carry out: one AND a bit, less one if the carry out is not used, and the
    /// first of them free if `carry` is constant zero and so is a bit 0.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn add_with_carry(&mut self, a: &[Wire], b: &[Wire], carry: Wire) -> (Vec<Wire>, Wire) {
        let mut carry = carry;
        let sum = zip(a, b)
            .map(|(a, b)| {
                let (sum, next) = self.full_adder(a, b, carry);
                carry = next;
                sum
            })
            .collect();
        (sum, carry)
    }

    /// The sum of three bits, and the carry: `(a + c)(b + c) + c`, one AND.
    pub fn full_adder(&mut self, a: Wire, b: Wire, c: Wire) -> (Wire, Wire) {
        let (x, y) = (self.xor(a, c), self.xor(b, c));
        let product = self.and(x, y);
        (self.xor(x, b), self.xor(product, c))
    }

    /// `a - b`, as `~(~a + b)`: one AND a bit, less one.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn subtract(&mut self, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
        self.subtract_with_borrow(a, b, Wire::ZERO).0
    }

    /// `a - b - borrow`, and the borrow out: one AND a bit, less one if the borrow out is not used.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn subtract_with_borrow(&mut self, a: &[Wire], b: &[Wire], borrow: Wire) -> (Vec<Wire>, Wire) {
        let complement = self.not_word(a);
        let (sum, borrow) = self.add_with_carry(&complement, b, borrow);
        (self.not_word(&sum), borrow)
    }

    /// `a + bit`, and the carry out: one AND a bit, less one if the carry out is not used.
    pub fn increment(&mut self, a: &[Wire], bit: Wire) -> (Vec<Wire>, Wire) {
        let mut carry = bit;
        let sum = a
            .iter()
            .map(|&a| {
                let sum = self.xor(a, carry);
                carry = self.and(a, carry);
                sum
            })
            .collect();
        (sum, carry)
    }

    /// `negative ? -a : a`: one AND a bit, less one.
    pub fn negate_if(&mut self, negative: Wire, a: &[Wire]) -> Vec<Wire> {
        let flipped: Vec<Wire> = a.iter().map(|&a| self.xor(a, negative)).collect();
        self.increment(&flipped, negative).0
    }

    /// The absolute value of a word in two's complement, as an unsigned word, and the sign: one AND a bit,
    /// less one.
    ///
    /// # Panics
    /// If the width is zero.
    pub fn magnitude(&mut self, a: &[Wire]) -> (Vec<Wire>, Wire) {
        let sign = *a.last().expect("a signed word has a sign");
        (self.negate_if(sign, a), sign)
    }
}
