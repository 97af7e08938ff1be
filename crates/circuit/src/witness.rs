//! The witness, by definition: the gate list evaluated on 64 instances at a time.

use alloc::vec;
use alloc::vec::Vec;

use crate::layout::{Circuit, Gate, NO_WIRE};
use crate::transpose::transpose;

impl Circuit {
    /// Completes blocks whose input ports are written: outputs, the constant, the AND wires, and zeros at
    /// empty positions.
    ///
    /// `blocks`: any number of blocks of [`block_words`](Self::block_words) words each, one after another;
    /// the first [`inputs`](Self::inputs) words of each are read, all others are overwritten.
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
        let mut values = vec![0; self.wires()];
        for blocks in blocks.chunks_mut(64 * block_words) {
            self.read_inputs(blocks, &mut values);
            self.evaluate_gates(&mut values);
            self.write_blocks(&values, blocks);
        }
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

    /// Bit `i` of a wire's value is its value in the instance whose block is the `i`-th.
    fn read_inputs(&self, blocks: &[u64], values: &mut [u64]) {
        let mut wire = 1;
        for (port, &mask) in self.inputs.iter().enumerate() {
            let mut words = [0; 64];
            for (word, block) in words.iter_mut().zip(blocks.chunks_exact(self.block_words())) {
                *word = block[port];
                assert_eq!(
                    *word & !mask,
                    0,
                    "input {port} has bits that the port does not have"
                );
            }
            transpose(&mut words);
            for bit in (0..64).filter(|bit| mask >> bit & 1 == 1) {
                values[wire] = words[bit];
                wire += 1;
            }
        }
    }

    fn evaluate_gates(&self, values: &mut [u64]) {
        values[0] = u64::MAX;
        for (wire, gate) in (self.first_gate..).zip(&self.gates) {
            values[wire] = match *gate {
                Gate::Xor { start, end } => self.operands[start as usize..end as usize]
                    .iter()
                    .fold(0, |sum, &operand| sum ^ values[operand as usize]),
                Gate::And { a, b, .. } => values[a as usize] & values[b as usize],
            };
        }
    }

    fn write_blocks(&self, values: &[u64], blocks: &mut [u64]) {
        for word in self.inputs()..self.block_words() {
            let wires = self.wire_at.get(64 * word..).unwrap_or_default();
            let mut bits = [0; 64];
            for (bits, &wire) in bits.iter_mut().zip(wires).filter(|(_, wire)| **wire != NO_WIRE) {
                *bits = values[wire as usize];
            }
            transpose(&mut bits);
            for (block, bits) in blocks.chunks_exact_mut(self.block_words()).zip(bits) {
                block[word] = bits;
            }
        }
    }
}
