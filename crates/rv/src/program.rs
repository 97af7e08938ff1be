//! A program: the table of entries, the memory image, the sizes, and the digest of all that.

use alloc::string::String;
use alloc::vec::Vec;

use primitives::blake2s::{Blake2s, Digest};
use thiserror::Error;

use crate::class::Class;
use crate::entry::{Entry, Fault};
use crate::isa::Instruction;
use crate::symbols::Symbols;

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

/// The first part of every program digest: it changes with the layout of the others.
const DIGEST_VERSION: &[u8] = b"leanVM program 1";

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

/// The public table: the program's slots, one filler of each class, empty slots, the halt slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    entries: Vec<Entry>,
    program_slots: usize,
}

/// A program ready to run: well formed by construction.
#[derive(Clone, Debug)]
pub struct Program {
    parts: Parts,
    instructions: Vec<Option<Instruction>>,
    table: Table,
    digest: Digest,
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
}

/// A table that is not well formed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The number of entries is no power of two in range, or leaves no room for fillers and halt slot.
    #[error(
        "{entries} entries for {program_slots} instructions: a power of two of at most 2^{MAX_LOG_ENTRIES}, \
             with room for one filler a class and the halt slot, is needed"
    )]
    Size {
        /// Entries of the table.
        entries: usize,
        /// Slots of the program proper.
        program_slots: usize,
    },
    /// An entry breaks a rule.
    #[error("the entry at {pc:#x} is not well formed: {fault}")]
    Entry {
        /// The entry's program counter.
        pc: u64,
        /// The rule.
        fault: Fault,
    },
}

impl Table {
    /// The table of the words of a text.
    ///
    /// # Errors
    /// [`ProgramError::EmptyText`] and [`ProgramError::TextSize`].
    fn of_text(instructions: &[Option<Instruction>]) -> Result<Self, ProgramError> {
        let max = (1 << MAX_LOG_ENTRIES) - Class::COUNT - 1;
        let words = instructions.len();
        if words == 0 {
            return Err(ProgramError::EmptyText);
        }
        if words > max {
            return Err(ProgramError::TextSize { words, max });
        }
        let slots = (words + Class::COUNT + 1).next_power_of_two();
        let halt = slot_pc(slots - 1);
        let mut entries = Vec::with_capacity(slots);
        entries.extend(instructions.iter().zip(0..).map(|(instruction, slot)| {
            instruction.map_or_else(Entry::default, |i| Entry::of(&i, slot_pc(slot), halt))
        }));
        entries.extend(
            Class::ALL
                .iter()
                .zip(words..)
                .map(|(&class, slot)| Entry::filler(class, slot_pc(slot))),
        );
        entries.resize(slots, Entry::default());
        Ok(Self {
            entries,
            program_slots: words,
        })
    }

    /// A table from its entries, the first `program_slots` of which are the program proper.
    ///
    /// # Errors
    /// The first rule that the table breaks.
    pub fn new(entries: Vec<Entry>, program_slots: usize) -> Result<Self, TableError> {
        let table = Self {
            entries,
            program_slots,
        };
        table.check()?;
        Ok(table)
    }

    /// Checks that the table is well formed: each slot of the program keeps the rules of [`Entry::check`],
    /// the fillers follow in class order, and every other slot, the halt slot among them, is empty.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check(&self) -> Result<(), TableError> {
        let Self {
            entries,
            program_slots,
        } = self;
        let needed = program_slots.saturating_add(Class::COUNT + 1);
        if !entries.len().is_power_of_two() || entries.len() > 1 << MAX_LOG_ENTRIES || needed > entries.len()
        {
            return Err(TableError::Size {
                entries: entries.len(),
                program_slots: *program_slots,
            });
        }
        let halt = self.halt();
        for (slot, entry) in entries.iter().enumerate() {
            let pc = slot_pc(slot);
            let verdict = match slot
                .checked_sub(*program_slots)
                .map(|filler| Class::ALL.get(filler))
            {
                None => entry.check(pc, halt),
                Some(Some(&class)) => Fault::Filler.unless(*entry == Entry::filler(class, pc)),
                Some(None) => Fault::SlotNotEmpty.unless(*entry == Entry::default()),
            };
            verdict.map_err(|fault| TableError::Entry { pc, fault })?;
        }
        Ok(())
    }

    /// All 2^k entries.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of slots of the program proper, at which the fillers begin.
    #[must_use]
    pub const fn program_slots(&self) -> usize {
        self.program_slots
    }

    /// log2 of the number of entries.
    #[must_use]
    pub const fn log_entries(&self) -> u32 {
        self.entries.len().ilog2()
    }

    /// The program counter of the halt slot, the last one.
    #[must_use]
    pub const fn halt(&self) -> u64 {
        slot_pc(self.entries.len() - 1)
    }

    /// The slot of the filler of `class`.
    #[must_use]
    pub const fn filler_slot(&self, class: Class) -> usize {
        self.program_slots + class.index()
    }
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
        let end = slot_pc(instructions.len());
        if !parts.entry.is_multiple_of(4) || !(TEXT_BASE..end).contains(&parts.entry) {
            return Err(ProgramError::EntryPoint {
                entry: parts.entry,
                end,
            });
        }
        check_region("RAM", parts.log_ram, MIN_LOG_RAM)?;
        check_region("advice", parts.log_advice, 0)?;
        let mut expected = 0;
        for &(index, word) in &parts.image {
            if word == 0 || u64::from(index) < expected || index >> parts.log_ram != 0 {
                return Err(ProgramError::Image {
                    index,
                    log_ram: parts.log_ram,
                });
            }
            expected = u64::from(index) + 1;
        }
        let digest = digest(&parts, &table);
        Ok(Self {
            parts,
            instructions,
            table,
            digest,
        })
    }

    /// The public table.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The instruction of each slot of the program proper, `None` where the word is undefined.
    #[must_use]
    pub fn instructions(&self) -> &[Option<Instruction>] {
        &self.instructions
    }

    /// The words of the program proper.
    #[must_use]
    pub fn text(&self) -> &[u32] {
        &self.parts.text
    }

    /// The program counter at the start.
    #[must_use]
    pub const fn entry(&self) -> u64 {
        self.parts.entry
    }

    /// log2 of the words of RAM.
    #[must_use]
    pub const fn log_ram(&self) -> u32 {
        self.parts.log_ram
    }

    /// log2 of the words of advice.
    #[must_use]
    pub const fn log_advice(&self) -> u32 {
        self.parts.log_advice
    }

    /// The words of RAM that are not zero at the start, by ascending index from [`RAM_BASE`].
    #[must_use]
    pub fn image(&self) -> &[(u32, u64)] {
        &self.parts.image
    }

    /// Names of addresses.
    #[must_use]
    pub const fn symbols(&self) -> &Symbols {
        &self.parts.symbols
    }

    /// The digest of everything public and fixed; `doc/machine.md` has its parts. Names of addresses and
    /// words that decode alike do not change it.
    #[must_use]
    pub const fn digest(&self) -> &Digest {
        &self.digest
    }

    /// The text of the instruction at `pc`, or of the word there, or nothing outside the program.
    #[must_use]
    pub fn describe(&self, pc: u64) -> Option<String> {
        let slot = usize::try_from(pc.checked_sub(TEXT_BASE)? / 4).ok()?;
        Some(crate::asm::disassemble(*self.parts.text.get(slot)?, pc))
    }
}

/// Checks one region's size.
const fn check_region(region: &'static str, log_words: u32, min: u32) -> Result<(), ProgramError> {
    if log_words < min || log_words > MAX_LOG_WORDS {
        return Err(ProgramError::RegionSize {
            region,
            log_words,
            min,
            max: MAX_LOG_WORDS,
        });
    }
    Ok(())
}

/// The digest: each part after its length in bytes; words are little-endian.
fn digest(parts: &Parts, table: &Table) -> Digest {
    let mut hasher = Blake2s::new();
    let mut part = |words: usize, bytes: &mut dyn Iterator<Item = u64>| {
        hasher.update(&(8 * words as u64).to_le_bytes());
        for word in bytes {
            hasher.update(&word.to_le_bytes());
        }
    };
    let version = DIGEST_VERSION.as_chunks().0;
    part(
        version.len(),
        &mut version.iter().map(|&word| u64::from_le_bytes(word)),
    );
    let sizes = [
        parts.entry,
        table.halt(),
        table.program_slots as u64,
        table.log_entries().into(),
        parts.log_ram.into(),
        parts.log_advice.into(),
    ];
    part(sizes.len(), &mut sizes.into_iter());
    // The fillers and the empty slots follow from the sizes.
    let program = &table.entries[..table.program_slots];
    part(7 * program.len(), &mut program.iter().flat_map(Entry::to_words));
    part(
        2 * parts.image.len(),
        &mut parts.image.iter().flat_map(|&(index, word)| [index.into(), word]),
    );
    hasher.finalize()
}
