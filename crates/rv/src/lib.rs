//! The RISC-V machine of leanVM without any proof: what a program is, what it does, and what the tables of the
//! proof say of it.
//!
//! Use [`elf::load`] or [`Program::new`] for a [`Program`], [`run`] to run it. [`isa`] is the one list of
//! instructions; [`entry`] is the public table that a proof reads; `doc/machine.md` is the machine's
//! description.
//!
//! It imports `primitives` and `circuit`.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod asm;
pub mod circuits;
pub mod class;
pub mod elf;
pub mod entry;
pub mod forms;
pub mod interpreter;
pub mod isa;
#[cfg(test)]
mod known_answers;
pub mod memory;
pub mod observe;
pub mod profile;
pub mod program;
pub mod public;
pub mod symbols;
pub mod table;
pub mod trap;

pub use class::Class;
pub use interpreter::{Limits, Run, run};
pub use observe::Observer;
pub use program::Program;
pub use trap::RunError;
