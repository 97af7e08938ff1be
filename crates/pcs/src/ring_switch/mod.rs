//! Ring switching: claims on packed bits become a weighted sum of the committed words.
//!
//! A packed witness is `Q(u) = sum_i Q_i(u) x^i` with 64 functions `Q_i` to bits, and what is claimed are the
//! *slices* `s_i = sum_u V(u) Q_i(u)`, for a weight V over E: `eq(r, .)`, or a combination of such. For an
//! F2-linear map Phi of E,
//!
//! ```text
//! sum_u Phi(V(u)) Q(u) = sum_i x^i sum_u Phi(V(u)) Q_i(u) = sum_i x^i Phi(s_i),
//! ```
//!
//! since the `Q_i(u)` are bits. Phi is `M_5 ∘ .. ∘ M_0`, `M_p(a) = a + f_p a^(2^(2^(5-p)))`, drawn once the
//! slices are bound; it sees an error in any slice except with probability 2^31 / |E| a challenge
//! (`doc/soundness.md`).
//!
//! The verifier needs the multilinear extension of `Phi(w eq(r, .))` at a point t. Written out,
//! `Phi(a) = sum_k c_k a^(2^k)`, so it is
//!
//! ```text
//! sum_k c_k w^(2^k) prod_n (1 + r_n^(2^k) + t_n) = sum_k (d_k w prod_n (1 + r_n + t_n^(2^-k)))^(2^k),
//! ```
//!
//! with `d_k = c_k^(2^-k)`: the roots of t serve every family, and the sum closes by squarings alone,
//! `a_0 + (a_1 + (a_2 + ..)^2)^2`.
//!
//! Source: Diamond and Posen, ePrint 2024/504; the map of six challenges is doc/pcs.md's.

#[cfg(feature = "prover")]
pub mod maps;
#[cfg(feature = "prover")]
pub mod tables;
mod verify;

pub use verify::{Evaluator, Products, apply, roots, target, weight_at};

/// Bits of a word, and so slices of a packed witness.
pub const SLICES: usize = 64;

/// The challenges of one map.
pub const CHALLENGES: usize = 6;

/// `log2` of the exponent of challenge p: `M_p(a) = a + f_p a^(2^EXPONENTS[p])`.
const EXPONENTS: [usize; CHALLENGES] = [32, 16, 8, 4, 2, 1];
