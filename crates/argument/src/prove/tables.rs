//! The sumcheck of all tables and producers.

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::Prover;
use primitives::field::E;
use primitives::multilinear::eq_at_index;
use tracing::info_span;

use super::Input;
use super::columns::Combination;
use super::dense::Message;
use super::producer::Producer;
use super::table::Table;
use crate::layout::{Leaves, Source};
use crate::machine::Side;
use crate::tables::{ProducerValues, Values};

/// Proves that what is left of the leaves is that of tables and producers, and that identities hold.
///
/// # Transcript
/// As [`tables::verify`](crate::tables::verify).
pub(super) fn prove<'a>(prover: &mut Prover, input: &'a Input<'a>, zeta: &[E]) -> Values<E> {
    let xi = prover.challenge();
    let mut tables = info_span!("first pass").in_scope(|| tables(input, zeta, xi));
    let mut producers = info_span!("producers").in_scope(|| producers(input, zeta));
    let mut point: Vec<E> = Vec::with_capacity(input.layout.log_rows);
    let rounds = info_span!("rounds").entered();
    for _ in 0..input.layout.log_rows {
        let mut message = Message::default();
        for table in &mut tables {
            message = message + table.round(&point, zeta);
        }
        for producer in &mut producers {
            message = message + producer.round(&point, zeta);
        }
        prover.send_scalars(&[message.h_1, message.h_2]);
        point.push(prover.challenge());
    }
    drop(rounds);
    let values = info_span!("values").entered();
    let tables: Vec<Vec<E>> = tables.into_iter().map(|table| table.finish(&point)).collect();
    let producers: Vec<ProducerValues<E>> = producers
        .into_iter()
        .map(|producer| producer.finish(&point))
        .collect();
    drop(values);
    for (values, place) in tables.iter().zip(&input.layout.tables) {
        prover.send_scalars(&values[..place.table.claimed()]);
    }
    for values in &producers {
        prover.send_scalars(&values.slices);
        prover.send_scalar(values.product);
    }
    Values {
        point,
        tables,
        producers,
    }
}

/// The tables, each with the combination of its columns that the sumcheck is about.
fn tables<'a>(input: &Input<'a>, zeta: &[E], xi: E) -> Vec<Table<'a>> {
    let mut combinations = vec![Combination::default(); input.layout.tables.len()];
    for (side, blocks) in Side::BOTH.iter().zip(&input.layout.leaves) {
        let scale = if *side == Side::Push { E::ONE } else { xi };
        for block in blocks {
            if let Source::Flush { place, flush } = block.source {
                let selector = scale * selector(block, zeta);
                let tuple = &input.layout.tables[place].table.flushes[flush].tuple;
                for (&weight, form) in input.fingerprint.weights.iter().zip(tuple) {
                    combinations[place].add(selector * weight, form);
                }
            }
        }
    }
    let mut power = xi * xi;
    for (combination, place) in combinations.iter_mut().zip(&input.layout.tables) {
        for identity in &place.table.identities {
            combination.add(power, identity);
            power *= xi;
        }
    }
    let tables = combinations.into_iter().zip(input.columns);
    tables
        .map(|(combination, columns)| Table::new(columns, combination, zeta))
        .collect()
}

fn producers<'a>(input: &'a Input<'a>, zeta: &[E]) -> Vec<Producer<'a>> {
    let mut selectors = vec![Vec::new(); input.layout.producers.len()];
    for block in &input.layout.leaves[0] {
        if let Source::Bit { producer, .. } = block.source {
            selectors[producer].push(selector(block, zeta));
        }
    }
    let producers = selectors.into_iter().enumerate();
    producers
        .map(|(number, selectors)| Producer::new(input, number, selectors, zeta))
        .collect()
}

/// The weight of a block's leaves.
fn selector(block: &Leaves, zeta: &[E]) -> E {
    eq_at_index(&zeta[block.log_len..], block.offset >> block.log_len)
}
