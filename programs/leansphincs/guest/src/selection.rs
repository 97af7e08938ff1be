//! What the digest of a message selects.

use crate::{FORS_TREES, LAYERS, Layer};

/// A few-time key, and a leaf of each of its FORS trees.
///
/// The digest is a number of 256 bits: its lowest 26 are the key's number, and fifteen groups of ten above them are
/// leaves. The fifteenth tree does not exist, so its leaf must be number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The lowest 192 bits of the digest.
    words: [u64; 3],
}

/// Where a one-time key stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The number of the tree in its layer.
    pub tree: u32,
    /// The number of the leaf in the tree.
    pub leaf: u32,
}

impl Selection {
    /// What a digest selects, if it is admissible: if the leaf in the tree that does not exist is number 0.
    #[inline(always)]
    #[must_use]
    pub fn new(digest: &[u64; 4]) -> Option<Self> {
        let [w0, w1, w2, _] = *digest;
        let selection = Self { words: [w0, w1, w2] };
        (selection.leaf(FORS_TREES) == 0).then_some(selection)
    }

    /// The number of the few-time key.
    #[inline(always)]
    #[must_use]
    pub const fn key(self) -> u32 {
        (self.words[0] & ((1 << 26) - 1)) as u32
    }

    /// The number of the leaf in FORS tree `tree`.
    ///
    /// # Panics
    /// If `tree` is above 14.
    #[inline(always)]
    #[must_use]
    pub const fn leaf(self, tree: usize) -> u32 {
        assert!(tree <= FORS_TREES, "there are fifteen leaves");
        let (word, shift) = ((26 + 10 * tree) / 64, (26 + 10 * tree) % 64);
        let mut bits = self.words[word] >> shift;
        if shift > 64 - 10 {
            bits |= self.words[word + 1] << (64 - shift);
        }
        (bits & 1023) as u32
    }

    /// The one-time key on a layer, on the way from the few-time key to the root.
    ///
    /// # Panics
    /// If there is no such layer.
    #[inline(always)]
    #[must_use]
    pub const fn position(self, layer: usize) -> Position {
        let Layer { height, below } = LAYERS[layer];
        let leaf = self.key() >> below;
        Position {
            tree: leaf >> height,
            leaf: leaf & ((1 << height) - 1),
        }
    }
}
