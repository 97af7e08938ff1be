//! The machine's state: registers, RAM and advice.

use alloc::vec;
use alloc::vec::Vec;

use crate::program::{ADVICE_BASE, Program, RAM_BASE, TEXT_BASE};
use crate::trap::{Cause, Region};

/// Cells of the register file: x0 to x31, the sink, and cells that nothing names and that stay zero.
pub const REGISTER_CELLS: usize = 64;

/// Registers and memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The register cells; see [`REGISTER_CELLS`].
    pub registers: [u64; REGISTER_CELLS],
    /// The words of RAM: index `z` is at address `RAM_BASE ^ 8z`.
    pub ram: Vec<u64>,
    /// The words of advice: index `z` is at address `ADVICE_BASE ^ 8z`.
    pub advice: Vec<u64>,
}

impl State {
    /// The state before the first cycle: registers zero, RAM the image, the advice filled up with zeros.
    ///
    /// # Panics
    /// If the advice is longer than its region.
    #[must_use]
    pub fn new(program: &Program, advice: &[u64]) -> Self {
        let mut ram = vec![0; 1 << program.log_ram()];
        for &(index, word) in program.image() {
            ram[index as usize] = word;
        }
        let mut words = vec![0; 1 << program.log_advice()];
        words[..advice.len()].copy_from_slice(advice);
        Self {
            registers: [0; REGISTER_CELLS],
            ram,
            advice: words,
        }
    }

    /// The word whose address, a multiple of 8, is `address`.
    #[inline(always)]
    #[must_use]
    pub fn word(&self, address: u64) -> Option<u64> {
        // A region's base has none of the bits that its indices have, so outside it the index is too large.
        let index = |base: u64| usize::try_from((address ^ base) >> 3).ok();
        self.ram
            .get(index(RAM_BASE)?)
            .or_else(|| self.advice.get(index(ADVICE_BASE)?))
            .copied()
    }

    /// The cell that holds the `width` bytes at `address`.
    ///
    /// # Errors
    /// [`Cause::Misaligned`] and [`Cause::OutOfRegion`].
    #[inline(always)]
    pub(crate) fn cell(&mut self, address: u64, width: u64) -> Result<&mut u64, Cause> {
        if address & (width - 1) != 0 {
            return Err(Cause::Misaligned { address, width });
        }
        let index = |base: u64| usize::try_from((address ^ base) >> 3).unwrap_or(usize::MAX);
        let (ram_words, advice_words) = (self.ram.len(), self.advice.len());
        if let Some(cell) = self.ram.get_mut(index(RAM_BASE)) {
            return Ok(cell);
        }
        self.advice.get_mut(index(ADVICE_BASE)).ok_or(Cause::OutOfRegion {
            address,
            width,
            region: Region::of(address, ram_words, advice_words),
        })
    }

    /// `length` bytes from `address`, or as many of them as are in memory.
    #[must_use]
    pub fn bytes(&self, address: u64, length: u64) -> Vec<u8> {
        let byte = |at: u64| {
            self.word(at & !7)
                .map(|word| word.to_le_bytes()[(at & 7) as usize])
        };
        (0..length)
            .map_while(|offset| byte(address.checked_add(offset)?))
            .collect()
    }
}

impl Region {
    /// Where an address without a cell stands.
    fn of(address: u64, ram_words: usize, advice_words: usize) -> Self {
        let end = |base: u64, words: usize| base + 8 * words as u64;
        let (ram_end, advice_end) = (end(RAM_BASE, ram_words), end(ADVICE_BASE, advice_words));
        match address {
            0..0x1000 => Self::Null,
            0x1000..TEXT_BASE => Self::Nowhere,
            TEXT_BASE..ADVICE_BASE => Self::Text,
            _ if (advice_end..RAM_BASE - STACK_OVERRUN).contains(&address) => {
                Self::AfterAdvice { words: advice_words }
            }
            ADVICE_BASE..RAM_BASE => Self::BeforeRam,
            _ if (ram_end..ram_end + 8 * ram_words as u64).contains(&address) => {
                Self::AfterRam { words: ram_words }
            }
            _ => Self::Nowhere,
        }
    }
}

/// How far below RAM, in bytes, an address is taken for a stack that ran over.
const STACK_OVERRUN: u64 = 1 << 24;
