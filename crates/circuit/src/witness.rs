//! The witness, by definition: the gate list evaluated on many instances at a time, a bit of a word each.

use alloc::vec;
use alloc::vec::Vec;

use primitives::backend::Backend;
use primitives::dispatch;
use primitives::field::K;

use crate::layout::{Circuit, Gate, NO_WIRE};
use crate::transpose::{Row, transpose};

/// Instances in a walk: reading a gate costs more than evaluating it on 64 instances.
const GROUP: usize = 512;

impl Circuit {
    /// Completes blocks whose input ports are written: outputs, the constant, the AND wires, and zeros at
    /// empty positions.
    ///
    /// `blocks`: any number of blocks of [`block_words`](Self::block_words) words each, one after another;
    /// the first [`inputs`](Self::inputs) words of each are read, all others are overwritten. A walk
    /// completes 512 blocks, and takes as long for fewer.
    ///
    /// # Panics
    /// If the length is no multiple of a block, or an input has a bit where its port has none.
    pub fn fill(&self, blocks: &mut [u64]) {
        let block_words = self.block_words();
        assert_eq!(
            blocks.len() % block_words,
            0,
            "whole blocks of {block_words} words"
        );
        let mut values = vec![Row::ZERO; self.wires()];
        values[0] = Row([K(u64::MAX); 8]);
        dispatch!(|be| self.fill_groups(be, &mut values, blocks));
    }

    /// The block of the instance with these words at the input ports.
    ///
    /// # Panics
    /// If there is not one word for each port, or a word has a bit where its port has none.
    #[must_use]
    pub fn block(&self, inputs: &[u64]) -> Vec<u64> {
        assert_eq!(inputs.len(), self.inputs(), "one word for each input port");
        let mut block = vec![0; self.block_words()];
        block[..inputs.len()].copy_from_slice(inputs);
        self.fill(&mut block);
        block
    }

    /// The words at the output ports for these words at the input ports; with the constant's bit, if it is
    /// at an output port.
    ///
    /// # Panics
    /// As [`block`](Self::block).
    #[must_use]
    pub fn evaluate(&self, inputs: &[u64]) -> Vec<u64> {
        self.block(inputs)[self.inputs()..self.inputs() + self.outputs()].to_vec()
    }

    /// Bit `i` of `values[wire][l]` is the wire's value in instance `64 l + i` of a group.
    #[inline(always)]
    fn fill_groups<B: Backend>(&self, be: B, values: &mut [Row], blocks: &mut [u64]) {
        for group in blocks.chunks_mut(GROUP * self.block_words()) {
            self.read_inputs(be, group, values);
            self.evaluate_gates(be, values);
            self.write_blocks(be, values, group);
        }
    }

    #[inline(always)]
    fn read_inputs<B: Backend>(&self, be: B, group: &[u64], values: &mut [Row]) {
        let mut wire = 1;
        for (port, &mask) in self.inputs.iter().enumerate() {
            let mut words = self.words(group, port);
            let used = words
                .iter()
                .flat_map(|row| row.iter())
                .fold(0, |used, word| used | word.0);
            assert_eq!(
                used & !mask,
                0,
                "input {port} has bits that the port does not have"
            );
            transpose(be, &mut words);
            for bit in (0..64).filter(|bit| mask >> bit & 1 == 1) {
                values[wire] = words[bit];
                wire += 1;
            }
        }
    }

    #[inline(always)]
    fn evaluate_gates<B: Backend>(&self, be: B, values: &mut [Row]) {
        for (gate, wire) in self.gates.iter().zip(self.first_gate..) {
            let (Gate::Xor { a, b } | Gate::And { a, b, .. }) = *gate;
            let is_xor = matches!(gate, Gate::Xor { .. });
            for lanes in (0..8).step_by(B::LANES) {
                let x = be.load(&values[a as usize][lanes..]);
                let y = be.load(&values[b as usize][lanes..]);
                let value = if is_xor { be.xor(x, y) } else { be.and(x, y) };
                be.store(value, &mut values[wire][lanes..]);
            }
        }
    }

    #[inline(always)]
    fn write_blocks<B: Backend>(&self, be: B, values: &[Row], group: &mut [u64]) {
        for word in self.inputs()..self.block_words() {
            let wires = self.wire_at.get(64 * word..).unwrap_or_default();
            let mut bits = [Row::ZERO; 64];
            for (bits, &wire) in bits.iter_mut().zip(wires).filter(|(_, wire)| **wire != NO_WIRE) {
                *bits = values[wire as usize];
            }
            if !wires.is_empty() {
                transpose(be, &mut bits);
            }
            self.set_words(group, word, &bits);
        }
    }

    // These two move single words. They stay outside of the back ends' functions: there they would become
    // gathers and scatters, which are slower.

    /// Word `word` of every block: of block `64 l + i` at `[i][l]`, zero where there is none.
    #[inline(never)]
    fn words(&self, group: &[u64], word: usize) -> [Row; 64] {
        let mut words = [Row::ZERO; 64];
        for (l, blocks) in group.chunks(64 * self.block_words()).enumerate() {
            for (words, block) in words.iter_mut().zip(blocks.chunks_exact(self.block_words())) {
                words[l] = K(block[word]);
            }
        }
        words
    }

    /// The inverse of [`words`](Self::words).
    #[inline(never)]
    fn set_words(&self, group: &mut [u64], word: usize, words: &[Row; 64]) {
        for (l, blocks) in group.chunks_mut(64 * self.block_words()).enumerate() {
            for (words, block) in words.iter().zip(blocks.chunks_exact_mut(self.block_words())) {
                block[word] = words[l].0;
            }
        }
    }
}
