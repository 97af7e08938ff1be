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
//! | EXT | nine columns a b c | `c' = acc c + a b`, limb by limb |
//!
//! JUMP's b clears the lowest bit of jalr's target; a prover who sets it wrongly jumps to where no entry is.

use alloc::vec;
use alloc::vec::Vec;

use primitives::field::K;

use crate::circuits::hints;
use crate::class::Class;
use crate::entry::Entry;

/// An access to memory, as the row puts it on the bus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The cell's address.
    pub address: K,
    /// Its word before.
    pub old: K,
    /// Its word after.
    pub new: K,
}

/// The words of a row that are not fields of its entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The words at the circuit's input ports; empty for EQ and EXT.
    pub inputs: Vec<u64>,
    /// The words at its output ports.
    pub outputs: Vec<u64>,
    /// The columns of the class that are no ports, in the order of the table above.
    pub columns: Vec<u64>,
}

/// What a row puts on the bus besides its entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bus {
    /// The value of register `a1`.
    pub v1: K,
    /// The value of register `a2`, if the class reads it.
    pub v2: Option<K>,
    /// The word that cell `ad` receives, if the class writes one.
    pub new: Option<K>,
    /// The next program counter.
    pub next_pc: K,
    /// The immediate in the entry's tuple, where a port carries it.
    pub imm: Option<K>,
    /// The verdict in the entry's tuple.
    pub bad: K,
    /// The accesses to memory, by slot.
    pub cells: Vec<Cell>,
}

/// What the machine gives a row.
#[derive(Clone, Copy, Debug)]
pub struct Operands<'a> {
    /// The value of register `a1`.
    pub v1: u64,
    /// The value of register `a2`; 0 in a class without it.
    pub v2: u64,
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
        let Operands { v1, v2, cells } = operands;
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
            Class::Eq | Class::Ext => Vec::new(),
        };
        let outputs = class
            .shape()
            .map_or_else(Vec::new, |shape| shape.reference(&inputs));
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
        }
    }

    /// What the row puts on the bus; for EXT, whose addresses its clock circuit computes, without the cells'
    /// addresses being checked by a form: they are those of `pointers`, the values of `a1`, `a2` and `ad`.
    ///
    /// # Panics
    /// If the row is not one of the entry's class.
    #[must_use]
    pub fn bus(&self, entry: &Entry, pointers: [u64; 3]) -> Bus {
        let class = entry.class.expect("a row is at an entry with a class");
        let k = |words: &[u64]| words.iter().copied().map(K).collect::<Vec<_>>();
        let (ins, outs, columns) = (k(&self.inputs), k(&self.outputs), k(&self.columns));
        let [c0, c1, c2] = entry.constants.map(K);
        let (imm, next, delta) = (K(entry.imm), K(entry.next), K(entry.delta));
        let top = K(1 << 63);
        let read = |address: K, word: K| Cell {
            address,
            old: word,
            new: word,
        };
        let plain = Bus {
            v1: ins.first().copied().unwrap_or_default(),
            v2: None,
            new: None,
            next_pc: next,
            imm: None,
            bad: K::ZERO,
            cells: Vec::new(),
        };
        match class {
            Class::Add => Bus {
                v1: ins[0] + c0,
                v2: Some(ins[1]),
                new: Some(outs[0] + c0),
                ..plain
            },
            Class::Addi => Bus {
                imm: Some(ins[1]),
                new: Some(outs[0]),
                ..plain
            },
            Class::Jump => Bus {
                imm: Some(ins[1]),
                new: Some(next),
                next_pc: outs[0] + columns[0],
                ..plain
            },
            Class::Logic => {
                let new = c0 * (ins[0] + ins[1]) + c1 * outs[0];
                Bus {
                    v2: Some(ins[1] + imm),
                    new: Some(new),
                    ..plain
                }
            }
            Class::Shifti => {
                let (z, t) = (ins[0], outs[0]);
                Bus {
                    v1: z * c0 + t * c1,
                    imm: Some(ins[1]),
                    new: Some(t + c2 * z),
                    ..plain
                }
            }
            Class::Lt => {
                let less = outs[0] + K::X;
                Bus {
                    v1: ins[0] + c0 * top,
                    v2: Some(ins[1] + imm + c0 * top),
                    new: Some(less),
                    next_pc: next + (less + c1) * delta,
                    ..plain
                }
            }
            Class::Eq => {
                let next_pc = next + (columns[3] + c0) * delta;
                Bus {
                    v1: columns[0],
                    v2: Some(columns[1]),
                    next_pc,
                    ..plain
                }
            }
            Class::Word => Bus {
                v1: ins[0] + c0,
                v2: Some(ins[1] + imm),
                new: Some(outs[0] + c0),
                ..plain
            },
            Class::Shift | Class::Mul | Class::Mulh => Bus {
                v2: Some(ins[1]),
                imm: Some(ins[2]),
                new: Some(outs[0]),
                ..plain
            },
            Class::Load => Bus {
                imm: Some(ins[1]),
                new: Some(outs[1]),
                cells: vec![read(outs[0], ins[2])],
                ..plain
            },
            Class::Store => {
                let cell = Cell {
                    address: outs[0],
                    old: ins[3],
                    new: ins[3] + outs[1],
                };
                Bus {
                    v2: Some(ins[1]),
                    imm: Some(ins[2]),
                    cells: vec![cell],
                    ..plain
                }
            }
            Class::Ld => {
                let cells = vec![read(outs[0], columns[0])];
                Bus {
                    imm: Some(ins[1]),
                    new: Some(columns[0]),
                    cells,
                    ..plain
                }
            }
            Class::Sd => {
                let cell = Cell {
                    address: outs[0],
                    old: columns[1],
                    new: columns[0],
                };
                Bus {
                    v2: Some(columns[0]),
                    imm: Some(ins[1]),
                    cells: vec![cell],
                    ..plain
                }
            }
            Class::Div => Bus {
                v2: Some(ins[1]),
                imm: Some(ins[2]),
                new: Some(outs[0]),
                bad: outs[1],
                ..plain
            },
            Class::Hash => {
                let at = |word: usize| columns[0] + K(8 * word as u64);
                let mut cells: Vec<Cell> = (0..4).map(|i| read(at(i), ins[2 + i])).collect();
                cells.extend((0..4).map(|i| Cell {
                    address: at(4 + i),
                    old: columns[1 + i],
                    new: outs[i],
                }));
                cells.extend((0..8).map(|i| read(at(8 + i), ins[6 + i])));
                Bus {
                    v1: columns[0],
                    v2: Some(ins[0]),
                    imm: Some(ins[1]),
                    cells,
                    ..plain
                }
            }
            Class::Ext => {
                let new = extension(&columns, K(entry.imm & 1));
                let [a, b, c] = pointers;
                let limb = |base: u64, i: usize| K(base.wrapping_add(8 * i as u64));
                let mut cells: Vec<Cell> = (0..3).map(|i| read(limb(a, i), columns[i])).collect();
                let limbs = if entry.imm & 2 == 2 { 1 } else { 3 };
                cells.extend((0..limbs).map(|i| read(limb(b, i), columns[3 + i])));
                cells.extend((0..3).map(|i| Cell {
                    address: limb(c, i),
                    old: columns[6 + i],
                    new: new[i],
                }));
                Bus {
                    v1: K(a),
                    v2: Some(K(b)),
                    new: Some(K(c)),
                    imm: Some(imm),
                    cells,
                    ..plain
                }
            }
        }
    }

    /// The identities of the class, which are zero on every row.
    #[must_use]
    pub fn identities(&self, class: Class) -> Vec<K> {
        match (class, &self.columns[..]) {
            (Class::Jump, &[b]) => vec![K(b).square() + K(b)],
            (Class::Eq, &[v1, v2, z, e]) => {
                let (difference, z, e) = (K(v1) + K(v2), K(z), K(e));
                vec![difference * z + K::ONE + e, e * difference]
            }
            _ => Vec::new(),
        }
    }
}

/// The limbs of `accumulate c + a b`: the limbs of a, b and c are the columns, by schoolbook multiplication and
/// `y^3 = y + 1`.
fn extension(columns: &[K], accumulate: K) -> [K; 3] {
    let (a, b, c) = (&columns[..3], &columns[3..6], &columns[6..9]);
    let high = a[1] * b[2] + a[2] * b[1];
    let top = a[2] * b[2];
    [
        accumulate * c[0] + a[0] * b[0] + high,
        accumulate * c[1] + a[0] * b[1] + a[1] * b[0] + high + top,
        accumulate * c[2] + a[0] * b[2] + a[1] * b[1] + a[2] * b[0] + top,
    ]
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
/// cells written by HASH hold what it writes.
///
/// # Panics
/// If the entry has no class.
#[must_use]
pub fn padding(filler: &Entry) -> Row {
    let class = filler.class.expect("a filler has a class");
    let zeros = [0; 16];
    let cells = &zeros[..padding_cells(class)];
    let mut row = Row::new(filler, Operands { v1: 0, v2: 0, cells });
    if class == Class::Hash {
        row.columns[1..].copy_from_slice(&row.outputs);
    }
    row
}
