//! What follows from the seed of a key: its trees, and the values of its chains.

use leansphincs_guest::{CHAINS, FORS_HEIGHT, Half, LAST, LAYERS, Position, tweak};

use crate::hash::{half, halves};

/// A seed, and the parameter that follows from it.
#[derive(Clone)]
pub(crate) struct Secret {
    pub(crate) seed: [u64; 4],
    pub(crate) parameter: Half,
}

/// A whole Merkle tree.
#[derive(Clone)]
pub(crate) struct Tree {
    /// The nodes of each level, the leaves first, the root last.
    levels: Vec<Vec<Half>>,
}

/// One-time keys that are made together, so that memory stays small beside a tree.
const BATCH: u32 = 1 << 6;

impl Secret {
    pub(crate) fn new(seed: [u64; 4]) -> Self {
        let parameter = half(tweak::words(tweak::PARAMETER, 0, 0, 0, 0), &[0; 2], &seed);
        Self { seed, parameter }
    }

    /// The digest of tweak, parameter and payload, cut to 16 bytes.
    pub(crate) fn half(&self, tweak: [u64; 2], payload: &[u64]) -> Half {
        half(tweak, &self.parameter, payload)
    }

    /// [`half`](Self::half) of many tweaks with payloads of `N` words.
    fn halves<const N: usize>(&self, messages: impl Iterator<Item = ([u64; 2], [u64; N])>) -> Vec<Half> {
        let words: Vec<u64> = messages
            .flat_map(|(tweak, payload)| tweak.into_iter().chain(self.parameter).chain(payload))
            .collect();
        halves(&words, 4 + N)
    }

    /// The tree of one-time keys number `tree` of a layer.
    pub(crate) fn one_time_tree(&self, layer: usize, tree: u32) -> Tree {
        let leaves = 1u32 << LAYERS[layer].height;
        let leaves = (0..leaves)
            .step_by(BATCH as usize)
            .flat_map(|first| self.one_time_keys(layer, tree, first..leaves.min(first + BATCH)))
            .collect();
        self.tree(leaves, |level, index| {
            tweak::words(tweak::NODE, layer as u64, tree, level, index)
        })
    }

    /// The one-time public keys at these leaves.
    pub(crate) fn one_time_keys(&self, layer: usize, tree: u32, leaves: std::ops::Range<u32>) -> Vec<Half> {
        let words = |kind, position, leaf| tweak::words(kind, layer as u64, tree, position, leaf);
        let chains = leaves
            .clone()
            .flat_map(|leaf| (0..CHAINS as u32).map(move |i| (leaf, i)));
        let starts = chains
            .clone()
            .map(|(leaf, i)| (words(tweak::START, i, leaf), self.seed));
        let ends = (0..LAST as u32).fold(self.halves(starts), |values, s| {
            let steps = chains.clone().zip(values);
            self.halves(steps.map(|((leaf, i), value)| (words(tweak::STEP, 8 * i + s, leaf), value)))
        });
        let ends = ends.as_chunks::<CHAINS>().0;
        leaves
            .zip(ends)
            .map(|(leaf, ends)| self.half(words(tweak::ONE_TIME_KEY, 0, leaf), ends.as_flattened()))
            .collect()
    }

    /// Value number `to` of chain `i` of a one-time key.
    pub(crate) fn chain(&self, layer: usize, Position { tree, leaf }: Position, i: u32, to: u64) -> Half {
        let words = |kind, position| tweak::words(kind, layer as u64, tree, position, leaf);
        let start = self.half(words(tweak::START, i), &self.seed);
        (0..to as u32).fold(start, |value, s| self.half(words(tweak::STEP, 8 * i + s), &value))
    }

    /// The secret at leaf `leaf` of FORS tree `tree` of the few-time key number `key`.
    pub(crate) fn fors_secret(&self, tree: u64, key: u32, leaf: u32) -> Half {
        self.half(tweak::words(tweak::FORS_SECRET, tree, key, 0, leaf), &self.seed)
    }

    /// FORS tree `tree` of the few-time key number `key`.
    pub(crate) fn fors_tree(&self, tree: u64, key: u32) -> Tree {
        let leaves = 0..1 << FORS_HEIGHT;
        let words = |kind, leaf| tweak::words(kind, tree, key, 0, leaf);
        let secrets = leaves
            .clone()
            .map(|leaf| (words(tweak::FORS_SECRET, leaf), self.seed));
        let secrets = leaves.clone().zip(self.halves(secrets));
        let leaves = self.halves(secrets.map(|(leaf, secret)| (words(tweak::FORS_LEAF, leaf), secret)));
        self.tree(leaves, |level, index| {
            tweak::words(tweak::FORS_NODE, tree, key, level, index)
        })
    }

    /// The tree over these leaves; `tweak` is that of a node at a level, with a number.
    fn tree(&self, leaves: Vec<Half>, tweak: impl Fn(u32, u32) -> [u64; 2]) -> Tree {
        let mut levels = vec![leaves];
        while let Some(below) = levels.last().filter(|below| below.len() > 1) {
            let level = levels.len() as u32;
            let pairs = below.as_chunks::<2>().0;
            let nodes = (0..).zip(pairs);
            levels.push(
                self.halves(
                    nodes.map(|(index, &[[l0, l1], [r0, r1]])| (tweak(level, index), [l0, l1, r0, r1])),
                ),
            );
        }
        Tree { levels }
    }
}

impl Tree {
    pub(crate) fn root(&self) -> Half {
        self.levels[self.levels.len() - 1][0]
    }

    /// The siblings on the path from a leaf to the root, the leaf's first.
    ///
    /// # Panics
    /// If the tree's height is not `HEIGHT`.
    pub(crate) fn path<const HEIGHT: usize>(&self, leaf: u32) -> [Half; HEIGHT] {
        assert_eq!(self.levels.len(), HEIGHT + 1, "a path of this height");
        std::array::from_fn(|level| self.levels[level][(leaf >> level ^ 1) as usize])
    }
}
