//! Boolean circuits over 64-bit ports: gate lists, word gadgets, walks, dumps and counts.
//!
//! Use it to write a circuit once ([`Builder`]) and get everything that a batched proof needs of it: the
//! place of every committed bit ([`Circuit`]), the packed witness of many instances ([`Circuit::fill`]), and
//! the products of its constraint matrices with vectors ([`Circuit::forward`], [`Circuit::backward`]),
//! without ever building the matrices. The word gadgets are methods of the builder, in [`gadgets`].
//!
//! It imports `primitives` only.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod blake2s;
mod builder;
mod check;
pub mod clock;
mod dump;
pub mod fields;
pub mod gadgets;
mod layout;
pub mod pointers;
mod products;
mod transpose;
mod walk;
mod witness;

pub use builder::{Builder, Wire};
pub use check::Violation;
pub use layout::Circuit;
pub use products::Products;
pub use walk::Vector;

#[cfg(test)]
mod tests;
