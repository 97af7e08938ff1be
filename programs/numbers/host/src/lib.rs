//! The host side of the guest `numbers`: its program and the output to expect. It has no advice.

use leanvm_guest::host::PublicValues;

/// The program.
pub const ELF: &[u8] = include_bytes!("../../numbers.elf");

/// The output of the run.
#[must_use]
pub fn output() -> [u8; 32] {
    PublicValues::new().commit(&numbers_guest::fold()).output()
}

#[cfg(test)]
mod tests;
