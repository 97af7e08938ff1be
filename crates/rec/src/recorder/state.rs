//! The rows so far, and the operations that write them.

use alloc::vec::Vec;

use fiat_shamir::{Item, Label};
use hashbrown::HashMap;
use primitives::blake2s::compress_words;
use primitives::field::E;

use super::{Recorder, Wire};
use crate::hash::{self, slot};
#[cfg(feature = "prover")]
use crate::rows::Rows;
use crate::rows::Value;
use crate::table::{Table, cast, emul, exk, split};

/// What a wire is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Definition {
    /// A constant.
    Constant,
    /// Given by a slot of a row, or free: a message of the prover's, or a hint.
    Given,
    /// The result of a HASH row.
    Hashed(usize),
    /// `(a + e) b`, not written yet; no operand is a sum or a product that is not written.
    Product { a: Wire, e: Option<Wire>, b: Wire },
    /// `a k`, not written yet, as above.
    WordProduct { a: Wire, k: Wire },
    /// The sum of two, not written yet; at most one is a product that is not written, neither is such a sum.
    Sum(Wire, Wire),
}

/// An operation, by which what is known already is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Operation {
    Sum(Wire, Wire),
    Product(Wire, Option<Wire>, Wire),
    WordProduct(Wire, Wire),
    Scalar([Wire; 3]),
    Digest([Wire; 4]),
    Root(Wire, u32),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) value: Value,
    pub(super) definition: Definition,
    /// Whether it is known to be an element of K, whatever the values are.
    pub(super) is_word: bool,
    /// Of a constant: whether something needs it.
    pub(super) is_used: bool,
}

/// The rows so far.
#[derive(Default, Debug)]
pub(crate) struct State {
    pub(super) nodes: Vec<Node>,
    pub(crate) constants: HashMap<Value, Wire>,
    /// The constant 0, once something asked for it.
    zero: Option<Wire>,
    /// The constants that something needs, in any order.
    pub(crate) used: Vec<Wire>,
    pub(super) known: HashMap<Operation, Wire>,
    /// The words of a wire.
    pub(super) words: HashMap<Wire, [Wire; 4]>,
    pub(super) bits: HashMap<Wire, [Wire; 64]>,
    /// Of each table, the wire of each slot of each row.
    pub(crate) rows: [Vec<Option<Wire>>; Table::ALL.len()],
    pub(crate) controls: Vec<u64>,
    pub(crate) equalities: Vec<(Wire, Wire, Label)>,
    pub(crate) announced: Vec<Wire>,
}

pub(super) fn value_of(scalar: E) -> Value {
    let [a0, a1, a2] = scalar.to_words();
    [a0, a1, a2, 0]
}

pub(super) fn scalar_of([a0, a1, a2, _]: Value) -> E {
    E::from_words([a0, a1, a2])
}

fn push(nodes: &mut Vec<Node>, value: Value, definition: Definition, is_word: bool) -> Wire {
    let wire = Wire(u32::try_from(nodes.len()).expect("fewer than 2^32 wires"));
    nodes.push(Node {
        value,
        definition,
        is_word,
        is_used: false,
    });
    wire
}

impl State {
    pub(crate) fn value(&self, wire: Wire) -> Value {
        self.nodes[wire.index()].value
    }

    /// Makes room for a recording of these rows.
    #[cfg(feature = "prover")]
    pub(super) fn reserve(&mut self, rows: &Rows) {
        for (recorded, next) in self.rows.iter_mut().zip(&rows.next) {
            recorded.reserve(next.len());
        }
        self.controls.reserve(rows.controls.len());
        // A row of arithmetic is an operation or two; what else makes wires is a small part of these.
        let operations = 2 * (rows.count(Table::Emul) + rows.count(Table::Exk));
        self.known.reserve(operations);
        self.nodes.reserve(operations);
    }

    pub(crate) fn wires(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn scalar(&self, wire: Wire) -> E {
        scalar_of(self.value(wire))
    }

    pub(super) fn definition(&self, wire: Wire) -> Definition {
        self.nodes[wire.index()].definition
    }

    pub(super) fn is_word(&self, wire: Wire) -> bool {
        self.nodes[wire.index()].is_word
    }

    /// The value, if it is a constant's: nothing else may decide what is recorded.
    pub(super) fn constant_value(&self, wire: Wire) -> Option<Value> {
        (self.definition(wire) == Definition::Constant).then(|| self.value(wire))
    }

    pub(super) fn push(&mut self, value: Value, definition: Definition, is_word: bool) -> Wire {
        push(&mut self.nodes, value, definition, is_word)
    }

    pub(super) fn constant(&mut self, value: Value) -> Wire {
        let is_word = value[1..] == [0; 3];
        let make = || push(&mut self.nodes, value, Definition::Constant, is_word);
        *self.constants.entry(value).or_insert_with(make)
    }

    fn use_constant(&mut self, wire: Wire) {
        let node = &mut self.nodes[wire.index()];
        if !node.is_used {
            node.is_used = true;
            self.used.push(wire);
        }
    }

    pub(super) fn zero(&mut self) -> Wire {
        // Nearly every row asks for it.
        let zero = self.zero.unwrap_or_else(|| self.constant([0; 4]));
        self.zero = Some(zero);
        zero
    }

    /// The wire of an operation, made if it is not known.
    pub(super) fn operation(
        &mut self,
        operation: Operation,
        value: Value,
        definition: Definition,
        is_word: bool,
    ) -> Wire {
        let make = || push(&mut self.nodes, value, definition, is_word);
        *self.known.entry(operation).or_insert_with(make)
    }

    pub(super) fn add(&mut self, a: Wire, b: Wire) -> Wire {
        let (a, b) = (a.min(b), a.max(b));
        let value = value_of(self.scalar(a) + self.scalar(b));
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(_), Some(_)) => return self.constant(value),
            (Some([0, 0, 0, 0]), _) => return b,
            (_, Some([0, 0, 0, 0])) => return a,
            _ if a == b => return self.zero(),
            _ => {}
        }
        for wire in [a, b] {
            if let Definition::Sum(..) = self.definition(wire) {
                self.written(wire);
            }
        }
        if self.is_product(a) && self.is_product(b) {
            self.written(a);
        }
        let is_word = self.is_word(a) && self.is_word(b);
        self.operation(Operation::Sum(a, b), value, Definition::Sum(a, b), is_word)
    }

    pub(super) fn mul(&mut self, a: Wire, b: Wire) -> Wire {
        let value = value_of(self.scalar(a) * self.scalar(b));
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(_), Some(_)) => return self.constant(value),
            (Some([0, 0, 0, 0]), _) | (_, Some([1, 0, 0, 0])) => return a,
            (_, Some([0, 0, 0, 0])) | (Some([1, 0, 0, 0]), _) => return b,
            _ => {}
        }
        if self.is_word(a) || self.is_word(b) {
            let (a, k) = if self.is_word(b) { (a, b) } else { (b, a) };
            let is_word = self.is_word(a);
            let (a, k) = (self.written(a), self.written(k));
            let definition = Definition::WordProduct { a, k };
            return self.operation(Operation::WordProduct(a, k), value, definition, is_word);
        }
        let (a, b) = (a.min(b), a.max(b));
        let (a, e, b) = match (self.plain_sum(a), self.plain_sum(b)) {
            (Some((x, e)), _) if a != b => (x, Some(e), self.written(b)),
            (_, Some((x, e))) if a != b => (x, Some(e), self.written(a)),
            _ => (self.written(a), None, self.written(b)),
        };
        let definition = Definition::Product { a, e, b };
        self.operation(Operation::Product(a, e, b), value, definition, false)
    }

    pub(super) fn is_product(&self, wire: Wire) -> bool {
        let definition = self.definition(wire);
        matches!(
            definition,
            Definition::Product { .. } | Definition::WordProduct { .. }
        )
    }

    /// The two summands of a sum that is not written, if neither is a product that is not written.
    pub(super) fn plain_sum(&self, wire: Wire) -> Option<(Wire, Wire)> {
        match self.definition(wire) {
            Definition::Sum(x, y) if !self.is_product(x) && !self.is_product(y) => Some((x, y)),
            _ => None,
        }
    }

    /// Writes the row that computes a wire, if that is still to be done.
    pub(super) fn written(&mut self, wire: Wire) -> Wire {
        match self.definition(wire) {
            Definition::Constant => self.use_constant(wire),
            Definition::Given | Definition::Hashed(_) => {}
            Definition::Product { .. } | Definition::WordProduct { .. } => {
                let zero = self.zero();
                self.write_product(wire, zero, wire);
            }
            Definition::Sum(x, y) if self.is_product(x) => self.write_product(x, y, wire),
            Definition::Sum(x, y) if self.is_product(y) => self.write_product(y, x, wire),
            Definition::Sum(x, y) => {
                let one = self.constant([1, 0, 0, 0]);
                self.row(
                    Table::Exk,
                    &[(exk::A, x), (exk::K, one), (exk::D, y), (exk::C, wire)],
                );
            }
        }
        if let Definition::Product { .. } | Definition::WordProduct { .. } | Definition::Sum(..) =
            self.definition(wire)
        {
            self.nodes[wire.index()].definition = Definition::Given;
        }
        wire
    }

    /// The row of `product + d = result`.
    pub(super) fn write_product(&mut self, product: Wire, d: Wire, result: Wire) {
        // The result is a slot of this row: it must not be written again on the way.
        let definition = core::mem::replace(&mut self.nodes[result.index()].definition, Definition::Given);
        let of_product = if product == result {
            definition
        } else {
            self.definition(product)
        };
        match of_product {
            Definition::Product { a, e, b } => {
                let e = e.unwrap_or_else(|| self.zero());
                self.row(
                    Table::Emul,
                    &[
                        (emul::A, a),
                        (emul::E, e),
                        (emul::B, b),
                        (emul::D, d),
                        (emul::C, result),
                    ],
                );
            }
            Definition::WordProduct { a, k } => {
                self.row(
                    Table::Exk,
                    &[(exk::A, a), (exk::K, k), (exk::D, d), (exk::C, result)],
                );
            }
            _ => {}
        }
    }

    /// Writes a row with these wires in its slots, and gives its number.
    pub(super) fn row(&mut self, table: Table, slots: &[(usize, Wire)]) -> usize {
        let mut row = [None; 32];
        for &(slot, wire) in slots {
            // The result of the row itself is given by now, or is about to be.
            if let Definition::Constant = self.definition(wire) {
                self.use_constant(wire);
            }
            row[slot] = Some(wire);
        }
        let (rows, count) = (&mut self.rows[table.number()], table.slot_count());
        rows.extend(&row[..count]);
        rows.len() / count - 1
    }

    /// The words of a wire: of a digest four, of an element of E three and zero.
    pub(super) fn words(&mut self, wire: Wire, view: usize) -> [Wire; 4] {
        let zero = self.zero();
        if let Some(value) = self.constant_value(wire) {
            return value.map(|word| self.constant([word, 0, 0, 0]));
        }
        if self.is_word(wire) {
            return [wire, zero, zero, zero];
        }
        if let Some(&words) = self.words.get(&wire) {
            return words;
        }
        let wire = self.written(wire);
        let value = self.value(wire);
        let mut words = value.map(|word| self.push([word, 0, 0, 0], Definition::Given, true));
        let mut slots = Vec::from([(view, wire)]);
        if view == cast::SCALAR {
            words[3] = zero;
        }
        let count = if view == cast::SCALAR { 3 } else { 4 };
        slots.extend((cast::WORDS..).zip(words).take(count));
        self.row(Table::Cast, &slots);
        self.words.insert(wire, words);
        let [w0, w1, w2, _] = words;
        let operation = if view == cast::SCALAR {
            Operation::Scalar([w0, w1, w2])
        } else {
            Operation::Digest(words)
        };
        self.known.insert(operation, wire);
        words
    }

    /// The wire with these words.
    pub(super) fn joined(&mut self, words: &[Wire], view: usize, operation: Operation) -> Wire {
        let mut value = [0; 4];
        for (value, &word) in value.iter_mut().zip(words) {
            [*value, ..] = self.value(word);
        }
        if words.iter().all(|&word| self.constant_value(word).is_some()) {
            return self.constant(value);
        }
        if let Some(&wire) = self.known.get(&operation) {
            return wire;
        }
        let wire = self.push(value, Definition::Given, false);
        let mut slots = Vec::from([(view, wire)]);
        for (slot, &word) in (cast::WORDS..).zip(words) {
            slots.push((slot, self.written(word)));
        }
        self.row(Table::Cast, &slots);
        self.known.insert(operation, wire);
        let zero = self.zero();
        self.words.insert(
            wire,
            core::array::from_fn(|i| words.get(i).copied().unwrap_or(zero)),
        );
        wire
    }

    pub(super) fn bits(&mut self, word: Wire) -> [Wire; 64] {
        if let Some([value, ..]) = self.constant_value(word) {
            return core::array::from_fn(|bit| self.constant([value >> bit & 1, 0, 0, 0]));
        }
        if let Some(&bits) = self.bits.get(&word) {
            return bits;
        }
        let word = self.written(word);
        let zero = self.zero();
        let mut bits = [zero; 64];
        let [mut value, ..] = self.value(word);
        let mut left = word;
        for (number, bits) in bits.chunks_mut(split::WIDTH).enumerate() {
            for (place, bit) in bits.iter_mut().enumerate() {
                *bit = self.push([value >> place & 1, 0, 0, 0], Definition::Given, true);
            }
            value >>= split::WIDTH;
            let rest = if (number + 1) * split::WIDTH == 64 {
                zero
            } else {
                self.push([value, 0, 0, 0], Definition::Given, true)
            };
            let mut slots = Vec::from([(split::WORD, left), (split::REST, rest)]);
            slots.extend((split::BITS..).zip(bits.iter().copied()));
            self.row(Table::Split, &slots);
            left = rest;
        }
        self.bits.insert(word, bits);
        bits
    }

    /// A HASH row; `slots` are those of the message and the selector.
    pub(super) fn hash_row(
        &mut self,
        chaining: Wire,
        mut slots: Vec<(usize, Wire)>,
        message: &[u64; 8],
        control: u64,
    ) -> Wire {
        let (counter, last) = (control & !hash::LAST, control & hash::LAST != 0);
        let value = compress_words(&self.value(chaining), message, counter, last);
        let row = self.rows[Table::Hash.number()].len() / Table::Hash.slot_count();
        let out = self.push(value, Definition::Hashed(row), false);
        slots.extend([(slot::CHAINING, chaining), (slot::OUT, out)]);
        self.row(Table::Hash, &slots);
        self.controls.push(control);
        out
    }

    pub(super) fn compress(
        &mut self,
        chaining: Wire,
        items: &[Item<Recorder<'_>>],
        counter: u64,
        last: bool,
    ) -> Wire {
        let mut message = [0; 8];
        let mut at = 0;
        for item in items {
            let (Item::Scalar(wire) | Item::Word(wire) | Item::Digest(wire)) = *item;
            let width = item.words();
            message[at..at + width].copy_from_slice(&self.value(wire)[..width]);
            at += width;
        }
        let is_constant = |item: &Item<Recorder<'_>>| {
            let (Item::Scalar(wire) | Item::Word(wire) | Item::Digest(wire)) = *item;
            self.constant_value(wire).is_some()
        };
        if self.constant_value(chaining).is_some() && items.iter().all(is_constant) {
            return self.constant(compress_words(&self.value(chaining), &message, counter, last));
        }
        let mut slots = Vec::new();
        let mut at = 0;
        for item in items {
            self.place(&mut slots, at, item);
            at += item.words();
        }
        let zero = self.zero();
        if at == 0 {
            slots.push((slot::LOW, zero));
            at = 4;
        }
        if at == 4 {
            slots.push((slot::HIGH, zero));
            at = 8;
        }
        slots.extend((at..8).map(|word| (slot::WORDS + word, zero)));
        slots.push((slot::SELECTOR, zero));
        let control = if last { counter | hash::LAST } else { counter };
        self.hash_row(chaining, slots, &message, control)
    }

    /// The slots of an item at a word of a message: that of its width, or those of its words.
    pub(super) fn place(&mut self, slots: &mut Vec<(usize, Wire)>, at: usize, item: &Item<Recorder<'_>>) {
        match *item {
            Item::Word(word) => slots.push((slot::WORDS + at, self.written(word))),
            Item::Digest(digest) if at.is_multiple_of(4) => {
                slots.push((slot::LOW + at / 4, self.written(digest)));
            }
            Item::Digest(digest) => {
                let words = self.words(digest, cast::DIGEST);
                slots.extend((slot::WORDS + at..).zip(words));
            }
            Item::Scalar(scalar) => match slot::SCALAR_AT.iter().position(|&place| place == at) {
                Some(place) => slots.push((slot::SCALARS + place, self.written(scalar))),
                None => {
                    let words = self.words(scalar, cast::SCALAR);
                    slots.extend((slot::WORDS + at..).zip(words).take(3));
                }
            },
        }
    }
}
