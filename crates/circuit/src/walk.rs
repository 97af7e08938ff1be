//! Products of the constraint matrices A and B with vectors, by walks along the gate list.
//!
//! A wire is a linear form in the committed positions. *Forward*, the value of every form at the weights is
//! computed in the order of the wires; the rows of A and B are single wires. *Backward*, the transpose: rows
//! put their weights on wires, and the coefficient of an uncommitted XOR is pushed to its operands, from the
//! last wire to the first. Both take time linear in the gates, and the matrices (dense in the XORs' expansions)
//! are never built.

use alloc::vec;
use core::ops::AddAssign;

use primitives::field::{E, K};

use crate::layout::{Circuit, Gate, NO_WIRE};

/// A vector space over GF(2): what weights are.
///
/// Its default value is zero.
pub trait Vector: Copy + Default + AddAssign {}

impl Vector for K {}
impl Vector for E {}

impl Circuit {
    /// `a[p] = (A w)_p` and `b[p] = (B w)_p` at every position p, for column weights w.
    ///
    /// All three have `2^log_block` entries, in the order of positions.
    ///
    /// # Panics
    /// If a length is not that.
    pub fn forward<V: Vector>(&self, weights: &[V], a: &mut [V], b: &mut [V]) {
        self.assert_block(&[weights.len(), a.len(), b.len()]);
        let mut values = vec![V::default(); self.wires()];
        values[0] = weights[self.constant_position];
        for (value, position) in values[1..].iter_mut().zip(self.input_positions()) {
            *value = weights[position];
        }
        for (wire, gate) in (self.first_gate..).zip(&self.gates) {
            values[wire] = match *gate {
                Gate::Xor { a, b } => {
                    let mut sum = values[a as usize];
                    sum += values[b as usize];
                    sum
                }
                Gate::And { position, .. } => weights[position as usize],
            };
        }
        for (position, &wire) in self.wire_at.iter().enumerate() {
            (a[position], b[position]) = match self.product_at(wire, position) {
                Some((x, y)) => (values[x], values[y]),
                None if wire == NO_WIRE => (V::default(), V::default()),
                None => (values[wire as usize], values[0]),
            };
        }
        a[self.positions()..].fill(V::default());
        b[self.positions()..].fill(V::default());
    }

    /// `columns = A^T a + B^T b` for row weights a and b: one of them zero gives the transpose of the other
    /// matrix alone.
    ///
    /// All three have `2^log_block` entries, in the order of positions.
    ///
    /// # Panics
    /// If a length is not that.
    pub fn backward<V: Vector>(&self, a: &[V], b: &[V], columns: &mut [V]) {
        self.assert_block(&[a.len(), b.len(), columns.len()]);
        let mut coefficients = vec![V::default(); self.wires()];
        for (position, &wire) in self
            .wire_at
            .iter()
            .enumerate()
            .filter(|(_, wire)| **wire != NO_WIRE)
        {
            let (x, y) = self.product_at(wire, position).unwrap_or((wire as usize, 0));
            coefficients[x] += a[position];
            coefficients[y] += b[position];
        }
        columns.fill(V::default());
        for (gate, wire) in self.gates.iter().zip(self.first_gate..self.wires()).rev() {
            let coefficient = coefficients[wire];
            match *gate {
                Gate::Xor { a, b } => {
                    coefficients[a as usize] += coefficient;
                    coefficients[b as usize] += coefficient;
                }
                Gate::And { position, .. } => columns[position as usize] = coefficient,
            }
        }
        for (coefficient, position) in coefficients[1..].iter().zip(self.input_positions()) {
            columns[position] = *coefficient;
        }
        columns[self.constant_position] = coefficients[0];
    }

    fn assert_block(&self, lengths: &[usize]) {
        for &length in lengths {
            assert_eq!(
                length,
                1 << self.log_block(),
                "weights are given for every position of a block"
            );
        }
    }
}
