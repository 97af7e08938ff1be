//! What the compiler should not know.

/// `value`, of which the compiler then knows nothing. It costs no instruction.
///
/// For loops whose counter is also data: a compiler that knows the bounds may keep a second counter.
#[inline(always)]
#[must_use]
pub fn opaque(value: u64) -> u64 {
    #[cfg(target_os = "none")]
    {
        let mut value = value;
        // SAFETY: there is no instruction.
        unsafe {
            core::arch::asm!("/* {} */", inlateout(reg) value, options(pure, nomem, nostack, preserves_flags));
        }
        value
    }
    #[cfg(not(target_os = "none"))]
    value
}

/// The end of a branch whose stores into `memory` must not be merged with those of another. It costs no instruction.
///
/// Branches that store two values, here in one order and there in the other, are merged by the compiler: the values
/// change registers, and one store serves both. End each branch with this and a `MARK` of its own, and each keeps
/// its stores.
#[inline(always)]
pub fn apart<const MARK: u32, T>(memory: &mut T) {
    #[cfg(target_os = "none")]
    // SAFETY: there is no instruction.
    unsafe {
        core::arch::asm!("/* {} {} */", const MARK, in(reg) core::ptr::from_mut(memory), options(nostack, preserves_flags));
    }
    #[cfg(not(target_os = "none"))]
    let _ = memory;
}
