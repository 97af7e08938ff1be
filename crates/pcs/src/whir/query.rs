//! What a query claims: the fold of its leaf, and its weight at the terminal point.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use alloc::vec::Vec;

use fiat_shamir::{Arith, Queries};
use primitives::field::{E, K};

use crate::ntt::basis::{BETA, point};

/// What the words of a leaf are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbols {
    /// An element of K for each lane: the oracle of the stack.
    Words,
    /// An element of E for each lane, its coefficients of 1, y, y^2: every other oracle.
    Scalars,
}

impl Symbols {
    /// Words of one lane in a leaf.
    #[must_use]
    pub const fn words(self) -> usize {
        match self {
            Self::Words => 1,
            Self::Scalars => 3,
        }
    }

    /// The fold of a leaf: `sum_u eq[u] symbol_u` over the lanes that it has.
    #[must_use]
    pub fn fold<A: Arith>(self, arith: &A, leaf: &[A::Word], eq: &[A::Scalar]) -> A::Scalar {
        let zero = arith.constant(E::ZERO);
        match self {
            Self::Words => leaf
                .iter()
                .zip(eq)
                .fold(zero, |sum, (&word, &eq)| arith.mul_word_add(eq, word, sum)),
            Self::Scalars => leaf
                .as_chunks()
                .0
                .iter()
                .zip(eq)
                .fold(zero, |sum, (&limbs, &eq)| {
                    arith.mul_add(eq, arith.scalar(limbs), sum)
                }),
        }
    }
}

/// The point of the code at which each query reads, as a scalar: `sum_c x_c BETA[c]` over the bits of its
/// index.
#[must_use]
pub fn code_points<A: Arith>(arith: &A, queries: &Queries<A::Bit>) -> Vec<A::Scalar> {
    let plan = queries.plan();
    let stratum_point = |stratum: usize| {
        let index = u32::try_from(stratum).ok();
        let index = index.and_then(|index| index.checked_shl(u32::try_from(plan.drawn_bits()).ok()?));
        // A plan has at most 2^31 leaves, so the index of a stratum's first leaf fits.
        arith.constant(E::from(index.map_or(K::ZERO, point)))
    };
    queries
        .iter()
        .map(|query| {
            query
                .drawn
                .iter()
                .zip(BETA)
                .fold(stratum_point(query.stratum), |sum, (&bit, beta)| {
                    arith.add(sum, arith.mul_k(arith.embed(arith.bit_word(bit)), beta))
                })
        })
        .collect()
}

/// `MLE(W_x)(r) = prod_i (1 + r_i + r_i W_i(x))`, where `Enc(g)[x] = sum_w W_x(w) g(w)`.
///
/// `x`: a point of the code; `r`: a coordinate for each variable of the message, variable 0 first.
#[must_use]
pub fn weight_at<A: Arith>(arith: &A, x: A::Scalar, r: &[A::Scalar]) -> A::Scalar {
    let one = arith.constant(E::ONE);
    let mut w = x;
    let mut weight = one;
    for &r_i in r {
        weight = arith.mul(weight, arith.mul_add(r_i, w, arith.add(one, r_i)));
        // W_(i+1) = W_i^2 + W_i over the basis of Cantor.
        w = arith.add(arith.square(w), w);
    }
    weight
}

/// `MLE(eq(p, .))(r)` at the out-of-domain point `p = (c, c^2, c^4, ..)`: `prod_i (1 + r_i + c^(2^i))`.
#[must_use]
pub fn out_of_domain_weight_at<A: Arith>(arith: &A, c: A::Scalar, r: &[A::Scalar]) -> A::Scalar {
    let one = arith.constant(E::ONE);
    let mut c_i = c;
    let mut weight = one;
    for &r_i in r {
        weight = arith.mul(weight, arith.add(arith.add(one, r_i), c_i));
        c_i = arith.square(c_i);
    }
    weight
}
