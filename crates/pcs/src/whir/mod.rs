//! WHIR: opens a weighted sum `sum_w W(w) q(w) = T` of the committed stack q.
//!
//! The function of a level is `f_0 = q`, and `f_(i+1)` is `f_i` folded by the challenges of the level's
//! rounds. Every round binds the top variable of what is left, so a level binds its lanes, and the challenges
//! in reverse order are the terminal point. For each level:
//!
//! 1. sumcheck rounds on `W f_i`, one for each of the level's `log_fold` variables ([`sumcheck`]);
//! 2. the root of the oracle of `f_(i+1)`, a challenge c, and the answer `MLE(f_(i+1))(c, c^2, c^4, ..)`;
//!    after the last level, instead, the table of `f_(i+1)` in the clear;
//! 3. grinding, then the queries x_1..x_t of the oracle of `f_i`: a leaf holds `Enc(lane)[x]` of every lane,
//!    and the fold of the leaf is `v_j`, which claims `sum_w W_(x_j)(w) f_(i+1)(w) = v_j` ([`query`]);
//! 4. a challenge b: `T + b answer + b^2 v_1 + b^3 v_2 + ..` is the next claim, and its weight is W plus the
//!    same combination of weights; after the last level `T + b v_1 + b^2 v_2 + ..`.
//!
//! Then rounds on the residual table, and one check: the claim that is left is the weight at the terminal
//! point times the residual table at it.
//!
//! Sources: WHIR (ePrint 2024/1586), Ligerito (ePrint 2025/1187). Exactly as built: `doc/pcs.md`.

#[cfg(feature = "prover")]
mod batch;
#[cfg(feature = "prover")]
mod first_rounds;
#[cfg(feature = "prover")]
mod grid;
#[cfg(feature = "prover")]
pub mod prove;
pub mod query;
#[cfg(test)]
pub(crate) mod reference;
#[cfg(feature = "prover")]
mod rounds;
pub mod sumcheck;
#[cfg(test)]
pub(crate) mod tests;
pub mod verify;
#[cfg(feature = "prover")]
pub mod weights;

use fiat_shamir::Label;

/// The check that closes an opening: the claim that is left is the weight times the residual table, at the
/// terminal point.
pub const TERMINAL: Label = Label::new("whir: terminal");
