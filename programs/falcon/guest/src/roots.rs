//! The tree along which `x^512 + 1` splits modulo q, and its constants.
//!
//! Node 1 is `x^512 + 1`; node n, `x^(2 m) - w^2`, has the children `x^m - w` (node 2 n) and `x^m + w` (node 2 n + 1).
//! Which of the two roots is w is free, and only the order of the leaves depends on it: it is the one for which
//! [`FORWARD`] is below q / 2. Seven layers down, the leaves are `x^4 -+ w`.

use crate::MODULUS;
use crate::lanes::SHIFT;

/// Nodes that split: one to 127.
pub(crate) const NODES: usize = 128;

/// A primitive root of unity of order 1024.
const PSI: u64 = 10_302;

/// The root w of each node times 2^12, from 1 to 6144. Node 0 is none.
pub(crate) static FORWARD: [u64; NODES] = constants().0;

/// The inverse of the root w of each node times 2^12, from -6144 to 6144, as two's complement. Node 0 is none.
pub(crate) static INVERSE: [u64; NODES] = constants().1;

const Q: u64 = MODULUS as u64;

/// [`FORWARD`] and [`INVERSE`].
pub(crate) const fn constants() -> ([u64; NODES], [u64; NODES]) {
    let (mut forward, mut inverse) = ([0; NODES], [0; NODES]);
    // Node n is x^(2 m) - psi^logarithms[n].
    let mut logarithms = [0; 2 * NODES];
    logarithms[1] = 512;
    let mut n = 1;
    while n < NODES {
        let mut root = logarithms[n] / 2;
        if scaled(root) > Q / 2 {
            root += 512;
        }
        forward[n] = scaled(root);
        inverse[n] = centred(scaled(1024 - root));
        logarithms[2 * n] = root;
        logarithms[2 * n + 1] = (root + 512) % 1024;
        n += 1;
    }
    (forward, inverse)
}

/// `2^12 psi^exponent` modulo q.
const fn scaled(exponent: u64) -> u64 {
    power(PSI, exponent) * (1 << SHIFT) % Q
}

/// `base^exponent` modulo q.
pub(crate) const fn power(base: u64, exponent: u64) -> u64 {
    let (mut result, mut i) = (1, 0);
    while i < exponent {
        result = result * base % Q;
        i += 1;
    }
    result
}

/// The number of least magnitude that is `number` modulo q, as two's complement; `number` below q.
pub(crate) const fn centred(number: u64) -> u64 {
    if number > Q / 2 {
        number.wrapping_sub(Q)
    } else {
        number
    }
}
