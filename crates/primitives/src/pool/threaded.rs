//! Several threads: rayon's, one job per task; a scope of one thread goes to [`super::sequential`].

use alloc::{string::String, vec::Vec};
use core::cell::Cell;
use std::{env, sync::OnceLock, thread};

use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};

use super::{MAX_THREADS, NUM_THREADS_VARIABLE, sequential};

/// [`NUM_THREADS_VARIABLE`] is set to something that is no number of threads.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{NUM_THREADS_VARIABLE} is {value:?}, and 1 to {MAX_THREADS} is possible: set the number of threads, \
     or unset it to use all that the machine has"
)]
pub struct ThreadsError {
    /// What the variable holds, with what is no Unicode replaced.
    pub value: String,
}

/// The number of threads outside of [`super::with_threads`]: what [`NUM_THREADS_VARIABLE`] says, or else
/// the parallelism of the machine. Read once; later changes of the environment do nothing.
///
/// # Errors
/// If the variable holds anything else than a number from 1 to [`MAX_THREADS`].
pub fn configured_threads() -> Result<usize, ThreadsError> {
    static CONFIGURED: OnceLock<Result<usize, ThreadsError>> = OnceLock::new();
    CONFIGURED
        .get_or_init(|| match env::var_os(NUM_THREADS_VARIABLE) {
            Some(value) => parse(&value.to_string_lossy()),
            None => Ok(thread::available_parallelism().map_or(1, |n| n.get().min(MAX_THREADS))),
        })
        .clone()
}

pub(super) fn parse(value: &str) -> Result<usize, ThreadsError> {
    let threads = value.parse().ok().filter(|n| (1..=MAX_THREADS).contains(n));
    threads.ok_or_else(|| ThreadsError { value: value.into() })
}

std::thread_local! {
    /// The scope of this thread: a worker's is its pool's size, and a thread in `with_threads(1, f)` has 1.
    static SCOPE: Cell<Option<usize>> = const { Cell::new(None) };
}

pub(super) fn threads() -> usize {
    SCOPE.get().unwrap_or_else(default_threads)
}

fn default_threads() -> usize {
    match configured_threads() {
        Ok(threads) => threads,
        Err(error) => panic!("{error}"),
    }
}

fn default_pool() -> &'static ThreadPool {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| build(default_threads()))
}

fn build(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| std::format!("leanvm-{i}"))
        .start_handler(move |_| SCOPE.set(Some(threads)))
        .build()
        .unwrap_or_else(|error| panic!("the system refused {threads} threads: {error}"))
}

pub(super) fn with_threads<R: Send>(n: usize, f: impl FnOnce() -> R + Send) -> R {
    if n == 1 {
        // A worker that waits in here for another pool may take a job of its own pool meanwhile, which
        // then runs sequentially: slower, with the same result.
        let _restored = Restore(SCOPE.replace(Some(1)));
        return f();
    }
    match SCOPE.get() {
        Some(threads) if threads == n => f(),
        None if default_threads() == n => default_pool().install(f),
        _ => build(n).install(f),
    }
}

/// Restores the scope on return and on unwinding.
struct Restore(Option<usize>);

impl Drop for Restore {
    fn drop(&mut self) {
        SCOPE.set(self.0);
    }
}

pub(super) fn install<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    match SCOPE.get() {
        None if default_threads() > 1 => default_pool().install(f),
        _ => f(),
    }
}

pub(super) fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    match threads() {
        1 => sequential::join(a, b),
        _ => install(|| rayon::join(a, b)),
    }
}

pub(super) fn for_each(tasks: usize, f: impl Fn(usize) + Sync) {
    match threads() {
        1 => sequential::for_each(tasks, f),
        _ => install(|| (0..tasks).into_par_iter().with_max_len(1).for_each(&f)),
    }
}

pub(super) fn map<R: Send>(tasks: usize, f: impl Fn(usize) -> R + Sync) -> Vec<R> {
    match threads() {
        1 => sequential::map(tasks, f),
        _ => install(|| (0..tasks).into_par_iter().with_max_len(1).map(&f).collect()),
    }
}

pub(super) fn for_each_chunk_mut<T: Send>(slice: &mut [T], chunk: usize, f: impl Fn(usize, &mut [T]) + Sync) {
    match threads() {
        1 => sequential::for_each_chunk_mut(slice, chunk, f),
        _ => install(|| {
            let pieces = slice.par_chunks_mut(chunk).enumerate().with_max_len(1);
            pieces.for_each(|(i, piece)| f(i, piece));
        }),
    }
}

pub(super) fn for_each_item<T: Send>(items: Vec<T>, f: impl Fn(T) + Sync) {
    match threads() {
        1 => sequential::for_each_item(items, f),
        _ => install(|| items.into_par_iter().with_max_len(1).for_each(&f)),
    }
}
