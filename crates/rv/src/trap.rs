//! Why a run has no proof.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use thiserror::Error;

use crate::program::Program;
use crate::symbols::Place;

/// Why a run ended without exit.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The advice does not fit its region.
    #[error("the advice has {words} words, and the program's region holds {max}")]
    Advice {
        /// Words given.
        words: usize,
        /// Words of the region.
        max: usize,
    },
    /// The bound on cycles was reached.
    #[error(
        "the run has not ended after {cycles} cycles, the limit given; it stands at {pc:#x}{}",
        in_function(place.as_ref())
    )]
    CycleLimit {
        /// The bound.
        cycles: u64,
        /// Where the run stands.
        pc: u64,
        /// The same as a symbol and an offset.
        place: Option<Place>,
    },
    /// The guest did what has no meaning on this machine.
    #[error(transparent)]
    Trap(Box<Trap>),
}

/// A trap: what, where, and when.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("trap at {pc:#x}{} in cycle {cycle}, `{instruction}`: {cause}", in_function(place.as_ref()))]
pub struct Trap {
    /// The program counter of the instruction.
    pub pc: u64,
    /// The nearest symbol, if there is one.
    pub place: Option<Place>,
    /// The cycle, counted from 1.
    pub cycle: u64,
    /// The instruction in assembly text.
    pub instruction: String,
    /// What it did.
    pub cause: Cause,
}

impl Trap {
    /// The trap of `cause` at `pc`, described from the program.
    #[must_use]
    pub(crate) fn at(program: &Program, pc: u64, cycle: u64, cause: Cause) -> Self {
        let instruction = program.describe(pc).unwrap_or_else(|| String::from("(none)"));
        Self {
            pc,
            place: program.symbols().locate(pc),
            cycle,
            instruction,
            cause,
        }
    }
}

/// What trapped.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Cause {
    /// The word is no instruction of this machine.
    #[error("{0}")]
    Illegal(Illegal),
    /// The guest's panic handler ran.
    #[error("the guest panicked{0}")]
    Panic(Box<Panic>),
    /// A jump or a taken branch to where no instruction is.
    #[error("the jump's target {target:#x} is {}", if target.is_multiple_of(4) { "outside the program" } else { "no multiple of 4" })]
    Jump {
        /// The target.
        target: u64,
    },
    /// The program counter ran over the last instruction.
    #[error("the program has no instruction here: execution ran over its end")]
    End,
    /// A load or store that is not naturally aligned.
    #[error("the address {address:#x} is no multiple of the access's width, {width} bytes")]
    Misaligned {
        /// The address.
        address: u64,
        /// The width in bytes.
        width: u64,
    },
    /// A load or store where no memory is.
    #[error("no memory is at the {width} bytes from {address:#x}: {region}")]
    OutOfRegion {
        /// The address.
        address: u64,
        /// The width in bytes.
        width: u64,
        /// What is there instead.
        region: Region,
    },
    /// An environment call that is not the exit.
    #[error("environment call {number}: only the exit, 93, exists")]
    Ecall {
        /// The value of a7.
        number: u64,
    },
}

/// Kinds of words that are no instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Illegal {
    /// `unimp`, by which compilers and panic handlers abort.
    #[error("`unimp`: the guest aborted")]
    Unimp,
    /// `ebreak`.
    #[error("a breakpoint")]
    Breakpoint,
    /// An access to a control and status register, or another system instruction.
    #[error("a system instruction: there are no control and status registers")]
    System,
    /// `fence.i`.
    #[error("`fence.i`: the program cannot change")]
    FenceI,
    /// A compressed instruction.
    #[error("a compressed instruction: compile for riscv64im")]
    Compressed,
    /// An atomic instruction.
    #[error("an atomic instruction: compile for riscv64im")]
    Atomic,
    /// A floating-point instruction.
    #[error("a floating-point instruction: compile for riscv64im")]
    Float,
    /// Any other word.
    #[error("an undefined or reserved encoding")]
    Undefined,
}

impl Illegal {
    /// The word by which GNU and LLVM assemblers write `unimp`: `csrrw x0, cycle, x0`.
    pub const UNIMP: u32 = 0xc000_1073;

    /// What kind of non-instruction `word` is.
    #[must_use]
    pub const fn classify(word: u32) -> Self {
        match (word & 0x7f, word >> 12 & 7) {
            _ if word == Self::UNIMP || word == 0 => Self::Unimp,
            _ if word == 0x0010_0073 => Self::Breakpoint,
            (0x73, _) => Self::System,
            (0x0f, 1) => Self::FenceI,
            (0x2f, _) => Self::Atomic,
            (0x07 | 0x27 | 0x43 | 0x47 | 0x4b | 0x4f | 0x53, _) => Self::Float,
            (low, _) if low & 3 != 3 => Self::Compressed,
            _ => Self::Undefined,
        }
    }
}

/// What a panic handler left: its message and where it was raised, either of which may be empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Panic {
    /// The message.
    pub message: String,
    /// The source file.
    pub file: String,
    /// The line in it.
    pub line: u64,
    /// The column in it.
    pub column: u64,
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            message,
            file,
            line,
            column,
        } = self;
        if !file.is_empty() {
            write!(f, " at {file}:{line}:{column}")?;
        }
        if !message.is_empty() {
            write!(f, ": {message}")?;
        }
        Ok(())
    }
}

/// What is at an address without memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Region {
    /// The first page.
    #[error("a null pointer")]
    Null,
    /// The program.
    #[error("the text is for fetches only; link read-only data into RAM")]
    Text,
    /// Behind the advice.
    #[error("it is behind the advice of {words} words")]
    AfterAdvice {
        /// Words of advice.
        words: usize,
    },
    /// Just below RAM.
    #[error("it is just below RAM: has the stack overflowed?")]
    BeforeRam,
    /// Behind RAM.
    #[error("it is behind RAM of {words} words: is the heap, or an index, too large?")]
    AfterRam {
        /// Words of RAM.
        words: usize,
    },
    /// Anywhere else.
    #[error("no region is there")]
    Nowhere,
}

/// ` (symbol+offset)`, or nothing.
fn in_function(place: Option<&Place>) -> impl fmt::Display {
    fmt::from_fn(move |f| place.map_or(Ok(()), |place| write!(f, " ({place})")))
}
