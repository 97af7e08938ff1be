//! Openings of Merkle trees at many leaves at once.
//!
//! A leaf is the BLAKE2s digest of its image, a node that of its two children; the leaf at index `i` is
//! reached from the root by the bits of `i`, the highest first, a 1 going right. Layer 0 is the leaves.
//!
//! A file holds an [`Opening`]: each leaf once, and only those siblings that the leaves do not give. A
//! circuit cannot share what depends on values, so there each query walks its own path to the node of its
//! stratum, and those nodes, which every tree of these queries has in common, are hashed to the root once:
//! [`open_by_paths`]. [`Opening::paths`] turns the first form into the second.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::iter::Peekable;

use primitives::blake2s;
use primitives::field::K;

use crate::{Arith, Digest, Item, Label, Native, Queries};

/// The check that a query's path ends at the node of its stratum.
pub const PATH: Label = Label::new("merkle: path");
/// The check that the nodes of the strata lead to the root.
pub const CAP: Label = Label::new("merkle: cap");

/// The chaining value before the first block of a digest.
#[expect(
    clippy::as_conversions,
    clippy::indexing_slicing,
    reason = "evaluated when it is compiled"
)]
pub const INITIAL: Digest = {
    let h = blake2s::INITIAL;
    let mut words = [0; 4];
    let mut i = 0;
    while i < 4 {
        words[i] = h[2 * i] as u64 | (h[2 * i + 1] as u64) << 32;
        i += 1;
    }
    words
};

/// Words in a block of BLAKE2s.
const BLOCK_WORDS: usize = 8;
/// Bytes in a block of BLAKE2s.
const BLOCK_BYTES: u64 = 64;

/// What a leaf's image consists of: words that are zero in every leaf, then words that are opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeafShape {
    zero_words: usize,
    words: usize,
    /// The chaining value after the whole blocks of zeros that are not the last block.
    prefix: Digest,
}

impl LeafShape {
    /// The shape of leaves of `zero_words + words` words, the first `zero_words` of which are zero.
    #[must_use]
    pub fn new(zero_words: usize, words: usize) -> Self {
        let mut shape = Self {
            zero_words,
            words,
            prefix: INITIAL,
        };
        let mut counter = 0u64;
        for _ in 0..shape.prefix_blocks() {
            counter = counter.saturating_add(BLOCK_BYTES);
            shape.prefix = blake2s::compress_words(&shape.prefix, &[0; BLOCK_WORDS], counter, false);
        }
        shape
    }

    /// How many words of a leaf are opened.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.words
    }

    /// How many zero words are before them.
    #[must_use]
    pub const fn zero_words(&self) -> usize {
        self.zero_words
    }

    /// The chaining value after [`prefix_blocks`](Self::prefix_blocks) blocks of zeros.
    #[must_use]
    pub const fn prefix(&self) -> &Digest {
        &self.prefix
    }

    /// How many blocks of zeros every image starts with, not counting the last block of an image.
    #[must_use]
    pub const fn prefix_blocks(&self) -> usize {
        let zeros = self.zero_words / BLOCK_WORDS;
        if self.words == 0 && self.zero_words.is_multiple_of(BLOCK_WORDS) {
            zeros.saturating_sub(1)
        } else {
            zeros
        }
    }

    /// The digest of the leaf with these opened words.
    ///
    /// `words`: [`words`](Self::words) of them.
    #[must_use]
    pub fn hash<A: Arith>(&self, arith: &A, words: &[A::Word]) -> A::Digest {
        let zeros = self
            .zero_words
            .saturating_sub(self.prefix_blocks().saturating_mul(BLOCK_WORDS));
        let zero = Item::Word(arith.constant_word(K::ZERO));
        let image: Vec<Item<A>> = core::iter::repeat_n(zero, zeros)
            .chain(words.iter().map(|&word| Item::Word(word)))
            .collect();
        let mut blocks = image.chunks(BLOCK_WORDS).peekable();
        let mut counter = crate::proof::count(self.prefix_blocks()).saturating_mul(BLOCK_BYTES);
        let mut state = arith.constant_digest(self.prefix);
        loop {
            let block = blocks.next().unwrap_or_default();
            counter = counter.saturating_add(crate::proof::count(block.len()).saturating_mul(8));
            let last = blocks.peek().is_none();
            state = arith.compress(state, block, counter, last);
            if last {
                return state;
            }
        }
    }
}

/// Leaves of one tree: indices below the number of leaves, ascending, each once, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeafSet {
    log_leaves: usize,
    indices: Vec<usize>,
}

impl LeafSet {
    /// The set of these leaves of a tree of `2^log_leaves`, in whatever order and however often each is given.
    ///
    /// # Errors
    /// There is none, or one is outside the tree.
    pub fn new(mut indices: Vec<usize>, log_leaves: usize) -> Result<Self, OpeningError> {
        indices.sort_unstable();
        indices.dedup();
        match indices.last() {
            None => Err(OpeningError::NoLeaf),
            Some(&index) if index.checked_shr(shift(log_leaves)).unwrap_or(0) != 0 => {
                Err(OpeningError::Index { index, log_leaves })
            }
            Some(_) => Ok(Self { log_leaves, indices }),
        }
    }

    /// The leaves that are queried.
    ///
    /// # Errors
    /// None on queries that were drawn: their plan has at least one, inside the tree.
    pub fn of_queries(queries: &Queries<bool>) -> Result<Self, OpeningError> {
        Self::new(queries.indices(), queries.plan().log_leaves())
    }

    /// log2 of the number of leaves of the tree.
    #[must_use]
    pub const fn log_leaves(&self) -> usize {
        self.log_leaves
    }

    /// The indices, ascending.
    #[must_use]
    pub fn indices(&self) -> &[usize] {
        &self.indices
    }
}

/// An amount to shift by; one that is too large stays so.
fn shift(bits: usize) -> u32 {
    u32::try_from(bits).unwrap_or(u32::MAX)
}

/// Leaves of one tree with what shows that they are its leaves.
///
/// For one set of leaves there is one opening that has the right number of parts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Opening {
    /// The words of each leaf, in ascending order of the leaves.
    pub words: Vec<u64>,
    /// The nodes that cannot be computed from the leaves, from the lowest layer up, ascending in a layer.
    pub siblings: Vec<Digest>,
}

/// What is wrong with a Merkle opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// No leaf is asked for.
    #[error("no leaf is asked for: an opening has at least one")]
    NoLeaf,
    /// A leaf is asked for that the tree has not.
    #[error("leaf {index} is asked for in a tree of 2^{log_leaves} leaves")]
    Index {
        /// The leaf's index.
        index: usize,
        /// log2 of the number of leaves.
        log_leaves: usize,
    },
    /// The leaves have too few or too many words.
    #[error("the opened leaves have {given} words, and {leaves} leaves of {width} words are queried")]
    Words {
        /// Words in the opening.
        given: usize,
        /// How many different leaves are queried.
        leaves: usize,
        /// Words in a leaf.
        width: usize,
    },
    /// There are too few siblings.
    #[error("the opening has {given} siblings, and the one of node {index} of layer {layer} is missing")]
    MissingSibling {
        /// The layer, the leaves' being 0.
        layer: usize,
        /// The node whose sibling is missing.
        index: usize,
        /// Siblings in the opening.
        given: usize,
    },
    /// There are too many siblings.
    #[error("the opening has {given} siblings, and these queries need {needed}")]
    SurplusSiblings {
        /// Siblings in the opening.
        given: usize,
        /// How many are needed.
        needed: usize,
    },
    /// A leaf or a sibling is another than what was committed to.
    #[error("the opening leads to the root {computed:x?}, and {committed:x?} was committed to")]
    Root {
        /// The root that follows from the opening.
        computed: Digest,
        /// The root that the prover sent before.
        committed: Digest,
    },
}

impl Opening {
    /// Checks that these are leaves of the tree with this root, and gives the words of each leaf of the set.
    ///
    /// # Errors
    /// A part is missing or left over, or the root is another.
    pub fn verify(
        &self,
        root: &Digest,
        shape: &LeafShape,
        set: &LeafSet,
    ) -> Result<BTreeMap<usize, &[u64]>, OpeningError> {
        self.walk(root, shape, set, |_, _, _| ())
    }

    /// The paths that the queries walk, after the checks of [`verify`](Self::verify).
    ///
    /// # Errors
    /// Those of [`verify`](Self::verify).
    pub fn paths(
        &self,
        root: &Digest,
        shape: &LeafShape,
        queries: &Queries<bool>,
    ) -> Result<Paths, OpeningError> {
        let plan = queries.plan();
        let mut nodes = BTreeMap::new();
        let leaves = self.walk(
            root,
            shape,
            &LeafSet::of_queries(queries)?,
            |layer, index, node| {
                nodes.insert((layer, index), node);
            },
        )?;
        // Every node asked for was visited: each stratum has a query, and each query its path.
        let node = |layer, index| nodes.get(&(layer, index)).copied().unwrap_or_default();
        let cap = match plan.log_strata() {
            0 => 0..0,
            log_strata => 0..1usize.checked_shl(shift(log_strata)).unwrap_or(0),
        };
        Ok(Paths {
            cap: cap.map(|stratum| node(plan.drawn_bits(), stratum)).collect(),
            paths: queries
                .indices()
                .into_iter()
                .map(|leaf| Path {
                    words: leaves.get(&leaf).copied().unwrap_or_default().to_vec(),
                    siblings: (0..plan.drawn_bits())
                        .map(|layer| node(layer, leaf.checked_shr(shift(layer)).unwrap_or(0) ^ 1))
                        .collect(),
                })
                .collect(),
        })
    }

    /// [`verify`](Self::verify), showing every node that is given or computed as `(layer, index, node)`.
    fn walk(
        &self,
        root: &Digest,
        shape: &LeafShape,
        set: &LeafSet,
        mut visit: impl FnMut(usize, usize, Digest),
    ) -> Result<BTreeMap<usize, &[u64]>, OpeningError> {
        let width = shape.words();
        if set.indices.len().checked_mul(width) != Some(self.words.len()) {
            let (given, leaves) = (self.words.len(), set.indices.len());
            return Err(OpeningError::Words { given, leaves, width });
        }
        let mut leaves = BTreeMap::new();
        let mut layer_nodes = Vec::with_capacity(set.indices.len());
        let mut rest = self.words.as_slice();
        for &index in &set.indices {
            let (leaf, after) = rest.split_at_checked(width).unwrap_or_default();
            rest = after;
            let words: Vec<K> = leaf.iter().copied().map(K).collect();
            layer_nodes.push((index, shape.hash(&Native::default(), &words)));
            leaves.insert(index, leaf);
        }
        let mut siblings = Siblings {
            unused: self.siblings.iter(),
            given: self.siblings.len(),
        };
        for layer in 0..set.log_leaves {
            let mut above = Vec::with_capacity(layer_nodes.len());
            let mut nodes = layer_nodes.into_iter().peekable();
            while let Some((index, node)) = nodes.next() {
                let sibling = siblings.of(layer, index, &mut nodes)?;
                visit(layer, index, node);
                visit(layer, index ^ 1, sibling);
                let parent = Native::default().merkle_step(node, sibling, index & 1 == 1);
                above.push((index >> 1, parent));
            }
            layer_nodes = above;
        }
        let unused = siblings.unused.len();
        if unused != 0 {
            let (given, needed) = (siblings.given, siblings.given.saturating_sub(unused));
            return Err(OpeningError::SurplusSiblings { given, needed });
        }
        let (index, computed) = layer_nodes.into_iter().next().ok_or(OpeningError::NoLeaf)?;
        visit(set.log_leaves, index, computed);
        if computed != *root {
            return Err(OpeningError::Root {
                computed,
                committed: *root,
            });
        }
        Ok(leaves)
    }
}

/// The siblings of an opening that no node has taken yet.
struct Siblings<'o> {
    unused: core::slice::Iter<'o, Digest>,
    given: usize,
}

impl Siblings<'_> {
    /// The sibling of a node: the next node of the layer if it is that, and else the opening's next.
    fn of(
        &mut self,
        layer: usize,
        index: usize,
        nodes: &mut Peekable<impl Iterator<Item = (usize, Digest)>>,
    ) -> Result<Digest, OpeningError> {
        match nodes.next_if(|&(next, _)| next == index ^ 1) {
            Some((_, node)) => Ok(node),
            None => self.unused.next().copied().ok_or(OpeningError::MissingSibling {
                layer,
                index,
                given: self.given,
            }),
        }
    }
}

/// An opening in the form that circuits check: nothing is shared but the top layers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paths {
    /// The node of each stratum; empty if there is one stratum, whose node is the root.
    pub cap: Vec<Digest>,
    /// For each query.
    pub paths: Vec<Path>,
}

/// A leaf and the siblings on its way to the node of its stratum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The words of the leaf.
    pub words: Vec<u64>,
    /// From layer 0 up.
    pub siblings: Vec<Digest>,
}

/// Where [`open_by_paths`] takes its words and nodes from: [`Paths`], in the order of its fields.
pub trait PathSource<A: Arith> {
    /// The next word of a leaf.
    ///
    /// # Errors
    /// There is none.
    fn leaf_word(&mut self) -> Result<A::Word, A::Error>;
    /// The next node of the cap, or the next sibling.
    ///
    /// # Errors
    /// There is none.
    fn node(&mut self) -> Result<A::Digest, A::Error>;
}

/// Opens a tree at every query by a path of its own, and gives the words of each leaf.
///
/// The cap is `2^log_strata` nodes, hashed to the root by one node less; where there is one stratum only, it
/// is the root itself and is not taken from `source`.
///
/// # Errors
/// `source` ends, a path does not end at the node of its stratum ([`PATH`], with the number of the query), or
/// the cap does not lead to the root ([`CAP`]).
pub fn open_by_paths<A: Arith>(
    arith: &A,
    root: A::Digest,
    shape: &LeafShape,
    queries: &Queries<A::Bit>,
    source: &mut impl PathSource<A>,
) -> Result<Vec<Vec<A::Word>>, A::Error> {
    let cap = open_cap(arith, root, queries.plan().log_strata(), source)?;
    queries
        .iter()
        .enumerate()
        .map(|(number, query)| {
            let words = (0..shape.words())
                .map(|_| source.leaf_word())
                .collect::<Result<Vec<_>, _>>()?;
            let mut node = shape.hash(arith, &words);
            for &bit in query.drawn {
                node = arith.merkle_step(node, source.node()?, bit);
            }
            let top = cap.get(query.stratum).copied().unwrap_or(root);
            arith.assert_eq_digest(node, top, PATH.at(number))?;
            Ok(words)
        })
        .collect()
}

/// The nodes of the strata, checked against the root.
fn open_cap<A: Arith>(
    arith: &A,
    root: A::Digest,
    log_strata: usize,
    source: &mut impl PathSource<A>,
) -> Result<Vec<A::Digest>, A::Error> {
    if log_strata == 0 {
        return Ok([root].to_vec());
    }
    let strata = 0..1usize.checked_shl(shift(log_strata)).unwrap_or(0);
    let cap = strata.map(|_| source.node()).collect::<Result<Vec<_>, _>>()?;
    let mut layer = cap.clone();
    while layer.len() > 1 {
        layer = layer
            .as_chunks()
            .0
            .iter()
            .map(|&[left, right]| arith.merkle_node(left, right))
            .collect();
    }
    for computed in layer {
        arith.assert_eq_digest(computed, root, CAP)?;
    }
    Ok(cap)
}
