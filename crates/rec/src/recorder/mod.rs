//! The recorder: an instance of [`Arith`] whose values are wires, and which writes the rows that compute them.
//!
//! It has the values too, from the prover's messages, or zeros in place of these: the rows are the same, since no
//! decision here depends on a value other than that of a constant.
//!
//! What keeps the rows few:
//!
//! 1. Sums and products are noted and written when something needs them as a slot. So `a b + d`, `(a + e) b` and
//!    `(a + e) b + d` are one row, whatever the order of calls; what nothing needs is no row.
//! 2. An operation on the same wires is done once.
//! 3. Operations on constants are done when they are recorded; a product by 0 or 1 and a sum with 0 are no rows.
//! 4. A product with a word is a row of the smaller table.
//! 5. Hashing takes its message in the widths in which it comes, so most messages and all challenges need no
//!    conversion.

mod source;
mod state;

use alloc::vec::Vec;
use core::cell::RefCell;

use fiat_shamir::merkle::INITIAL;
use fiat_shamir::{Arith, Digest, Item, Label, Native, Proof, Value as Side, VerifyError};
use primitives::field::{E, K};

use self::source::Messages;
use self::state::{Definition, Operation, scalar_of, value_of};
use crate::hash::{self, slot};
use crate::rows::{Assignment, Rows, Value};
use crate::table::{Table, cast};
use crate::wiring;

pub(crate) use self::state::State;

/// A value of a circuit: an element of E, a word, a bit or a digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Wire(u32);

impl Wire {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The equality that makes a hint a root.
pub const ROOT: Label = Label::new("rows: root");

/// How many rows of each kind there are.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Rows of each table, in the order of [`Table::ALL`].
    pub rows: [usize; Table::ALL.len()],
    /// Steps of transcripts, among the HASH rows.
    pub steps: usize,
    /// Constants in use.
    pub constants: usize,
    /// Equalities.
    pub equalities: usize,
}

/// Records a verifier as rows.
///
/// `Recorder::new` is of a prover, who gives the [messages](Self::read) of valid proofs; `Recorder::without_values` is of
/// everybody. Both record the same rows.
#[derive(Debug)]
pub struct Recorder<'p> {
    state: RefCell<State>,
    messages: RefCell<Messages<'p>>,
    /// Whether an equality of different values is an error.
    strict: bool,
}

impl<'p> Recorder<'p> {
    /// A recorder with values: the first equality that does not hold is an error, and names itself.
    #[must_use]
    pub fn new() -> Self {
        Self {
            state: RefCell::default(),
            messages: RefCell::new(Messages::Zeros),
            strict: true,
        }
    }

    /// A recorder without values.
    #[must_use]
    pub fn without_values() -> Self {
        Self {
            strict: false,
            ..Self::new()
        }
    }

    /// A recorder with values that records false equalities too, for the tests that see them refused later.
    #[must_use]
    pub fn hazmat_lenient() -> Self {
        Self::without_values()
    }

    /// Makes room for a recording of these rows.
    #[cfg(feature = "prover")]
    pub(crate) fn reserve(&self, rows: &Rows) {
        self.with(|state| state.reserve(rows));
    }

    /// Lets what follows read the messages of this proof, from its first. Without one, they are zeros.
    pub fn read(&self, proof: Option<&'p Proof>) {
        *self.messages.borrow_mut() = match proof {
            Some(proof) => Messages::Proof(Native::new(proof), proof, 0),
            None => Messages::Zeros,
        };
    }

    /// Announces a word: the circuit's statement has it, in the order of these calls.
    pub fn announce(&self, word: Wire) {
        self.with(|state| {
            let word = state.written(word);
            state.announced.push(word);
        });
    }

    /// A wire that no row fixes, with this value: a hint, or a part of the statement.
    ///
    /// `value`: of the sort that the wire is used as; what is used as a word is one word, then zeros.
    #[must_use]
    pub fn hint(&self, value: Value) -> Wire {
        self.with(|state| state.push(value, Definition::Given, false))
    }

    /// A [`hint`](Self::hint) that is used as a word.
    #[must_use]
    pub fn hint_word(&self, word: u64) -> Wire {
        self.with(|state| state.push([word, 0, 0, 0], Definition::Given, true))
    }

    /// The value of a wire.
    #[must_use]
    pub fn value(&self, wire: Wire) -> Value {
        self.state.borrow().value(wire)
    }

    /// The rows that are written so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let state = self.state.borrow();
        let mut counts = Counts {
            steps: state
                .controls
                .iter()
                .filter(|&&control| control & !hash::LAST >= 1 << 32)
                .count(),
            constants: state.used.len(),
            equalities: state.equalities.len(),
            ..Counts::default()
        };
        for (count, (rows, table)) in counts.rows.iter_mut().zip(state.rows.iter().zip(Table::ALL)) {
            *count = rows.len() / table.slot_count();
        }
        counts
    }

    /// The labels of the equalities so far.
    #[must_use]
    pub fn labels(&self) -> Vec<Label> {
        let state = self.state.borrow();
        state.equalities.iter().map(|&(.., label)| label).collect()
    }

    /// The labels of the equalities so far whose sides differ.
    #[must_use]
    pub fn violated(&self) -> Vec<Label> {
        let state = self.state.borrow();
        let differ =
            |&&(a, b, _): &&(Wire, Wire, Label)| state.nodes[a.index()].value != state.nodes[b.index()].value;
        let violated = state.equalities.iter().filter(differ);
        violated.map(|&(_, _, label)| label).collect()
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> Rows {
        wiring::rows(&self.state.borrow(), None)
    }

    /// The values of the rows' slots.
    #[must_use]
    pub fn assignment(&self) -> Assignment {
        wiring::assignment(&self.state.borrow())
    }

    /// The rows, and the values of their slots.
    #[must_use]
    pub fn finish(&self) -> (Rows, Assignment) {
        (self.rows(), self.assignment())
    }

    /// [`finish`](Self::finish) without one of the equalities, for the tests that see it missed.
    #[must_use]
    pub fn hazmat_finish_without(&self, equality: usize) -> (Rows, Assignment) {
        let state = self.state.borrow();
        (wiring::rows(&state, Some(equality)), wiring::assignment(&state))
    }

    fn with<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        change(&mut self.state.borrow_mut())
    }

    fn assert(
        &self,
        a: Wire,
        b: Wire,
        label: Label,
        side: impl Fn(Value) -> Side,
    ) -> Result<(), VerifyError> {
        let [left, right] = self.with(|state| {
            let (a, b) = (state.written(a), state.written(b));
            state.equalities.push((a, b, label));
            [a, b].map(|wire| state.value(wire))
        });
        if self.strict && left != right {
            let (left, right) = (side(left), side(right));
            return Err(VerifyError::Check { label, left, right });
        }
        Ok(())
    }
}

impl Default for Recorder<'_> {
    fn default() -> Self {
        Self::new()
    }
}
impl<'p> Arith for Recorder<'p> {
    type Scalar = Wire;
    type Word = Wire;
    type Bit = Wire;
    type Digest = Wire;
    type Error = VerifyError;

    fn constant(&self, value: E) -> Wire {
        self.with(|state| state.constant(value_of(value)))
    }

    fn constant_word(&self, value: K) -> Wire {
        self.with(|state| state.constant([value.0, 0, 0, 0]))
    }

    fn constant_digest(&self, value: Digest) -> Wire {
        self.with(|state| state.constant(value))
    }

    fn add(&self, a: Wire, b: Wire) -> Wire {
        self.with(|state| state.add(a, b))
    }

    fn mul(&self, a: Wire, b: Wire) -> Wire {
        self.with(|state| state.mul(a, b))
    }

    fn mul_k(&self, a: Wire, k: K) -> Wire {
        let k = self.constant_word(k);
        self.mul(a, k)
    }

    fn mul_word(&self, a: Wire, k: Wire) -> Wire {
        self.mul(a, k)
    }

    fn square(&self, a: Wire) -> Wire {
        self.mul(a, a)
    }

    fn frobenius_64(&self, a: Wire, n: u32) -> Wire {
        // y goes to y^2 and y^2 to y^4 = y^2 + y, or, twice, y to y^2 + y and y^2 to y.
        let powers = [E::Y, E::Y.square()].map(|power| power.frobenius_64(n));
        if n.is_multiple_of(3) {
            return a;
        }
        let [a0, a1, a2] = self.limbs(a);
        let [y1, y2] = powers.map(|power| self.constant(power));
        self.mul_word_add(y2, a2, self.mul_word_add(y1, a1, a0))
    }

    fn inverse_frobenius(&self, a: Wire, n: u32) -> Wire {
        let n = n % 192;
        // The map of order three takes the whole multiples of 64.
        let a = self.frobenius_64(a, (3 - n / 64) % 3);
        let n = n % 64;
        self.inverse_frobenius_orbit(a, n + 1)[n as usize]
    }

    fn inverse_frobenius_orbit(&self, a: Wire, n: u32) -> Vec<Wire> {
        assert!(n <= 64, "roots of at most 63 squarings");
        let root = self.with(|state| {
            let last = n.saturating_sub(1);
            if let Some(value) = state.constant_value(a) {
                let root = scalar_of(value).frobenius((192 - last) % 192);
                return (last, state.constant(value_of(root)));
            }
            // A longer orbit that is known has this one at its beginning.
            let operation = (last..64).map(|n| Operation::Root(a, n));
            for (operation, known) in operation.zip(last..) {
                if let Some(&root) = state.known.get(&operation) {
                    return (known, root);
                }
            }
            if last == 0 {
                return (0, a);
            }
            let value = value_of(state.scalar(a).frobenius(192 - last));
            let root = state.push(value, Definition::Given, state.is_word(a));
            state.known.insert(Operation::Root(a, last), root);
            let mut power = root;
            for _ in 0..last {
                power = state.mul(power, power);
            }
            let (power, a) = (state.written(power), state.written(a));
            state.equalities.push((power, a, ROOT));
            (last, root)
        });
        let (known, root) = root;
        let mut orbit: Vec<Wire> = (0..known)
            .scan(root, |power, _| {
                let this = *power;
                *power = self.square(this);
                Some(this)
            })
            .collect();
        orbit.push(a);
        orbit.reverse();
        orbit.truncate(n as usize);
        orbit
    }

    fn select(&self, bit: Wire, if_zero: Wire, if_one: Wire) -> Wire {
        self.mul_word_add(self.add(if_zero, if_one), bit, if_zero)
    }

    fn limbs(&self, a: Wire) -> [Wire; 3] {
        let [w0, w1, w2, _] = self.with(|state| state.words(a, cast::SCALAR));
        [w0, w1, w2]
    }

    fn scalar(&self, limbs: [Wire; 3]) -> Wire {
        self.with(|state| {
            let zero = Some([0; 4]);
            if state.constant_value(limbs[1]) == zero && state.constant_value(limbs[2]) == zero {
                return limbs[0];
            }
            state.joined(&limbs, cast::SCALAR, Operation::Scalar(limbs))
        })
    }

    fn embed(&self, word: Wire) -> Wire {
        word
    }

    fn bits(&self, word: Wire) -> [Wire; 64] {
        self.with(|state| state.bits(word))
    }

    fn bit_word(&self, bit: Wire) -> Wire {
        bit
    }

    fn digest_words(&self, digest: Wire) -> [Wire; 4] {
        self.with(|state| state.words(digest, cast::DIGEST))
    }

    fn digest(&self, words: [Wire; 4]) -> Wire {
        self.with(|state| state.joined(&words, cast::DIGEST, Operation::Digest(words)))
    }

    fn digest_scalar(&self, digest: Wire) -> Wire {
        let row = match self.with(|state| state.definition(digest)) {
            Definition::Hashed(row) => row,
            _ => {
                let [w0, w1, w2, _] = self.digest_words(digest);
                return self.scalar([w0, w1, w2]);
            }
        };
        self.with(|state| {
            let place = row * Table::Hash.slot_count() + slot::OUT_SCALAR;
            if let Some(scalar) = state.rows[Table::Hash.number()][place] {
                return scalar;
            }
            let value = value_of(state.scalar(digest));
            let scalar = state.push(value, Definition::Given, false);
            state.rows[Table::Hash.number()][place] = Some(scalar);
            scalar
        })
    }

    fn compress(&self, chaining: Wire, items: &[Item<Self>], counter: u64, last: bool) -> Wire {
        self.with(|state| state.compress(chaining, items, counter, last))
    }

    fn merkle_step(&self, node: Wire, sibling: Wire, bit: Wire) -> Wire {
        self.with(|state| {
            let initial = state.constant(INITIAL);
            let wires = [node, sibling, bit].map(|wire| state.written(wire));
            let slots = [slot::LOW, slot::HIGH, slot::SELECTOR];
            let [mut low, mut high, [bit, ..]] = wires.map(|wire| state.value(wire));
            if bit == 1 {
                core::mem::swap(&mut low, &mut high);
            }
            let message = core::array::from_fn(|i| if i < 4 { low[i] } else { high[i - 4] });
            let slots = slots.into_iter().zip(wires).collect();
            state.hash_row(initial, slots, &message, 64 | hash::LAST)
        })
    }

    fn assert_eq(&self, a: Wire, b: Wire, label: Label) -> Result<(), VerifyError> {
        self.assert(a, b, label, |value| Side::Scalar(scalar_of(value)))
    }

    fn assert_eq_word(&self, a: Wire, b: Wire, label: Label) -> Result<(), VerifyError> {
        self.assert(a, b, label, |[word, ..]| Side::Word(K(word)))
    }

    fn assert_eq_digest(&self, a: Wire, b: Wire, label: Label) -> Result<(), VerifyError> {
        self.assert(a, b, label, Side::Digest)
    }

    fn assert_zero_bit(&self, bit: Wire, label: Label) -> Result<(), VerifyError> {
        let zero = self.with(State::zero);
        self.assert(bit, zero, label, |[word, ..]| Side::Bit(word == 1))
    }
}
