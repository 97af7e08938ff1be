//! The tables of the machine: the columns of a row, and its slots.
//!
//! A *slot* is a place of a row that has a wire's value: four words, forms in the row's columns. Values of all sorts
//! are four words: an element of E has a zero after its coefficients of 1, y, y^2, a word or a bit three zeros after it.
//! So a word is the element of E that it is embedded as, and a bit the word.
//!
//! | table | columns | slots |
//! |---|---|---|
//! | `EMUL` | a, e, b, d of three words | a, e, b, d, and `c = (a + e) b + d` |
//! | `EXK` | a, d of three words, k of one | a, k, d, and `c = a k + d` |
//! | `HASH` | ports of a block ([`crate::hash`]) | chaining value, message in several views, selector, result in two |
//! | `SPLIT` | 16 bits and the rest | `w = sum_i bit_i x^i + rest x^16`, the rest, the bits |
//! | `CAST` | four words | a digest of the four, an element of E of the first three, each word |

use alloc::vec;
use alloc::vec::Vec;

use argument::machine::Form;
use primitives::field::K;

use crate::hash;

/// A table whose rows a [`Recorder`](crate::Recorder) writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Table {
    /// `c = (a + e) b + d` in E.
    Emul,
    /// `c = a k + d` in E, k in K.
    Exk,
    /// One compression, its message's halves in either order.
    Hash,
    /// The low bits of a word.
    Split,
    /// Four words in several views.
    Cast,
}

/// The slots of [`Table::Emul`].
pub mod emul {
    /// The first summand of the first factor.
    pub const A: usize = 0;
    /// The second summand of the first factor.
    pub const E: usize = 1;
    /// The second factor.
    pub const B: usize = 2;
    /// The summand.
    pub const D: usize = 3;
    /// The result.
    pub const C: usize = 4;
}

/// The slots of [`Table::Exk`].
pub mod exk {
    /// The factor in E.
    pub const A: usize = 0;
    /// The factor in K.
    pub const K: usize = 1;
    /// The summand.
    pub const D: usize = 2;
    /// The result.
    pub const C: usize = 3;
}

/// The slots of [`Table::Split`].
pub mod split {
    /// The bits that a row takes from a word.
    pub const WIDTH: usize = 16;
    /// The word.
    pub const WORD: usize = 0;
    /// What is left of it, shifted down.
    pub const REST: usize = 1;
    /// The first bit; the others follow.
    pub const BITS: usize = 2;
}

/// The slots of [`Table::Cast`].
pub mod cast {
    /// All four words.
    pub const DIGEST: usize = 0;
    /// The first three, as an element of E.
    pub const SCALAR: usize = 1;
    /// The first word alone; the others follow.
    pub const WORDS: usize = 2;
}

/// A place of a row that has a wire's value.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its name, for diagnostics.
    pub name: &'static str,
    /// The four words.
    pub words: [Form; 4],
}

/// A column that is one word of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// The slot.
    pub slot: usize,
    /// The word of its value.
    pub word: usize,
    /// The column.
    pub column: usize,
}

impl Table {
    /// All, in the order of the machine.
    pub const ALL: [Self; 5] = [Self::Emul, Self::Exk, Self::Hash, Self::Split, Self::Cast];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Emul => "EMUL",
            Self::Exk => "EXK",
            Self::Hash => "HASH",
            Self::Split => "SPLIT",
            Self::Cast => "CAST",
        }
    }

    /// The place in [`ALL`](Self::ALL).
    #[must_use]
    pub const fn number(self) -> usize {
        self as usize
    }

    /// The number of columns that hold the row's words, all committed but those of [`Hash`](Self::Hash), which are the
    /// ports of its block.
    #[must_use]
    pub const fn columns(self) -> usize {
        match self {
            Self::Emul => 12,
            Self::Exk => 7,
            Self::Hash => hash::PORTS,
            Self::Split => split::WIDTH + 1,
            Self::Cast => 4,
        }
    }

    /// The number of slots.
    #[must_use]
    pub const fn slot_count(self) -> usize {
        match self {
            Self::Emul => 5,
            Self::Exk => 4,
            Self::Hash => hash::slot::COUNT,
            Self::Split => split::WIDTH + 2,
            Self::Cast => 6,
        }
    }

    /// The slots.
    #[must_use]
    pub fn slots(self) -> Vec<Slot> {
        match self {
            Self::Emul => vec![
                slot("a", columns(0, 3)),
                slot("e", columns(3, 3)),
                slot("b", columns(6, 3)),
                slot("d", columns(9, 3)),
                slot("c", emul_result()),
            ],
            Self::Exk => vec![
                slot("a", columns(0, 3)),
                slot("k", columns(3, 1)),
                slot("d", columns(4, 3)),
                slot("c", exk_result()),
            ],
            Self::Hash => hash::slots(),
            Self::Split => {
                let mut slots = vec![
                    slot("word", [split_word()].into()),
                    slot("rest", columns(split::WIDTH, 1)),
                ];
                slots.extend((0..split::WIDTH).map(|bit| slot("bit", columns(bit, 1))));
                slots
            }
            Self::Cast => {
                let mut slots = vec![slot("digest", columns(0, 4)), slot("scalar", columns(0, 3))];
                slots.extend((0..4).map(|word| slot("word", columns(word, 1))));
                slots
            }
        }
    }

    /// The words of slots that are columns as they stand: of every column at least one, but for the
    /// [control word](crate::hash::CONTROL).
    #[must_use]
    pub fn sources(self) -> Vec<Source> {
        let mut sources = Vec::new();
        for (slot, description) in self.slots().iter().enumerate() {
            for (word, form) in description.words.iter().enumerate() {
                if let ([(column, _)], []) = (&form.linear[..], &form.products[..]) {
                    sources.push(Source {
                        slot,
                        word,
                        column: *column,
                    });
                }
            }
        }
        sources
    }

    /// The forms that vanish on every row, but for that of the [control word](crate::hash::CONTROL).
    #[must_use]
    pub fn identities(self) -> Vec<Form> {
        match self {
            // b^2 = b.
            Self::Split => (0..split::WIDTH)
                .map(|bit| Form::product(bit, bit).plus(Form::column(bit)))
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// A slot whose missing words are zero.
pub(crate) fn slot(name: &'static str, words: Vec<Form>) -> Slot {
    let mut words = words.into_iter();
    Slot {
        name,
        words: core::array::from_fn(|_| words.next().unwrap_or_default()),
    }
}

/// `count` columns from `first`.
pub(crate) fn columns(first: usize, count: usize) -> Vec<Form> {
    (first..first + count).map(Form::column).collect()
}

/// `(a + e) b + d`.
fn emul_result() -> Vec<Form> {
    let mut result = columns(9, 3);
    for first in [0, 3] {
        for i in 0..3 {
            for j in 0..3 {
                // y^3 = y + 1 and y^4 = y^2 + y.
                let powers: &[usize] = [&[0][..], &[1], &[2], &[0, 1], &[1, 2]][i + j];
                for &power in powers {
                    result[power].products.push((first + i, 6 + j, K::ONE));
                }
            }
        }
    }
    result
}

/// `a k + d`.
fn exk_result() -> Vec<Form> {
    (0..3)
        .map(|i| Form::product(i, 3).plus(Form::column(4 + i)))
        .collect()
}

/// `sum_i bit_i x^i + rest x^16`.
fn split_word() -> Form {
    (0..=split::WIDTH)
        .map(|i| Form::column(i).times(K(1 << i)))
        .fold(Form::default(), Form::plus)
}
