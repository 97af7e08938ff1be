//! The Reed-Solomon code over the novel basis, and its additive number-theoretic transform.
//!
//! `Enc(g)[v] = sum_j g_j X_j(point(v))` for a message g of `2^kappa` symbols and v below `2^(kappa + R)`, on
//! every lane of an [`Interleaving`] alone. [`basis`] has the points, [`mod@reference`] the definition,
//! [`encode()`] the transform.

pub mod basis;
#[cfg(feature = "prover")]
mod block;
#[cfg(feature = "prover")]
mod butterfly;
#[cfg(feature = "prover")]
mod encode;
pub mod reference;
#[cfg(feature = "prover")]
mod shape;

#[cfg(feature = "prover")]
pub use block::{BLOCK_WORDS, Block, Symbol};
#[cfg(feature = "prover")]
pub use encode::{MIN_TILE_ROWS, RowSink, encode, task_rows};
#[cfg(feature = "prover")]
pub use shape::Interleaving;
