//! Tries as those of a large state: full branches down to some depth, and leaves.

use stateproof_guest::Keccak;
use stateproof_guest::bytes::Bytes;

use crate::{padded_words, rlp};

/// A key and the encoding of its value.
pub(crate) struct Leaf {
    pub(crate) key: [u8; 32],
    pub(crate) value: Vec<u8>,
}

/// A trie's root, and the proof of each leaf, in order.
pub(crate) struct Trie {
    pub(crate) root: [u8; 32],
    pub(crate) proofs: Vec<Vec<Vec<u8>>>,
}

/// Builds a trie whose first `branches` levels are full branches. Children on no leaf's path are hashes drawn from
/// `draw`.
///
/// # Panics
/// If two leaves have the same first `branches` nibbles, or if there is none.
pub(crate) fn build(leaves: &[Leaf], branches: usize, draw: &mut impl FnMut() -> [u8; 32]) -> Trie {
    assert!(!leaves.is_empty(), "a trie of full branches has a leaf");
    let mut proofs = vec![Vec::new(); leaves.len()];
    let all: Vec<usize> = (0..leaves.len()).collect();
    let root = node(leaves, branches, draw, &mut proofs, &all, 0);
    for proof in &mut proofs {
        proof.reverse();
    }
    Trie {
        root: keccak256(&root),
        proofs,
    }
}

/// The node at a depth above the leaves `below`, to whose proofs it is added, the deepest node first.
fn node(
    leaves: &[Leaf],
    branches: usize,
    draw: &mut impl FnMut() -> [u8; 32],
    proofs: &mut [Vec<Vec<u8>>],
    below: &[usize],
    depth: usize,
) -> Vec<u8> {
    let encoded = if depth == branches {
        let [leaf] = below else {
            panic!("two keys have the same first {branches} nibbles")
        };
        leaf_node(&leaves[*leaf], depth)
    } else {
        let mut items: Vec<Vec<u8>> = (0..16)
            .map(|child| {
                let on_path = |leaf: &&usize| nibble(&leaves[**leaf].key, depth) == child;
                let below: Vec<usize> = below.iter().filter(on_path).copied().collect();
                let hash = if below.is_empty() {
                    draw()
                } else {
                    keccak256(&node(leaves, branches, draw, proofs, &below, depth + 1))
                };
                rlp::string(&hash)
            })
            .collect();
        items.push(rlp::string(&[]));
        rlp::list(&items)
    };
    for leaf in below {
        proofs[*leaf].push(encoded.clone());
    }
    encoded
}

/// The leaf of a key at a depth.
pub(crate) fn leaf_node(leaf: &Leaf, depth: usize) -> Vec<u8> {
    let nibbles: Vec<u8> = (depth..64).map(|i| nibble(&leaf.key, i)).collect();
    rlp::list(&[rlp::string(&path(&nibbles, true)), rlp::string(&leaf.value)])
}

/// The hex-prefix encoding of nibbles.
pub(crate) fn path(nibbles: &[u8], is_leaf: bool) -> Vec<u8> {
    let flag = if is_leaf { 2 } else { 0 };
    let marked = if nibbles.len().is_multiple_of(2) {
        [&[flag, 0], nibbles].concat()
    } else {
        [&[flag + 1], nibbles].concat()
    };
    marked
        .as_chunks()
        .0
        .iter()
        .map(|[high, low]| high << 4 | low)
        .collect()
}

/// Nibble `i` of a key, the high one of each byte first.
pub(crate) fn nibble(key: &[u8; 32], i: usize) -> u8 {
    key[i / 2] >> (4 - i % 2 * 4) & 15
}

pub(crate) fn keccak256(bytes: &[u8]) -> [u8; 32] {
    let hash = Keccak::new().hash(Bytes::new(&padded_words(bytes), bytes.len()));
    leanvm_guest::blake2s::to_bytes(&hash)
}
