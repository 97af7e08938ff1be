//! Tweaks: what a hash is of, and where.

/// The secret start of a chain.
pub const START: u64 = 0;
/// A step of a chain.
pub const STEP: u64 = 1;
/// A one-time public key, from the ends of its chains.
pub const ONE_TIME_KEY: u64 = 2;
/// An inner node of a layer's tree.
pub const NODE: u64 = 3;
/// The encoding of what a one-time key signs.
pub const ENCODING: u64 = 4;
/// A key's parameter.
pub const PARAMETER: u64 = 5;
/// The randomizer of a message.
pub const RANDOMIZER: u64 = 7;
/// A secret of a FORS tree.
pub const FORS_SECRET: u64 = 8;
/// A leaf of a FORS tree.
pub const FORS_LEAF: u64 = 9;
/// An inner node of a FORS tree.
pub const FORS_NODE: u64 = 10;
/// A few-time public key, from the roots of its FORS trees.
pub const FORS_KEY: u64 = 11;
/// The digest of a message.
pub const DIGEST: u64 = 12;

/// The tweak's two words: bytes `01 kind layer 00`, then `position`, `tree` and `index` of four bytes each.
///
/// `layer`, `tree`: those of the hypertree, or number and instance of a FORS tree. `position`: the chain, the chain
/// and the number of its value, or the level of a node. `index`: the number of the leaf or of the node.
#[inline(always)]
#[must_use]
pub const fn words(kind: u64, layer: u64, tree: u32, position: u32, index: u32) -> [u64; 2] {
    [
        1 | kind << 8 | layer << 16 | (position as u64) << 32,
        tree as u64 | (index as u64) << 32,
    ]
}
