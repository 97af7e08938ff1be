//! Word gadgets: methods of [`Builder`](crate::Builder) on words of any width, bit 0 first.
//!
//! A word is a slice of wires. Arithmetic is modulo two to the width. Costs are in AND gates, before
//! constants are folded and unused parts left out.

mod add;
mod bitwise;
mod compare;
mod multiply;
mod shift;
#[cfg(test)]
mod tests;

pub use bitwise::{extend, rotate_right, shift_left, shift_right};
pub use multiply::{Number, Sum};
