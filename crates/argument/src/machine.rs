//! A machine: tables whose rows push and pull tuples on a bus, and what else is on that bus.
//!
//! A machine is a value. Prover and verifier walk its lists; nothing here knows what the machine computes.
//! `doc/argument.md` says what a proof for it shows.

use alloc::vec::Vec;

use circuit::Circuit;
use primitives::field::K;

/// The most coordinates that a tuple has; those that are missing are zero.
pub const MAX_COORDINATES: usize = 16;

/// A machine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Machine {
    /// The Boolean circuits that blocks of tables refer to.
    pub circuits: Vec<Circuit>,
    /// The tables.
    pub tables: Vec<Table>,
    /// Committed columns that belong to no table.
    pub columns: Vec<FreeColumn>,
    /// Columns that everybody knows.
    pub public: Vec<PublicColumn>,
    /// Tuples of no table.
    pub boundary: Vec<Boundary>,
    /// Lists of entries, each of which is pushed as often as the prover says.
    pub producers: Vec<Producer>,
    /// Words of free columns that are announced.
    pub fixed: Vec<Fixed>,
}

impl Machine {
    /// The number of announced words that boundaries and fixed words refer to.
    #[must_use]
    pub fn announced(&self) -> usize {
        let coordinates = self.boundary.iter().flat_map(|boundary| &boundary.tuple);
        let coordinates = coordinates.filter_map(|coordinate| match *coordinate {
            Coordinate::Announced(word) => Some(word),
            _ => None,
        });
        let fixed = self.fixed.iter().filter_map(|fixed| match fixed.value {
            FixedValue::Announced(word) => Some(word),
            FixedValue::Constant(_) => None,
        });
        coordinates
            .chain(fixed)
            .max()
            .map_or(0, |word| word.saturating_add(1))
    }
}

/// A table: 2^tau rows, where a proof announces tau, or that the table is absent.
///
/// Its columns are numbered: the committed ones, then the [ports](Self::ports), then those that everybody knows:
/// [public](Self::public) ones and [index](Self::index) ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// Its name, for errors.
    pub name: &'static str,
    /// The number of committed columns.
    pub columns: usize,
    /// Of each block that a row has, the number of its circuit in [`Machine::circuits`].
    pub blocks: Vec<usize>,
    /// The words of blocks that forms use.
    pub ports: Vec<Port>,
    /// The columns that are public, by their numbers in [`Machine::public`]: dense ones, of as many words as the table
    /// has rows.
    pub public: Vec<usize>,
    /// The columns that are affine in the bits of a row's number.
    pub index: Vec<Index>,
    /// The tuples of a row.
    pub flushes: Vec<Flush>,
    /// Forms that vanish on every row.
    pub identities: Vec<Form>,
}

impl Table {
    /// The number of columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.claimed().saturating_add(self.index.len())
    }

    /// The number of columns that are claimed: all but the index ones.
    #[must_use]
    pub fn claimed(&self) -> usize {
        self.opened().saturating_add(self.public.len())
    }

    /// The number of columns that are opened: the committed ones and the ports.
    #[must_use]
    pub fn opened(&self) -> usize {
        self.columns.saturating_add(self.ports.len())
    }
}

/// A word of a row's block, as a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Port {
    /// The block, by its place in [`Table::blocks`].
    pub block: usize,
    /// The word of the block.
    pub word: usize,
}

/// The word `base ^ (i << shift)` in row i.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Index {
    /// The word of row 0.
    pub base: u64,
    /// Bits by which the row's number is shifted.
    pub shift: usize,
}

/// A side of the bus.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// What is pushed.
    Push,
    /// What is pulled.
    Pull,
}

impl Side {
    /// Both, in the order of the protocol.
    pub const BOTH: [Self; 2] = [Self::Push, Self::Pull];
}

/// A tuple that every row of a table puts on the bus.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flush {
    /// Where.
    pub side: Side,
    /// At most [`MAX_COORDINATES`] forms; the first is the domain separator.
    pub tuple: Vec<Form>,
}

/// `constant + sum c col_i + sum c col_i col_j`: a polynomial over K of degree at most two in a row's columns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// The constant term.
    pub constant: K,
    /// Columns and their coefficients.
    pub linear: Vec<(usize, K)>,
    /// Pairs of columns and their coefficients.
    pub products: Vec<(usize, usize, K)>,
}

/// A committed column that belongs to no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FreeColumn {
    /// Its name, for errors.
    pub name: &'static str,
    /// log2 of its words.
    pub log_words: usize,
}

/// A column that everybody knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PublicColumn {
    /// Every word: a power of two of them.
    Dense(Vec<K>),
    /// 2^`log_words` words, zero but for those listed by ascending index.
    Sparse {
        /// log2 of the words.
        log_words: usize,
        /// Indices and words.
        words: Vec<(u32, K)>,
    },
}

/// 2^`log_len` tuples of no table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Boundary {
    /// Where they are.
    pub side: Side,
    /// log2 of their number.
    pub log_len: usize,
    /// At most [`MAX_COORDINATES`]; the first is the domain separator.
    pub tuple: Vec<Coordinate>,
}

/// A coordinate of the tuples of a [`Boundary`] or a [`Producer`]: a column of as many words as there are tuples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coordinate {
    /// The same word in every tuple.
    Constant(K),
    /// A word that the proof announces, by its place among them, in every tuple.
    Announced(usize),
    /// `base ^ (i << shift)` in tuple i.
    Index {
        /// The word of tuple 0.
        base: u64,
        /// Bits by which the index is shifted.
        shift: usize,
    },
    /// A free column.
    Column(usize),
    /// A public column.
    Public(usize),
}

/// 2^`log_len` tuples, each pushed as often as the word for it in a committed column says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Producer {
    /// Its name, for errors.
    pub name: &'static str,
    /// log2 of the tuples.
    pub log_len: usize,
    /// The coordinates: constants, indices and dense public columns only. The first is a constant that is no other
    /// producer's; the tuples that tables pull with it are counted as reads.
    pub tuple: Vec<Coordinate>,
}

/// `column[index]` is an announced word, or one that everybody knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixed {
    /// The free column.
    pub column: usize,
    /// The index.
    pub index: usize,
    /// The word.
    pub value: FixedValue,
}

/// The word of a [`Fixed`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FixedValue {
    /// A word that everybody knows.
    Constant(K),
    /// An announced word, by its place among them.
    Announced(usize),
}
