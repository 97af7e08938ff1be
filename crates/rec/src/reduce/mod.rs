//! The reduction of a node: the claims that its children leave become one claim on each polynomial that everybody knows.
//!
//! The [`Catalog`] lists these: three dense polynomials (the image of RAM, the bits of the bytecode, the public columns of
//! both node circuits), and the matrices A and B of each Boolean circuit. A [`Child`] is a run, or a tree that carries
//! claims of its own; [`Merged`] is what a tree carries.
//!
//! Steps, each a proof made natively and verified in rows:
//!
//! 1. *Dense.* Claims are `v_c = sum_x W_c(x) f(x)`. With a challenge gamma, `sum_c gamma^c v_c` is a sum over all three
//!    polynomials, and one sumcheck leaves a value of each at one point.
//! 2. *Rows.* Claims on matrices are `m = sum_p U(p) ((A V)_p + a (B V)_p)`. One sumcheck over p leaves `A V` and `B V` at
//!    one point of rows, for each claim.
//! 3. *Columns.* One sumcheck over the columns leaves A and B of each circuit at one point of rows and columns.
//!
//! Nothing below the root evaluates a polynomial of the catalog: who verifies the root does it once, by [`settle()`].
//! A polynomial or a circuit on which no child has a claim takes part with weight zero, so that no kind of child is a case.
//!
//! The protocol is written down in `doc/recursion.md`. Source: the batching of claims by one sumcheck is folklore; for the
//! sumchecks over rows, then columns of a matrix see Spartan (ePrint 2019/550), section 5.

mod bits;
mod catalog;
mod child;
mod claims;
mod dense;
mod matrices;
#[cfg(feature = "prover")]
mod prove;
#[cfg(feature = "prover")]
pub mod security;
mod settle;
#[cfg(all(test, feature = "prover"))]
mod tests;
mod verify;

pub use catalog::Catalog;
pub use child::{Child, Merged};
pub use dense::DENSE;
pub use matrices::{COLUMNS, ROWS};
#[cfg(feature = "prover")]
pub use prove::prove;
pub use settle::{ENTRIES, FIXED, IMAGE, MATRIX, settle};
pub use verify::{CALL, KIND, verify_core};
