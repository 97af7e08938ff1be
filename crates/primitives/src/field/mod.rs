//! The tower of fields: the byte field [`B8`] inside [`K`] = GF(2^64) inside [`E`] of 192 bits.

mod b8;
mod e;
mod k;

pub use b8::B8;
pub use e::{E, EWide};
pub use k::{K, KWide};
