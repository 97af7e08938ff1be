//! The Reed-Solomon code over the novel basis, and its additive number-theoretic transform.

pub mod basis;
pub mod reference;
