//! The pass from its definition: what runs off the machine.

use leanvm_guest::blake2s::Blake2s;
use leanvm_guest::ext::E;

use super::Scan;
use crate::{CELL, CELLS, Digest, Dual, Row};

pub(super) fn scan(dual: &Dual, row: &Row) -> Scan {
    let mut product = E::ZERO;
    for (entry, symbol) in dual.iter().zip(row) {
        product.add_product_k(entry, symbol);
    }
    let mut cells = [Digest::default(); CELLS];
    for (digest, cell) in cells.iter_mut().zip(row.as_chunks::<CELL>().0) {
        *digest = hash(cell.iter().map(|symbol| symbol.0));
    }
    Scan {
        product,
        dual: hash(dual.iter().flat_map(|entry| entry.0)),
        cells,
    }
}

fn hash(words: impl Iterator<Item = u64>) -> Digest {
    let mut hasher = Blake2s::new();
    words.for_each(|word| hasher.update_words(&[word]));
    hasher.digest_words()
}
