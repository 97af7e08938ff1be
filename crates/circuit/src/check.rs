//! Whether a block satisfies a circuit's constraints.

use alloc::vec;
use alloc::vec::Vec;

use primitives::field::K;

use crate::layout::Circuit;

/// Why a block is no block of a circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// The constant wire is zero.
    #[error("position {position} holds the constant wire and is 0: set it in every block")]
    Constant {
        /// The position of the constant wire.
        position: usize,
    },
    /// `(A z)_p (B z)_p` is not `z_p`.
    #[error("position {position} is {bit} and the product of its rows {a} * {b}: compute it from the inputs")]
    Row {
        /// The position p.
        position: usize,
        /// `z_p`.
        bit: u64,
        /// `(A z)_p`.
        a: u64,
        /// `(B z)_p`.
        b: u64,
    },
}

impl Circuit {
    /// Checks the constraints on one block, at every position, lowest first.
    ///
    /// # Errors
    /// The first constraint that does not hold.
    ///
    /// # Panics
    /// If `block` has not [`block_words`](Self::block_words) words.
    pub fn check(&self, block: &[u64]) -> Result<(), Violation> {
        assert_eq!(block.len(), self.block_words(), "one block");
        let z: Vec<K> = block
            .iter()
            .flat_map(|word| (0..64).map(move |bit| K(word >> bit & 1)))
            .collect();
        let (mut a, mut b) = (vec![K::ZERO; z.len()], vec![K::ZERO; z.len()]);
        self.forward(&z, &mut a, &mut b);
        if z[self.constant_position] != K::ONE {
            return Err(Violation::Constant {
                position: self.constant_position,
            });
        }
        match (0..z.len()).find(|&p| a[p].0 & b[p].0 != z[p].0) {
            Some(position) => Err(Violation::Row {
                position,
                bit: z[position].0,
                a: a[position].0,
                b: b[position].0,
            }),
            None => Ok(()),
        }
    }
}
