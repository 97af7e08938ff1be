//! The fields of leanVM and the kernels that everything else runs on.
//!
//! Use it for arithmetic in [`field::K`] = GF(2^64), [`field::E`] = K\[y\]/(y^3 + y + 1) and the byte field
//! [`field::B8`]; for slice kernels on the best instructions that the machine has ([`backend`]); for
//! BLAKE2s ([`blake2s`]); for multilinear extensions ([`multilinear`]); and for tasks on threads ([`pool`]).
//!
//! It imports no other crate of leanVM.

#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod backend;
pub mod bit_maps;
pub mod bits;
pub mod blake2s;
pub mod field;
pub mod multilinear;
pub mod pool;
pub mod slices;
#[cfg(any(test, feature = "suite"))]
pub mod suite;
pub mod vectors;
