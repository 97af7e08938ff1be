//! `A z` and `B z` of packed blocks, packed as they are.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use circuit::Products;
use primitives::field::{E, K};
use primitives::pool;

/// Words of a task, at least: a walk takes as long for fewer than 512 blocks.
const TASK: usize = 1 << 14;

/// Words of a line of the cache.
const LINE: usize = 8;

/// Words of which the first begins a line of the cache, so that no vector lies in two.
#[derive(Default)]
pub(super) struct Words {
    buffer: Vec<K>,
    start: usize,
}

impl Words {
    /// Words that are zero, on pages that are not touched.
    fn zeroed(words: usize) -> Self {
        let buffer = vec![0u64; words + LINE - 1].into_boxed_slice();
        let mut buffer = bytemuck::allocation::cast_slice_box::<u64, K>(buffer).into_vec();
        let start = buffer.as_ptr().align_offset(LINE * size_of::<K>()).min(LINE - 1);
        buffer.truncate(start + words);
        Self { buffer, start }
    }

    /// The entries, each written over the first words, at the start of each of these pieces: in a row.
    pub(super) fn into_entries(self, pieces: impl Iterator<Item = (usize, usize)>) -> Vec<E> {
        let Self { mut buffer, start } = self;
        let (mut from, mut to) = (start, 0);
        for (words, entries) in pieces {
            buffer.copy_within(from..from + 3 * entries, to);
            from += words;
            to += 3 * entries;
        }
        buffer.truncate(to);
        bytemuck::allocation::cast_slice_box(buffer.into_boxed_slice()).into_vec()
    }
}

impl Deref for Words {
    type Target = [K];

    fn deref(&self) -> &[K] {
        &self.buffer[self.start..]
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [K] {
        &mut self.buffer[self.start..]
    }
}

/// `A z` and `B z`, for whole blocks of a circuit of `block_words` words.
pub(super) fn constraint_words(products: &Products, block_words: usize, blocks: &[K]) -> [Words; 2] {
    let [mut a, mut b] = [Words::zeroed(blocks.len()), Words::zeroed(blocks.len())];
    let task = TASK.max(512 * block_words);
    let tasks = blocks
        .chunks(task)
        .zip(a.chunks_mut(task))
        .zip(b.chunks_mut(task));
    pool::for_each_item(tasks.collect(), |((blocks, a), b)| products.write(blocks, a, b));
    [a, b]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{adder, words};

    #[test]
    fn tasks_write_what_one_walk_writes() {
        let products = adder().products();
        let blocks = words(2 * TASK + 20, 9);
        let [mut a, mut b] = [blocks.clone(), blocks.clone()];
        products.write(&blocks, &mut a, &mut b);
        let written = constraint_words(&products, 4, &blocks);
        assert!(written[0][..] == a && written[1][..] == b);
    }

    #[test]
    fn words_begin_a_line_and_their_entries_are_joined() {
        for count in [0, 1, 24, 100] {
            let mut buffer = Words::zeroed(count);
            assert_eq!(buffer.len(), count);
            assert_eq!(buffer.as_ptr().addr() % (LINE * size_of::<K>()), 0);
            let words = words(count, 10);
            buffer.copy_from_slice(&words);
            // Pieces of eight words, of which the first three are an entry.
            let entries = buffer.into_entries((0..count / 8).map(|_| (8, 1)));
            let expected = words
                .chunks_exact(8)
                .map(|piece| E([piece[0], piece[1], piece[2]]));
            assert!(entries.into_iter().eq(expected));
        }
    }
}
