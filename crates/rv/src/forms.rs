//! What each class's row says: the ports of its circuit, and the forms of degree two over K that connect them
//! with registers, memory and the program counter.
//!
//! A word is an element of K, addition is XOR, and selecting, permuting and shifting by public amounts are
//! products with constants of the entry. In what follows p, q, r and so on are ports, `imm`, `next`, `delta`,
//! `exit` and the constants those of the entry, and a *column* is a committed word that is no port.
//!
//! | class | ports in; out | forms |
//! |---|---|---|
//! | ADD | p q; r | `v1 = p + m`, `v2 = q`, `new = r + m`: `a - b = ~(~a + b)` |
//! | ADDI | p q; r | `v1 = p`, `imm = q`, `new = r` |
//! | JUMP | p q; r | `v1 = p`, `imm = q`, `new = next`, `pc' = r + b` with a column b, `b^2 + b = 0` |
//! | LOGIC | p q; t | `v1 = p`, `v2 = q + imm`, `new = sx (p + q) + sa t` |
//! | SHIFTI | z q; t | `v1 = z k1 + t k2`, `imm = q`, `new = t + d z` |
//! | LT | a b; l | `v1 = a + s x^63`, `v2 = b + imm + s x^63`, `new = l + x`, `pc' = next + (l + x + n) delta` |
//! | EQ | columns v1 v2 z e | `(v1 + v2) z + 1 + e = 0`, `e (v1 + v2) = 0`, `pc' = next + (e + n) delta` |
//! | WORD | p q; r | `v1 = p + m`, `v2 = q + imm`, `new = r + m` |
//! | SHIFT, MUL, MULH | v1 v2 imm; r | `new = r` |
//! | LOAD | v1 imm cell; address value | the cell at `address` is read, `new = value` |
//! | STORE | v1 v2 imm cell; address D | the cell at `address` becomes `cell + D` |
//! | LD | p q; r, column cell | `v1 = p`, `imm = q`; the cell at r is read, `new = cell` |
//! | SD | p q; r, columns v2 old | `v1 = p`, `imm = q`; the cell at r becomes v2 |
//! | DIV | v1 v2 imm q r; result bad | `new = result`; bad stands in the entry's tuple, where the program has 0 |
//! | HASH | v2 imm h m; out, columns v1 old | word k of the block at `v1 + 8k`: h and m read, `old` becomes out |
//! | EXT | pointers a b c, flags; limb addresses, acc, k; columns: the limbs | `v1 = a`, `v2 = b`, `c` is read at `ad`; `c' = acc c + a b` |
//!
//! EXT's ports are those of [`circuit::pointers`]. Where k is set, the second operand is in K, and limbs 1 and 2 of b
//! are read in register x0, whose number is the address that the circuit gives for them, so that they are zero.
//!
//! Everything is written once over [`Value`]: on words it says what a row puts on the bus, on forms in the
//! columns of a table what every row of it does.
//!
//! JUMP's b clears the lowest bit of jalr's target; a prover who sets it wrongly jumps to where no entry is.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Add, Mul};

use circuit::pointers;
use primitives::field::K;

use crate::circuits::hints;
use crate::class::Class;
use crate::entry::{Entry, Fields};

/// What the forms compute with: words, or polynomials in words.
pub trait Value: Clone + Default + From<K> + Add<Output = Self> + Mul<Output = Self> {}

impl<V: Clone + Default + From<K> + Add<Output = Self> + Mul<Output = Self>> Value for V {}

/// An access to a cell, as the row puts it on the bus.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell<V> {
    /// 1 if the cell is a register, 0 if it is in memory.
    pub register: V,
    /// The cell's address, or the register's number.
    pub address: V,
    /// Its word before.
    pub old: V,
    /// Its word after.
    pub new: V,
}

/// The words of a row that are not fields of its entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The words at the circuit's input ports; empty for EQ.
    pub inputs: Vec<u64>,
    /// The words at its output ports.
    pub outputs: Vec<u64>,
    /// The columns of the class that are no ports, in the order of the table above.
    pub columns: Vec<u64>,
    /// The word of cell `ad` before the row, in a class that writes it.
    pub old: u64,
}

/// All words of a row, or what stands for them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words<V> {
    /// Those of its entry.
    pub fields: Fields<V>,
    /// Those at the circuit's input ports.
    pub inputs: Vec<V>,
    /// Those at its output ports.
    pub outputs: Vec<V>,
    /// The columns of the class that are no ports.
    pub columns: Vec<V>,
    /// The word of cell `ad` before the row, in a class that writes it.
    pub old: V,
}

/// What a row puts on the bus besides its entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bus<V> {
    /// The value of register `a1`.
    pub v1: V,
    /// The value of register `a2`, if the class reads it.
    pub v2: Option<V>,
    /// The word of cell `ad` after the row, if the class names one: for EXT, which reads it, what it is.
    pub new: Option<V>,
    /// The next program counter.
    pub next_pc: V,
    /// The immediate in the entry's tuple.
    pub imm: V,
    /// The verdict in the entry's tuple.
    pub bad: V,
    /// The accesses to memory, by slot.
    pub cells: Vec<Cell<V>>,
}

/// What the machine gives a row.
#[derive(Clone, Copy, Debug)]
pub struct Operands<'a> {
    /// The value of register `a1`.
    pub v1: u64,
    /// The value of register `a2`; 0 in a class without it.
    pub v2: u64,
    /// The word of cell `ad` before the row; 0 in a class without it.
    pub old: u64,
    /// The words, before the row, of the memory cells that it names, by slot.
    pub cells: &'a [u64],
}

impl Row {
    /// The row of an honest prover.
    ///
    /// # Panics
    /// If the entry has no class, or the number of cells is not that of the class: 1 for loads and stores, 16
    /// for HASH, 9 (7 with an operand in K) for EXT.
    #[must_use]
    pub fn new(entry: &Entry, operands: Operands<'_>) -> Self {
        let class = entry.class.expect("a row is at an entry with a class");
        let Operands { v1, v2, old, cells } = operands;
        let imm = entry.imm;
        let [c0, ..] = entry.constants;
        let inputs = match class {
            Class::Add => vec![v1 ^ c0, v2],
            Class::Addi | Class::Jump | Class::Ld | Class::Sd => vec![v1, imm],
            Class::Logic => vec![v1, v2 ^ imm],
            Class::Shifti => vec![v1.rotate_left(imm.trailing_ones()), imm],
            Class::Lt => vec![v1 ^ c0 << 63, v2 ^ imm ^ c0 << 63],
            Class::Word => vec![v1 ^ c0, v2 ^ imm],
            Class::Shift | Class::Mul | Class::Mulh => vec![v1, v2, imm],
            Class::Load => vec![v1, imm, cells[0]],
            Class::Store => vec![v1, v2, imm, cells[0]],
            Class::Div => {
                let hints = hints(v1, v2, imm);
                vec![v1, v2, imm, hints.q, hints.r]
            }
            Class::Hash => [&[v2, imm][..], &cells[..4], &cells[8..]].concat(),
            Class::Ext => vec![v1, v2, old, imm],
            Class::Eq => Vec::new(),
        };
        let outputs = match class.shape() {
            Some(shape) => shape.reference(&inputs),
            None if class == Class::Ext => pointers::reference([v1, v2, old], imm).into(),
            None => Vec::new(),
        };
        let columns = match class {
            Class::Jump => vec![outputs[0] & 1],
            Class::Eq => {
                let inverse = K(v1 ^ v2).inverse_or_zero();
                vec![v1, v2, inverse.0, u64::from(v1 == v2)]
            }
            Class::Ld => vec![cells[0]],
            Class::Sd => vec![v2, cells[0]],
            Class::Hash => [&[v1][..], &cells[4..8]].concat(),
            Class::Ext if cells.len() == 7 => [&cells[..4], &[0; 2], &cells[4..]].concat(),
            Class::Ext => cells.to_vec(),
            _ => Vec::new(),
        };
        Self {
            inputs,
            outputs,
            columns,
            old,
        }
    }

    /// All words of the row.
    #[must_use]
    pub fn words(&self, entry: &Entry) -> Words<K> {
        let k = |words: &[u64]| words.iter().copied().map(K).collect();
        Words {
            fields: entry.fields().map(K),
            inputs: k(&self.inputs),
            outputs: k(&self.outputs),
            columns: k(&self.columns),
            old: K(self.old),
        }
    }

    /// What the row puts on the bus.
    ///
    /// # Panics
    /// If the row is not one of the entry's class.
    #[must_use]
    pub fn bus(&self, entry: &Entry) -> Bus<K> {
        self.words(entry)
            .bus(entry.class.expect("a row is at an entry with a class"))
    }
}

impl<V: Value> Words<V> {
    /// What a row with these words puts on the bus.
    ///
    /// # Panics
    /// If they are not the words of a row of the class.
    #[must_use]
    pub fn bus(&self, class: Class) -> Bus<V> {
        let input = |i: usize| self.inputs[i].clone();
        let output = |i: usize| self.outputs[i].clone();
        let column = |i: usize| self.columns[i].clone();
        let constant = |i: usize| self.fields.constants[i].clone();
        let (imm, next, delta) = (
            self.fields.imm.clone(),
            self.fields.next.clone(),
            self.fields.delta.clone(),
        );
        let plain = Bus {
            v1: self.inputs.first().cloned().unwrap_or_default(),
            v2: None,
            new: None,
            next_pc: next.clone(),
            imm: imm.clone(),
            bad: V::default(),
            cells: Vec::new(),
        };
        match class {
            Class::Add => Bus {
                v1: input(0) + constant(0),
                v2: Some(input(1)),
                new: Some(output(0) + constant(0)),
                ..plain
            },
            Class::Addi => Bus {
                imm: input(1),
                new: Some(output(0)),
                ..plain
            },
            Class::Jump => Bus {
                imm: input(1),
                new: Some(next),
                next_pc: output(0) + column(0),
                ..plain
            },
            Class::Logic => Bus {
                v2: Some(input(1) + imm),
                new: Some(constant(0) * (input(0) + input(1)) + constant(1) * output(0)),
                ..plain
            },
            Class::Shifti => {
                let (z, t) = (input(0), output(0));
                Bus {
                    v1: z.clone() * constant(0) + t.clone() * constant(1),
                    imm: input(1),
                    new: Some(t + constant(2) * z),
                    ..plain
                }
            }
            Class::Lt => {
                let less = output(0) + V::from(K::X);
                let sign = constant(0) * V::from(K(1 << 63));
                Bus {
                    v1: input(0) + sign.clone(),
                    v2: Some(input(1) + imm + sign),
                    new: Some(less.clone()),
                    next_pc: next + (less + constant(1)) * delta,
                    ..plain
                }
            }
            Class::Eq => Bus {
                v1: column(0),
                v2: Some(column(1)),
                next_pc: next + (column(3) + constant(0)) * delta,
                ..plain
            },
            Class::Word => Bus {
                v1: input(0) + constant(0),
                v2: Some(input(1) + imm),
                new: Some(output(0) + constant(0)),
                ..plain
            },
            Class::Shift | Class::Mul | Class::Mulh => Bus {
                v2: Some(input(1)),
                imm: input(2),
                new: Some(output(0)),
                ..plain
            },
            Class::Load => Bus {
                imm: input(1),
                new: Some(output(1)),
                cells: vec![Cell::read(output(0), input(2))],
                ..plain
            },
            Class::Store => Bus {
                v2: Some(input(1)),
                imm: input(2),
                cells: vec![Cell::write(output(0), input(3), input(3) + output(1))],
                ..plain
            },
            Class::Ld => Bus {
                imm: input(1),
                new: Some(column(0)),
                cells: vec![Cell::read(output(0), column(0))],
                ..plain
            },
            Class::Sd => Bus {
                v2: Some(column(0)),
                imm: input(1),
                cells: vec![Cell::write(output(0), column(1), column(0))],
                ..plain
            },
            Class::Div => Bus {
                v2: Some(input(1)),
                imm: input(2),
                new: Some(output(0)),
                bad: output(1),
                ..plain
            },
            Class::Hash => {
                let at = |word: usize| column(0) + V::from(K(8 * word as u64));
                let chaining = (0..4).map(|i| Cell::read(at(i), input(2 + i)));
                let result = (0..4).map(|i| Cell::write(at(4 + i), column(1 + i), output(i)));
                let message = (0..8).map(|i| Cell::read(at(8 + i), input(6 + i)));
                Bus {
                    v1: column(0),
                    v2: Some(input(0)),
                    imm: input(1),
                    cells: chaining.chain(result).chain(message).collect(),
                    ..plain
                }
            }
            Class::Ext => Bus {
                v2: Some(input(1)),
                new: Some(input(2)),
                imm: input(3),
                cells: self.limbs(),
                ..plain
            },
        }
    }

    /// The accesses of EXT to memory: reads of a and b, then the limbs of `accumulate c + a b` in place of c's,
    /// by schoolbook multiplication and `y^3 = y + 1`.
    fn limbs(&self) -> Vec<Cell<V>> {
        let [a0, a1, a2, b0, b1, b2, c0, c1, c2] = &self.columns[..] else {
            panic!("EXT has nine columns, not {}", self.columns.len())
        };
        let output = |i: usize| self.outputs[i].clone();
        let product = |x: &V, y: &V| x.clone() * y.clone();
        let (accumulate, base_field) = (&self.outputs[6], output(7));
        let high = product(a1, b2) + product(a2, b1);
        let top = product(a2, b2);
        let new = [
            product(accumulate, c0) + product(a0, b0) + high.clone(),
            product(accumulate, c1) + product(a0, b1) + product(a1, b0) + high + top.clone(),
            product(accumulate, c2) + product(a0, b2) + product(a1, b1) + product(a2, b0) + top,
        ];
        // Addresses of limbs 0, 1, 2 of a, b, c.
        let [a, b, c] = [0, 1, 2].map(|operand| {
            let pointer = self.inputs[operand].clone();
            [pointer, output(2 * operand), output(2 * operand + 1)]
        });
        let mut cells = Vec::new();
        for (address, word) in a.into_iter().zip([a0, a1, a2]) {
            cells.push(Cell::read(address, word.clone()));
        }
        for (limb, (address, word)) in b.into_iter().zip([b0, b1, b2]).enumerate() {
            let register = if limb == 0 {
                V::default()
            } else {
                base_field.clone()
            };
            cells.push(Cell {
                register,
                ..Cell::read(address, word.clone())
            });
        }
        for ((address, old), new) in c.into_iter().zip([c0, c1, c2]).zip(new) {
            cells.push(Cell::write(address, old.clone(), new));
        }
        cells
    }

    /// The accesses to registers and memory, each with its slot, by ascending slot.
    ///
    /// # Panics
    /// If these are not the words of a row of the class.
    #[must_use]
    pub fn accesses(&self, class: Class) -> Vec<(u64, Cell<V>)> {
        let Bus {
            v1, v2, new, cells, ..
        } = self.bus(class);
        let register = |number: &V, old: V, new: V| Cell {
            register: V::from(K::ONE),
            ..Cell::write(number.clone(), old, new)
        };
        let Fields { a1, a2, ad, .. } = &self.fields;
        let mut accesses = vec![(0, register(a1, v1.clone(), v1))];
        if let Some(v2) = v2 {
            accesses.push((1, register(a2, v2.clone(), v2)));
        }
        if let Some(new) = new {
            let old = if class == Class::Ext {
                new.clone()
            } else {
                self.old.clone()
            };
            accesses.push((2, register(ad, old, new)));
        }
        let first = match class {
            Class::Load | Class::Ld => 1,
            Class::Ext => 4,
            _ => 2,
        };
        accesses.extend((first..).zip(cells));
        accesses.sort_by_key(|&(slot, _)| slot);
        accesses
    }

    /// The identities of the class, which are zero on every row.
    ///
    /// # Panics
    /// If these are not the words of a row of the class.
    #[must_use]
    pub fn identities(&self, class: Class) -> Vec<V> {
        let column = |i: usize| self.columns[i].clone();
        match class {
            Class::Jump => vec![column(0) * column(0) + column(0)],
            Class::Eq => {
                let (difference, z, e) = (column(0) + column(1), column(2), column(3));
                let inverse = difference.clone() * z + V::from(K::ONE) + e.clone();
                vec![inverse, e * difference]
            }
            _ => Vec::new(),
        }
    }
}

impl<V: Value> Cell<V> {
    /// A read of memory.
    fn read(address: V, word: V) -> Self {
        Self::write(address, word.clone(), word)
    }

    /// A write to memory.
    fn write(address: V, old: V, new: V) -> Self {
        Self {
            register: V::default(),
            address,
            old,
            new,
        }
    }
}

/// The number of memory cells that the filler's row names.
const fn padding_cells(class: Class) -> usize {
    match class {
        Class::Load | Class::Store | Class::Ld | Class::Sd => 1,
        Class::Hash => 16,
        Class::Ext => 9,
        _ => 0,
    }
}

/// The row that pads the table of `class`: at the class's filler, with registers and memory zero, but that the
/// cells written hold what is written.
///
/// # Panics
/// If the entry has no class.
#[must_use]
pub fn padding(filler: &Entry) -> Row {
    let class = filler.class.expect("a filler has a class");
    let zeros = [0; 16];
    let operands = Operands {
        v1: 0,
        v2: 0,
        old: 0,
        cells: &zeros[..padding_cells(class)],
    };
    let mut row = Row::new(filler, operands);
    row.old = row.bus(filler).new.map_or(0, |new| new.0);
    if class == Class::Hash {
        row.columns[1..].copy_from_slice(&row.outputs);
    }
    row
}
