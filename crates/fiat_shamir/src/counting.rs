//! The instance without values: it counts what a verifier does.
//!
//! A verifier that runs on it cannot depend on a value, so its work is a function of the shape alone.

use alloc::vec::Vec;
use core::cell::Cell;
use core::convert::Infallible;

use primitives::field::{E, K};

use crate::merkle::{LeafShape, PathSource, open_by_paths};
use crate::{Arith, Digest, Item, Kind, Label, Queries, Source};

/// How often a verifier did what.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Sums in E.
    pub add: u64,
    /// Products in E.
    pub mul: u64,
    /// Products of E by a constant of K.
    pub mul_k: u64,
    /// Products of E by a word.
    pub mul_word: u64,
    /// Fused products in E.
    pub mul_add: u64,
    /// Fused products of E by a word.
    pub mul_word_add: u64,
    /// Squares.
    pub square: u64,
    /// Free Frobenius maps.
    pub frobenius_64: u64,
    /// Square roots, each of an iterated one counted.
    pub inverse_frobenius: u64,
    /// Selections by a bit.
    pub select: u64,
    /// Changes between scalars, words, bits and digests, other than splitting a word into bits.
    pub cast: u64,
    /// Words split into bits.
    pub bits: u64,
    /// Compressions, those of Merkle trees not counted.
    pub compress: u64,
    /// Merkle nodes computed.
    pub merkle: u64,
    /// Equalities.
    pub assert: u64,
    /// Words that the prover sent, openings not counted.
    pub stream_words: u64,
    /// Words of opened leaves, one leaf for each query.
    pub leaf_words: u64,
    /// Nodes that the openings take from the prover, one path for each query.
    pub nodes: u64,
}

/// Counts operations; every value is `()`.
#[derive(Clone, Default, Debug)]
pub struct Counting {
    counts: Cell<Counts>,
}

impl Counting {
    /// The counts so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts.get()
    }

    fn count(&self, change: impl FnOnce(&mut Counts) -> &mut u64, by: u64) {
        let mut counts = self.counts.get();
        let counter = change(&mut counts);
        *counter = counter.saturating_add(by);
        self.counts.set(counts);
    }
}

impl Arith for Counting {
    type Scalar = ();
    type Word = ();
    type Bit = ();
    type Digest = ();
    type Error = Infallible;

    fn constant(&self, _: E) {}

    fn constant_word(&self, _: K) {}

    fn constant_digest(&self, _: Digest) {}

    fn add(&self, (): (), (): ()) {
        self.count(|c| &mut c.add, 1);
    }

    fn mul(&self, (): (), (): ()) {
        self.count(|c| &mut c.mul, 1);
    }

    fn mul_k(&self, (): (), _: K) {
        self.count(|c| &mut c.mul_k, 1);
    }

    fn mul_word(&self, (): (), (): ()) {
        self.count(|c| &mut c.mul_word, 1);
    }

    fn mul_add(&self, (): (), (): (), (): ()) {
        self.count(|c| &mut c.mul_add, 1);
    }

    fn mul_word_add(&self, (): (), (): (), (): ()) {
        self.count(|c| &mut c.mul_word_add, 1);
    }

    fn square(&self, (): ()) {
        self.count(|c| &mut c.square, 1);
    }

    fn frobenius_64(&self, (): (), _: u32) {
        self.count(|c| &mut c.frobenius_64, 1);
    }

    fn inverse_frobenius(&self, (): (), n: u32) {
        self.count(|c| &mut c.inverse_frobenius, n.into());
    }

    fn inverse_frobenius_orbit(&self, (): (), n: u32) -> Vec<()> {
        self.count(|c| &mut c.inverse_frobenius, n.saturating_sub(1).into());
        (0..n).map(|_| ()).collect()
    }

    fn select(&self, (): (), (): (), (): ()) {
        self.count(|c| &mut c.select, 1);
    }

    fn limbs(&self, (): ()) -> [(); 3] {
        self.count(|c| &mut c.cast, 1);
        [(); 3]
    }

    fn scalar(&self, _: [(); 3]) {
        self.count(|c| &mut c.cast, 1);
    }

    fn embed(&self, (): ()) {
        self.count(|c| &mut c.cast, 1);
    }

    fn bits(&self, (): ()) -> [(); 64] {
        self.count(|c| &mut c.bits, 1);
        [(); 64]
    }

    fn bit_word(&self, (): ()) {
        self.count(|c| &mut c.cast, 1);
    }

    fn digest_words(&self, (): ()) -> [(); 4] {
        self.count(|c| &mut c.cast, 1);
        [(); 4]
    }

    fn digest(&self, _: [(); 4]) {
        self.count(|c| &mut c.cast, 1);
    }

    fn digest_scalar(&self, (): ()) {
        self.count(|c| &mut c.cast, 1);
    }

    fn compress(&self, (): (), _: &[Item<Self>], _: u64, _: bool) {
        self.count(|c| &mut c.compress, 1);
    }

    fn merkle_node(&self, (): (), (): ()) {
        self.count(|c| &mut c.merkle, 1);
    }

    fn merkle_step(&self, (): (), (): (), (): ()) {
        self.count(|c| &mut c.merkle, 1);
    }

    fn assert_eq(&self, (): (), (): (), _: Label) -> Result<(), Infallible> {
        self.count(|c| &mut c.assert, 1);
        Ok(())
    }

    fn assert_eq_word(&self, (): (), (): (), _: Label) -> Result<(), Infallible> {
        self.count(|c| &mut c.assert, 1);
        Ok(())
    }

    fn assert_eq_digest(&self, (): (), (): (), _: Label) -> Result<(), Infallible> {
        self.count(|c| &mut c.assert, 1);
        Ok(())
    }

    fn assert_zero_bit(&self, (): (), _: Label) -> Result<(), Infallible> {
        self.count(|c| &mut c.assert, 1);
        Ok(())
    }
}

impl Source for Counting {
    fn next_scalar(&self) -> Result<(), Infallible> {
        self.count(|c| &mut c.stream_words, 3);
        Ok(())
    }

    fn next_word(&self) -> Result<(), Infallible> {
        self.count(|c| &mut c.stream_words, 1);
        Ok(())
    }

    fn next_digest(&self) -> Result<(), Infallible> {
        self.count(|c| &mut c.stream_words, 4);
        Ok(())
    }

    fn open(&self, (): (), leaf: &LeafShape, queries: &Queries<()>) -> Result<Vec<Vec<()>>, Infallible> {
        open_by_paths(self, (), leaf, queries, &mut CountedPaths(self))
    }

    fn finish(&self, _: Kind, _: &[u64]) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Paths without values.
struct CountedPaths<'c>(&'c Counting);

impl PathSource<Counting> for CountedPaths<'_> {
    fn leaf_word(&mut self) -> Result<(), Infallible> {
        self.0.count(|c| &mut c.leaf_words, 1);
        Ok(())
    }

    fn node(&mut self) -> Result<(), Infallible> {
        self.0.count(|c| &mut c.nodes, 1);
        Ok(())
    }
}
