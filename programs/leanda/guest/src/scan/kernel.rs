//! The pass for the machine, in assembly: the inner product and both hashes in one loop.
//!
//! ```text
//! for each cell of 256 symbols:  for each 16 of them, a stripe:
//!     for each symbol w with its entry l:  sum += l w
//!     hash the 48 words of the 16 entries (6 blocks), and the 16 symbols (2 blocks)
//! ```
//!
//! What makes a stripe 123 instructions, and the tables of a proof small:
//!
//! 1. A product in the field extension by 1 moves three words, as one instruction, where a load and a store move one.
//!    It takes addresses, and those are there already: of the entry and the symbol that are multiplied next.
//! 2. No result of a compression is moved: every other block lies in the hash's memory with its halves exchanged
//!    (`Blocks`). Where three words would lie across the halves, or across two blocks, they are moved singly.
//! 3. The tables of a proof have powers of two of rows. Half of the products' table is left for moves, which are as
//!    many as fit; the entries' address is advanced by a register, not by a constant, since those additions are of
//!    another table.
//!
//! The registers: `a0` the [`Memory`], which is the entries' block; `a1` and `a2` the entry and the symbol; `a3` where
//! the cell's digest goes; `a4` the sum, `a5` the number 1; `a6` the entries' block seen from word 4, `a7` and `t0` the
//! symbols' block from words 0 and 4; `t1` to `t6` words 8 to 13 of the entries' block; `s0 s1 s2` words 8, 11 and 12
//! of the symbols'; `s3` and `s4` the bytes hashed; `s5` those after 15 stripes of a cell; `s6` the last of `a3`; `s7`
//! 24, an entry's bytes; `s8` is free.

use core::mem::offset_of;

use leanvm_guest::blake2s::{Block, INITIAL};
use leanvm_guest::ext::{E, K};

use super::Scan;
use crate::{CELL, CELLS, Digest, Dual, Row};

/// What the loop works on.
#[repr(C, align(128))]
struct Memory {
    /// The block of the entries.
    dual: Block,
    /// The block of the symbols.
    cell: Block,
    /// The sum of the products.
    sum: E,
    /// The number 1.
    one: K,
    /// The chaining value before the first block of a hash.
    initial: Digest,
    /// The caller's `s0` to `s8`.
    saved: [u64; 9],
}

const _: () = {
    assert!(offset_of!(Memory, dual) == 0 && offset_of!(Memory, cell) == 128);
    assert!(offset_of!(Memory, sum) == 256 && offset_of!(Memory, one) == 280);
    assert!(offset_of!(Memory, initial) == 288 && offset_of!(Memory, saved) == 320);
    assert!(CELL == 256 && CELLS == 128);
};

#[inline(always)]
pub(super) fn scan(dual: &Dual, row: &Row) -> Scan {
    let mut memory = Memory {
        dual: Block::new(),
        cell: Block::new(),
        sum: E::ZERO,
        one: K(1),
        initial: INITIAL,
        saved: [0; 9],
    };
    let mut cells = [Digest::default(); CELLS];
    // SAFETY: the memory and the digests are exclusively borrowed, the inputs shared.
    unsafe { run(&mut memory, dual, row, &mut cells) };
    let [d0, d1, d2, d3, ..] = memory.dual.0;
    Scan {
        product: memory.sum,
        dual: [d0, d1, d2, d3],
        cells,
    }
}

/// Scans.
///
/// # Safety
/// `memory` must point to a `Memory` and `cells` to digests that nobody else uses, `dual` and `row` to what nobody
/// changes.
#[unsafe(naked)]
unsafe extern "C" fn run(
    memory: *mut Memory,
    dual: *const Dual,
    row: *const Row,
    cells: *mut [Digest; CELLS],
) {
    core::arch::naked_asm!(
        // The sum grows by the product of the entry and the symbol.
        r".macro leanda_product",
        r".insn r 0x2b, 3, 0, a4, a1, a2",
        r".endm",
        // Three words from the address `from` to the address `to`.
        r".macro leanda_three to from",
        r".insn r 0x2b, 2, 0, \to, \from, a5",
        r".endm",
        // One word.
        r".macro leanda_one to offset from",
        r"ld s8, \offset(\from)",
        r"sd s8, \to(a0)",
        r".endm",
        r".macro leanda_next",
        r"add a1, a1, s7",
        r"addi a2, a2, 8",
        r".endm",
        r".macro leanda_compress block counter last",
        r"addi \counter, \counter, 64",
        r".insn r 0x0b, \last, 0, x0, \block, \counter",
        r".endm",
        // 16 symbols. The arguments are 1 if the last block of the symbols, of the entries, is the last of all.
        r".macro leanda_stripe cell_last dual_last",
        // Block 0 of the entries; block 0 of the symbols.
        r"leanda_product",
        r"leanda_three t1, a1",
        r"leanda_three s0, a2",
        r"leanda_next",
        r"leanda_product",
        r"leanda_three t4, a1",
        r"leanda_next",
        r"leanda_product",
        r"leanda_one 112, 0, a1",
        r"leanda_one 120, 8, a1",
        r"leanda_compress a0, s3, 0",
        // Block 1, its halves exchanged.
        r"leanda_one 96, 16, a1",
        r"leanda_next",
        r"leanda_product",
        r"leanda_three t6, a1",
        r"leanda_three s1, a2",
        r"leanda_next",
        r"leanda_product",
        r"leanda_three t1, a1",
        r"leanda_next",
        r"leanda_product",
        r"leanda_one 88, 0, a1",
        r"leanda_compress a6, s3, 0",
        // Block 2.
        r"leanda_one 64, 8, a1",
        r"leanda_one 72, 16, a1",
        r"leanda_next",
        r"leanda_product",
        r"leanda_three t3, a1",
        r"leanda_one 240, 0, a2",
        r"leanda_one 248, 8, a2",
        r"leanda_compress a7, s4, 0",
        r"leanda_next",
        r"leanda_product",
        r"leanda_three t6, a1",
        r"leanda_compress a0, s3, 0",
        r"leanda_next",
        // Block 3, its halves exchanged; block 1 of the symbols, too.
        r"leanda_product",
        r"leanda_three t5, a1",
        r"leanda_three s2, a2",
        r"leanda_next",
        r"leanda_product",
        r"leanda_one 120, 0, a1",
        r"leanda_one 64, 8, a1",
        r"leanda_one 72, 16, a1",
        r"leanda_next",
        r"leanda_product",
        r"leanda_one 80, 0, a1",
        r"leanda_one 88, 8, a1",
        r"leanda_compress a6, s3, 0",
        // Block 4.
        r"leanda_one 64, 16, a1",
        r"leanda_next",
        r"leanda_product",
        r"leanda_three t2, a1",
        r"leanda_one 248, 0, a2",
        r"leanda_next",
        r"leanda_product",
        r"leanda_three t5, a1",
        r"leanda_three s0, a2",
        r"leanda_next",
        r"leanda_product",
        r"leanda_one 120, 0, a1",
        r"leanda_compress a0, s3, 0",
        // Block 5, its halves exchanged.
        r"leanda_one 96, 8, a1",
        r"leanda_one 104, 16, a1",
        r"leanda_next",
        r"leanda_product",
        r"leanda_one 112, 0, a1",
        r"leanda_one 120, 8, a1",
        r"leanda_one 64, 16, a1",
        r"leanda_next",
        r"leanda_product",
        r"leanda_three t2, a1",
        r"leanda_compress a6, s3, \dual_last",
        r"leanda_one 216, 0, a2",
        r"leanda_compress t0, s4, \cell_last",
        // Not by the register: those additions are 15 a stripe, so that they fit a table.
        r"addi a1, a1, 24",
        r"addi a2, a2, 8",
        r".endm",
        // The digest of a cell.
        r".macro leanda_digest",
        r"ld s8, 128(a0)",
        r"sd s8, 0(a3)",
        r"ld s8, 136(a0)",
        r"sd s8, 8(a3)",
        r"ld s8, 144(a0)",
        r"sd s8, 16(a3)",
        r"ld s8, 152(a0)",
        r"sd s8, 24(a3)",
        r".endm",
        r"sd s0, 320(a0)",
        r"sd s1, 328(a0)",
        r"sd s2, 336(a0)",
        r"sd s3, 344(a0)",
        r"sd s4, 352(a0)",
        r"sd s5, 360(a0)",
        r"sd s6, 368(a0)",
        r"sd s7, 376(a0)",
        r"sd s8, 384(a0)",
        r"addi a4, a0, 256",
        r"addi a5, a0, 280",
        r"addi a6, a0, 32",
        r"addi a7, a0, 128",
        r"addi t0, a0, 160",
        r"addi t1, a0, 64",
        r"addi t2, a0, 72",
        r"addi t3, a0, 80",
        r"addi t4, a0, 88",
        r"addi t5, a0, 96",
        r"addi t6, a0, 104",
        r"addi s0, a0, 192",
        r"addi s1, a0, 216",
        r"addi s2, a0, 224",
        r"li s3, 0",
        r"li s5, 1920",
        r"li s6, 4064",
        r"add s6, s6, a3",
        r"li s7, 24",
        // A cell.
        r"2:",
        r"leanda_one 128, 288, a0",
        r"leanda_one 136, 296, a0",
        r"leanda_one 144, 304, a0",
        r"leanda_one 152, 312, a0",
        r"li s4, 0",
        r"3:",
        r"leanda_stripe 0, 0",
        r"bne s4, s5, 3b",
        r"beq a3, s6, 4f",
        r"leanda_stripe 1, 0",
        r"leanda_digest",
        r"addi a3, a3, 32",
        r"j 2b",
        r"4:",
        r"leanda_stripe 1, 1",
        r"leanda_digest",
        r"ld s0, 320(a0)",
        r"ld s1, 328(a0)",
        r"ld s2, 336(a0)",
        r"ld s3, 344(a0)",
        r"ld s4, 352(a0)",
        r"ld s5, 360(a0)",
        r"ld s6, 368(a0)",
        r"ld s7, 376(a0)",
        r"ld s8, 384(a0)",
        r"ret",
    );
}
