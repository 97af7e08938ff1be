//! Paths of Merkle trees.

use leanvm_guest::blake2s::{Length, Template};
use leanvm_guest::hint::{apart, opaque};

use crate::Half;

/// The node above the leaf number `index`, as many levels up as the path has siblings, the leaf's first.
///
/// `node`: tweak, parameter, left and right of a node, of which this sets left and right, the level (half-word 1)
/// and the node's number (half-word 3), and leaves the rest as it is. `UNROLLED`: levels of a turn of the loop.
#[inline(always)]
#[must_use]
pub fn climb<const UNROLLED: usize>(node: &mut Template<64>, index: u64, leaf: Half, path: &[Half]) -> Half {
    // The compiler would take a number that it knows to be short for one of 32 bits, whose shifts cost more.
    let (mut at, mut index) = (leaf, opaque(index));
    let length = Length::new();
    let (turns, rest) = path.as_chunks::<UNROLLED>();
    let mut level = 0;
    for siblings in turns {
        // Unrolled: each level of a turn has its own bit in the index.
        macro_rules! levels {
            ($($i:literal)*) => {
                $(
                    if $i < UNROLLED {
                        at = parent(node, length, level + $i + 1, index >> $i, at, &siblings[$i]);
                    }
                )*
            };
        }
        const { assert!(UNROLLED <= 10, "as many levels as below") };
        levels!(0 1 2 3 4 5 6 7 8 9);
        level += UNROLLED as u32;
        index >>= UNROLLED;
    }
    for sibling in rest {
        level += 1;
        at = parent(node, length, level, index, at, sibling);
        index >>= 1;
    }
    at
}

/// The node at `level` above the node number `index` (in the lowest 32 bits).
#[inline(always)]
fn parent(
    node: &mut Template<64>,
    length: Length<64>,
    level: u32,
    index: u64,
    at: Half,
    sibling: &Half,
) -> Half {
    if index & 1 == 0 {
        node.set(4, at[0]);
        node.set(5, at[1]);
        node.set(6, sibling[0]);
        node.set(7, sibling[1]);
        apart::<0, _>(node);
    } else {
        node.set(4, sibling[0]);
        node.set(5, sibling[1]);
        node.set(6, at[0]);
        node.set(7, at[1]);
        apart::<1, _>(node);
    }
    node.set_half(1, level);
    node.set_half(3, (index >> 1) as u32);
    let [z0, z1, ..] = *node.hash_with(length);
    [z0, z1]
}
