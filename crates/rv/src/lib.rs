//! The RISC-V machine without proofs: decoder, interpreter, assembler, ELF loader, instruction classes.
