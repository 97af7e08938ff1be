//! Gadgets that work bit by bit.

use alloc::vec;
use alloc::vec::Vec;

use crate::{Builder, Wire};

impl Builder {
    /// `a | b`: one AND.
    pub fn or(&mut self, a: Wire, b: Wire) -> Wire {
        let both = self.and(a, b);
        self.xor_all([a, b, both])
    }

    /// `s ? x : y`, as `s (x + y) + y`: one AND.
    pub fn mux(&mut self, s: Wire, x: Wire, y: Wire) -> Wire {
        let difference = self.xor(x, y);
        let change = self.and(s, difference);
        self.xor(change, y)
    }

    /// Whether two or three of the bits are set, as `(a + c)(b + c) + c`: one AND.
    pub fn majority(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        let (x, y) = (self.xor(a, c), self.xor(b, c));
        let product = self.and(x, y);
        self.xor(product, c)
    }

    /// `width` constant bits: those of `value`.
    ///
    /// # Panics
    /// If `width` is above 64.
    #[must_use]
    pub fn constant(&self, value: u64, width: usize) -> Vec<Wire> {
        assert!(width <= 64, "a constant has at most 64 bits, not {width}");
        (0..width).map(|bit| Wire::from(value >> bit & 1 == 1)).collect()
    }

    /// Bitwise XOR.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn xor_words(&mut self, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
        zip(a, b).map(|(a, b)| self.xor(a, b)).collect()
    }

    /// Bitwise AND: one AND a bit.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn and_words(&mut self, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
        zip(a, b).map(|(a, b)| self.and(a, b)).collect()
    }

    /// Bitwise NOT.
    pub fn not_word(&mut self, a: &[Wire]) -> Vec<Wire> {
        a.iter().map(|&a| self.not(a)).collect()
    }

    /// The word if `s` is set, and zero if not: one AND a bit.
    pub fn mask_word(&mut self, s: Wire, a: &[Wire]) -> Vec<Wire> {
        a.iter().map(|&a| self.and(s, a)).collect()
    }

    /// `s ? x : y` on words: one AND a bit.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn mux_words(&mut self, s: Wire, x: &[Wire], y: &[Wire]) -> Vec<Wire> {
        zip(x, y).map(|(x, y)| self.mux(s, x, y)).collect()
    }

    /// Whether any bit is set: one AND less than there are bits.
    pub fn any(&mut self, bits: &[Wire]) -> Wire {
        let mut none = Wire::ONE;
        for &bit in bits {
            let clear = self.not(bit);
            none = self.and(none, clear);
        }
        self.not(none)
    }

    /// Whether all bits are set: one AND less than there are bits.
    pub fn all(&mut self, bits: &[Wire]) -> Wire {
        bits.iter().fold(Wire::ONE, |all, &bit| self.and(all, bit))
    }
}

/// `a` shifted left by a constant: low bits are zero, and the width stays.
#[must_use]
pub fn shift_left(a: &[Wire], by: usize) -> Vec<Wire> {
    let by = by.min(a.len());
    let mut shifted = vec![Wire::ZERO; by];
    shifted.extend_from_slice(&a[..a.len() - by]);
    shifted
}

/// `a` shifted right by a constant: high bits are `fill`, and the width stays.
#[must_use]
pub fn shift_right(a: &[Wire], by: usize, fill: Wire) -> Vec<Wire> {
    let by = by.min(a.len());
    let mut shifted = a[by..].to_vec();
    shifted.resize(a.len(), fill);
    shifted
}

/// `a` rotated right by a constant.
#[must_use]
pub fn rotate_right(a: &[Wire], by: usize) -> Vec<Wire> {
    let mut rotated = a.to_vec();
    rotated.rotate_left(by % a.len().max(1));
    rotated
}

/// `a` extended to `width` bits by copies of `fill`, or cut to them.
#[must_use]
pub fn extend(a: &[Wire], width: usize, fill: Wire) -> Vec<Wire> {
    let mut extended = a.to_vec();
    extended.resize(width, fill);
    extended
}

/// The pairs of bits of two words of one width.
pub(super) fn zip<'a>(a: &'a [Wire], b: &'a [Wire]) -> impl Iterator<Item = (Wire, Wire)> + use<'a> {
    assert_eq!(a.len(), b.len(), "words of one width");
    a.iter().copied().zip(b.iter().copied())
}
