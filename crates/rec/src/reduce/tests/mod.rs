//! Tests of the reduction: against the sums from the definitions, against forgeries, in rows, on claims of real proofs.

mod fixtures;
mod forgeries;
mod prover;
mod real;
mod reference;
mod security;
