//! The code by its definition: slow, and what every transform is held to.

use alloc::vec::Vec;
use core::ops::{Add, AddAssign, Mul};

use primitives::field::K;

use super::basis::{point, subspace_value};

/// `Enc(message)[index]` by evaluating `sum_j message[j] X_j` at the point of `index`, where
/// `X_j = prod_i W_i^(bit i of j)`.
#[must_use]
pub fn evaluate<T: Copy + Mul<K, Output = T> + core::iter::Sum>(message: &[T], index: u32) -> T {
    let basis_polynomial = |j: usize| {
        (0..usize::BITS as usize)
            .filter(|i| j >> i & 1 == 1)
            .map(|i| subspace_value(i, index))
            .product::<K>()
    };
    message
        .iter()
        .enumerate()
        .map(|(j, &coefficient)| coefficient * basis_polynomial(j))
        .sum()
}

/// The codeword of `message` by the butterfly network: `2^log_inv_rate` copies of the message, then for
/// every layer d from the top one down, on all pairs `(v, v + 2^d)` with bit d of v clear,
/// `B[v] += t B[v + 2^d]` and `B[v + 2^d] += B[v]`, where `t = sum over c > d of v_c W_d(BETA[c])`.
///
/// `message`: 2^kappa symbols of K or E.
///
/// # Panics
/// When the length of `message` is not a power of two.
#[must_use]
pub fn encode<T>(message: &[T], log_inv_rate: usize) -> Vec<T>
where
    T: Copy + Add<Output = T> + AddAssign + Mul<K, Output = T>,
{
    assert!(
        message.len().is_power_of_two(),
        "a message of {} symbols",
        message.len()
    );
    let mut word = message.repeat(1 << log_inv_rate);
    for d in (0..message.len().ilog2() as usize).rev() {
        for v in (0..word.len()).filter(|v| v >> d & 1 == 0) {
            let partner = v + (1 << d);
            let twiddle = point((v >> (d + 1) << 1) as u32);
            let low = word[v] + word[partner] * twiddle;
            word[v] = low;
            word[partner] += low;
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use primitives::field::E;

    use super::super::basis::{BETA, weight_at};
    use super::*;
    use crate::tests::{symbols, words};

    #[test]
    fn the_network_evaluates_the_polynomial_at_every_point() {
        for kappa in 0..7 {
            for log_inv_rate in 0..4 {
                let (message, extension) = (words(1 << kappa), symbols(1 << kappa));
                let (word, extension_word) =
                    (encode(&message, log_inv_rate), encode(&extension, log_inv_rate));
                for index in 0..word.len() {
                    assert_eq!(word[index], evaluate(&message, index as u32));
                    assert_eq!(extension_word[index], evaluate(&extension, index as u32));
                }
            }
        }
    }

    #[test]
    fn the_twiddle_is_the_sum_that_defines_it() {
        for d in 0..6 {
            for v in 0..512 {
                let sum: K = (d + 1..32)
                    .filter(|c| v >> c & 1 == 1)
                    .map(|c| subspace_value(d, 1 << c))
                    .sum();
                assert_eq!(point(v >> (d + 1) << 1), sum);
            }
        }
        assert_eq!(subspace_value(3, 1 << 9), BETA[6]);
    }

    #[test]
    fn a_weight_is_its_tensor_form() {
        let r = symbols(5);
        let eq = |j: usize| -> E {
            r.iter()
                .enumerate()
                .map(|(i, &r_i)| if j >> i & 1 == 1 { r_i } else { E::ONE + r_i })
                .product()
        };
        for index in 0..256 {
            let weight_of = |j: usize| {
                let mut unit = [K::ZERO; 32];
                unit[j] = K::ONE;
                encode(&unit, 3)[index as usize]
            };
            let extension: E = (0..32).map(|j| eq(j) * weight_of(j)).sum();
            assert_eq!(weight_at(index, &r), extension);
        }
    }
}
