//! The table of entries: the program's slots, the fillers, empty slots, the halt slot.

use alloc::vec::Vec;

use thiserror::Error;

use crate::class::Class;
use crate::entry::{Entry, Fault};
use crate::isa::Instruction;
use crate::program::{MAX_LOG_ENTRIES, ProgramError, slot_pc};

/// The public table: the program's slots, one filler of each class, empty slots, the halt slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    entries: Vec<Entry>,
    program_slots: usize,
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
    pub(crate) fn of_text(instructions: &[Option<Instruction>]) -> Result<Self, ProgramError> {
        let words = instructions.len();
        let slots = Self::slots(words)?;
        let halt = slot_pc(slots - 1);
        let entries = instructions.iter().zip(0..).map(|(instruction, slot)| {
            instruction.map_or_else(Entry::default, |i| Entry::of(&i, slot_pc(slot), halt))
        });
        let table = Self::complete(entries.collect(), slots);
        debug_assert_eq!(table.check(), Ok(()), "decoding makes well-formed entries");
        Ok(table)
    }

    /// The number of entries of a table for `words` instructions: the least power of two that holds them, the
    /// fillers and the halt slot.
    ///
    /// # Errors
    /// [`ProgramError::EmptyText`] and [`ProgramError::TextSize`].
    pub(crate) const fn slots(words: usize) -> Result<usize, ProgramError> {
        let max = (1 << MAX_LOG_ENTRIES) - Class::COUNT - 1;
        if words == 0 {
            return Err(ProgramError::EmptyText);
        }
        if words > max {
            return Err(ProgramError::TextSize { words, max });
        }
        Ok((words + Class::COUNT + 1).next_power_of_two())
    }

    /// The table of `slots` entries that begins with those of the program; not checked.
    pub(crate) fn complete(mut entries: Vec<Entry>, slots: usize) -> Self {
        let program_slots = entries.len();
        entries.reserve_exact(slots.saturating_sub(program_slots));
        let fillers = Class::ALL.iter().zip(program_slots..);
        entries.extend(fillers.map(|(&class, slot)| Entry::filler(class, slot_pc(slot))));
        entries.resize(slots, Entry::default());
        Self {
            entries,
            program_slots,
        }
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
