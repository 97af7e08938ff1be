//! The sumcheck of all tables.

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::Prover;
use primitives::field::{E, K};
use primitives::multilinear::eq_at_index;

use super::bus::{selector, selectors_of_bits};
use super::{Input, Message, Reference, bind, gap_after, interpolate, power_of_two};
use crate::layout::{Place, Source};
use crate::machine::{Form, Side};

/// What the sumcheck leaves.
pub(super) struct Values {
    /// The point where it ends.
    pub(super) point: Vec<E>,
    /// The values of the tables' columns.
    pub(super) tables: Vec<Vec<E>>,
    /// The producers' slices.
    pub(super) slices: Vec<Vec<E>>,
}

impl<F: FnMut(Message<'_>, &mut [E])> Reference<'_, F> {
    /// Sends rounds and values.
    pub(super) fn tables(&mut self, prover: &mut Prover, zeta: &[E], gaps: [E; 2]) -> Values {
        let layout = self.input.layout;
        let xi = prover.challenge();
        let mut gap = gaps[0] + xi * gaps[1];
        let mut columns: Vec<Vec<Vec<E>>> = layout.tables.iter().map(|place| self.columns(place)).collect();
        let mut producers: Vec<Vec<Vec<E>>> = (0..layout.producers.len()).map(|n| self.entries(n)).collect();
        let mut point = Vec::new();
        for round in 0..layout.log_rows {
            let at = |x: E| -> E {
                let rest = &zeta[round + 1..];
                let columns = columns.iter().enumerate();
                let tables = columns.map(|(place, tables)| {
                    sum_at(tables, rest, x, &|row| self.of_table(zeta, xi, place, row))
                });
                let producers = producers
                    .iter()
                    .enumerate()
                    .filter(|(_, tables)| !tables.is_empty());
                let producers = producers.map(|(number, tables)| {
                    sum_at(tables, rest, x, &|row| self.of_producer(zeta, number, row))
                });
                tables.chain(producers).sum()
            };
            let mut message = interpolate(2, at).split_off(1);
            let added = self.send(prover, Message::Round, &mut message);
            let challenge = prover.challenge();
            gap = gap_after(gap, zeta[round], &added, challenge);
            for table in columns.iter_mut().chain(&mut producers).flatten() {
                if table.len() > 1 {
                    *table = bind(table, challenge);
                }
            }
            point.push(challenge);
        }
        let columns = columns.iter().map(|tables| first(tables)).collect();
        let tables = self.send_columns(prover, zeta, xi, columns, &mut gap);
        let producers: Vec<_> = producers.iter().map(|tables| first(tables)).collect();
        Values {
            point,
            tables,
            slices: self.send_producers(prover, zeta, &producers, gap),
        }
    }

    /// The values of the tables' columns.
    fn send_columns(
        &mut self,
        prover: &mut Prover,
        zeta: &[E],
        xi: E,
        mut tables: Vec<Vec<E>>,
        gap: &mut E,
    ) -> Vec<Vec<E>> {
        let (input, alpha, beta) = (self.input, self.alpha.clone(), self.beta);
        for (place, values) in tables.iter_mut().enumerate() {
            values.pop();
            let known = values.split_off(input.layout.tables[place].table.claimed());
            let of_row = weight_of_table(input, &alpha, beta, zeta, xi, place);
            let terminal = |claimed: &[E]| of_row(&[claimed, &known[..]].concat());
            let honest = terminal(values);
            let message = Message::Columns {
                place,
                terminal: &terminal,
                gap: *gap,
            };
            self.send(prover, message, values);
            *gap += terminal(values) + honest;
        }
        tables
    }

    /// The slices of the producers, and their products.
    fn send_producers(
        &mut self,
        prover: &mut Prover,
        zeta: &[E],
        producers: &[Vec<E>],
        mut gap: E,
    ) -> Vec<Vec<E>> {
        let mut slices: Vec<Vec<E>> = Vec::new();
        for (number, values) in producers.iter().enumerate() {
            let selectors = selectors_of_bits(self.input.layout, zeta, number);
            let bits = selectors.len();
            let (m, p) = values.split_at(bits);
            let product = (0..bits).map(|b| selectors[b] * m[b] * p[b]).sum();
            let mut message = m.to_vec();
            message.push(product);
            let added = self.send(prover, Message::Producer { number, gap }, &mut message);
            gap += added[bits] + (0..bits).map(|b| selectors[b] * added[b]).sum::<E>();
            message.truncate(bits);
            slices.push(message);
        }
        slices
    }

    /// The columns of a present table, and one of zeros, so that there is one.
    fn columns(&self, place: &Place<'_>) -> Vec<Vec<E>> {
        let columns = place.table.width();
        let rows = 0..1 << place.log_rows;
        let column = |column| {
            rows.clone()
                .map(|row| self.input.column(place, column, row).into())
                .collect()
        };
        let zeros = vec![E::ZERO; rows.len()];
        (0..columns).map(column).chain([zeros]).collect()
    }

    /// The tables `m_b` of a producer, then `P_b`.
    fn entries(&self, number: usize) -> Vec<Vec<E>> {
        let Input {
            machine,
            layout,
            stack,
            ..
        } = self.input;
        let place = layout.producers[number];
        let entries = 0..1 << place.region.log_words;
        let m = |bit| {
            let bit = |i: usize| E::from(K(stack[place.region.offset + i].0 >> bit & 1));
            entries.clone().map(bit).collect()
        };
        let p = |bit| {
            let leaf = |i| self.leaf(&self.input.tuple(&machine.producers[number].tuple, i));
            entries.clone().map(|i| power_of_two(leaf(i), bit)).collect()
        };
        (0..place.bits).map(m).chain((0..place.bits).map(p)).collect()
    }

    /// `B_j` of a row.
    fn of_table(&self, zeta: &[E], xi: E, place: usize, row: &[E]) -> E {
        weight_of_table(self.input, &self.alpha, self.beta, zeta, xi, place)(row)
    }

    /// `sum_b sel_b (1 + m_b (1 + P_b))` of an entry.
    fn of_producer(&self, zeta: &[E], number: usize, row: &[E]) -> E {
        let selectors = selectors_of_bits(self.input.layout, zeta, number);
        let (m, p) = row.split_at(selectors.len());
        let of_bit = |(b, &selector): (usize, &E)| selector * (E::ONE + m[b] * (E::ONE + p[b]));
        selectors.iter().enumerate().map(of_bit).sum()
    }
}

/// `sum_y eq(rest, y) value(x, y)` over the tables' rows, the lowest variable being x; zero if there is none.
fn sum_at(tables: &[Vec<E>], rest: &[E], x: E, value: &dyn Fn(&[E]) -> E) -> E {
    if tables[0].len() == 1 {
        return E::ZERO;
    }
    let bound: Vec<_> = tables.iter().map(|table| bind(table, x)).collect();
    let rest = &rest[..bound[0].len().ilog2() as usize];
    let row = |y: usize| bound.iter().map(|table| table[y]).collect::<Vec<_>>();
    (0..bound[0].len())
        .map(|y| eq_at_index(rest, y) * value(&row(y)))
        .sum()
}

/// The only entry of each table.
fn first(tables: &[Vec<E>]) -> Vec<E> {
    tables.iter().map(|table| table[0]).collect()
}

/// `B_j` of a present table, as a function of a row.
fn weight_of_table<'f>(
    input: Input<'f>,
    alpha: &'f [E],
    beta: E,
    zeta: &'f [E],
    xi: E,
    place: usize,
) -> impl Fn(&[E]) -> E + 'f {
    let layout = input.layout;
    let before = layout.tables[..place]
        .iter()
        .map(|place| place.table.identities.len());
    let before = before.sum::<usize>();
    move |row| {
        let table = layout.tables[place].table;
        let mut sum = E::ZERO;
        for (side, blocks) in Side::BOTH.into_iter().zip(&layout.leaves) {
            for block in blocks {
                if let Source::Flush { place: of, flush } = block.source
                    && of == place
                {
                    let tuple = table.flushes[flush].tuple.iter().enumerate();
                    let tuple = tuple.map(|(i, form)| eq_at_index(alpha, i) * form_value(form, row));
                    let leaf = beta + tuple.sum::<E>();
                    let weight = if side == Side::Push { E::ONE } else { xi };
                    sum += weight * selector(block, zeta) * leaf;
                }
            }
        }
        for (i, identity) in table.identities.iter().enumerate() {
            sum += xi.pow((2 + before + i) as u64) * form_value(identity, row);
        }
        sum
    }
}

/// The value of a form on a row over E.
fn form_value(form: &Form, row: &[E]) -> E {
    let linear = form.linear.iter().map(|&(i, k)| row[i] * k);
    let products = form.products.iter().map(|&(i, j, k)| row[i] * row[j] * k);
    linear
        .chain(products)
        .fold(E::from(form.constant), |sum, term| sum + term)
}
