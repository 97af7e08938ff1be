//! The memory functions that compiled code calls, which no C library provides here.
//!
//! In assembly, since loops written in Rust would be compiled to calls of these functions.

use core::arch::asm;

/// # Safety
/// As C's: `count` bytes are readable at `from` and writable at `to`, and do not overlap.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: the caller's; the direction flag is clear by the ABI.
    unsafe {
        asm!("rep movsb", inout("rcx") count => _, inout("rdi") to => _, inout("rsi") from => _,
            options(nostack, preserves_flags));
    }
    to
}

/// # Safety
/// As C's: `count` bytes are readable at `from` and writable at `to`; they may overlap.
#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    if to.addr().wrapping_sub(from.addr()) >= count {
        // SAFETY: going up, no byte is written before it is read.
        return unsafe { memcpy(to, from, count) };
    }
    // SAFETY: the caller's; going down, no byte is written before it is read, and the flag is cleared again.
    unsafe {
        asm!("std", "rep movsb", "cld", inout("rcx") count => _,
            inout("rdi") to.wrapping_add(count).wrapping_sub(1) => _,
            inout("rsi") from.wrapping_add(count).wrapping_sub(1) => _, options(nostack));
    }
    to
}

/// # Safety
/// As C's: `count` bytes are writable at `to`.
#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, count: usize) -> *mut u8 {
    // SAFETY: the caller's; the direction flag is clear by the ABI.
    unsafe {
        asm!("rep stosb", inout("rcx") count => _, inout("rdi") to => _, in("al") byte as u8,
            options(nostack, preserves_flags));
    }
    to
}

/// # Safety
/// As C's: `count` bytes are readable at `a` and `b`.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
    if count == 0 {
        return 0;
    }
    let (last_a, last_b): (*const u8, *const u8);
    // SAFETY: the caller's; the direction flag is clear by the ABI.
    unsafe {
        asm!("repe cmpsb", inout("rcx") count => _, inout("rsi") a => last_a, inout("rdi") b => last_b,
            options(nostack, readonly));
        i32::from(*last_a.sub(1)) - i32::from(*last_b.sub(1))
    }
}

/// # Safety
/// As C's: `count` bytes are readable at `a` and `b`.
#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
    // SAFETY: the caller's.
    unsafe { memcmp(a, b, count) }
}
