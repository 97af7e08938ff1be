//! Everything of the rows that is not written while the program runs: what their entries say, the inner words of their
//! blocks, and the padding rows.
//!
//! Tables are cut into pieces of rows, which are tasks; a piece is read once and completed while it is in cache. What
//! the interpreter computed stands at the output ports, and is compared with what the generators compute.

use alloc::vec::Vec;

use argument::machine::Machine;
use circuit::clock::{self, FAILURE};
use circuit::{Circuit, blake2s, pointers};
use primitives::field::{E, K};
use primitives::pool;
use rv::Class;
use rv::circuits::{self, Shape};
use rv::entry::Entry;
use rv::program::TEXT_BASE;
use rv::table::Table;

use super::inverse::invert_all;
use super::padding::{Padding, of_entry};
use super::windows::{Window, Windows};
use crate::columns::{Column, columns};
use crate::parts::{TABLES, class_and_part};

/// Rows of a task: a walk along gates takes 512 blocks.
const PIECE: usize = 512;

/// Rows of a task of HASH, whose blocks are large.
const PIECE_OF_HASH: usize = 64;

/// Completes all tables, of each of which the first `live` rows are recorded.
///
/// # Panics
/// If a circuit computes something else than the interpreter.
pub(super) fn complete(machine: &Machine, table: &Table, windows: Windows<'_>, live: &[u64; TABLES]) {
    let tables = (0..TABLES).map(class_and_part).zip(windows.tables).zip(live);
    let tables: Vec<_> = tables.filter(|((_, window), _)| window.rows() > 0).collect();
    let paddings: Vec<Padding> = tables
        .iter()
        .map(|(((class, _), _), _)| Padding::new(machine, table, *class))
        .collect();
    let mut pieces = Vec::new();
    for ((((class, part), window), &rows_of_run), padding) in tables.into_iter().zip(&paddings) {
        let before = if part == 0 {
            0
        } else {
            live[class.index()] as usize
        };
        let rows = if class == Class::Hash {
            PIECE_OF_HASH
        } else {
            PIECE
        };
        for (number, window) in window.pieces(rows).into_iter().enumerate() {
            let first = number * rows;
            pieces.push(Piece {
                class,
                first: before + first,
                live: (rows_of_run as usize).saturating_sub(first).min(window.rows()),
                entries: table.entries(),
                window,
                padding,
            });
        }
    }
    pool::for_each_item(pieces, |mut piece| piece.complete(&machine.circuits));
}

/// Rows of a table.
struct Piece<'a> {
    class: Class,
    /// The number of the first among the rows of the class.
    first: usize,
    /// The number of those that are no padding.
    live: usize,
    entries: &'a [Entry],
    window: Window<'a>,
    padding: &'a Padding,
}

impl Piece<'_> {
    fn complete(&mut self, circuits: &[Circuit]) {
        match self.class {
            Class::Add => self.rows(|entry, [v1, v2, new, _]: [u64; 4]| {
                let [mask, ..] = entry.constants;
                let block = circuits::adder::block(v1 ^ mask, v2);
                (block, block[2] ^ mask == new)
            }),
            Class::Addi => self.rows(|entry, [v1, _, new, _]: [u64; 4]| {
                let block = circuits::adder::block(v1, entry.imm);
                (block, block[2] == new)
            }),
            Class::Jump => self.jump(),
            Class::Logic => self.rows(|entry, [v1, v2, new, _]: [u64; 4]| {
                let [of_sum, of_product, _] = entry.constants.map(u64::wrapping_neg);
                let block = circuits::and::block(v1, v2 ^ entry.imm);
                let [p, q, t, _] = block;
                (block, of_sum & (p ^ q) ^ of_product & t == new)
            }),
            Class::Shifti => self.rows(|entry, [v1, _, new, _]: [u64; 4]| {
                let [.., of_rotated] = entry.constants.map(u64::wrapping_neg);
                let block = circuits::and::block(v1.rotate_left(entry.imm.trailing_ones()), entry.imm);
                let [z, _, t, _] = block;
                (block, t ^ of_rotated & z == new)
            }),
            Class::Lt => self.rows(|entry, [v1, v2, new, next_pc]: [u64; 4]| {
                let [signed, negate, _] = entry.constants;
                let block = circuits::less::block(v1 ^ signed << 63, v2 ^ entry.imm ^ signed << 63);
                let less = block[2] & 1;
                let jump = (less ^ negate).wrapping_neg() & entry.delta;
                (block, less == new && entry.next ^ jump == next_pc)
            }),
            Class::Eq => self.eq(),
            Class::Word => self.rows(|entry, [v1, v2, new, _]: [u64; 4]| {
                let [mask, ..] = entry.constants;
                let block = circuits::word::block(v1 ^ mask, v2 ^ entry.imm);
                (block, block[2] ^ mask == new)
            }),
            Class::Shift => self.rows(|entry, words: [u64; 16]| {
                let [v1, v2, _, new, ..] = words;
                let block = circuits::shift::block(v1, v2, entry.imm);
                (block, block[3] == new)
            }),
            Class::Load => self.rows(|entry, words: [u64; 8]| {
                let [v1, _, cell, address, new, ..] = words;
                let block = circuits::load::block(v1, entry.imm, cell);
                (block, block[3..5] == [address, new])
            }),
            Class::Store => self.rows(|entry, words: [u64; 8]| {
                let [v1, v2, _, cell, address, change, ..] = words;
                let block = circuits::store::block(v1, v2, entry.imm, cell);
                (block, block[4..6] == [address, change])
            }),
            Class::Ld | Class::Sd => self.rows(|entry, [v1, _, address, _]: [u64; 4]| {
                let block = circuits::adder::block(v1, entry.imm);
                (block, block[2] == address)
            }),
            Class::Mul | Class::Mulh | Class::Div => self.walk(circuits),
            Class::Hash => self.hash(),
            Class::Ext => self.ext(),
        }
        self.clocks();
        self.columns();
        self.pad();
    }

    /// Completes the class blocks of the live rows: `block` gives the block of a row at an entry from what is recorded
    /// in it, and whether it is what the interpreter computed.
    #[inline(always)]
    fn rows<const BLOCK: usize>(&mut self, block: impl Fn(&Entry, [u64; BLOCK]) -> ([u64; BLOCK], bool)) {
        let (blocks, _) = self.window.block.as_chunks_mut::<BLOCK>();
        let rows = blocks.iter_mut().zip(&*self.window.columns[0]).take(self.live);
        for (row, (words, &pc)) in rows.enumerate() {
            let (completed, is_right) = block(&self.entries[slot(pc)], *words);
            *words = completed;
            if !is_right {
                bug(self.class, self.first + row, pc);
            }
        }
    }
}

/// The slot of a row.
#[inline(always)]
fn slot(pc: u64) -> usize {
    ((pc - TEXT_BASE) / 4) as usize
}

/// A circuit computes something else than the interpreter.
#[cold]
fn bug(class: Class, row: usize, pc: u64) -> ! {
    panic!("row {row} of {class}, at {pc:#x}, is not what the interpreter did: a bug of ours");
}

impl<'a> Piece<'a> {
    /// Panics for row `row` of the piece.
    #[cold]
    fn bug(&self, row: usize) -> ! {
        bug(self.class, self.first + row, self.window.columns[0][row])
    }

    /// The entry of row `row`.
    #[inline(always)]
    fn entry(&self, row: usize) -> &'a Entry {
        &self.entries[slot(self.window.columns[0][row])]
    }

    /// The place of one of the class's own columns.
    fn own(&self, number: usize) -> usize {
        let place = columns(self.class)
            .iter()
            .position(|&column| column == Column::Own(number));
        place.expect("the class has the column")
    }

    /// JUMP: the column is the lowest bit of the target, which the next program counter is without.
    fn jump(&mut self) {
        let low_bit = self.own(0);
        for row in 0..self.live {
            let entry = self.entry(row);
            let (blocks, _) = self.window.block.as_chunks_mut::<4>();
            let [v1, _, next_pc, _] = blocks[row];
            blocks[row] = circuits::adder::block(v1, entry.imm);
            let target = blocks[row][2];
            self.window.columns[low_bit][row] = target & 1;
            if target & !1 != next_pc {
                self.bug(row);
            }
        }
    }

    /// EQ: the columns z and e, from v1 and v2; z holds the next program counter before.
    fn eq(&mut self) {
        let [v1, v2, z, e] = [0, 1, 2, 3].map(|number| self.own(number));
        for row in 0..self.live {
            let entry = self.entry(row);
            let columns = &self.window.columns;
            let equal = u64::from(columns[v1][row] == columns[v2][row]);
            let jump = (equal ^ entry.constants[0]).wrapping_neg() & entry.delta;
            if entry.next ^ jump != columns[z][row] {
                self.bug(row);
            }
            self.window.columns[e][row] = equal;
        }
        let mut differences: Vec<K> = (self.window.columns[v1].iter())
            .zip(&*self.window.columns[v2])
            .map(|(v1, v2)| K(v1 ^ v2))
            .collect();
        invert_all(&mut differences);
        self.window.columns[z].copy_from_slice(bytemuck::cast_slice(&differences));
    }

    /// MUL, MULH and DIV: blocks by a walk along the gates.
    fn walk(&mut self, circuits: &[Circuit]) {
        const BLOCK: usize = 64;
        let is_division = self.class == Class::Div;
        let result = if is_division { 5 } else { 3 };
        let mut results = Vec::with_capacity(self.live);
        for row in 0..self.live {
            let imm = self.entry(row).imm;
            let words = &mut self.window.block[BLOCK * row..][..BLOCK];
            words[2] = imm;
            if is_division {
                let hints = circuits::hints(words[0], words[1], imm);
                (words[3], words[4]) = (hints.q, hints.r);
            }
            results.push(words[result]);
        }
        let number = Shape::ALL
            .iter()
            .position(|&shape| Some(shape) == self.class.shape());
        let circuit = &circuits[number.expect("the class has a circuit")];
        circuit.fill(&mut self.window.block[..BLOCK * self.live]);
        for (row, expected) in results.into_iter().enumerate() {
            let words = &self.window.block[BLOCK * row..][..BLOCK];
            if words[result] != expected || is_division && words[6] != 0 {
                self.bug(row);
            }
        }
    }

    /// HASH: sixteen compressions at a time.
    fn hash(&mut self) {
        let mut results = Vec::with_capacity(self.live);
        for row in 0..self.live {
            let flags = self.entry(row).imm;
            let words = &mut self.window.block[blake2s::BLOCK_WORDS * row..][..blake2s::BLOCK_WORDS];
            words[blake2s::FLAGS] = flags;
            results.push(words[blake2s::OUT.start..].first_chunk::<4>().copied());
        }
        blake2s::fill(&mut self.window.block[..blake2s::BLOCK_WORDS * self.live]);
        for (row, expected) in results.into_iter().enumerate() {
            let words = &self.window.block[blake2s::BLOCK_WORDS * row..];
            if words[blake2s::OUT.start..].first_chunk::<4>().copied() != expected {
                self.bug(row);
            }
        }
    }

    /// EXT: addresses; the product, which no circuit computes, is compared too.
    fn ext(&mut self) {
        for row in 0..self.live {
            let flags = self.entry(row).imm;
            let limb = |number| self.window.columns[self.own(number)][row];
            let [a, b, c] = [0, 3, 6].map(|first| E::from_words([first, first + 1, first + 2].map(limb)));
            let product = a * b;
            let new = if flags & 1 == 1 { c + product } else { product };
            let (blocks, _) = self.window.block.as_chunks_mut::<16>();
            let [p, q, r, .., n0, n1, n2] = blocks[row];
            blocks[row] = pointers::block([p, q, r], flags);
            if new.to_words() != [n0, n1, n2] {
                self.bug(row);
            }
        }
    }

    /// The clock blocks of the live rows.
    fn clocks(&mut self) {
        let is_large = matches!(self.class, Class::Hash | Class::Ext);
        let (words, step) = if is_large {
            (clock::WORDS_OF_EIGHTEEN, 1 + clock::EIGHTEEN.len())
        } else {
            (clock::WORDS_OF_THREE, 1 + clock::THREE.len())
        };
        let blocks = &mut self.window.clock[..words * self.live];
        if is_large {
            clock::fill_eighteen(blocks);
        } else {
            clock::fill_three(blocks);
        }
        let failed = blocks
            .chunks_exact(words)
            .position(|block| block[step] >> FAILURE == 1);
        if let Some(row) = failed {
            self.bug(row);
        }
    }

    /// The columns of the live rows that their entries say.
    fn columns(&mut self) {
        let Some((pcs, rest)) = self.window.columns.split_first_mut() else {
            return;
        };
        let pcs = &pcs[..self.live];
        for (&column, words) in columns(self.class)[1..].iter().zip(rest) {
            let mut fill = |word: fn(&Entry) -> u64| {
                for (to, &pc) in words.iter_mut().zip(pcs) {
                    *to = word(&self.entries[slot(pc)]);
                }
            };
            match column {
                Column::Pc | Column::Old | Column::Own(_) => {}
                Column::A1 => fill(|entry| of_entry(entry, Column::A1)),
                Column::A2 => fill(|entry| of_entry(entry, Column::A2)),
                Column::Ad => fill(|entry| of_entry(entry, Column::Ad)),
                Column::Imm => fill(|entry| of_entry(entry, Column::Imm)),
                Column::Next => fill(|entry| of_entry(entry, Column::Next)),
                Column::Delta => fill(|entry| of_entry(entry, Column::Delta)),
                Column::Exit => fill(|entry| of_entry(entry, Column::Exit)),
                Column::Constant(0) => fill(|entry| of_entry(entry, Column::Constant(0))),
                Column::Constant(1) => fill(|entry| of_entry(entry, Column::Constant(1))),
                Column::Constant(_) => fill(|entry| of_entry(entry, Column::Constant(2))),
            }
        }
    }

    /// The padding rows.
    fn pad(&mut self) {
        let Padding {
            columns,
            block,
            clock,
        } = self.padding;
        for (words, &word) in self.window.columns.iter_mut().zip(columns) {
            words[self.live..].fill(word);
        }
        for (words, row) in [(&mut self.window.block, block), (&mut self.window.clock, clock)] {
            for words in words.chunks_exact_mut(row.len().max(1)).skip(self.live) {
                words.copy_from_slice(row);
            }
        }
    }
}
