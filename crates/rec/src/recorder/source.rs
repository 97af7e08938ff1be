//! The messages of provers, read as free wires.

use alloc::vec::Vec;

use fiat_shamir::merkle::{LeafShape, PathSource, Paths, open_by_paths};
use fiat_shamir::{Digest, Kind, Native, Proof, Queries, Source, VerifyError};
use primitives::field::{E, K};

use super::state::value_of;
use super::{Recorder, Wire};

/// Whose messages the recorder reads.
#[derive(Debug)]
pub(super) enum Messages<'p> {
    /// Nobody's: zeros.
    Zeros,
    /// Those of a proof, and how many openings of it were read.
    Proof(Native<'p>, &'p Proof, usize),
}

impl Source for Recorder<'_> {
    fn next_scalar(&self) -> Result<Wire, VerifyError> {
        let value = match &*self.messages.borrow() {
            Messages::Zeros => E::ZERO,
            Messages::Proof(native, ..) => native.next_scalar()?,
        };
        Ok(self.hint(value_of(value)))
    }

    fn next_word(&self) -> Result<Wire, VerifyError> {
        let value = match &*self.messages.borrow() {
            Messages::Zeros => K::ZERO,
            Messages::Proof(native, ..) => native.next_word()?,
        };
        Ok(self.hint_word(value.0))
    }

    fn next_digest(&self) -> Result<Wire, VerifyError> {
        let value = match &*self.messages.borrow() {
            Messages::Zeros => [0; 4],
            Messages::Proof(native, ..) => native.next_digest()?,
        };
        Ok(self.hint(value))
    }

    fn open(
        &self,
        root: Wire,
        leaf: &LeafShape,
        queries: &Queries<Wire>,
    ) -> Result<Vec<Vec<Wire>>, VerifyError> {
        let paths = match &mut *self.messages.borrow_mut() {
            Messages::Zeros => None,
            Messages::Proof(native, proof, number) => {
                let drawn = queries.map(|bit| self.value(bit)[0] == 1);
                let root = self.value(root);
                // This checks that there is an opening, and moves on.
                native.open(root, leaf, &drawn)?;
                let opening = proof.openings.get(*number);
                let opened = *number;
                *number += 1;
                let paths = opening.map(|opening| opening.paths(&root, leaf, &drawn));
                let failed = |error| VerifyError::Opening {
                    number: opened,
                    error,
                };
                paths.transpose().map_err(failed)?
            }
        };
        let mut source = PathWires {
            recorder: self,
            parts: paths.as_ref().map(Parts::new),
        };
        open_by_paths(self, root, leaf, queries, &mut source)
    }

    fn finish(&self, kind: Kind, shape: &[u64]) -> Result<(), VerifyError> {
        match &*self.messages.borrow() {
            Messages::Zeros => Ok(()),
            Messages::Proof(native, ..) => native.finish(kind, shape),
        }
    }
}

/// The parts of an opening, in the order in which a circuit takes them.
struct Parts {
    words: alloc::vec::IntoIter<u64>,
    nodes: alloc::vec::IntoIter<Digest>,
}

impl Parts {
    fn new(paths: &Paths) -> Self {
        let words: Vec<u64> = paths
            .paths
            .iter()
            .flat_map(|path| path.words.iter().copied())
            .collect();
        let siblings = paths.paths.iter().flat_map(|path| path.siblings.iter().copied());
        let nodes: Vec<Digest> = paths.cap.iter().copied().chain(siblings).collect();
        Self {
            words: words.into_iter(),
            nodes: nodes.into_iter(),
        }
    }
}

/// The parts of an opening as free wires.
struct PathWires<'r, 'p> {
    recorder: &'r Recorder<'p>,
    /// `None`: zeros.
    parts: Option<Parts>,
}

impl<'p> PathSource<Recorder<'p>> for PathWires<'_, 'p> {
    fn leaf_word(&mut self) -> Result<Wire, VerifyError> {
        let word = self.parts.as_mut().and_then(|parts| parts.words.next());
        Ok(self.recorder.hint_word(word.unwrap_or(0)))
    }

    fn node(&mut self) -> Result<Wire, VerifyError> {
        let node = self.parts.as_mut().and_then(|parts| parts.nodes.next());
        Ok(self.recorder.hint(node.unwrap_or([0; 4])))
    }
}
