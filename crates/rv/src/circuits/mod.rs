//! The Boolean circuit of each class, and the function on words that it computes.
//!
//! Classes whose circuits are one gate list share a [`Shape`], so that a proof treats their batches as one group.
//! Each file has one shape: its ports in order, its circuit, its reference, and for most the block of an instance
//! computed on words (`block`), which is what a walk along the gates gives. What connects the ports with
//! registers and memory are the forms of [`crate::forms`].

pub mod adder;
pub mod and;
mod div;
#[cfg(test)]
mod known_answers;
pub mod less;
pub mod load;
mod mul;
pub mod shift;
pub mod store;
#[cfg(test)]
mod tests;
pub mod word;

pub use div::{Hints, hints};
pub use load::bus_address;

use alloc::vec::Vec;

use circuit::{Builder, Circuit, Wire, blake2s};
use primitives::blake2s::compress_words;

use crate::class::Class;

/// A gate list that one class or several have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// `r = p + q`.
    Adder,
    /// `t = p & q`.
    And,
    /// `[a < b]`.
    Less,
    /// `r = sext32(p + q)`.
    Word,
    /// Barrel shifter.
    Shift,
    /// Address, extraction and extension.
    Load,
    /// Address and merge.
    Store,
    /// Low word of a product.
    Mul,
    /// High word of a product.
    Mulh,
    /// Quotient and remainder from hints.
    Div,
    /// The BLAKE2s compression.
    Compression,
}

impl Class {
    /// The shape of the class's circuit; EQ and EXT have none.
    #[must_use]
    pub const fn shape(self) -> Option<Shape> {
        Some(match self {
            Self::Add | Self::Addi | Self::Jump | Self::Ld | Self::Sd => Shape::Adder,
            Self::Logic | Self::Shifti => Shape::And,
            Self::Lt => Shape::Less,
            Self::Word => Shape::Word,
            Self::Shift => Shape::Shift,
            Self::Load => Shape::Load,
            Self::Store => Shape::Store,
            Self::Mul => Shape::Mul,
            Self::Mulh => Shape::Mulh,
            Self::Div => Shape::Div,
            Self::Hash => Shape::Compression,
            Self::Eq | Self::Ext => return None,
        })
    }
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 11] = [
        Self::Adder,
        Self::And,
        Self::Less,
        Self::Word,
        Self::Shift,
        Self::Load,
        Self::Store,
        Self::Mul,
        Self::Mulh,
        Self::Div,
        Self::Compression,
    ];

    /// The circuit.
    #[must_use]
    pub fn circuit(self) -> Circuit {
        match self {
            Self::Adder => adder::circuit(),
            Self::And => and::circuit(),
            Self::Less => less::circuit(),
            Self::Word => word::circuit(),
            Self::Shift => shift::circuit(),
            Self::Load => load::circuit(),
            Self::Store => store::circuit(),
            Self::Mul => mul::low_circuit(),
            Self::Mulh => mul::high_circuit(),
            Self::Div => div::circuit(),
            Self::Compression => blake2s::compression(),
        }
    }

    /// The words at the output ports for words at the input ports: the definition that the circuit is held to.
    ///
    /// # Panics
    /// If the number of inputs is not the circuit's.
    #[must_use]
    pub fn reference(self, inputs: &[u64]) -> Vec<u64> {
        match (self, inputs) {
            (Self::Adder, &[p, q]) => [p.wrapping_add(q)].into(),
            (Self::And, &[p, q]) => [p & q].into(),
            (Self::Less, &[a, b]) => [less::reference(a, b)].into(),
            (Self::Word, &[p, q]) => [sign_extend(p.wrapping_add(q), 32)].into(),
            (Self::Shift, &[v1, v2, flags]) => [shift::reference(v1, v2, flags)].into(),
            (Self::Load, &[v1, imm, cell]) => load::reference(v1, imm, cell).into(),
            (Self::Store, &[v1, v2, imm, cell]) => store::reference(v1, v2, imm, cell).into(),
            (Self::Mul, &[v1, v2, flags]) => [mul::low_reference(v1, v2, flags)].into(),
            (Self::Mulh, &[v1, v2, flags]) => [mul::high_reference(v1, v2, flags)].into(),
            (Self::Div, &[v1, v2, flags, q, r]) => div::reference(v1, v2, flags, Hints { q, r }).into(),
            (Self::Compression, &[counter, flags, h0, h1, h2, h3, ref message @ ..]) => {
                let message = message.try_into().expect("a message has eight words");
                // The machine has no last node, so f1 is zero.
                compress_words(&[h0, h1, h2, h3], message, counter, flags != 0).into()
            }
            _ => panic!("{self:?} has another number of inputs than {}", inputs.len()),
        }
    }
}

/// The low `width` bits of `value`, 1 to 64 of them, sign-extended.
const fn sign_extend(value: u64, width: u32) -> u64 {
    let unused = 64 - width;
    ((value << unused).cast_signed() >> unused).cast_unsigned()
}

/// The low half of `word`; above it copies of its top bit where `halved`, else what stands there, `fill` being
/// what a halved word is filled with.
fn halve_if(b: &mut Builder, halved: Wire, word: &[Wire], fill: Wire) -> Vec<Wire> {
    let (low, high) = word.split_at(32);
    let mut result = low.to_vec();
    result.extend(high.iter().map(|&bit| b.mux(halved, fill, bit)));
    result
}
