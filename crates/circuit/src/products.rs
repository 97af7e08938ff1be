//! `A z` and `B z` of many packed blocks: the forward walk on bits, 512 blocks at a time, a bit of eight words each.
//!
//! It is what [`Circuit::forward`] computes, for weights that are bits. What makes it fast:
//!
//! 1. Only uncommitted XORs are evaluated: all other wires are rows of z itself.
//! 2. A XOR's row is kept from its gate to its last use, in a slot that later gates take over; so the rows stay in
//!    the second cache, however many gates there are.
//! 3. Words of the products are written as soon as their rows exist, eight neighbours at a time: a line of a block is
//!    read once and written once.

use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::{Backend, MAX_LANES};
use primitives::dispatch;
use primitives::field::K;
use primitives::vectors::transpose_square;

use crate::layout::{Circuit, Gate, NO_WIRE};
use crate::transpose::{Row, transpose};

/// Blocks of a walk: reading a gate costs more than a sum of few words.
const GROUP: usize = 512;

/// Words of a line: a block's words that are read, and written, together.
const LINE: usize = 8;

/// The row of positions without a wire: zero.
const ZERO: u32 = 0;

/// The forward walk of a circuit, prepared: which rows exist when, and where.
///
/// Rows are numbered: a row of zeros, the positions of a block, the slots.
#[derive(Clone, Debug)]
pub struct Products {
    block_words: usize,
    /// Of each XOR its row and its operands' rows.
    sums: Vec<[u32; 3]>,
    lines: Vec<Line>,
    rows: usize,
}

/// Neighbouring words of the products.
#[derive(Clone, Debug)]
struct Line {
    /// The sums that come before.
    after: usize,
    /// The first word.
    word: usize,
    /// Of each position the rows of A and of B.
    rows: Vec<[u32; 2]>,
}

impl Circuit {
    /// Prepares the forward walk of this circuit on bits.
    #[must_use]
    pub fn products(&self) -> Products {
        Schedule::new(self).run()
    }
}

impl Products {
    /// Writes the words of `A z` and of `B z`, packed as z is.
    ///
    /// `z`: any number of blocks, one after another; `a` and `b` are of its length, and are overwritten. A walk takes
    /// 512 blocks, and as long for fewer.
    ///
    /// # Panics
    /// If the lengths differ, or are no multiple of a block.
    pub fn write(&self, z: &[K], a: &mut [K], b: &mut [K]) {
        assert!(
            z.len().is_multiple_of(self.block_words) && a.len() == z.len() && b.len() == z.len(),
            "whole blocks of {} words",
            self.block_words
        );
        let mut rows = vec![Row::ZERO; self.rows];
        let group = GROUP * self.block_words;
        let products = a.chunks_mut(group).zip(b.chunks_mut(group));
        for (z, (a, b)) in z.chunks(group).zip(products) {
            dispatch!(|be| self.walk(be, &mut rows, z, [a, b]));
        }
    }

    #[inline(always)]
    fn walk<B: Backend>(&self, be: B, rows: &mut [Row], z: &[K], mut products: [&mut [K]; 2]) {
        let width = LINE.min(self.block_words);
        let positions = &mut rows[1..][..64 * self.block_words];
        for (line, rows) in positions.chunks_exact_mut(64 * width).enumerate() {
            read_line(be, z, self.block_words, line * width, rows);
            for word in rows.as_chunks_mut::<64>().0 {
                transpose(be, word);
            }
        }
        let mut done = 0;
        let mut out = [Row::ZERO; 64 * LINE];
        for line in &self.lines {
            for &[row, x, y] in &self.sums[done..line.after] {
                for lanes in (0..8).step_by(B::LANES) {
                    let x = be.load(&rows[x as usize][lanes..]);
                    let y = be.load(&rows[y as usize][lanes..]);
                    be.store(be.xor(x, y), &mut rows[row as usize][lanes..]);
                }
            }
            done = line.after;
            for (matrix, product) in products.iter_mut().enumerate() {
                for (out, of) in out.iter_mut().zip(&line.rows) {
                    *out = rows[of[matrix] as usize];
                }
                for word in out[..64 * width].as_chunks_mut::<64>().0 {
                    transpose(be, word);
                }
                write_line(be, &out[..64 * width], product, self.block_words, line.word);
            }
        }
        be.fence();
    }
}

/// Words `word ..` of every block: word `word + w` of block `64 l + i` goes to `rows[64 w + i][l]`, zero where there is
/// no block.
#[inline(always)]
fn read_line<B: Backend>(be: B, blocks: &[K], block_words: usize, word: usize, rows: &mut [Row]) {
    let width = rows.len() / 64;
    for n in (0..64 * width).step_by(B::LANES) {
        for part in (0..8).step_by(B::LANES) {
            let mut square = [be.splat(K::ZERO); MAX_LANES];
            for (l, vector) in (part..part + B::LANES).zip(&mut square) {
                let at = place(n, l, width, block_words, word);
                *vector = match blocks.get(at..at + B::LANES) {
                    Some(words) => be.load(words),
                    None => be.load_partial(blocks.get(at..).unwrap_or_default()),
                };
            }
            transpose_square(be, &mut square);
            for (n, &vector) in (n..n + B::LANES).zip(&square) {
                be.store(vector, &mut rows[64 * (n % width) + n / width][part..]);
            }
        }
    }
}

/// The inverse of [`read_line`]. The lines go past the caches: those of all blocks do not fit there, and nothing reads
/// them before all are written.
#[inline(always)]
fn write_line<B: Backend>(be: B, rows: &[Row], blocks: &mut [K], block_words: usize, word: usize) {
    let width = rows.len() / 64;
    for n in (0..64 * width).step_by(B::LANES) {
        for part in (0..8).step_by(B::LANES) {
            let mut square = [be.splat(K::ZERO); MAX_LANES];
            for (n, vector) in (n..n + B::LANES).zip(&mut square) {
                *vector = be.load(&rows[64 * (n % width) + n / width][part..]);
            }
            transpose_square(be, &mut square);
            for (l, &vector) in (part..part + B::LANES).zip(&square) {
                let at = place(n, l, width, block_words, word);
                match blocks.get_mut(at..at + B::LANES) {
                    Some(words) => be.store_streaming(vector, words),
                    None => be.store_partial(vector, blocks.get_mut(at..).unwrap_or_default()),
                }
            }
        }
    }
}

/// Where word n of a line is in the blocks `64 l ..`: a line has `width` words of each, from word `word` of a block on,
/// and those of neighbouring blocks are neighbours where blocks are no longer than a line.
#[inline(always)]
fn place(n: usize, l: usize, width: usize, block_words: usize, word: usize) -> usize {
    (64 * l + n / width) * block_words + word + n % width
}

/// Gives slots to XORs.
struct Schedule<'c> {
    circuit: &'c Circuit,
    /// The row of every wire that has one.
    row_of: Vec<u32>,
    /// When a wire is used last: see [`use_of_sum`] and [`use_of_line`].
    last_use: Vec<usize>,
    free: Vec<u32>,
    rows: usize,
}

/// The wires of a line's rows, and the number of sums that they need.
struct Wires {
    after: usize,
    word: usize,
    wires: Vec<[u32; 2]>,
}

/// The time of the sum of this number.
fn use_of_sum(number: usize) -> usize {
    2 * number + 1
}

/// The time of the lines that come after so many sums.
fn use_of_line(after: usize) -> usize {
    2 * after
}

impl<'c> Schedule<'c> {
    fn new(circuit: &'c Circuit) -> Self {
        let positions = 64 * circuit.block_words();
        let mut schedule = Self {
            circuit,
            row_of: vec![NO_WIRE; circuit.wires()],
            last_use: vec![0; circuit.wires()],
            free: Vec::new(),
            rows: 1 + positions,
        };
        let row = |position: usize| 1 + position as u32;
        schedule.row_of[0] = row(circuit.constant_position);
        for (wire, position) in (1..).zip(circuit.input_positions()) {
            schedule.row_of[wire] = row(position);
        }
        for (wire, gate) in (circuit.first_gate..).zip(&circuit.gates) {
            if let Gate::And { position, .. } = *gate {
                schedule.row_of[wire] = row(position as usize);
            }
        }
        schedule
    }

    fn run(mut self) -> Products {
        // The number of a XOR among the XORs.
        let mut number_of = vec![None; self.circuit.wires()];
        let mut operands = Vec::new();
        for (wire, gate) in (self.circuit.first_gate..).zip(&self.circuit.gates) {
            if let Gate::Xor { a, b } = *gate {
                number_of[wire] = Some(operands.len());
                for operand in [a, b] {
                    self.last_use[operand as usize] = use_of_sum(operands.len());
                }
                operands.push((wire, [a, b]));
            }
        }
        let mut lines = self.lines(&number_of);
        lines.sort_by_key(|line| line.after);
        for line in &lines {
            for &wire in line.wires.as_flattened().iter().filter(|&&wire| wire != NO_WIRE) {
                let last = &mut self.last_use[wire as usize];
                *last = (*last).max(use_of_line(line.after));
            }
        }

        let mut products = Products {
            block_words: self.circuit.block_words(),
            sums: Vec::new(),
            lines: Vec::new(),
            rows: 0,
        };
        let mut lines = &lines[..];
        for (number, &(wire, [a, b])) in operands.iter().enumerate() {
            let (now, later) = lines.split_at(lines.partition_point(|line| line.after <= number));
            lines = later;
            products.lines.extend(now.iter().map(|line| self.line(line)));
            now.iter().for_each(|line| self.release_line(line));
            let operands = [a, b].map(|operand| self.row_of[operand as usize]);
            self.release(a, use_of_sum(number));
            self.release(b, use_of_sum(number));
            let row = self.free.pop().unwrap_or(self.rows as u32);
            self.rows = self.rows.max(row as usize + 1);
            self.row_of[wire] = row;
            products.sums.push([row, operands[0], operands[1]]);
        }
        products.lines.extend(lines.iter().map(|line| self.line(line)));
        products.rows = self.rows;
        products
    }

    /// The lines, in the order of the positions.
    fn lines(&self, number_of: &[Option<usize>]) -> Vec<Wires> {
        let width = LINE.min(self.circuit.block_words());
        let line = |word: usize| {
            let wires: Vec<_> = (64 * word..64 * (word + width))
                .map(|position| self.wires_at(position))
                .collect();
            let needed = wires.as_flattened().iter().filter(|&&wire| wire != NO_WIRE);
            let numbers = needed.filter_map(|&wire| number_of[wire as usize]);
            Wires {
                after: numbers.max().map_or(0, |number| number + 1),
                word,
                wires,
            }
        };
        (0..self.circuit.block_words()).step_by(width).map(line).collect()
    }

    /// The wires of the rows of A and B at a position.
    fn wires_at(&self, position: usize) -> [u32; 2] {
        let wire = self.circuit.wire_at.get(position).copied().unwrap_or(NO_WIRE);
        match self.circuit.product_at(wire, position) {
            Some((x, y)) => [x as u32, y as u32],
            None if wire == NO_WIRE => [NO_WIRE; 2],
            None => [wire, 0],
        }
    }

    /// The line with the rows as they are now.
    fn line(&self, line: &Wires) -> Line {
        let row = |wire: u32| {
            if wire == NO_WIRE {
                ZERO
            } else {
                self.row_of[wire as usize]
            }
        };
        Line {
            after: line.after,
            word: line.word,
            rows: line.wires.iter().map(|wires| wires.map(row)).collect(),
        }
    }

    /// Frees the slots that a line was the last to use.
    fn release_line(&mut self, line: &Wires) {
        for &wire in line.wires.as_flattened().iter().filter(|&&wire| wire != NO_WIRE) {
            self.release(wire, use_of_line(line.after));
        }
    }

    /// Frees the slot of a wire that is not used after this time.
    fn release(&mut self, wire: u32, time: usize) {
        let row = self.row_of[wire as usize];
        let is_slot = row != NO_WIRE && row as usize > 64 * self.circuit.block_words();
        if is_slot && self.last_use[wire as usize] == time {
            self.row_of[wire as usize] = NO_WIRE;
            self.free.push(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::{Words, adder, config, on_every_back_end, random_circuit};
    use crate::{blake2s, clock};

    /// The products by the walk of one block.
    fn forward(circuit: &Circuit, blocks: &[K]) -> [Vec<K>; 2] {
        let mut products = [Vec::new(), Vec::new()];
        for block in blocks.chunks(circuit.block_words()) {
            let bits = block.iter().flat_map(|word| (0..64).map(|i| K(word.0 >> i & 1)));
            let z: Vec<K> = bits.collect();
            let (mut a, mut b) = (z.clone(), z.clone());
            circuit.forward(&z, &mut a, &mut b);
            for (product, bits) in products.iter_mut().zip([a, b]) {
                let word = |bits: &[K]| K(bits.iter().rev().fold(0, |word, bit| word << 1 | bit.0));
                product.extend(bits.chunks(64).map(word));
            }
        }
        products
    }

    fn assert_products(circuit: &Circuit, instances: usize, words: &mut Words) {
        let blocks: Vec<K> = (0..instances * circuit.block_words())
            .map(|_| K(words.word()))
            .collect();
        let [mut a, mut b] = [blocks.clone(), blocks.clone()];
        circuit.products().write(&blocks, &mut a, &mut b);
        assert!([a, b] == forward(circuit, &blocks), "{instances} instances");
    }

    #[test]
    fn the_products_are_the_forward_walks_of_any_words() {
        // Blocks of less than a line, of one, and of many; the constant's bit is any, too.
        let mut words = Words(7);
        on_every_back_end(|| {
            for instances in [0, 1, 63, 64, 65, 511, 513] {
                assert_products(&adder(), instances, &mut words);
                assert_products(&clock::circuit(&clock::THREE), instances, &mut words);
            }
            assert_products(&blake2s::compression(), 3, &mut words);
        });
    }

    #[test]
    fn lines_that_share_a_sum_both_have_it() {
        // Twenty ports, so three lines, that all are one parity.
        let mut builder = crate::Builder::new();
        let p = builder.input();
        let parity = builder.xor_all(p.iter().copied());
        for _ in 0..20 {
            builder.output(&[parity]);
        }
        assert_products(&builder.build(), 2, &mut Words(8));
    }

    #[test]
    fn slots_are_taken_over() {
        let circuit = blake2s::compression();
        let products = circuit.products();
        assert_eq!(products.sums.len(), circuit.xors());
        assert!(products.rows - 64 * circuit.block_words() < circuit.xors() / 8);
    }

    #[test]
    #[should_panic(expected = "whole blocks")]
    fn a_part_of_a_block_is_refused() {
        let z = [K::ZERO; 5];
        adder().products().write(&z, &mut z.clone(), &mut z.clone());
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn the_products_of_any_circuit_are_its_forward_walks(seed: u64, gates in 0_usize..1000) {
            let mut words = Words(seed);
            let circuit = random_circuit(&mut words, gates);
            assert_products(&circuit, 2, &mut words);
        }
    }
}
