//! The selectors of aligned blocks of a table at a point.
//!
//! A block of 2^t entries at offset o has the selector `eq(z_>=t, o >> t)`: the extension of the table is the sum of its
//! blocks', each times its selector. Those of two blocks have the factors of their offsets' common high bits in
//! common: they are the leaves of one tree, of which a node is `eq` of the bits above it, and one product gives both
//! children.

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

use alloc::collections::BTreeMap;

use fiat_shamir::Arith;
use primitives::field::E;

use super::Region;

/// The selectors at a point.
pub struct Selectors<'a, A: Arith> {
    arith: &'a A,
    point: &'a [A::Scalar],
    /// By the lowest bit that is fixed, and the bits from there.
    nodes: BTreeMap<(usize, usize), A::Scalar>,
}

impl<'a, A: Arith> Selectors<'a, A> {
    /// The selectors at a point, variable 0 first.
    #[must_use]
    pub fn new(arith: &'a A, point: &'a [A::Scalar]) -> Self {
        Self {
            arith,
            point,
            nodes: BTreeMap::new(),
        }
    }

    /// The selector of a block; of one entry, it is `eq(point, offset)`.
    pub fn of(&mut self, block: Region) -> A::Scalar {
        let one = self.arith.constant(E::ONE);
        let shift = |by: usize| {
            let by = u32::try_from(by).unwrap_or(u32::MAX);
            block.offset.checked_shr(by).unwrap_or(0)
        };
        let mut above = None;
        let variables = self.point.iter().copied().enumerate().skip(block.log_words);
        for (variable, z) in variables.rev() {
            let index = shift(variable);
            if let Some(&node) = self.nodes.get(&(variable, index)) {
                above = Some(node);
                continue;
            }
            let high = above.map_or(z, |above| self.arith.mul(above, z));
            let low = self.arith.add(above.unwrap_or(one), high);
            self.nodes.insert((variable, index | 1), high);
            self.nodes.insert((variable, index & !1), low);
            above = Some(if index & 1 == 1 { high } else { low });
        }
        above.unwrap_or(one)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use fiat_shamir::{Counting, Native};
    use primitives::multilinear::eq_at_index;
    use proptest::prelude::*;

    use super::*;
    use crate::tests::{CASES, config, symbols};

    proptest! {
        #![proptest_config(config(CASES))]

        #[test]
        fn a_selector_is_eq_of_the_offset(
            blocks in prop::collection::vec((0usize..=6, any::<prop::sample::Index>()), 1..20),
        ) {
            let (arith, point) = (Native::default(), symbols(6));
            let mut selectors = Selectors::new(&arith, &point);
            for (log_words, index) in blocks {
                let number = index.index(1 << (6 - log_words));
                let offset = number << log_words;
                let expected = eq_at_index(&point[log_words..], number);
                prop_assert_eq!(selectors.of(Region { offset, log_words }), expected);
            }
        }
    }

    #[test]
    fn all_selectors_of_one_size_cost_a_product_for_each_two() {
        let (arith, point) = (Counting::default(), vec![(); 9]);
        let mut selectors = Selectors::new(&arith, &point);
        let blocks: Vec<Region> = (0..64)
            .map(|i| Region {
                offset: i << 3,
                log_words: 3,
            })
            .collect();
        for _ in 0..2 {
            blocks.iter().for_each(|&block| selectors.of(block));
        }
        // 2 + 4 + .. + 32 pairs below the top one, which costs none.
        assert_eq!(arith.counts().mul, 62);
    }
}
