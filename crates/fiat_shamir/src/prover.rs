//! The prover's side of the conversation: it absorbs what it sends, and draws the verifier's challenges.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::panic,
    reason = "no bytes of a proof reach the prover"
)]

use alloc::vec::Vec;

use primitives::field::{E, K};

use crate::merkle::{LeafSet, LeafShape, Opening};
use crate::proof::{Kind, Proof};
use crate::{Arith, Digest, Item, Native, Queries, QueryPlan, Transcript, grinding};

/// A prover's transcript, and the proof that it writes.
///
/// Each method is the counterpart of the one of [`Channel`](crate::Channel) with the same purpose: `send` of
/// `read`, the others by name.
pub struct Prover {
    arith: Native<'static>,
    transcript: Transcript<Native<'static>>,
    proof: Proof,
}

impl Prover {
    /// The beginning of a proof of this kind and shape.
    ///
    /// # Transcript
    /// The kind, by the initial state; the shape: its length, then its words.
    #[must_use]
    pub fn new(kind: Kind, shape: Vec<u64>) -> Self {
        let arith = Native::default();
        let transcript = Transcript::new(&arith, kind, &shape);
        Self {
            arith,
            transcript,
            proof: Proof {
                kind,
                shape,
                stream: Vec::new(),
                openings: Vec::new(),
            },
        }
    }

    /// Absorbs a scalar that both sides know.
    pub fn observe_scalar(&mut self, value: E) {
        self.transcript.absorb(&self.arith, Item::Scalar(value));
    }

    /// Absorbs a word that both sides know.
    pub fn observe_word(&mut self, value: K) {
        self.transcript.absorb(&self.arith, Item::Word(value));
    }

    /// Absorbs a digest that both sides know.
    pub fn observe_digest(&mut self, value: Digest) {
        self.transcript.absorb(&self.arith, Item::Digest(value));
    }

    /// Sends and absorbs a scalar.
    pub fn send_scalar(&mut self, value: E) {
        self.proof.stream.extend(value.to_words());
        self.observe_scalar(value);
    }

    /// Sends and absorbs scalars.
    pub fn send_scalars(&mut self, values: &[E]) {
        for &value in values {
            self.send_scalar(value);
        }
    }

    /// Sends and absorbs a word.
    pub fn send_word(&mut self, value: K) {
        self.proof.stream.push(value.0);
        self.observe_word(value);
    }

    /// Sends and absorbs a digest.
    pub fn send_digest(&mut self, value: Digest) {
        self.proof.stream.extend(value);
        self.observe_digest(value);
    }

    /// Draws a challenge.
    #[must_use]
    pub fn challenge(&mut self) -> E {
        self.transcript.challenge(&self.arith)
    }

    /// Draws `count` challenges.
    #[must_use]
    pub fn challenges(&mut self, count: usize) -> Vec<E> {
        (0..count).map(|_| self.challenge()).collect()
    }

    /// Does a proof of work of `bits` bits, and sends the least nonce.
    ///
    /// # Transcript
    /// Absorbs what waits, then the nonce; leaves nothing waiting.
    ///
    /// # Panics
    /// `bits` is above 63.
    pub fn grind(&mut self, bits: usize) {
        let state = self.transcript.flush(&self.arith);
        let nonce = grinding::search(&state, bits);
        self.proof.stream.push(nonce);
        self.transcript.grind(&self.arith, K(nonce));
    }

    /// Draws the queries of `plan`, from as many challenges as they need.
    #[must_use]
    pub fn queries(&mut self, plan: QueryPlan) -> Queries<bool> {
        let (arith, transcript) = (&self.arith, &mut self.transcript);
        Queries::cut(plan, || {
            transcript
                .challenge(arith)
                .0
                .map(|word| arith.bits(word))
                .to_vec()
        })
    }

    /// Opens a tree at the leaves of the queries. Nothing is absorbed.
    ///
    /// `words`: appends the words of the leaf at an index; `node`: a node by layer and index, the leaves' being
    /// layer 0.
    ///
    /// # Panics
    /// A leaf has not the number of words of `shape`.
    pub fn open(
        &mut self,
        shape: &LeafShape,
        queries: &Queries<bool>,
        words: impl FnMut(usize, &mut Vec<u64>),
        node: impl FnMut(usize, usize) -> Digest,
    ) {
        let set = LeafSet::of_queries(queries).unwrap_or_else(|error| panic!("{error}"));
        self.proof
            .openings
            .push(Opening::extract(shape, &set, words, node));
    }

    /// Lets one item not be absorbed, after `items` more that are: for tests of what depends on it.
    pub const fn hazmat_forget(&mut self, items: usize) {
        self.transcript.hazmat_forget(items);
    }

    /// The proof so far.
    #[must_use]
    pub const fn proof(&self) -> &Proof {
        &self.proof
    }

    /// Ends the proof, and gives it with the final state.
    #[must_use]
    pub fn finish(mut self) -> (Proof, Digest) {
        let state = self.transcript.flush(&self.arith);
        (self.proof, state)
    }
}

impl Opening {
    /// The opening of a stored tree at the leaves of `set`.
    ///
    /// `words`: appends the words of the leaf at an index; `node`: a node by layer and index, the leaves' being
    /// layer 0.
    ///
    /// # Panics
    /// A leaf has not the number of words of `shape`.
    #[must_use]
    pub fn extract(
        shape: &LeafShape,
        set: &LeafSet,
        mut words: impl FnMut(usize, &mut Vec<u64>),
        mut node: impl FnMut(usize, usize) -> Digest,
    ) -> Self {
        let mut opening = Self::default();
        for &leaf in set.indices() {
            let before = opening.words.len();
            words(leaf, &mut opening.words);
            let width = opening.words.len() - before;
            assert_eq!(
                width,
                shape.words(),
                "leaf {leaf} has another width than announced"
            );
        }
        let mut layer_indices = set.indices().to_vec();
        for layer in 0..set.log_leaves() {
            let known = |index: usize| layer_indices.binary_search(&index).is_ok();
            let missing = layer_indices
                .iter()
                .map(|index| index ^ 1)
                .filter(|&sibling| !known(sibling));
            opening
                .siblings
                .extend(missing.map(|sibling| node(layer, sibling)));
            layer_indices = layer_indices.iter().map(|index| index >> 1).collect();
            layer_indices.dedup();
        }
        opening
    }
}
