//! The public output: BLAKE2s of all committed words.

use crate::Words;
use crate::words::as_words;

/// Appends the value's words to what the run makes public.
///
/// The output of the run is the BLAKE2s digest of all committed words, in order, each as eight little-endian
/// bytes; of no bytes if nothing was committed. Hosts recompute it with `host::PublicValues`.
pub fn commit<T: Words>(value: &T) {
    committed::with(|hasher| hasher.update_words_aligned(as_words(core::slice::from_ref(value))));
}

#[cfg(target_os = "none")]
pub(crate) mod committed {
    use crate::blake2s::Blake2s;
    use crate::single::Single;

    static COMMITTED: Single<Blake2s> = Single::new(Blake2s::new());

    #[inline(always)]
    pub(crate) fn with<R>(f: impl FnOnce(&mut Blake2s) -> R) -> R {
        COMMITTED.with(f)
    }
}

#[cfg(not(target_os = "none"))]
pub(crate) mod committed {
    use core::cell::RefCell;

    use crate::blake2s::Blake2s;

    std::thread_local! {
        static COMMITTED: RefCell<Blake2s> = const { RefCell::new(Blake2s::new()) };
    }

    pub(crate) fn with<R>(f: impl FnOnce(&mut Blake2s) -> R) -> R {
        COMMITTED.with_borrow_mut(f)
    }
}
