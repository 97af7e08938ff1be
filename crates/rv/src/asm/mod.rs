//! Assembly text: a small assembler for tests and a disassembler for diagnostics, both made from the list of
//! instructions.
//!
//! A line is `label:`, an instruction, or both; `#` begins a comment. Registers are `x0` to `x31` or have their
//! names of the calling convention. An operand that is a number is decimal or, after `0x`, hexadecimal; a
//! branch's and a jump's operand is the target's address or a label. `.word n` is a word as it stands.
//!
//! Pseudo-instructions: `nop li la mv not neg negw sext.w seqz snez beqz bnez blez bgez bltz bgtz bgt ble bgtu
//! bleu j jr call tail ret unimp ebreak`.

mod assemble;
mod disassemble;

pub use assemble::{AssembleError, Assembly, assemble};
pub use disassemble::disassemble;
