//! Tasks on threads: the one place through which leanVM reaches its thread pool.
//!
//! A *scope* has a number of threads ([`threads`]). Outside of [`with_threads`] it is the number that
//! the environment variable [`NUM_THREADS_VARIABLE`] gives, or else the parallelism that the machine
//! has. In a scope of one thread everything here is strictly sequential: tasks run in the order of
//! their indices, on the calling thread itself, and no worker exists. Without the feature `std` every
//! scope is one of one thread.
//!
//! A task is a unit worth scheduling (microseconds at least): each is handed to the pool on its own,
//! so that uneven tasks balance. Calls may be nested. A panic in a task reaches the caller. No result
//! may depend on the number of threads: tasks own disjoint pieces, and what they return is combined
//! in the order of their indices.
//!
//! Kernels are dispatched inside of tasks, since target features do not cross into another thread's
//! function. Spans are opened outside of tasks, on the thread that runs the prover ([`install`]).

mod sequential;
#[cfg(feature = "std")]
mod threaded;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

#[cfg(not(feature = "std"))]
use sequential as scope;
#[cfg(feature = "std")]
use threaded as scope;

#[cfg(feature = "std")]
pub use threaded::{ThreadsError, configured_threads};

/// The environment variable that sets the number of threads outside of [`with_threads`].
pub const NUM_THREADS_VARIABLE: &str = "LEANVM_NUM_THREADS";

/// The most threads that a scope can have.
pub const MAX_THREADS: usize = 1024;

/// The number of threads of the current scope.
///
/// # Panics
/// Outside of [`with_threads`], if [`NUM_THREADS_VARIABLE`] has no valid value; a program reports that
/// properly by asking `configured_threads` first.
pub fn threads() -> usize {
    scope::threads()
}

/// Runs `f` in a scope of `n` threads: on a worker of a pool of that size, or on the calling thread
/// itself for `n = 1`.
///
/// # Panics
/// If `n` is 0 or above [`MAX_THREADS`], or if the system refuses the threads. Without the feature
/// `std`, `n` is an upper bound that is never reached.
pub fn with_threads<R: Send>(n: usize, f: impl FnOnce() -> R + Send) -> R {
    assert!(
        (1..=MAX_THREADS).contains(&n),
        "a scope has 1 to {MAX_THREADS} threads, and {n} were asked for"
    );
    scope::with_threads(n, f)
}

/// Runs `f` where the scope's tasks run: on a worker if there is a pool, else on the calling thread.
///
/// What `f` opens there, such as spans, is then on the same thread as the calls of this module in it,
/// and those do not cross from thread to thread.
pub fn install<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    scope::install(f)
}

/// Runs `a` and `b`, maybe at once, and returns both results.
pub fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    scope::join(a, b)
}

/// Runs `f(0)` to `f(tasks - 1)`.
pub fn for_each(tasks: usize, f: impl Fn(usize) + Sync) {
    scope::for_each(tasks, f);
}

/// `[f(0), .., f(tasks - 1)]`.
pub fn map<R: Send>(tasks: usize, f: impl Fn(usize) -> R + Sync) -> Vec<R> {
    scope::map(tasks, f)
}

/// Runs `f(i, piece)` on piece `i` of `slice` cut into pieces of `chunk` items, the last being what is left.
///
/// # Panics
/// If `chunk` is 0.
pub fn for_each_chunk_mut<T: Send>(slice: &mut [T], chunk: usize, f: impl Fn(usize, &mut [T]) + Sync) {
    scope::for_each_chunk_mut(slice, chunk, f);
}

/// Runs `f` on every item: one task each, given the pieces that it owns (zipped chunks, for instance).
pub fn for_each_item<T: Send>(items: Vec<T>, f: impl Fn(T) + Sync) {
    scope::for_each_item(items, f);
}

/// A vector of `len` items, and what `f(i, piece)` returns for piece `i` of it, cut into pieces of `chunk` items, the
/// last being what is left. A piece is full of `blank` before `f`.
///
/// Each piece is made blank right before `f`, by the same worker: what `f` finds is in its caches, where a vector that
/// is blank from the start has to come from memory.
///
/// # Panics
/// If `chunk` is 0.
pub fn make_vec<T: Copy + Send + Sync, R: Send>(
    len: usize,
    chunk: usize,
    blank: T,
    f: impl Fn(usize, &mut [T]) -> R + Sync,
) -> (Vec<T>, Vec<R>) {
    let mut items = Box::new_uninit_slice(len);
    let mut results: Vec<Option<R>> = (0..len.div_ceil(chunk)).map(|_| None).collect();
    let pieces = items.chunks_mut(chunk).zip(&mut results).enumerate().collect();
    for_each_item(pieces, |(i, (piece, result))| {
        let piece: &mut [MaybeUninit<T>] = piece;
        for item in piece.iter_mut() {
            item.write(blank);
        }
        // SAFETY: the loop has initialised every item.
        *result = Some(f(i, unsafe { piece.assume_init_mut() }));
    });
    // SAFETY: every item is in a piece, and every piece's task has run: a panic in one would have left this function.
    let items = unsafe { items.assume_init() };
    (items.into_vec(), results.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests;
