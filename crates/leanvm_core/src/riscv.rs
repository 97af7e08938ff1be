//! The machine of one program, ready for provers and verifiers.

use argument::machine::Machine;
use primitives::blake2s::{Digest, digest_to_words};
use rv::public::Public;

use crate::machine;

/// The machine of one program. Making it builds the circuits of all classes: make it once.
#[derive(Clone, Debug)]
pub struct Riscv {
    machine: Machine,
    digest: Digest,
}

impl Riscv {
    /// The machine of a program.
    #[must_use]
    pub fn new(program: &Public) -> Self {
        Self {
            machine: machine::machine(program),
            digest: *program.digest(),
        }
    }

    /// Its tables, boundaries and circuits.
    #[must_use]
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The digest of the program, as the transcript absorbs it.
    #[must_use]
    pub fn digest_words(&self) -> [u64; 4] {
        digest_to_words(&self.digest)
    }
}
