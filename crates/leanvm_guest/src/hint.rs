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
