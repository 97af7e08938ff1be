//! The tower of fields: the byte field [`B8`] inside [`K`] = GF(2^64) inside [`E`] of 192 bits.

#![expect(
    clippy::suspicious_arithmetic_impl,
    clippy::suspicious_op_assign_impl,
    reason = "in characteristic two a sum is XOR, and a difference is a sum"
)]

mod b8;
mod e;
mod k;
#[cfg(test)]
mod tests;

pub use b8::B8;
pub(crate) use e::karatsuba;
pub use e::{E, EWide};
pub use k::{K, KWide};
