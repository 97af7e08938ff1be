//! Programs, as a prover and as a verifier knows them.

use alloc::vec::Vec;
use core::ops::Deref;

pub use primitives::blake2s::Digest;
pub use rv::elf::LoadError;
pub use rv::program::ProgramError as PublicError;
use rv::public::Public;

/// A program that can be run: its public part, its text and its symbols.
#[derive(Clone, Debug)]
pub struct Program {
    program: rv::Program,
    public: PublicProgram,
}

impl Program {
    /// The program of an ELF file: statically linked, for `riscv64im`, little-endian.
    ///
    /// # Errors
    /// The file is no such program, or does not keep to the machine's memory map.
    pub fn from_elf(bytes: &[u8]) -> Result<Self, LoadError> {
        rv::elf::load(bytes).map(Self::from)
    }

    /// What a verifier knows of the program.
    #[must_use]
    pub const fn public(&self) -> &PublicProgram {
        &self.public
    }

    /// The digest of all that is public and fixed: the name of the program in statements.
    #[must_use]
    pub const fn digest(&self) -> &Digest {
        self.public.digest()
    }
}

/// A program that was loaded or assembled by the machine's own crate.
impl From<rv::Program> for Program {
    fn from(program: rv::Program) -> Self {
        let public = PublicProgram(program.public().clone());
        Self { program, public }
    }
}

/// The machine's own view of it.
impl Deref for Program {
    type Target = rv::Program;

    fn deref(&self) -> &rv::Program {
        &self.program
    }
}

/// What a verifier knows of a program: the decoded text, the memory image, the sizes.
#[derive(Clone, Debug)]
pub struct PublicProgram(pub(crate) Public);

impl PublicProgram {
    /// The program that [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// The bytes are those of no well-formed program.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PublicError> {
        Public::from_bytes(bytes).map(Self)
    }

    /// The program as bytes, the same for every equal program; their BLAKE2s digest is the program's.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    /// The digest of the bytes.
    #[must_use]
    pub const fn digest(&self) -> &Digest {
        self.0.digest()
    }
}
