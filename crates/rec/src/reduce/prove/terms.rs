//! The weights of dense claims as sums of products of a table of the low variables and one of the high ones.

use alloc::vec;
use alloc::vec::Vec;

use argument::ProducerClaim;
use primitives::field::{E, K};
use primitives::multilinear::{eq_table, scaled_eq_table};

use super::super::catalog::{LOG_BITS, LOG_COORDINATES};
use super::super::claims::Weight;

/// A product of tables.
struct Term {
    low: Vec<E>,
    high: Vec<E>,
    /// What makes claims share a term.
    key: Key,
}

/// Claims of one key have one of the two tables in common.
#[derive(PartialEq, Eq)]
enum Key {
    /// The low table is `eq` of this point.
    Low(Vec<E>),
    /// The high table is zero but at this row of columns of this kind, and, with [`E::ZERO`], of the other kind.
    High { row: usize, kind: E },
}

/// The weights of all claims on a polynomial.
pub(super) struct Terms(Vec<Term>);

impl Terms {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// The low tables and the high ones.
    pub(super) fn into_tables(self) -> impl Iterator<Item = (Vec<E>, Vec<E>)> {
        self.0.into_iter().map(|term| (term.low, term.high))
    }

    /// Adds `scale` times the weights of a claim on a polynomial of so many low and high variables.
    pub(super) fn add(&mut self, weight: &Weight<'_, E>, scale: E, low: usize, high: usize) {
        match *weight {
            Weight::Point(point) => {
                let (low, rest) = point.split_at(low);
                add_all(self.of_low(low, high), &scaled_eq_table(rest, scale));
            }
            Weight::Producer(claim) => add_all(self.of_low(&claim.point, high), &bits(claim, scale)),
            Weight::Column { region, point, kind } => {
                let row = region.offset >> low;
                let halves = [scale * (E::ONE + kind), scale * kind];
                if region.log_words < low {
                    let sums = self.of_row(row, kind, low, high);
                    let from = region.offset % (1 << low);
                    add_all(&mut sums[from..], &scaled_eq_table(point, scale));
                } else {
                    let (low, rest) = point.split_at(low);
                    let sums = self.of_low(low, high);
                    let half = sums.len() / 2;
                    for (sums, scale) in sums.chunks_mut(half).zip(halves) {
                        add_all(&mut sums[row..], &scaled_eq_table(rest, scale));
                    }
                }
            }
        }
    }

    /// The high table of the term whose low one is `eq` of this point.
    fn of_low(&mut self, point: &[E], high: usize) -> &mut [E] {
        let key = Key::Low(point.to_vec());
        let place = self.place(key, |_| Term {
            low: eq_table(point),
            high: vec![E::ZERO; 1 << high],
            key: Key::Low(point.to_vec()),
        });
        &mut self.0[place].high
    }

    /// The low table of the term of a row of columns of one kind.
    fn of_row(&mut self, row: usize, kind: E, low: usize, high: usize) -> &mut [E] {
        let place = self.place(Key::High { row, kind }, |key| {
            let mut table = vec![E::ZERO; 1 << high];
            table[row] = E::ONE + kind;
            table[row + (1 << high) / 2] = kind;
            Term {
                low: vec![E::ZERO; 1 << low],
                high: table,
                key,
            }
        });
        &mut self.0[place].low
    }

    /// The place of the term with this key, which is made if there is none.
    fn place(&mut self, key: Key, make: impl FnOnce(Key) -> Term) -> usize {
        let found = self.0.iter().position(|term| term.key == key);
        found.unwrap_or_else(|| {
            self.0.push(make(key));
            self.0.len() - 1
        })
    }
}

fn add_all(sums: &mut [E], terms: &[E]) {
    for (sum, &term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}

/// `scale sum_b c_b (a_j x^t)^(2^b)` at `j + 16 t`.
fn bits(claim: &ProducerClaim<E>, scale: E) -> Vec<E> {
    let weights = eq_table(&claim.alpha);
    let mut table = Vec::with_capacity(1 << (LOG_COORDINATES + LOG_BITS));
    for t in 0..1 << LOG_BITS {
        for &a in &weights {
            let powers = core::iter::successors(Some(a * K(1 << t)), |power| Some(power.square()));
            let terms = claim.weights.iter().zip(powers);
            let sum: E = terms.map(|(&weight, power)| weight * power).sum();
            table.push(scale * sum);
        }
    }
    table
}
