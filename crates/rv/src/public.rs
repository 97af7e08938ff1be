//! What a verifier knows of a program, and its bytes: those that the program's digest is the hash of.
//!
//! Four parts, each after its length in bytes as a 64-bit word; words are little-endian.
//!
//! 1. The 16 bytes `leanVM program 1`.
//! 2. Six words: entry point, address of the halt slot, n, log2 of the table's entries, of RAM's words, and of
//!    the advice's words.
//! 3. For each of the n slots of the program proper the seven words of [`Entry::to_words`].
//! 4. For each word of the image that is not zero two words, by ascending index: its index, its value.

use alloc::vec::Vec;

use primitives::blake2s::{Digest, hash};

use crate::class::Class;
use crate::entry::Entry;
use crate::program::{MAX_LOG_WORDS, MIN_LOG_RAM, ProgramError, TEXT_BASE, slot_pc};
use crate::table::Table;

/// The first part: it changes with the layout of the others.
const VERSION: &[u8; 16] = b"leanVM program 1";

/// A program without its words and names: well formed by construction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Public {
    table: Table,
    entry: u64,
    log_ram: u32,
    log_advice: u32,
    image: Vec<(u32, u64)>,
    digest: Digest,
}

/// Sizes and entry point of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// The program counter at the start.
    pub entry: u64,
    /// log2 of the words of RAM.
    pub log_ram: u32,
    /// log2 of the words of advice.
    pub log_advice: u32,
}

impl Public {
    /// Checks what does not concern the table, which is well formed, and computes the digest.
    ///
    /// # Errors
    /// [`ProgramError`], for parts that are out of range or not canonical.
    pub fn new(table: Table, start: Start, image: Vec<(u32, u64)>) -> Result<Self, ProgramError> {
        let Start {
            entry,
            log_ram,
            log_advice,
        } = start;
        let end = slot_pc(table.program_slots());
        if !entry.is_multiple_of(4) || !(TEXT_BASE..end).contains(&entry) {
            return Err(ProgramError::EntryPoint { entry, end });
        }
        check_region("RAM", log_ram, MIN_LOG_RAM)?;
        check_region("advice", log_advice, 0)?;
        let mut expected = 0;
        for &(index, word) in &image {
            if word == 0 || u64::from(index) < expected || index >> log_ram != 0 {
                return Err(ProgramError::Image { index, log_ram });
            }
            expected = u64::from(index) + 1;
        }
        let mut public = Self {
            table,
            entry,
            log_ram,
            log_advice,
            image,
            digest: Digest::default(),
        };
        public.digest = hash(&public.to_bytes());
        Ok(public)
    }

    /// The program of these bytes.
    ///
    /// # Errors
    /// [`ProgramError`]: every program has one sequence of bytes, and no other is taken.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ProgramError> {
        let mut rest = bytes;
        let version = part(&mut rest, "version")?;
        if version != VERSION {
            return Err(ProgramError::Encoding { what: "version" });
        }
        let sizes = part(&mut rest, "sizes")?;
        let Some([entry, halt, slots, log_entries, log_ram, log_advice]) = words(sizes) else {
            return Err(ProgramError::Encoding { what: "sizes" });
        };
        let (records, tail) = part(&mut rest, "table")?.as_chunks::<56>();
        let (pairs, image_tail) = part(&mut rest, "image")?.as_chunks::<16>();
        if !(tail.is_empty() && image_tail.is_empty() && rest.is_empty()) {
            return Err(ProgramError::Encoding { what: "length" });
        }

        let table_slots = Table::slots(records.len())?;
        let entries: Option<Vec<Entry>> = records.iter().map(entry_of).collect();
        let entries = entries.ok_or(ProgramError::Encoding { what: "entry" })?;
        let table = Table::complete(entries, table_slots);
        table.check()?;
        let expected = [
            table.halt(),
            table.program_slots() as u64,
            table.log_entries().into(),
        ];
        if [halt, slots, log_entries] != expected {
            return Err(ProgramError::Encoding { what: "sizes" });
        }
        let small = |word: u64| u32::try_from(word).map_err(|_| ProgramError::Encoding { what: "sizes" });
        let start = Start {
            entry,
            log_ram: small(log_ram)?,
            log_advice: small(log_advice)?,
        };
        let pair = |bytes: &[u8; 16]| {
            let [index, word] = words(bytes)?;
            Some((u32::try_from(index).ok()?, word))
        };
        let image: Option<Vec<_>> = pairs.iter().map(pair).collect();
        Self::new(
            table,
            start,
            image.ok_or(ProgramError::Encoding { what: "image" })?,
        )
    }

    /// The program's bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self {
            table,
            entry,
            log_ram,
            log_advice,
            image,
            ..
        } = self;
        let program = table.entries().iter().take(table.program_slots());
        let sizes = [
            *entry,
            table.halt(),
            table.program_slots() as u64,
            table.log_entries().into(),
            (*log_ram).into(),
            (*log_advice).into(),
        ];
        let mut bytes = Vec::new();
        let mut part = |part: Vec<u8>| {
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part);
        };
        part(VERSION.to_vec());
        part(sizes.into_iter().flat_map(u64::to_le_bytes).collect());
        // The fillers and the empty slots follow from the sizes.
        part(
            program
                .flat_map(Entry::to_words)
                .flat_map(u64::to_le_bytes)
                .collect(),
        );
        part(
            image
                .iter()
                .flat_map(|&(index, word)| [index.into(), word])
                .flat_map(u64::to_le_bytes)
                .collect(),
        );
        bytes
    }

    /// The table.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The program counter at the start.
    #[must_use]
    pub const fn entry(&self) -> u64 {
        self.entry
    }

    /// log2 of the words of RAM.
    #[must_use]
    pub const fn log_ram(&self) -> u32 {
        self.log_ram
    }

    /// log2 of the words of advice.
    #[must_use]
    pub const fn log_advice(&self) -> u32 {
        self.log_advice
    }

    /// The words of RAM that are not zero at the start, by ascending index from
    /// [`RAM_BASE`](crate::program::RAM_BASE).
    #[must_use]
    pub fn image(&self) -> &[(u32, u64)] {
        &self.image
    }

    /// The hash of the program's bytes.
    #[must_use]
    pub const fn digest(&self) -> &Digest {
        &self.digest
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

/// Takes the next part off the bytes.
fn part<'a>(rest: &mut &'a [u8], what: &'static str) -> Result<&'a [u8], ProgramError> {
    let taken = rest.split_first_chunk::<8>().and_then(|(length, after)| {
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        after.split_at_checked(length)
    });
    let (part, after) = taken.ok_or(ProgramError::Encoding { what })?;
    *rest = after;
    Ok(part)
}

/// The bytes as exactly N words.
fn words<const N: usize>(bytes: &[u8]) -> Option<[u64; N]> {
    let (words, tail) = bytes.as_chunks::<8>();
    let words: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
    words.try_into().ok().filter(|_| tail.is_empty())
}

/// The entry whose words these are; not checked.
fn entry_of(record: &[u8; 56]) -> Option<Entry> {
    let [registers, imm, next, delta, c0, c1, c2] = words(record)?;
    let [tag, a1, a2, ad, exit, 0, 0, 0] = registers.to_le_bytes() else {
        return None;
    };
    let class = match tag {
        0 => None,
        _ => Some(Class::ALL.into_iter().find(|class| class.tag() == tag)?),
    };
    let exit = match exit {
        0 => false,
        1 => true,
        _ => return None,
    };
    Some(Entry {
        class,
        a1,
        a2,
        ad,
        exit,
        imm,
        next,
        delta,
        constants: [c0, c1, c2],
    })
}
