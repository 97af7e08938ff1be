//! `A z` and `B z` of packed blocks, packed as they are.

use alloc::vec::Vec;

use circuit::Products;
use primitives::field::K;
use primitives::pool;

use super::zeroed;

/// Words of a task, at least: a walk takes as long for fewer than 512 blocks.
const TASK: usize = 1 << 14;

/// `A z` and `B z`, for whole blocks of a circuit of `block_words` words.
pub(super) fn constraint_words(products: &Products, block_words: usize, blocks: &[K]) -> [Vec<K>; 2] {
    let [mut a, mut b] = [zeroed(blocks.len()), zeroed(blocks.len())];
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
        assert!(constraint_words(&products, 4, &blocks) == [a, b]);
    }
}
