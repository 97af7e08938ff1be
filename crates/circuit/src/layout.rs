//! A finished circuit: its gates, the position of every committed wire, counts and identity.

use alloc::vec::Vec;

use primitives::blake2s::{Blake2s, Digest};

/// Marks a position without a wire.
pub(crate) const NO_WIRE: u32 = u32::MAX;

/// A gate; wires are numbered: the constant one, the inputs in the order of their positions, the gates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gate {
    /// The sum of wires `a` and `b`.
    Xor { a: u32, b: u32 },
    /// The product of wires `a` and `b`, committed at `position`.
    And { a: u32, b: u32, position: u32 },
}

/// A Boolean circuit, and the layout of an instance's *block*: the bits that are committed for it.
///
/// A block has `2^log_block` positions, packed 64 to a word, position `64 w + i` being bit `i` of word `w`:
/// the input ports, the output ports (a port is one word), the constant wire right after them (or at a bit
/// of an output port), then the AND wires that are at no output port, in the order they were made.
///
/// Two circuits are equal if they are the same gate list on the same layout: they then have the same
/// constraint matrices.
///
/// Constraints: `z` is a block of the circuit iff `z` is 1 at the constant position and
/// `(A z)_p (B z)_p = z_p` at every position `p`. The rows of A and B, as sums of committed positions: for
/// an AND wire its operands; for an input, the constant and a copied output, the wire in A and the constant
/// in B; for an empty position nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Circuit {
    /// Per input port, its free bits.
    pub(crate) inputs: Vec<u64>,
    pub(crate) outputs: usize,
    pub(crate) gates: Vec<Gate>,
    /// The wire at every position in use, or [`NO_WIRE`].
    pub(crate) wire_at: Vec<u32>,
    pub(crate) constant_position: usize,
    /// The number of the first gate's wire.
    pub(crate) first_gate: usize,
    ands: usize,
    log_block: usize,
}

impl Circuit {
    /// # Panics
    /// If the parts are no circuit: a wire used before it is made, or an AND that is not at its position.
    pub(crate) fn new(
        inputs: Vec<u64>,
        outputs: usize,
        gates: Vec<Gate>,
        wire_at: Vec<u32>,
        constant_position: usize,
    ) -> Self {
        let ands = gates
            .iter()
            .filter(|gate| matches!(gate, Gate::And { .. }))
            .count();
        let log_block = wire_at.len().next_power_of_two().trailing_zeros().max(6) as usize;
        let first_gate = 1 + inputs
            .iter()
            .map(|mask| mask.count_ones() as usize)
            .sum::<usize>();
        let circuit = Self {
            inputs,
            outputs,
            gates,
            wire_at,
            constant_position,
            first_gate,
            ands,
            log_block,
        };
        circuit.validate();
        circuit
    }

    fn validate(&self) {
        assert!(
            self.wire_at.len() < NO_WIRE as usize,
            "positions are 32-bit numbers"
        );
        assert_eq!(
            self.wire_at[self.constant_position], 0,
            "the constant is at its position"
        );
        for (wire, gate) in (self.first_gate as u32..).zip(&self.gates) {
            let (Gate::Xor { a, b } | Gate::And { a, b, .. }) = *gate;
            assert!(a < b && b < wire, "a gate has two earlier operands");
            if let Gate::And { position, .. } = *gate {
                assert!(a > 0, "an AND has no constant");
                assert_eq!(self.wire_at[position as usize], wire, "an AND is at its position");
            }
        }
        assert!(
            self.wire_at
                .iter()
                .all(|&w| w == NO_WIRE || (w as usize) < self.wires())
        );
    }

    /// Number of input ports.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Number of output ports.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The word of the block that is output port `output`.
    ///
    /// # Panics
    /// If there is no such port.
    #[must_use]
    pub fn output_word(&self, output: usize) -> usize {
        assert!(output < self.outputs, "output {output} of {}", self.outputs);
        self.inputs.len() + output
    }

    /// The free bits of input port `input`.
    ///
    /// # Panics
    /// If there is no such port.
    #[must_use]
    pub fn input_mask(&self, input: usize) -> u64 {
        self.inputs[input]
    }

    /// log2 of the number of positions of a block: at least 6.
    #[must_use]
    pub fn log_block(&self) -> usize {
        self.log_block
    }

    /// Words of a block: `2^(log_block - 6)`.
    #[must_use]
    pub fn block_words(&self) -> usize {
        1 << (self.log_block - 6)
    }

    /// Position of the constant wire.
    #[must_use]
    pub fn constant_position(&self) -> usize {
        self.constant_position
    }

    /// Number of AND gates.
    #[must_use]
    pub fn ands(&self) -> usize {
        self.ands
    }

    /// Number of XOR gates: they cost time in the walks, and no position.
    #[must_use]
    pub fn xors(&self) -> usize {
        self.gates.len() - self.ands
    }

    /// Positions in use, counting the empty ones of the ports: all that follow in the block are empty.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.wire_at.len()
    }

    /// The BLAKE2s digest of the gate list and its layout: equal for equal circuits.
    ///
    /// The message is a list of little-endian 32-bit words: the number of input ports and each one's mask
    /// (low half first), the number of output ports, the constant's position, the number of positions in
    /// use and the wire at each (`2^32 - 1`: none), then per gate 0 (XOR) or 1 (AND) and the two operands.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut hasher = Blake2s::new();
        let mut word = |word: usize| hasher.update(&(word as u32).to_le_bytes());
        word(self.inputs.len());
        for mask in &self.inputs {
            word(*mask as u32 as usize);
            word((mask >> 32) as usize);
        }
        word(self.outputs);
        word(self.constant_position);
        word(self.wire_at.len());
        for &wire in &self.wire_at {
            word(wire as usize);
        }
        for gate in &self.gates {
            let (kind, a, b) = match *gate {
                Gate::Xor { a, b } => (0, a, b),
                Gate::And { a, b, .. } => (1, a, b),
            };
            [kind, a, b].into_iter().for_each(|w| word(w as usize));
        }
        hasher.finalize()
    }

    /// Number of wires: the constant, the inputs, the gates.
    pub(crate) fn wires(&self) -> usize {
        self.first_gate + self.gates.len()
    }

    /// The positions of the inputs, in the order of their wires, from wire 1.
    pub(crate) fn input_positions(&self) -> impl Iterator<Item = usize> {
        self.inputs.iter().enumerate().flat_map(|(port, mask)| {
            (0..64)
                .filter(move |bit| mask >> bit & 1 == 1)
                .map(move |bit| 64 * port + bit)
        })
    }

    /// The operands of an AND gate if `wire` is one and `position` is where it is committed.
    #[inline]
    pub(crate) fn product_at(&self, wire: u32, position: usize) -> Option<(usize, usize)> {
        match (wire as usize)
            .checked_sub(self.first_gate)
            .and_then(|gate| self.gates.get(gate))
        {
            Some(&Gate::And { a, b, position: home }) if home as usize == position => {
                Some((a as usize, b as usize))
            }
            _ => None,
        }
    }
}
