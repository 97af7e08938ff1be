//! The stack: columns of different sizes in one committed function, and all claims on them in one opening.
//!
//! A claim on a column is one on the stack, at the same point continued by the bits of the column's offset. A
//! ring-switched family becomes a claim on the stack by its map. With the claims in the order of the
//! [`Statement`], what is opened is
//!
//! 1. if there are at least two families: a challenge b, and the families become one with slices
//!    `sum_g b^g s_g` and weights multiplied by `b^g`;
//! 2. if there are families: the six challenges of the map Phi, and the family's target T_0 ([`ring_switch`]);
//! 3. if there is more than one claim by now: a challenge l, and `T_0 + l v_1 + l^2 v_2 + ..` over the columns
//!    (without families `v_0 + l v_1 + ..`) is opened by [`whir`], with the same combination of weights.
//!
//! [`ring_switch`]: crate::ring_switch
//! [`whir`]: crate::whir

mod claims;
#[cfg(test)]
mod fixtures;
pub mod layout;
#[cfg(feature = "prover")]
mod packed;
#[cfg(feature = "prover")]
pub mod prove;
#[cfg(test)]
pub(crate) mod reference;
pub mod selectors;
#[cfg(test)]
pub(crate) mod tests;
pub mod verify;
#[cfg(feature = "prover")]
mod weights;

pub use claims::{Claims, ClaimsError, Column, Family, Member, PointRef, Statement};
pub use layout::{Layout, LayoutError, Region};
