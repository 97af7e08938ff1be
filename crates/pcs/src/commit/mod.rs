//! Commitments: a message in lanes, encoded, its rows hashed as they leave the transform.
//!
//! Leaf x of the tree is the BLAKE2s digest of the image of coordinate x ([`Interleaving`]): the words of all
//! `2^log_lanes` symbols there, those of absent lanes, which are zero, first. The blocks of an image that are
//! all zeros are one state, computed once.

use alloc::boxed::Box;
use core::marker::PhantomData;

use fiat_shamir::merkle::LeafShape;
use fiat_shamir::{Prover, Queries};
use primitives::blake2s::Digest;
use primitives::blake2s::lanes::Prefix;
use primitives::field::K;

use crate::merkle::{MerkleTree, hash_messages};
use crate::ntt::{Block, Interleaving, RowSink, Symbol, encode, task_rows};

/// What a prover keeps of a commitment, to open it: the codeword and its tree.
#[derive(Debug)]
pub struct Oracle<T> {
    shape: Interleaving,
    codeword: Box<[Block]>,
    tree: MerkleTree,
    symbols: PhantomData<T>,
}

/// Encodes `message` and hashes the codeword.
///
/// `message`: the present lanes of `shape`, read in place.
///
/// # Panics
/// When the message is not of this shape, or the shape breaks its own bounds.
pub fn commit<T: Symbol>(message: &[T], shape: &Interleaving) -> Oracle<T> {
    let (tree, codeword) = MerkleTree::build(shape.log_rows(), |leaves| {
        let sinks = leaves
            .chunks_mut(task_rows::<T>(shape))
            .map(|leaves| LeafHasher::new::<T>(shape, leaves));
        encode(message, shape, sinks.collect())
    });
    Oracle {
        shape: *shape,
        codeword,
        tree,
        symbols: PhantomData,
    }
}

impl<T: Symbol> Oracle<T> {
    /// The shape of the codeword.
    #[must_use]
    pub fn shape(&self) -> &Interleaving {
        &self.shape
    }

    /// The commitment: the root of the tree.
    #[must_use]
    pub fn root(&self) -> fiat_shamir::Digest {
        self.tree.root()
    }

    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &MerkleTree {
        &self.tree
    }

    /// The symbols of the present lanes at coordinate `x`, lane 0 first.
    ///
    /// # Panics
    /// If there is no such coordinate.
    #[must_use]
    pub fn column(&self, x: usize) -> &[T] {
        bytemuck::cast_slice(self.words(x))
    }

    /// Opens the commitment at the queried coordinates.
    pub fn open(&self, prover: &mut Prover, queries: &Queries<bool>) {
        prover.open(
            &self.shape.leaf_shape::<T>(),
            queries,
            |x, out| out.extend(self.words(x).iter().map(|word| word.0)),
            |layer, index| self.tree.node(layer, index),
        );
    }

    fn words(&self, x: usize) -> &[K] {
        let blocks = self.shape.row_blocks::<T>();
        let row: &[K] = bytemuck::cast_slice(&self.codeword[x * blocks..(x + 1) * blocks]);
        &row[self.shape.padding_words::<T>()..]
    }
}

/// Hashes the rows of a task to its leaves.
#[derive(Debug)]
pub struct LeafHasher<'a> {
    /// The state after the blocks of absent lanes.
    prefix: Prefix,
    row_bytes: usize,
    /// The leaves that are not yet written.
    leaves: &'a mut [Digest],
}

impl<'a> LeafHasher<'a> {
    /// The hasher of rows of `shape` to `leaves`, in order.
    pub fn new<T: Symbol>(shape: &Interleaving, leaves: &'a mut [Digest]) -> Self {
        Self {
            prefix: Prefix::of_zero_blocks(shape.absent_blocks::<T>()),
            row_bytes: shape.row_blocks::<T>() * size_of::<Block>(),
            leaves,
        }
    }
}

impl RowSink for LeafHasher<'_> {
    fn rows(&mut self, rows: &[Block]) {
        let bytes: &[u8] = bytemuck::cast_slice(rows);
        let (now, later) = core::mem::take(&mut self.leaves).split_at_mut(bytes.len() / self.row_bytes);
        self.leaves = later;
        hash_messages(&self.prefix, bytes, self.row_bytes, now);
    }
}

impl Interleaving {
    /// The form of a leaf's image.
    #[must_use]
    pub fn leaf_shape<T: Symbol>(&self) -> LeafShape {
        let absent = (1 << self.log_lanes) - self.lanes;
        LeafShape::new(absent * T::WORDS, self.lanes * T::WORDS)
    }
}

#[cfg(test)]
mod tests;
