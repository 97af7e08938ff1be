//! The verifier's side of the conversation: it reads what the prover sent, absorbs it, and draws challenges.

use alloc::vec::Vec;

use crate::merkle::LeafShape;
use crate::proof::Kind;
use crate::{Item, Label, Queries, QueryPlan, Source, Transcript};

/// The check of a proof of work: a bit of the state that has to be zero, by its number.
pub const GRINDING: Label = Label::new("transcript: grinding");

/// A verifier's channel.
///
/// Every `read` absorbs what it gives, and every `observe` absorbs what both sides know. Nothing is absorbed
/// twice.
///
/// End it with [`finish`](Self::finish): a proof of which anything was not read is another proof.
pub struct Channel<'a, A: Source> {
    arith: &'a A,
    kind: Kind,
    shape: Vec<u64>,
    transcript: Transcript<A>,
}

impl<'a, A: Source> Channel<'a, A> {
    /// The channel of a proof of this kind and shape, which are the proof's own.
    ///
    /// # Transcript
    /// The kind, by the initial state; the shape: its length, then its words.
    #[must_use]
    pub fn new(arith: &'a A, kind: Kind, shape: &[u64]) -> Self {
        Self {
            arith,
            kind,
            shape: shape.to_vec(),
            transcript: Transcript::new(arith, kind, shape),
        }
    }

    /// The operations; the reference outlives a borrow of the channel.
    #[must_use]
    pub const fn arith(&self) -> &'a A {
        self.arith
    }

    /// Absorbs a scalar that both sides know.
    pub fn observe_scalar(&mut self, value: A::Scalar) {
        self.transcript.absorb(self.arith, Item::Scalar(value));
    }

    /// Absorbs a word that both sides know.
    pub fn observe_word(&mut self, value: A::Word) {
        self.transcript.absorb(self.arith, Item::Word(value));
    }

    /// Absorbs a digest that both sides know.
    pub fn observe_digest(&mut self, value: A::Digest) {
        self.transcript.absorb(self.arith, Item::Digest(value));
    }

    /// Reads and absorbs a scalar.
    ///
    /// # Errors
    /// The stream has ended.
    pub fn read_scalar(&mut self) -> Result<A::Scalar, A::Error> {
        let value = self.arith.next_scalar()?;
        self.observe_scalar(value);
        Ok(value)
    }

    /// Reads and absorbs `count` scalars.
    ///
    /// # Errors
    /// The stream has ended.
    pub fn read_scalars(&mut self, count: usize) -> Result<Vec<A::Scalar>, A::Error> {
        (0..count).map(|_| self.read_scalar()).collect()
    }

    /// Reads and absorbs `N` scalars.
    ///
    /// # Errors
    /// The stream has ended.
    pub fn read_array<const N: usize>(&mut self) -> Result<[A::Scalar; N], A::Error> {
        // Every element is replaced; the constant is only what an array needs to exist.
        let mut values = [self.arith.constant(primitives::field::E::ZERO); N];
        for value in &mut values {
            *value = self.read_scalar()?;
        }
        Ok(values)
    }

    /// Reads and absorbs a word.
    ///
    /// # Errors
    /// The stream has ended.
    pub fn read_word(&mut self) -> Result<A::Word, A::Error> {
        let value = self.arith.next_word()?;
        self.observe_word(value);
        Ok(value)
    }

    /// Reads and absorbs a digest.
    ///
    /// # Errors
    /// The stream has ended.
    pub fn read_digest(&mut self) -> Result<A::Digest, A::Error> {
        let value = self.arith.next_digest()?;
        self.observe_digest(value);
        Ok(value)
    }

    /// Draws a challenge.
    pub fn challenge(&mut self) -> A::Scalar {
        self.transcript.challenge(self.arith)
    }

    /// Draws `count` challenges.
    pub fn challenges(&mut self, count: usize) -> Vec<A::Scalar> {
        (0..count).map(|_| self.challenge()).collect()
    }

    /// Reads the nonce of a proof of work of `bits` bits, at most 63, and checks the work.
    ///
    /// # Transcript
    /// Absorbs what waits, then the nonce; leaves nothing waiting.
    ///
    /// # Errors
    /// The stream has ended, or one of the low `bits` bits of the state is not zero ([`GRINDING`]).
    pub fn check_grinding(&mut self, bits: usize) -> Result<(), A::Error> {
        let nonce = self.arith.next_word()?;
        let state = self.transcript.grind(self.arith, nonce);
        let [word, ..] = self.arith.digest_words(state);
        for (i, bit) in self.arith.bits(word).into_iter().take(bits).enumerate() {
            self.arith.assert_zero_bit(bit, GRINDING.at(i))?;
        }
        Ok(())
    }

    /// Draws the queries of `plan`, from as many challenges as they need.
    pub fn queries(&mut self, plan: QueryPlan) -> Queries<A::Bit> {
        let arith = self.arith;
        Queries::cut(plan, || {
            arith
                .limbs(self.challenge())
                .into_iter()
                .map(|word| arith.bits(word))
                .collect()
        })
    }

    /// The words of each queried leaf, in the order of the queries, checked against `root`.
    ///
    /// # Transcript
    /// Nothing: the root was absorbed before the queries were drawn, and fixes the leaves.
    ///
    /// # Errors
    /// The opening is missing, has not the parts that these queries need, or leads to another root.
    pub fn open(
        &self,
        root: A::Digest,
        leaf: &LeafShape,
        queries: &Queries<A::Bit>,
    ) -> Result<Vec<Vec<A::Word>>, A::Error> {
        self.arith.open(root, leaf, queries)
    }

    /// Lets one item not be absorbed, after `items` more that are: for tests of what depends on it.
    pub const fn hazmat_forget(&mut self, items: usize) {
        self.transcript.hazmat_forget(items);
    }

    /// Ends the verification, and gives the final state.
    ///
    /// # Errors
    /// The prover sent more than was read, or the proof is of another kind or shape than the channel.
    pub fn finish(mut self) -> Result<A::Digest, A::Error> {
        self.arith.finish(self.kind, &self.shape)?;
        Ok(self.transcript.flush(self.arith))
    }
}
