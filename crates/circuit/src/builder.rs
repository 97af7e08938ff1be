//! The builder of a gate list.

use alloc::vec;
use alloc::vec::Vec;

use crate::layout::{Circuit, Gate, NO_WIRE};

/// One bit of a circuit under construction: a value computed from the inputs.
///
/// A wire belongs to the builder that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Wire(u32);

impl Wire {
    /// The constant one.
    pub const ONE: Self = Self(0);
    /// The constant zero.
    pub const ZERO: Self = Self(1);

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<bool> for Wire {
    fn from(bit: bool) -> Self {
        if bit { Self::ONE } else { Self::ZERO }
    }
}

/// Builds a [`Circuit`], gate by gate.
///
/// A XOR gate costs no position of the block, an AND gate costs one. Gates on constants are folded: no gate
/// has [`Wire::ZERO`] as an operand, and no AND has [`Wire::ONE`]. What no output depends on is left out of
/// the circuit, so a gadget may compute more than its caller uses.
///
/// ```
/// use circuit::Builder;
///
/// let mut b = Builder::new();
/// let (p, q) = (b.input(), b.input());
/// let sum = b.add(&p, &q);
/// b.output(&sum);
/// let adder = b.build();
/// assert_eq!((adder.ands(), adder.log_block()), (63, 8));
/// assert_eq!(adder.evaluate(&[3, 4]), [7]);
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    nodes: Vec<Node>,
    /// The operands of the sum being made.
    operands: Vec<Wire>,
    /// Per input port, its free bits.
    inputs: Vec<u64>,
    outputs: Vec<[Wire; 64]>,
    /// The output port and bit that hold the constant wire.
    constant: Option<(usize, usize)>,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    One,
    Zero,
    Input { position: u32 },
    Xor { a: Wire, b: Wire },
    And { a: Wire, b: Wire },
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// A circuit without ports or gates.
    #[must_use]
    pub fn new() -> Self {
        Self {
            nodes: [Node::One, Node::Zero].into(),
            operands: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            constant: None,
        }
    }

    /// Adds an input port of 64 free bits, bit 0 first.
    pub fn input(&mut self) -> Vec<Wire> {
        self.input_with_bits(u64::MAX)
    }

    /// Adds an input port whose free bits are those of `mask`; the others are [`Wire::ZERO`], and empty
    /// positions of the block.
    ///
    /// Returns 64 wires, bit 0 first.
    pub fn input_with_bits(&mut self, mask: u64) -> Vec<Wire> {
        let first = 64 * self.inputs.len() as u32;
        self.inputs.push(mask);
        (0..64)
            .map(|bit| match mask >> bit & 1 {
                0 => Wire::ZERO,
                _ => self.push(Node::Input {
                    position: first + bit,
                }),
            })
            .collect()
    }

    /// Adds an output port with these bits, bit 0 first; missing ones are empty positions, and so are bits
    /// that are [`Wire::ZERO`]. Returns the port's number among the outputs.
    ///
    /// An AND wire given here is committed at the port and nowhere else; another wire is copied there.
    ///
    /// # Panics
    /// If there are more than 64 bits.
    pub fn output(&mut self, bits: &[Wire]) -> usize {
        assert!(bits.len() <= 64, "a port has 64 bits, not {}", bits.len());
        let mut port = [Wire::ZERO; 64];
        port[..bits.len()].copy_from_slice(bits);
        self.outputs.push(port);
        self.outputs.len() - 1
    }

    /// Puts the constant wire at an empty bit of an output port, instead of right after the ports: the
    /// port's word then has this bit set in every instance.
    ///
    /// # Panics
    /// If the constant wire has been placed before, or the bit is not empty.
    pub fn constant_at(&mut self, output: usize, bit: usize) {
        assert!(self.constant.is_none(), "the constant wire has one position");
        assert!(
            self.outputs[output][bit] == Wire::ZERO,
            "bit {bit} of output {output} is taken"
        );
        self.constant = Some((output, bit));
    }

    /// `a + b` in GF(2): a XOR gate, unless an operand is zero or the two are one wire.
    pub fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            _ if a == b => Wire::ZERO,
            (Wire::ZERO, _) => b,
            (_, Wire::ZERO) => a,
            _ => self.push(Node::Xor { a, b }),
        }
    }

    /// The sum in GF(2) of any number of wires: a chain of XOR gates over those that do not cancel.
    pub fn xor_all(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        let mut operands = core::mem::take(&mut self.operands);
        operands.extend(wires);
        operands.sort_unstable();
        let runs = operands.chunk_by(|a, b| a == b);
        let sum = runs
            .filter(|run| run.len() % 2 == 1)
            .fold(Wire::ZERO, |sum, run| self.xor(sum, run[0]));
        operands.clear();
        self.operands = operands;
        sum
    }

    /// `1 + a`.
    pub fn not(&mut self, a: Wire) -> Wire {
        self.xor(a, Wire::ONE)
    }

    /// `a b`: one AND, unless an operand is constant or the two are one wire.
    pub fn and(&mut self, a: Wire, b: Wire) -> Wire {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (Wire::ONE, _) => b,
            (Wire::ZERO, _) => Wire::ZERO,
            _ if a == b => a,
            _ => self.push(Node::And { a, b }),
        }
    }

    /// The circuit: positions are given to all committed wires that an output depends on.
    ///
    /// # Panics
    /// If there are no ports.
    #[must_use]
    pub fn build(&self) -> Circuit {
        assert!(
            !self.inputs.is_empty() || !self.outputs.is_empty(),
            "a circuit has ports"
        );
        let numbers = self.number();
        let mut places = self.place_ports(&numbers);
        let constant_position = self.place_constant(&mut places, numbers[Wire::ONE.index()]);
        let gates = self.place_gates(&numbers, &mut places);
        Circuit::new(
            self.inputs.clone(),
            self.outputs.len(),
            gates,
            places.wire_at,
            constant_position,
        )
    }

    /// The ports, with the output ports' wires at their first bit as home.
    fn place_ports(&self, numbers: &[u32]) -> Places {
        let first_output = 64 * self.inputs.len();
        let mut wire_at = vec![NO_WIRE; first_output + 64 * self.outputs.len()];
        let mut homes = vec![NO_WIRE; self.nodes.len()];
        for (node, &number) in self.nodes.iter().zip(numbers) {
            if let Node::Input { position } = *node {
                wire_at[position as usize] = number;
            }
        }
        for (position, &wire) in (first_output..).zip(self.outputs.iter().flatten()) {
            if wire != Wire::ZERO {
                wire_at[position] = numbers[wire.index()];
                let home = &mut homes[wire.index()];
                *home = (*home).min(position as u32);
            }
        }
        Places { wire_at, homes }
    }

    /// The constant's position: at its output bit, or after the ports.
    fn place_constant(&self, places: &mut Places, number: u32) -> usize {
        let position = match self.constant {
            Some((output, bit)) => 64 * (self.inputs.len() + output) + bit,
            None => {
                places.wire_at.push(NO_WIRE);
                places.wire_at.len() - 1
            }
        };
        places.wire_at[position] = number;
        position
    }

    /// The gates, each AND at its output bit or at the next position.
    fn place_gates(&self, numbers: &[u32], places: &mut Places) -> Vec<Gate> {
        let mut gates = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let (Node::Xor { a, b } | Node::And { a, b }) = *node else {
                continue;
            };
            if numbers[index] == NO_WIRE {
                continue;
            }
            // An input made after a gate has a lower number than the gate.
            let (a, b) = (numbers[a.index()], numbers[b.index()]);
            let (a, b) = (a.min(b), a.max(b));
            gates.push(match node {
                Node::And { .. } => {
                    let position = places.home(index, numbers[index]);
                    Gate::And { a, b, position }
                }
                _ => Gate::Xor { a, b },
            });
        }
        gates
    }

    /// Numbers the constant, all inputs, then the gates that an output depends on; others get [`NO_WIRE`].
    fn number(&self) -> Vec<u32> {
        let mut live = vec![false; self.nodes.len()];
        for &wire in self.outputs.iter().flatten() {
            live[wire.index()] = true;
        }
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let (true, Node::Xor { a, b } | Node::And { a, b }) = (live[index], node) {
                live[a.index()] = true;
                live[b.index()] = true;
            }
        }
        let mut numbers = vec![NO_WIRE; self.nodes.len()];
        let mut next = 0;
        let mut take = |index: usize| {
            numbers[index] = next;
            next += 1;
        };
        take(Wire::ONE.index());
        let is_input = |index: &usize| matches!(self.nodes[*index], Node::Input { .. });
        let is_gate = |index: &usize| matches!(self.nodes[*index], Node::Xor { .. } | Node::And { .. });
        (0..self.nodes.len()).filter(is_input).for_each(&mut take);
        (0..self.nodes.len())
            .filter(|index| is_gate(index) && live[*index])
            .for_each(&mut take);
        numbers
    }

    fn push(&mut self, node: Node) -> Wire {
        let wire = Wire(u32::try_from(self.nodes.len()).expect("fewer than 2^32 wires"));
        self.nodes.push(node);
        wire
    }
}

/// Where wires are, while positions are given out.
struct Places {
    /// The wire's number at every position so far, or [`NO_WIRE`].
    wire_at: Vec<u32>,
    /// Per node, the first output bit that it is at, or [`NO_WIRE`].
    homes: Vec<u32>,
}

impl Places {
    /// The output bit of a node, or the next position.
    fn home(&mut self, node: usize, number: u32) -> u32 {
        if self.homes[node] != NO_WIRE {
            return self.homes[node];
        }
        self.wire_at.push(number);
        self.wire_at.len() as u32 - 1
    }
}
