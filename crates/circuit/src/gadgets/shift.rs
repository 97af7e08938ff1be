//! Shifts by an amount that is itself a word: barrel shifters.

use alloc::vec::Vec;

use super::bitwise::{rotate_right, shift_left, shift_right};
use crate::{Builder, Wire};

impl Builder {
    /// `a << amount`, zeros coming in: one AND a bit of `a` for each bit of `amount`, the bits of `amount`
    /// having weights 1, 2, 4 and so on.
    pub fn shift_left_by(&mut self, a: &[Wire], amount: &[Wire]) -> Vec<Wire> {
        self.barrel(a, amount, shift_left)
    }

    /// `a >> amount`, copies of `fill` coming in: [`Wire::ZERO`] for a logical shift, the sign for an
    /// arithmetic one. One AND a bit of `a` for each bit of `amount`.
    pub fn shift_right_by(&mut self, a: &[Wire], amount: &[Wire], fill: Wire) -> Vec<Wire> {
        self.barrel(a, amount, |a, by| shift_right(a, by, fill))
    }

    /// `a` rotated right by `amount`: one AND a bit of `a` for each bit of `amount`, and half of that for
    /// the rotation by half the width, which exchanges the halves.
    pub fn rotate_right_by(&mut self, a: &[Wire], amount: &[Wire]) -> Vec<Wire> {
        let half = a.len() / 2;
        let mut a = a.to_vec();
        for (bit, &s) in amount.iter().enumerate() {
            if a.len() == 2 * half && 1 << bit == half {
                let (low, high) = self.swap_if(s, &a[..half], &a[half..]);
                a = [low, high].concat();
            } else {
                a = self.mux_words(s, &rotate_right(&a, 1 << bit), &a);
            }
        }
        a
    }

    /// `s ? (y, x) : (x, y)`: one AND for each pair of bits.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn swap_if(&mut self, s: Wire, x: &[Wire], y: &[Wire]) -> (Vec<Wire>, Vec<Wire>) {
        let difference = self.xor_words(x, y);
        let change = self.mask_word(s, &difference);
        (self.xor_words(x, &change), self.xor_words(y, &change))
    }

    /// `s ? a in reverse order of bits : a`: one AND for each pair of bits. A left shift is a right shift
    /// between two of these.
    pub fn reverse_if(&mut self, s: Wire, a: &[Wire]) -> Vec<Wire> {
        let half = a.len() / 2;
        let reversed: Vec<Wire> = a.iter().rev().copied().collect();
        let (low, high) = self.swap_if(s, &a[..half], &reversed[..half]);
        low.into_iter()
            .chain(a[half..a.len() - half].iter().copied())
            .chain(high.into_iter().rev())
            .collect()
    }

    fn barrel(
        &mut self,
        a: &[Wire],
        amount: &[Wire],
        shift: impl Fn(&[Wire], usize) -> Vec<Wire>,
    ) -> Vec<Wire> {
        let stages = amount.iter().enumerate();
        stages.fold(a.to_vec(), |a, (bit, &s)| {
            let by = 1_usize.checked_shl(bit as u32).unwrap_or(a.len());
            self.mux_words(s, &shift(&a, by), &a)
        })
    }
}
