//! State of the one thread that the machine has.

use core::cell::UnsafeCell;

/// A static of a machine with one thread and no interrupts.
#[repr(transparent)]
pub(crate) struct Single<T>(UnsafeCell<T>);

// SAFETY: the machine has one thread, so nothing is ever shared between threads.
unsafe impl<T> Sync for Single<T> {}

impl<T> Single<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Runs `f` on the value. `f` must not come back to the same static; every use in this crate is a few
    /// lines that call nothing outside it.
    #[inline(always)]
    pub(crate) fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: one thread, and `f` does not re-enter, so this is the only reference to the value.
        f(unsafe { &mut *self.0.get() })
    }
}
