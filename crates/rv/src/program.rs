//! A program: the table of entries, the memory image, the sizes, and the digest of all that.

use alloc::string::String;
use alloc::vec::Vec;

use primitives::blake2s::Digest;
use thiserror::Error;

use crate::isa::Instruction;
use crate::public::{Public, Start};
use crate::symbols::Symbols;
use crate::table::{Table, TableError};

/// Where the program stands: fetches only.
pub const TEXT_BASE: u64 = 0x1000_0000;
/// Where the prover's words stand: readable and writable.
pub const ADVICE_BASE: u64 = 0x2000_0000;
/// Where image, stack and heap stand: readable and writable.
pub const RAM_BASE: u64 = 0x4000_0000;
/// log2 of the most entries that a table has.
pub const MAX_LOG_ENTRIES: u32 = 21;
/// log2 of the most words that a region of data has.
pub const MAX_LOG_WORDS: u32 = 26;
/// log2 of the fewest words that RAM has.
pub const MIN_LOG_RAM: u32 = 2;

/// What a program is made of.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The instruction words from [`TEXT_BASE`] on.
    pub text: Vec<u32>,
    /// The program counter at the start.
    pub entry: u64,
    /// log2 of the words of RAM.
    pub log_ram: u32,
    /// log2 of the words of advice.
    pub log_advice: u32,
    /// The words of RAM that are not zero at the start: index from [`RAM_BASE`] and value, the indices
    /// ascending.
    pub image: Vec<(u32, u64)>,
    /// Names of addresses, for diagnostics alone.
    pub symbols: Symbols,
}

/// A program ready to run: well formed by construction.
#[derive(Clone, Debug)]
pub struct Program {
    public: Public,
    text: Vec<u32>,
    instructions: Vec<Option<Instruction>>,
    symbols: Symbols,
}

/// Why parts make no program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// There is no instruction.
    #[error("the text is empty")]
    EmptyText,
    /// The text, the fillers and the halt slot do not fit the table.
    #[error("the text has {words} words, and at most {max} are possible: make the program smaller")]
    TextSize {
        /// Instruction words.
        words: usize,
        /// The most that fit.
        max: usize,
    },
    /// The entry point is no slot of the program.
    #[error("the entry point {entry:#x} is not a multiple of 4 in {TEXT_BASE:#x}..{end:#x}")]
    EntryPoint {
        /// The entry point.
        entry: u64,
        /// The end of the text.
        end: u64,
    },
    /// A region's size is out of range.
    #[error("{region} has 2^{log_words} words, and 2^{min} to 2^{max} are possible")]
    RegionSize {
        /// The region.
        region: &'static str,
        /// log2 of its words.
        log_words: u32,
        /// log2 of the fewest.
        min: u32,
        /// log2 of the most.
        max: u32,
    },
    /// The image's words are not in ascending order, one is zero, or one is outside RAM.
    #[error("word {index} of the image is zero, out of order, or outside RAM of 2^{log_ram} words")]
    Image {
        /// Its index from [`RAM_BASE`].
        index: u32,
        /// log2 of the words of RAM.
        log_ram: u32,
    },
    /// The table is not well formed.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The bytes of a public program are not those of any.
    #[error("these bytes are no program: the {what} is malformed")]
    Encoding {
        /// The part.
        what: &'static str,
    },
}

/// The program counter of a slot.
#[must_use]
pub const fn slot_pc(slot: usize) -> u64 {
    TEXT_BASE + 4 * slot as u64
}

impl Program {
    /// Decodes the text, checks the parts and computes the digest.
    ///
    /// # Errors
    /// [`ProgramError`], for parts that are empty, out of range or not canonical.
    pub fn new(parts: Parts) -> Result<Self, ProgramError> {
        let instructions: Vec<_> = parts.text.iter().map(|&word| Instruction::decode(word)).collect();
        let table = Table::of_text(&instructions)?;
        let Parts {
            text,
            entry,
            log_ram,
            log_advice,
            image,
            symbols,
        } = parts;
        let public = Public::new(
            table,
            Start {
                entry,
                log_ram,
                log_advice,
            },
            image,
        )?;
        Ok(Self {
            public,
            text,
            instructions,
            symbols,
        })
    }

    /// What a verifier knows of the program.
    #[must_use]
    pub const fn public(&self) -> &Public {
        &self.public
    }

    /// The public table.
    #[must_use]
    pub const fn table(&self) -> &Table {
        self.public.table()
    }

    /// The instruction of each slot of the program proper, `None` where the word is undefined.
    #[must_use]
    pub fn instructions(&self) -> &[Option<Instruction>] {
        &self.instructions
    }

    /// The words of the program proper.
    #[must_use]
    pub fn text(&self) -> &[u32] {
        &self.text
    }

    /// The program counter at the start.
    #[must_use]
    pub const fn entry(&self) -> u64 {
        self.public.entry()
    }

    /// log2 of the words of RAM.
    #[must_use]
    pub const fn log_ram(&self) -> u32 {
        self.public.log_ram()
    }

    /// log2 of the words of advice.
    #[must_use]
    pub const fn log_advice(&self) -> u32 {
        self.public.log_advice()
    }

    /// The words of RAM that are not zero at the start, by ascending index from [`RAM_BASE`].
    #[must_use]
    pub fn image(&self) -> &[(u32, u64)] {
        self.public.image()
    }

    /// Names of addresses.
    #[must_use]
    pub const fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The digest of everything public and fixed; `doc/machine.md` has its parts. Names of addresses and
    /// words that decode alike do not change it.
    #[must_use]
    pub const fn digest(&self) -> &Digest {
        self.public.digest()
    }

    /// The text of the instruction at `pc`, or of the word there, or nothing outside the program.
    #[must_use]
    pub fn describe(&self, pc: u64) -> Option<String> {
        let slot = usize::try_from(pc.checked_sub(TEXT_BASE)? / 4).ok()?;
        Some(crate::asm::disassemble(*self.text.get(slot)?, pc))
    }
}
