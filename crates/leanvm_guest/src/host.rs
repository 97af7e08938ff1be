//! For hosts and tests, off the machine: a guest's expected output, and native runs of guests.

use std::vec::Vec;

use crate::Words;
use crate::blake2s::Blake2s;
use crate::words::as_words;
use crate::{advice, output};

/// The public values of a run, and the output that they make.
///
/// ```
/// let output = leanvm_guest::host::PublicValues::new().commit(&7u64).output();
/// assert_eq!(output, leanvm_guest::blake2s::hash(&7u64.to_le_bytes()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct PublicValues {
    words: Vec<u64>,
}

impl PublicValues {
    /// Nothing committed.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: Vec::new() }
    }

    /// Appends what [`commit`](crate::commit) appends for this value.
    #[must_use]
    pub fn commit<T: Words>(mut self, value: &T) -> Self {
        self.words
            .extend_from_slice(as_words(core::slice::from_ref(value)));
        self
    }

    /// The committed words.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The 32-byte output of a run that commits these values.
    #[must_use]
    pub fn output(&self) -> [u8; 32] {
        let mut hasher = Blake2s::new();
        hasher.update_words(&self.words);
        hasher.digest()
    }
}

/// Advice in the order in which a guest reads it.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    words: Vec<u64>,
}

impl Advice {
    /// No advice.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: Vec::new() }
    }

    /// Appends what [`read`](crate::read) of this type takes.
    #[must_use]
    pub fn push<T: Words>(self, value: &T) -> Self {
        self.push_slice(core::slice::from_ref(value))
    }

    /// Appends what [`read_slice`](crate::read_slice) of this type takes: the values, not their number.
    #[must_use]
    pub fn push_slice<T: Words>(mut self, values: &[T]) -> Self {
        self.words.extend_from_slice(as_words(values));
        self
    }

    /// The words.
    #[must_use]
    pub fn into_words(self) -> Vec<u64> {
        self.words
    }
}

/// Runs a guest's main function natively on `advice`, on this thread; returns its output.
///
/// What the guest reads lives for the rest of the process, because a guest holds references to it; so this
/// is for tests and small hosts. Advice ends where `advice` ends (the machine pads its region with zeros).
///
/// # Panics
/// If the guest panics.
pub fn run(main: impl FnOnce(), advice: &[u64]) -> [u8; 32] {
    advice::cursor::set(Vec::leak(advice.to_vec()));
    output::committed::with(|hasher| *hasher = Blake2s::new());
    main();
    output::committed::with(|hasher| hasher.digest())
}
