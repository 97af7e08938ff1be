//! What a verifier may compute, whoever computes it.
//!
//! An instance gives each kind of value a type: a value of the field, a wire of a circuit, or nothing at all.
//! Code over [`Arith`] cannot look at a value, so it cannot branch on one: a check is an equality, with a
//! [`Label`] of its own.

use alloc::vec::Vec;
use core::fmt;

use primitives::field::{E, K};

use crate::merkle::LeafShape;
use crate::{Digest, Kind, Queries};

/// The name of a check, which its failure reports.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    /// What is checked, as `part: check`.
    pub name: &'static str,
    /// Which one, where a check is made many times: a level, a round, a table.
    pub at: Option<usize>,
}

impl Label {
    /// The label of a check that is made once.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, at: None }
    }

    /// The same check, made for the `index`-th time.
    #[must_use]
    pub const fn at(self, index: usize) -> Self {
        Self {
            at: Some(index),
            ..self
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            None => write!(f, "`{}`", self.name),
            Some(at) => write!(f, "`{}` number {at}", self.name),
        }
    }
}

/// A value that is hashed as a unit.
pub enum Item<A: Arith + ?Sized> {
    /// An element of E: three words.
    Scalar(A::Scalar),
    /// An element of K: one word.
    Word(A::Word),
    /// A digest: four words.
    Digest(A::Digest),
}

impl<A: Arith + ?Sized> Item<A> {
    /// How many words it is.
    #[must_use]
    pub const fn words(&self) -> usize {
        match self {
            Self::Scalar(_) => 3,
            Self::Word(_) => 1,
            Self::Digest(_) => 4,
        }
    }
}

impl<A: Arith + ?Sized> Clone for Item<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Arith + ?Sized> Copy for Item<A> {}

/// The operations of verifiers. In characteristic two a difference is a sum.
///
/// Methods take `&self`, so that they nest; an instance that records what is computed does so in a cell. A
/// constant that nothing uses costs nothing.
pub trait Arith {
    /// An element of E.
    type Scalar: Copy;
    /// An element of K, which is any word of 64 bits.
    type Word: Copy;
    /// A bit.
    type Bit: Copy;
    /// Four words that come from the hash function.
    type Digest: Copy;
    /// Why a verification ends early. Instances that only record have none.
    type Error;

    /// A scalar that the code above knows.
    fn constant(&self, value: E) -> Self::Scalar;
    /// A word that the code above knows.
    fn constant_word(&self, value: K) -> Self::Word;
    /// A digest that the code above knows.
    fn constant_digest(&self, value: Digest) -> Self::Digest;

    /// `a + b`.
    fn add(&self, a: Self::Scalar, b: Self::Scalar) -> Self::Scalar;
    /// `a b`.
    fn mul(&self, a: Self::Scalar, b: Self::Scalar) -> Self::Scalar;
    /// `a k`, `k` a constant.
    fn mul_k(&self, a: Self::Scalar, k: K) -> Self::Scalar;
    /// `a k`, `k` a word.
    fn mul_word(&self, a: Self::Scalar, k: Self::Word) -> Self::Scalar;
    /// `a b + c`, which rows compute at once.
    fn mul_add(&self, a: Self::Scalar, b: Self::Scalar, c: Self::Scalar) -> Self::Scalar {
        self.add(self.mul(a, b), c)
    }
    /// `a k + c`, `k` a word, which rows compute at once.
    fn mul_word_add(&self, a: Self::Scalar, k: Self::Word, c: Self::Scalar) -> Self::Scalar {
        self.add(self.mul_word(a, k), c)
    }
    /// `a^2`.
    fn square(&self, a: Self::Scalar) -> Self::Scalar;
    /// `a^(2^(64 n))`: fixes K, and moves and adds limbs otherwise.
    fn frobenius_64(&self, a: Self::Scalar, n: u32) -> Self::Scalar;
    /// `a^(2^-n)`, the n-th square root.
    fn inverse_frobenius(&self, a: Self::Scalar, n: u32) -> Self::Scalar;
    /// `a, a^(2^-1), .., a^(2^-(n-1))`: for little more than the last of them.
    fn inverse_frobenius_orbit(&self, a: Self::Scalar, n: u32) -> Vec<Self::Scalar> {
        (0..n).map(|i| self.inverse_frobenius(a, i)).collect()
    }
    /// `a + b (a + c)` for the bit `b`: `a` if it is 0 and `c` if it is 1.
    fn select(&self, bit: Self::Bit, if_zero: Self::Scalar, if_one: Self::Scalar) -> Self::Scalar;

    /// The coefficients of 1, y, y^2.
    fn limbs(&self, a: Self::Scalar) -> [Self::Word; 3];
    /// The scalar with these coefficients of 1, y, y^2.
    fn scalar(&self, limbs: [Self::Word; 3]) -> Self::Scalar;
    /// A word as a scalar, by the embedding of K in E.
    fn embed(&self, word: Self::Word) -> Self::Scalar {
        let zero = self.constant_word(K::ZERO);
        self.scalar([word, zero, zero])
    }
    /// The bits of a word, low bit first.
    fn bits(&self, word: Self::Word) -> [Self::Bit; 64];
    /// The word 0 or 1.
    fn bit_word(&self, bit: Self::Bit) -> Self::Word;
    /// The words of a digest.
    fn digest_words(&self, digest: Self::Digest) -> [Self::Word; 4];
    /// The digest with these words.
    fn digest(&self, words: [Self::Word; 4]) -> Self::Digest;
    /// The first three words of a digest as a scalar.
    fn digest_scalar(&self, digest: Self::Digest) -> Self::Scalar {
        let [w0, w1, w2, _] = self.digest_words(digest);
        self.scalar([w0, w1, w2])
    }

    /// The BLAKE2s compression of the words of `items`, in order, padded to eight with zeros.
    ///
    /// `counter`: the byte counter t of RFC 7693, section 3.2; `last`: the final block flag f. `items`: at
    /// most eight words.
    fn compress(
        &self,
        chaining: Self::Digest,
        items: &[Item<Self>],
        counter: u64,
        last: bool,
    ) -> Self::Digest;
    /// The parent of two nodes of a Merkle tree: the digest of left and right.
    fn merkle_node(&self, left: Self::Digest, right: Self::Digest) -> Self::Digest {
        let initial = self.constant_digest(crate::merkle::INITIAL);
        self.compress(initial, &[Item::Digest(left), Item::Digest(right)], 64, true)
    }
    /// The parent of `node`, which is the right child if `bit` is 1, and of `sibling`.
    fn merkle_step(&self, node: Self::Digest, sibling: Self::Digest, bit: Self::Bit) -> Self::Digest;

    /// Checks `a = b`.
    ///
    /// # Errors
    /// They differ: the error carries the label and both sides.
    fn assert_eq(&self, a: Self::Scalar, b: Self::Scalar, label: Label) -> Result<(), Self::Error>;
    /// Checks `a = b`.
    ///
    /// # Errors
    /// They differ: the error carries the label and both sides.
    fn assert_eq_word(&self, a: Self::Word, b: Self::Word, label: Label) -> Result<(), Self::Error>;
    /// Checks `a = b`.
    ///
    /// # Errors
    /// They differ: the error carries the label and both sides.
    fn assert_eq_digest(&self, a: Self::Digest, b: Self::Digest, label: Label) -> Result<(), Self::Error>;
    /// Checks that a bit is 0.
    ///
    /// # Errors
    /// It is 1: the error carries the label.
    fn assert_zero_bit(&self, bit: Self::Bit, label: Label) -> Result<(), Self::Error>;
}

/// An instance that also has a prover's messages.
///
/// Verifiers read them through a [`Channel`](crate::Channel), which absorbs what it reads; nothing else
/// calls these.
pub trait Source: Arith {
    /// The stream's next scalar.
    ///
    /// # Errors
    /// The stream has ended.
    fn next_scalar(&self) -> Result<Self::Scalar, Self::Error>;
    /// The stream's next word.
    ///
    /// # Errors
    /// The stream has ended.
    fn next_word(&self) -> Result<Self::Word, Self::Error>;
    /// The stream's next digest.
    ///
    /// # Errors
    /// The stream has ended.
    fn next_digest(&self) -> Result<Self::Digest, Self::Error>;
    /// The next Merkle opening, checked against `root`: the words of the leaf of each query, in the order of
    /// the queries.
    ///
    /// # Errors
    /// There is none, it has not the parts that these queries need, or it leads to another root.
    fn open(
        &self,
        root: Self::Digest,
        leaf: &LeafShape,
        queries: &Queries<Self::Bit>,
    ) -> Result<Vec<Vec<Self::Word>>, Self::Error>;
    /// Checks that every message has been read, and that the proof is of this kind and shape.
    ///
    /// # Errors
    /// Messages are left over, or the kind or the shape is another.
    fn finish(&self, kind: Kind, shape: &[u64]) -> Result<(), Self::Error>;
}
