//! Comparisons.

use alloc::vec::Vec;

use super::bitwise::zip;
use crate::{Builder, Wire};

impl Builder {
    /// `a < b` on unsigned words: the borrow of `a - b`, one AND a bit.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn less(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        self.subtract_with_borrow(a, b, Wire::ZERO).1
    }

    /// `a < b` on words in two's complement, which is the unsigned comparison with flipped signs: one AND a
    /// bit.
    ///
    /// # Panics
    /// If the widths differ, or are zero.
    pub fn less_signed(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let (a, b) = (self.flip_sign(a), self.flip_sign(b));
        self.less(&a, &b)
    }

    /// `a == b`: one AND a bit, less one.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn equal(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let same: Vec<Wire> = zip(a, b).map(|(a, b)| self.xor_all([a, b, Wire::ONE])).collect();
        self.all(&same)
    }

    /// `a == 0`: one AND a bit, less one.
    pub fn is_zero(&mut self, a: &[Wire]) -> Wire {
        let any = self.any(a);
        self.not(any)
    }

    fn flip_sign(&mut self, a: &[Wire]) -> Vec<Wire> {
        let mut flipped = a.to_vec();
        let sign = flipped.last_mut().expect("a signed word has a sign");
        *sign = self.not(*sign);
        flipped
    }
}
