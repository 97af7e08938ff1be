//! One thread: the order of the indices, on the calling thread.

use alloc::vec::Vec;

#[cfg(not(feature = "std"))]
pub(super) fn threads() -> usize {
    1
}

#[cfg(not(feature = "std"))]
pub(super) fn with_threads<R>(_n: usize, f: impl FnOnce() -> R) -> R {
    f()
}

#[cfg(not(feature = "std"))]
pub(super) fn install<R>(f: impl FnOnce() -> R) -> R {
    f()
}

pub(super) fn join<A, B>(a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
    (a(), b())
}

pub(super) fn for_each(tasks: usize, f: impl Fn(usize)) {
    (0..tasks).for_each(f);
}

pub(super) fn map<R>(tasks: usize, f: impl Fn(usize) -> R) -> Vec<R> {
    (0..tasks).map(f).collect()
}

pub(super) fn for_each_chunk_mut<T>(slice: &mut [T], chunk: usize, f: impl Fn(usize, &mut [T])) {
    slice
        .chunks_mut(chunk)
        .enumerate()
        .for_each(|(i, piece)| f(i, piece));
}

pub(super) fn for_each_item<T>(items: Vec<T>, f: impl Fn(T)) {
    items.into_iter().for_each(f);
}
