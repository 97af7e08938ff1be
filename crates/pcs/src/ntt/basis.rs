//! Points, subspaces and twiddles of the code: the basis of Cantor.
//!
//! `BETA[0] = 1`, and `BETA[c + 1]` is the root of `y^2 + y = BETA[c]` whose bit 0 is clear (the other root
//! is that one plus 1). Index `v` of a codeword is the point `point(v) = sum_c v_c BETA[c]`, and
//! `U_i = span(BETA[0], .., BETA[i - 1])` are the points of the indices below `2^i`.
//!
//! With `S(X) = X^2 + X`, whose kernel is `U_1 = {0, 1}`, `U_i` is the kernel of the i-fold `S^i`, so
//! `W_i = S^i` is the monic polynomial that vanishes on `U_i`, and `S^i(BETA[i]) = BETA[0] = 1`: it is its
//! own normalisation. `S` takes every basis element to the one before it, hence
//!
//! ```text
//! W_i(point(v)) = point(v >> i),      W_(i + 1) = W_i^2 + W_i.
//! ```
//!
//! So one table of 32 words holds every constant of the code, and a verifier walks `W_0(x), W_1(x), ..` by
//! one squaring a step. Sources: Cantor, On arithmetical algorithms over finite fields (J. Combin. Theory A
//! 50, 1989); Lin, Chung, Han (FOCS 2014) for the transform over a general basis.

use primitives::field::{E, K};

/// Log2 of the longest block that has a basis here. The span of all 32 elements is the subfield GF(2^32).
pub const MAX_LOG_LENGTH: usize = 32;

/// The basis: `BETA[c]^2 + BETA[c] = BETA[c - 1]`, down to `BETA[0] = 1`.
pub const BETA: [K; MAX_LOG_LENGTH] = {
    let mut beta = [K::ZERO; MAX_LOG_LENGTH];
    beta[MAX_LOG_LENGTH - 1] = BETA_31;
    let mut c = MAX_LOG_LENGTH - 1;
    while c > 0 {
        beta[c - 1] = K(beta[c].mul_const(beta[c]).0 ^ beta[c].0);
        c -= 1;
    }
    beta
};

/// The point that codeword index `index` stands for: `sum_c index_c BETA[c]`.
///
/// Without branches, so that it becomes vector instructions where a transform calls it.
#[inline(always)]
#[must_use]
pub fn point(index: u32) -> K {
    (0u32..)
        .zip(&BETA)
        .map(|(c, beta)| K(u64::from(index >> c & 1).wrapping_neg() & beta.0))
        .sum()
}

/// `W_i(point(index))`.
///
/// It is the sum over the set bits c of `index` of the table `W_i(BETA[c])`: `BETA[c - i]`, and 0 for c < i.
#[must_use]
pub fn subspace_value(i: usize, index: u32) -> K {
    u32::try_from(i)
        .ok()
        .and_then(|i| index.checked_shr(i))
        .map_or(K::ZERO, point)
}

/// `MLE(W_x)(r)`, where `Enc(g)[x] = sum_j W_x(j) g(j)` for every message `g`.
///
/// `W_x(j) = prod_i W_i(point(x))^(bit i of j)`, so the extension is `prod_i (1 + r_i + r_i W_i(point(x)))`.
/// `index`: x; `r`: one element of E a variable of the message, variable 0 first.
#[must_use]
pub fn weight_at(index: u32, r: &[E]) -> E {
    let mut w = point(index);
    r.iter()
        .map(|&r_i| {
            let factor = E::ONE + r_i + r_i * w;
            w = w.square() + w;
            factor
        })
        .product()
}

/// The twiddles of the first blocks b, b + 1, .. of every `2^SHIFT`: `point(2 (b << SHIFT))`, by one XOR a step.
///
/// From b to b + 1 the bits that turn are the trailing ones of b and the zero above them.
#[derive(Clone, Copy, Debug)]
pub struct TwiddleWalk<const SHIFT: usize> {
    block: u32,
    twiddle: K,
}

impl<const SHIFT: usize> TwiddleWalk<SHIFT> {
    /// `point(2 (b << SHIFT)) + point(2 ((b + 1) << SHIFT))` by the number of trailing ones of b.
    const STEPS: [K; MAX_LOG_LENGTH] = {
        let mut steps = [K::ZERO; MAX_LOG_LENGTH];
        let mut sum = 0;
        let mut c = SHIFT + 1;
        while c < MAX_LOG_LENGTH {
            sum ^= BETA[c].0;
            steps[c - SHIFT - 1] = K(sum);
            c += 1;
        }
        steps
    };

    /// The walk from block `first` on.
    #[inline(always)]
    #[must_use]
    pub fn new(first: u32) -> Self {
        Self {
            block: first,
            twiddle: point(first << (SHIFT + 1)),
        }
    }

    /// The twiddle of the current block; then moves on to the next.
    #[inline(always)]
    pub fn next_twiddle(&mut self) -> K {
        let twiddle = self.twiddle;
        self.twiddle += Self::STEPS[self.block.trailing_ones() as usize];
        self.block += 1;
        twiddle
    }
}

const BETA_31: K = K(0xb668_64e6_ec14_b4d2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_basis_is_the_one_that_the_definition_names() {
        assert_eq!(BETA[0], K::ONE);
        for c in 1..MAX_LOG_LENGTH {
            assert_eq!(BETA[c].square() + BETA[c], BETA[c - 1]);
            assert_eq!(BETA[c].0 & 1, 0);
        }
    }

    /// `V_i(X) = prod over u in U_i of (X + u)`, divided by its value at `BETA[i]`.
    fn normalised_subspace_polynomial(i: usize, x: K) -> K {
        let vanishing = |x: K| (0..1 << i).map(|u| x + point(u)).product::<K>();
        vanishing(x) * vanishing(BETA[i]).inverse_or_zero()
    }

    #[test]
    fn shifted_indices_are_the_values_of_the_normalised_subspace_polynomials() {
        for i in 0..8 {
            for (c, &beta) in BETA.iter().enumerate() {
                assert_eq!(subspace_value(i, 1 << c), normalised_subspace_polynomial(i, beta));
            }
            for index in [0, 1, 0x1234_5678, u32::MAX] {
                assert_eq!(
                    subspace_value(i, index),
                    normalised_subspace_polynomial(i, point(index))
                );
            }
        }
        assert_eq!(subspace_value(32, u32::MAX), K::ZERO);
        assert_eq!(subspace_value(usize::MAX, u32::MAX), K::ZERO);
    }

    fn check_walk<const SHIFT: usize>() {
        for first in [0, 1, 6, 255] {
            let mut walk = TwiddleWalk::<SHIFT>::new(first);
            for block in first..first + 600 {
                assert_eq!(walk.next_twiddle(), point((2 * block) << SHIFT));
            }
        }
    }

    #[test]
    fn a_walk_gives_the_twiddle_of_every_block() {
        check_walk::<0>();
        check_walk::<1>();
        check_walk::<2>();
    }
}
