//! The transcript: a BLAKE2s chaining value, and what waits to be absorbed.
//!
//! With `C` the BLAKE2s compression, final flag set, a step is `s <- C(s, m, t)`: `m` the words of the items
//! that wait, `t` a tag that fixes the kind of step and the items' widths. `doc/transcript.md` shows that
//! different sequences of steps have different sequences of `(m, t)`.

use alloc::vec::Vec;

use primitives::blake2s;
use primitives::field::K;

use crate::proof::{Kind, count, header};
use crate::{Arith, Item};

/// What a step of the transcript is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Absorbs.
    Absorb,
    /// Absorbs what waits, possibly nothing, and gives a challenge.
    Challenge,
    /// Absorbs the nonce of a proof of work.
    Grind,
}

/// The tags of steps are at least this, and the byte counts of hashes are below.
pub(crate) const LEAST_TAG: u64 = 1 << 32;

/// How many words a step absorbs at most.
const STEP_WORDS: usize = 8;

impl Step {
    /// The byte counter of a step of this kind.
    ///
    /// Bit `i` below 32 is set if an item starts at word `i` or if the items end there: the highest is the
    /// number of words, and the gaps are the widths. The kind is above, so that no tag is the byte count of
    /// a message below 2^32 bytes.
    #[must_use]
    pub fn tag<A: Arith + ?Sized>(self, items: &[Item<A>]) -> u64 {
        let kind: u64 = match self {
            Self::Absorb => 1,
            Self::Challenge => 2,
            Self::Grind => 3,
        };
        let layout = items
            .iter()
            .rev()
            .fold(1u64, |layout, item| layout << item.words() | 1);
        kind << 32 | layout
    }
}

/// The state of a transcript, on either side.
pub struct Transcript<A: Arith> {
    state: A::Digest,
    /// At most [`STEP_WORDS`] words.
    pending: Vec<Item<A>>,
    /// How many items come before one that is forgotten.
    hazmat_forget: Option<usize>,
}

impl<A: Arith> Clone for Transcript<A> {
    fn clone(&self) -> Self {
        Self {
            state: self.state,
            pending: self.pending.clone(),
            hazmat_forget: self.hazmat_forget,
        }
    }
}

impl<A: Arith> Transcript<A> {
    /// The transcript of a proof of this kind: its state is the digest of the proof file's header. The shape
    /// is absorbed: its length, then its words.
    #[must_use]
    pub fn new(arith: &A, kind: Kind, shape: &[u64]) -> Self {
        let state = blake2s::digest_to_words(&blake2s::hash(&header(kind)));
        let mut transcript = Self {
            state: arith.constant_digest(state),
            pending: Vec::with_capacity(STEP_WORDS),
            hazmat_forget: None,
        };
        for word in core::iter::once(count(shape.len())).chain(shape.iter().copied()) {
            transcript.absorb(arith, Item::Word(arith.constant_word(K(word))));
        }
        transcript
    }

    /// Queues an item.
    pub fn absorb(&mut self, arith: &A, item: Item<A>) {
        if let Some(before) = self.hazmat_forget {
            self.hazmat_forget = before.checked_sub(1);
            if self.hazmat_forget.is_none() {
                return;
            }
        }
        if self.pending_words().saturating_add(item.words()) > STEP_WORDS {
            self.step(arith, Step::Absorb);
        }
        self.pending.push(item);
    }

    /// Absorbs what waits, and gives a challenge: the first three words of the new state.
    pub fn challenge(&mut self, arith: &A) -> A::Scalar {
        self.step(arith, Step::Challenge);
        arith.digest_scalar(self.state)
    }

    /// Absorbs what waits, if anything does, and gives the state.
    pub fn flush(&mut self, arith: &A) -> A::Digest {
        if !self.pending.is_empty() {
            self.step(arith, Step::Absorb);
        }
        self.state
    }

    /// Absorbs what waits, then the nonce of a proof of work, and gives the state, which bears the work.
    pub fn grind(&mut self, arith: &A, nonce: A::Word) -> A::Digest {
        self.flush(arith);
        self.pending.push(Item::Word(nonce));
        self.step(arith, Step::Grind);
        self.state
    }

    /// Lets one item not be absorbed, after `items` more that are: for tests of what depends on it.
    pub const fn hazmat_forget(&mut self, items: usize) {
        self.hazmat_forget = Some(items);
    }

    fn step(&mut self, arith: &A, step: Step) {
        self.state = arith.compress(self.state, &self.pending, step.tag(&self.pending), true);
        self.pending.clear();
    }

    fn pending_words(&self) -> usize {
        self.pending.iter().map(Item::words).sum()
    }
}

/// The state after a proof of work with this nonce, from a flushed state.
#[cfg(feature = "prover")]
#[must_use]
pub(crate) fn grind_state(state: &crate::Digest, nonce: u64) -> crate::Digest {
    let tag = Step::Grind.tag::<crate::Native<'_>>(&[Item::Word(K(nonce))]);
    blake2s::compress_words(state, &[nonce, 0, 0, 0, 0, 0, 0, 0], tag, true)
}
