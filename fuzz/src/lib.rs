//! What the fuzz targets of proofs have in common: small honest proofs, the verifiers that read them, and changes of them.
//!
//! A [`Subject`] is a verifier with an honest proof. A fuzz target hands it bytes, once as what follows a file's header and
//! once as [`changes`] of the honest proof. The example `campaign` hands it very many random ones.

pub mod argument;
pub mod changes;
pub mod flock_batch;
pub mod run;
pub mod stack_opening;
pub mod tree;

use fiat_shamir::proof::header;
use fiat_shamir::{Digest, Kind, Native, Proof};

/// A verifier of one kind of proof for one statement.
pub trait Verifier {
    /// What the proofs are.
    const KIND: Kind;

    /// Whether it accepts, taking messages and challenges from this instance.
    fn accepts_by(&self, proof: &Proof, arith: &Native<'_>) -> bool;

    /// Whether it accepts.
    fn accepts(&self, proof: &Proof) -> bool {
        self.accepts_by(proof, &Native::new(proof))
    }
}

/// A verifier and a proof that it accepts.
pub struct Subject<V> {
    verifier: V,
    honest: Proof,
    /// The honest proof as a file.
    file: Vec<u8>,
    /// The states of its transcript.
    states: Vec<Digest>,
}

impl<V: Verifier> Subject<V> {
    /// # Panics
    /// If the proof is not honest.
    pub fn new(verifier: V, honest: Proof) -> Self {
        let recording = Native::hazmat_recording(&honest);
        assert!(verifier.accepts_by(&honest, &recording) && verifier.accepts(&honest));
        let states = recording.hazmat_states();
        Self {
            file: honest.encode(),
            verifier,
            honest,
            states,
        }
    }

    /// Tries bytes in both ways.
    ///
    /// # Panics
    /// If a proof is accepted that is not the honest one, or the honest one is refused.
    pub fn try_bytes(&self, bytes: &[u8]) {
        self.try_file(&[&header(V::KIND), bytes].concat());
        self.try_changes(bytes);
    }

    /// Tries the honest proof with [changes](changes::apply).
    ///
    /// # Panics
    /// As [`try_bytes`](Self::try_bytes).
    pub fn try_changes(&self, changes: &[u8]) {
        self.try_file(&changes::apply(&self.honest, changes));
    }

    /// Tries a file as it is, and with the challenges of the honest proof, so that checks behind a changed message are
    /// reached as well.
    fn try_file(&self, file: &[u8]) {
        if let Ok(proof) = Proof::decode(file) {
            assert_eq!(proof.encode(), file);
            assert_eq!(self.verifier.accepts(&proof), file == self.file);
            // A message that only the transcript binds may be another here.
            self.verifier
                .accepts_by(&proof, &Native::hazmat_frozen(&proof, &self.states));
        }
    }
}
