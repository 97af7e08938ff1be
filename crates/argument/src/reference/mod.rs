//! The prover from the definitions, slow and in scalars: what the prover that ships is held to, byte for byte, and
//! what forges proofs in tests.

mod bus;
mod claims;
mod tables;

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::Prover;
use pcs::commit::{Oracle, commit};
use pcs::stack::{Claims, Region, Statement};
use pcs::whir::prove::stack_shape;
use primitives::field::{E, K};
use primitives::multilinear::eq_at_index;

use crate::layout::{Layout, Place};
use crate::machine::{Coordinate, Index, Machine, PublicColumn};

/// A message that is about to be sent. What `forge` changes is what both transcripts absorb, and what the prover
/// goes on with.
///
/// Where an earlier change made a claim false, a *gap* says what is missing.
#[derive(Clone, Copy)]
pub(crate) enum Message<'m> {
    /// The leaves of a side, which are not sent.
    Leaves(usize),
    /// The root of the grand product.
    Root,
    /// The first values of a side, which are to have this product.
    First { side: usize, product: E },
    /// `h_1 .. h_4` of a round of the layer that starts from layer d.
    LayerRound { d: usize },
    /// The values of a side at the end of the layer that starts from layer d; those of the second side are to have
    /// this product.
    LayerValues { d: usize, side: usize, product: E },
    /// The value of a column that a boundary names. The boundary's share of its side is to grow by `gap`, and does
    /// by `slope` times what is added to the value.
    Named { number: usize, gap: E, slope: E },
    /// `h_1` and `h_2` of a round of the tables.
    Round,
    /// The values of a present table's columns but the index ones, of which the terminal check has this function; it
    /// is to grow by `gap`.
    Columns {
        place: usize,
        terminal: &'m dyn Fn(&[E]) -> E,
        gap: E,
    },
    /// The slices of a producer, then its product, a term of the terminal check, which is to grow by `gap`.
    Producer { number: usize, gap: E },
}

/// What is proven, truly or not.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) layout: &'a Layout<'a>,
    pub(crate) announced: &'a [u64],
    /// The present lanes of the stack.
    pub(crate) stack: &'a [K],
}

/// Proves what a verifier checks by [`verify_core`](crate::verify_core), and lets `forge` change every message.
pub(crate) fn prove(prover: &mut Prover, input: Input<'_>, forge: impl FnMut(Message<'_>, &mut [E])) {
    let Input { layout, stack, .. } = input;
    let reduced = reduce(prover, input, forge);
    let mut claims = Claims {
        points: Vec::new(),
        families: Vec::new(),
        columns: Vec::new(),
    };
    if let Some(batch) = &layout.batch {
        let places = layout.tables.iter();
        let regions: Vec<_> = places.flat_map(|place| place.blocks.clone()).collect();
        let witness = |(region, member): (&Region, &flock::Member)| flock::prove::Witness {
            words: &stack[region.range()],
            live: 1 << member.log_instances,
        };
        let witnesses: Vec<_> = regions.iter().zip(batch.members()).map(witness).collect();
        let reduction = flock::prove::prove(prover, batch, &witnesses);
        claims.families = reduction.families(&regions);
        claims.points = reduction.points;
    }
    input.claim(&mut claims, reduced.zeta, reduced.named, reduced.values);
    let statement = Statement::new(layout.parameters.log_words(), claims).unwrap();
    pcs::stack::prove::prove(prover, &layout.parameters, stack, &reduced.oracle, &statement);
}

/// What is left of bus and tables.
pub(crate) struct Reduced {
    oracle: Oracle<K>,
    zeta: Vec<E>,
    named: Vec<E>,
    values: tables::Values,
}

/// The first part of [`prove`]: all but circuits and opening.
pub(crate) fn reduce(
    prover: &mut Prover,
    input: Input<'_>,
    forge: impl FnMut(Message<'_>, &mut [E]),
) -> Reduced {
    let Input { layout, stack, .. } = input;
    let lanes = stack.len() >> layout.parameters.log_lane_words();
    let oracle = commit(stack, &stack_shape(&layout.parameters, lanes));
    prover.send_digest(oracle.root());
    let alpha = prover.challenges(4);
    let beta = prover.challenge();
    let mut reference = Reference {
        input,
        alpha,
        beta,
        forge,
    };
    let product = reference.grand_product(prover);
    let (named, gaps) = reference.named(prover, &product);
    let values = reference.tables(prover, &product.point, gaps);
    Reduced {
        oracle,
        zeta: product.point,
        named,
        values,
    }
}

impl Input<'_> {
    /// Column `column` of a present table: its word in row `row`.
    fn column(&self, place: &Place<'_>, column: usize, row: usize) -> K {
        let table = place.table;
        match column.checked_sub(table.columns) {
            None => self.stack[place.columns[column].offset + row],
            Some(port) if port < table.ports.len() => {
                let port = table.ports[port];
                let block = row << place.log_block_words[port.block];
                self.stack[place.blocks[port.block].offset + block + port.word]
            }
            Some(_) if column < table.claimed() => {
                let public = table.public[column - table.opened()];
                self.coordinate(&Coordinate::Public(public), row)
            }
            Some(_) => {
                let Index { base, shift } = table.index[column - table.claimed()];
                self.coordinate(&Coordinate::Index { base, shift }, row)
            }
        }
    }

    fn row(&self, place: &Place<'_>, row: usize) -> Vec<K> {
        (0..place.table.width())
            .map(|column| self.column(place, column, row))
            .collect()
    }

    /// A coordinate of tuple `i` of a boundary or a producer.
    fn coordinate(&self, coordinate: &Coordinate, i: usize) -> K {
        match *coordinate {
            Coordinate::Constant(word) => word,
            Coordinate::Announced(word) => K(self.announced[word]),
            Coordinate::Index { base, shift } => K(base ^ (i as u64) << shift),
            Coordinate::Column(column) => self.stack[self.layout.columns[column].offset + i],
            Coordinate::Public(column) => match &self.machine.public[column] {
                PublicColumn::Dense(words) => words[i],
                PublicColumn::Sparse { words, .. } => {
                    let word = words.iter().find(|&&(index, _)| index as usize == i);
                    word.map_or(K::ZERO, |&(_, word)| word)
                }
            },
        }
    }

    fn tuple(&self, tuple: &[Coordinate], i: usize) -> Vec<K> {
        tuple
            .iter()
            .map(|coordinate| self.coordinate(coordinate, i))
            .collect()
    }
}

struct Reference<'a, F> {
    input: Input<'a>,
    alpha: Vec<E>,
    beta: E,
    forge: F,
}

impl<F: FnMut(Message<'_>, &mut [E])> Reference<'_, F> {
    /// Sends what `forge` makes of these scalars; gives what it added to each.
    fn send(&mut self, prover: &mut Prover, message: Message<'_>, scalars: &mut [E]) -> Vec<E> {
        let honest = scalars.to_vec();
        (self.forge)(message, scalars);
        prover.send_scalars(scalars);
        scalars
            .iter()
            .zip(honest)
            .map(|(&sent, honest)| sent + honest)
            .collect()
    }
}

/// `a^(2^n)`.
fn power_of_two(a: E, n: usize) -> E {
    (0..n).fold(a, |a, _| a.square())
}

/// The table with its lowest variable bound to x.
fn bind(table: &[E], x: E) -> Vec<E> {
    table
        .chunks(2)
        .map(|pair| pair[0] + x * (pair[0] + pair[1]))
        .collect()
}

/// The extension of a table at the first coordinates of a point.
pub(crate) fn extension<X: Copy + Into<E>>(table: &[X], point: &[E]) -> E {
    let point = &point[..table.len().ilog2() as usize];
    let terms = table.iter().enumerate();
    terms
        .map(|(i, &entry)| eq_at_index(point, i) * entry.into())
        .sum()
}

/// The coefficients of a polynomial of this degree.
fn interpolate(degree: usize, at: impl Fn(E) -> E) -> Vec<E> {
    let points: Vec<E> = (0..=degree as u64).map(|i| E::from_words([i, 0, i])).collect();
    let mut coefficients = vec![E::ZERO; degree + 1];
    for (i, &x) in points.iter().enumerate() {
        // The basis polynomial of x: the product over the other points o of (X + o) / (x + o).
        let mut basis = vec![at(x)];
        for (_, &o) in points.iter().enumerate().filter(|&(j, _)| j != i) {
            let scale = (x + o).inverse_or_zero();
            let mut next = vec![E::ZERO; basis.len() + 1];
            for (power, &c) in basis.iter().enumerate() {
                next[power + 1] += scale * c;
                next[power] += scale * o * c;
            }
            basis = next;
        }
        for (coefficient, c) in coefficients.iter_mut().zip(basis) {
            *coefficient += c;
        }
    }
    coefficients
}

/// What a claim is off by after a round at this point, having been off by `gap` before it, where these were added to
/// `h_1, h_2, ..`.
fn gap_after(gap: E, z: E, added: &[E], challenge: E) -> E {
    let mut power = E::ONE;
    let mut sum = gap + z * added.iter().copied().sum::<E>();
    for &added in added {
        power *= challenge;
        sum += power * added;
    }
    sum
}
