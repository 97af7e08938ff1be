//! Reading the advice, front to back, in place.

use crate::Words;

/// Takes the next value from the advice: a reference to where it lies, no copy and no decoding.
///
/// The words are the prover's choice and the statement does not mention them: check them.
///
/// # Panics
/// If the advice region ends before the value does. (Past the words that were supplied, a region holds
/// zeros.)
#[inline(always)]
#[must_use]
pub fn read<T: Words>() -> &'static T {
    // SAFETY: `take` returns memory of that many words, aligned to words, that lives for the whole run and
    // is written by nobody; `Words` makes any content a value.
    unsafe { &*take(const { size_of::<T>() / 8 }).cast() }
}

/// Takes the next `count` values from the advice, in place.
///
/// # Panics
/// If the advice region ends before the last value does; `count` may be any number.
#[inline(always)]
#[must_use]
pub fn read_slice<T: Words>(count: u64) -> &'static [T] {
    let words_each = const { size_of::<T>() / 8 };
    let in_range = usize::try_from(count)
        .ok()
        .and_then(|count| Some((count, count.checked_mul(words_each)?)));
    let Some((count, words)) = in_range else {
        past_the_end()
    };
    // SAFETY: as in `read`, for `count` values.
    unsafe { core::slice::from_raw_parts(take(words).cast(), count) }
}

/// The address of the next `words` words, which are then behind.
#[inline(always)]
fn take(words: usize) -> *const u64 {
    cursor::with(|next, end| {
        if words > (end.addr() - next.addr()) / 8 {
            past_the_end();
        }
        let start = *next;
        *next = start.wrapping_add(words);
        start
    })
}

#[cold]
#[inline(never)]
fn past_the_end() -> ! {
    panic!("the guest reads past the end of its advice region");
}

#[cfg(target_os = "none")]
mod cursor {
    use core::ptr::with_exposed_provenance;

    use crate::single::Single;

    /// Where the advice begins: a constant of the machine.
    const BASE: usize = 0x2000_0000;

    unsafe extern "C" {
        /// The end of the region (see `entry!`).
        static __leanvm_advice_end: u8;
    }

    static NEXT: Single<usize> = Single::new(BASE);

    /// Runs `f` on the address of the next word and the address of the region's end.
    #[inline(always)]
    pub(super) fn with<R>(f: impl FnOnce(&mut *const u64, *const u64) -> R) -> R {
        let end = (&raw const __leanvm_advice_end).addr();
        NEXT.with(|address| {
            let mut next = with_exposed_provenance(*address);
            let result = f(&mut next, with_exposed_provenance(end));
            *address = next.addr();
            result
        })
    }
}

#[cfg(not(target_os = "none"))]
pub(crate) mod cursor {
    use core::cell::Cell;

    std::thread_local! {
        /// The addresses of the next word and of the end.
        static RANGE: Cell<(*const u64, *const u64)> = const { Cell::new((core::ptr::null(), core::ptr::null())) };
    }

    /// Makes `advice` what this thread reads next.
    pub(crate) fn set(advice: &'static [u64]) {
        let range = advice.as_ptr_range();
        RANGE.set((range.start, range.end));
    }

    pub(super) fn with<R>(f: impl FnOnce(&mut *const u64, *const u64) -> R) -> R {
        let (mut next, end) = RANGE.get();
        let result = f(&mut next, end);
        RANGE.set((next, end));
        result
    }
}
