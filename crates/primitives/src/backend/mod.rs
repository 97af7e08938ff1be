//! The vocabulary of kernels, and the back ends that speak it.

pub(crate) mod scalar;
