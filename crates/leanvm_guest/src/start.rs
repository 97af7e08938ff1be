//! Start and exit on the machine.

use core::arch::{asm, global_asm};

use crate::blake2s::Blake2s;
use crate::output::committed;

// All registers are zero at the start, so the stack pointer is all that must be set.
global_asm!(
    ".pushsection .text._start, \"ax\", @progbits",
    ".globl _start",
    ".type _start, @function",
    "_start:",
    "    lla sp, __leanvm_stack_top",
    "    tail __leanvm_main",
    ".size _start, . - _start",
    ".popsection",
);

/// Ends the run with BLAKE2s of the committed words as its output.
pub fn exit() -> ! {
    let output = committed::with(Blake2s::digest_words_aligned);
    // SAFETY: the machine's exit call; it does not return.
    unsafe {
        asm!(
            "ecall",
            in("a0") output[0],
            in("a1") output[1],
            in("a2") output[2],
            in("a3") output[3],
            in("a7") 93,
            options(noreturn, nostack),
        )
    }
}

/// The size of the advice region, checked.
#[must_use]
pub const fn advice_words(words: usize) -> usize {
    assert!(words.is_power_of_two(), "advice_words must be a power of two");
    assert!(words <= 1 << 26, "advice_words can be 2^26 at most");
    words
}

/// The size of a part of RAM, checked.
#[must_use]
pub const fn ram_words(words: usize) -> usize {
    assert!(words <= 1 << 26, "RAM has 2^26 words at most");
    words
}
