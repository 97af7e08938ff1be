//! The instance that checks a proof: values, and errors that name the check that failed.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::fmt;

use primitives::blake2s;
use primitives::field::{E, K};

use crate::hazmat::States;
use crate::merkle::{LeafSet, LeafShape, Opening, OpeningError};
use crate::transcript::LEAST_TAG;
use crate::{Arith, Digest, Item, Kind, Label, Proof, Queries, Source};

/// Arithmetic on values, and the messages of a proof.
///
/// [`Native::default`] has no messages: it is for the arithmetic alone.
#[derive(Clone, Default, Debug)]
pub struct Native<'p> {
    /// The proof whose messages these are.
    proof: Option<&'p Proof>,
    stream: Cell<&'p [u64]>,
    /// Words in the whole stream.
    length: usize,
    openings: Cell<&'p [Opening]>,
    /// Openings in the whole proof.
    opening_count: usize,
    states: States<'p>,
}

/// Why a proof was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// An equality does not hold.
    #[error("the check {label} failed: {left} is not {right}")]
    Check {
        /// Which one.
        label: Label,
        /// What the verifier computed.
        left: Value,
        /// What it has to be.
        right: Value,
    },
    /// The prover sent too little.
    #[error(
        "word {position} of the stream is read and {needed} are needed, and it has {length}: it is malformed"
    )]
    StreamEnded {
        /// Words read before.
        position: usize,
        /// Words of the message that is read.
        needed: usize,
        /// Words in the stream.
        length: usize,
    },
    /// The prover sent too much.
    #[error("{read} words of the stream were read, and it has {length}: the proof is malformed")]
    StreamLeft {
        /// Words read.
        read: usize,
        /// Words in the stream.
        length: usize,
    },
    /// There are too few Merkle openings.
    #[error("the proof has {count} Merkle openings, and one more is needed: the proof is malformed")]
    OpeningMissing {
        /// Openings in the proof.
        count: usize,
    },
    /// There are too many Merkle openings.
    #[error("{read} Merkle openings were read, and the proof has {count}: the proof is malformed")]
    OpeningsLeft {
        /// Openings read.
        read: usize,
        /// Openings in the proof.
        count: usize,
    },
    /// The proof shows something else.
    #[error("the proof is of kind {found:?}, and one of kind {expected:?} is verified")]
    Kind {
        /// What the proof is.
        found: Kind,
        /// What the verifier is for.
        expected: Kind,
    },
    /// The verifier was run for other sizes than the proof announces.
    #[error("the proof announces {found} words of shape, which are not the {expected} that were verified")]
    Shape {
        /// How many words the proof announces.
        found: usize,
        /// For how many the verifier was run; if it is the same number, a word is another.
        expected: usize,
    },
    /// A Merkle opening is wrong.
    #[error("Merkle opening {number}: {error}")]
    Opening {
        /// The number of the opening in the proof.
        number: usize,
        /// What is wrong with it.
        error: OpeningError,
    },
}

/// A side of an equality.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// An element of E.
    Scalar(E),
    /// An element of K.
    Word(K),
    /// Four words.
    Digest(Digest),
    /// A bit.
    Bit(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(value) => write!(f, "{value:?}"),
            Self::Word(value) => write!(f, "{value:?}"),
            Self::Digest(value) => write!(f, "{value:x?}"),
            Self::Bit(value) => write!(f, "{}", u8::from(*value)),
        }
    }
}

impl<'p> Native<'p> {
    /// The messages of `proof`, from its first.
    #[must_use]
    pub fn new(proof: &'p Proof) -> Self {
        Self {
            proof: Some(proof),
            stream: Cell::new(&proof.stream),
            length: proof.stream.len(),
            openings: Cell::new(&proof.openings),
            opening_count: proof.openings.len(),
            states: States::Live,
        }
    }

    /// [`new`](Self::new), noting the states of the transcript: for [`hazmat_frozen`](Self::hazmat_frozen).
    #[must_use]
    pub fn hazmat_recording(proof: &'p Proof) -> Self {
        Self {
            states: States::Recorded(RefCell::default()),
            ..Self::new(proof)
        }
    }

    /// The states that were noted, one for each step of the transcript.
    #[must_use]
    pub fn hazmat_states(&self) -> Vec<Digest> {
        match &self.states {
            States::Recorded(states) => states.borrow().clone(),
            _ => Vec::new(),
        }
    }

    /// [`new`](Self::new) with these states of the transcript, whatever is absorbed: for tests of which
    /// messages are bound by the transcript alone.
    #[must_use]
    pub fn hazmat_frozen(proof: &'p Proof, states: &'p [Digest]) -> Self {
        Self {
            states: States::Frozen(Cell::new(states)),
            ..Self::new(proof)
        }
    }

    fn read<const N: usize>(&self) -> Result<[u64; N], VerifyError> {
        let stream = self.stream.get();
        let (words, rest) = stream.split_first_chunk().ok_or(VerifyError::StreamEnded {
            position: self.words_read(),
            needed: N,
            length: self.length,
        })?;
        self.stream.set(rest);
        Ok(*words)
    }

    fn words_read(&self) -> usize {
        self.length.saturating_sub(self.stream.get().len())
    }

    fn openings_read(&self) -> usize {
        self.opening_count.saturating_sub(self.openings.get().len())
    }

    fn check(holds: bool, label: Label, left: Value, right: Value) -> Result<(), VerifyError> {
        if holds {
            Ok(())
        } else {
            Err(VerifyError::Check { label, left, right })
        }
    }
}

#[expect(clippy::arithmetic_side_effects, reason = "the fields' operators are total")]
impl Arith for Native<'_> {
    type Scalar = E;
    type Word = K;
    type Bit = bool;
    type Digest = Digest;
    type Error = VerifyError;

    fn constant(&self, value: E) -> E {
        value
    }

    fn constant_word(&self, value: K) -> K {
        value
    }

    fn constant_digest(&self, value: Digest) -> Digest {
        value
    }

    fn add(&self, a: E, b: E) -> E {
        a + b
    }

    fn mul(&self, a: E, b: E) -> E {
        a * b
    }

    fn mul_k(&self, a: E, k: K) -> E {
        a * k
    }

    fn mul_word(&self, a: E, k: K) -> E {
        a * k
    }

    fn square(&self, a: E) -> E {
        a.square()
    }

    fn frobenius_64(&self, a: E, n: u32) -> E {
        a.frobenius_64(n)
    }

    fn inverse_frobenius(&self, a: E, n: u32) -> E {
        // The map has order 192.
        a.frobenius((n % 192).abs_diff(192))
    }

    fn inverse_frobenius_orbit(&self, a: E, n: u32) -> Vec<E> {
        // From the last one, by squares.
        let last = self.inverse_frobenius(a, n.saturating_sub(1));
        let mut orbit: Vec<E> = core::iter::successors(Some(last), |power| Some(power.square()))
            .zip(0..n)
            .map(|(power, _)| power)
            .collect();
        orbit.reverse();
        orbit
    }

    fn select(&self, bit: bool, if_zero: E, if_one: E) -> E {
        if bit { if_one } else { if_zero }
    }

    fn limbs(&self, a: E) -> [K; 3] {
        a.0
    }

    fn scalar(&self, limbs: [K; 3]) -> E {
        E(limbs)
    }

    fn bits(&self, word: K) -> [bool; 64] {
        core::array::from_fn(|i| word.0 >> i & 1 == 1)
    }

    fn bit_word(&self, bit: bool) -> K {
        K(u64::from(bit))
    }

    fn digest_words(&self, digest: Digest) -> [K; 4] {
        digest.map(K)
    }

    fn digest(&self, words: [K; 4]) -> Digest {
        words.map(|word| word.0)
    }

    fn compress(&self, chaining: Digest, items: &[Item<Self>], counter: u64, last: bool) -> Digest {
        let mut message = [0; 8];
        let mut slots = message.iter_mut();
        let mut put = |words: &[u64]| {
            // The words first: a zip that ends with its second side has taken one more of the first.
            for (&word, slot) in words.iter().zip(slots.by_ref()) {
                *slot = word;
            }
        };
        for item in items {
            match item {
                Item::Scalar(value) => put(&value.to_words()),
                Item::Word(value) => put(&[value.0]),
                Item::Digest(value) => put(value),
            }
        }
        let state = blake2s::compress_words(&chaining, &message, counter, last);
        if counter < LEAST_TAG {
            state
        } else {
            self.states.after_step(state)
        }
    }

    fn merkle_step(&self, node: Digest, sibling: Digest, bit: bool) -> Digest {
        if bit {
            self.merkle_node(sibling, node)
        } else {
            self.merkle_node(node, sibling)
        }
    }

    fn assert_eq(&self, a: E, b: E, label: Label) -> Result<(), VerifyError> {
        Self::check(a == b, label, Value::Scalar(a), Value::Scalar(b))
    }

    fn assert_eq_word(&self, a: K, b: K, label: Label) -> Result<(), VerifyError> {
        Self::check(a == b, label, Value::Word(a), Value::Word(b))
    }

    fn assert_eq_digest(&self, a: Digest, b: Digest, label: Label) -> Result<(), VerifyError> {
        Self::check(a == b, label, Value::Digest(a), Value::Digest(b))
    }

    fn assert_zero_bit(&self, bit: bool, label: Label) -> Result<(), VerifyError> {
        Self::check(!bit, label, Value::Bit(bit), Value::Bit(false))
    }
}

impl Source for Native<'_> {
    fn next_scalar(&self) -> Result<E, VerifyError> {
        self.read().map(E::from_words)
    }

    fn next_word(&self) -> Result<K, VerifyError> {
        self.read().map(|[word]| K(word))
    }

    fn next_digest(&self) -> Result<Digest, VerifyError> {
        self.read()
    }

    fn open(
        &self,
        root: Digest,
        leaf: &LeafShape,
        queries: &Queries<bool>,
    ) -> Result<Vec<Vec<K>>, VerifyError> {
        let number = self.openings_read();
        let (opening, rest) = self
            .openings
            .get()
            .split_first()
            .ok_or(VerifyError::OpeningMissing {
                count: self.opening_count,
            })?;
        self.openings.set(rest);
        open_pruned(opening, &root, leaf, queries).map_err(|error| VerifyError::Opening { number, error })
    }

    fn finish(&self, kind: Kind, shape: &[u64]) -> Result<(), VerifyError> {
        if let Some(proof) = self.proof {
            if proof.kind != kind {
                return Err(VerifyError::Kind {
                    found: proof.kind,
                    expected: kind,
                });
            }
            if proof.shape != shape {
                return Err(VerifyError::Shape {
                    found: proof.shape.len(),
                    expected: shape.len(),
                });
            }
        }
        if !self.stream.get().is_empty() {
            return Err(VerifyError::StreamLeft {
                read: self.words_read(),
                length: self.length,
            });
        }
        if !self.openings.get().is_empty() {
            return Err(VerifyError::OpeningsLeft {
                read: self.openings_read(),
                count: self.opening_count,
            });
        }
        Ok(())
    }
}

/// The words of the leaf of each query, from an opening that has each leaf once.
fn open_pruned(
    opening: &Opening,
    root: &Digest,
    shape: &LeafShape,
    queries: &Queries<bool>,
) -> Result<Vec<Vec<K>>, OpeningError> {
    let leaves = opening.verify(root, shape, &LeafSet::of_queries(queries)?)?;
    let words = |index| leaves.get(&index).copied().unwrap_or_default();
    Ok(queries
        .indices()
        .into_iter()
        .map(|index| words(index).iter().copied().map(K).collect())
        .collect())
}
