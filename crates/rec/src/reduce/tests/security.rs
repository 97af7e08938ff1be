//! The account of errors.

use super::fixtures::LARGE;
use crate::reduce::Catalog;
use crate::reduce::security::{Claims, Message, security};

/// log2 of the challenges.
const LOG_CHALLENGES: f64 = 192.0;

#[test]
fn a_message_is_charged_what_the_page_says() {
    let catalog: Catalog = LARGE.catalog(0);
    let claims = Claims {
        runs: 3,
        trees: 2,
        fixed: 10,
    };
    let rounds = security(&catalog, claims);
    let terms = |message| {
        let of_message = rounds.iter().filter(|round| round.message == message);
        let terms = of_message.map(|round| (LOG_CHALLENGES - round.bits).exp2().round() as usize);
        terms.collect::<alloc::vec::Vec<_>>()
    };
    // Three runs with image and bytecode, two trees with ten columns and three carried claims.
    assert_eq!(terms(Message::Dense), [3 * 2 + 2 * 13 - 1]);
    assert_eq!(
        terms(Message::DenseRound),
        alloc::vec![2; catalog.point_variables()]
    );
    // Runs have two groups, trees one; and four circuits are carried, with two powers each.
    assert_eq!(terms(Message::Rows), [3 * 2 + 2 + 2 * 4 * 2 - 1]);
    assert_eq!(terms(Message::RowRound), [2; 8]);
    // A V and B V of each.
    assert_eq!(terms(Message::Columns), [2 * (3 * 2 + 2 + 2 * 4) - 1]);
    assert_eq!(terms(Message::ColumnRound), [2; 8]);
}

#[test]
fn a_node_over_very_many_children_has_128_bits() {
    let catalog = LARGE.catalog(0);
    let claims = Claims {
        runs: 0,
        trees: 1 << 20,
        fixed: 1 << 10,
    };
    let rounds = security(&catalog, claims);
    let error: f64 = rounds.iter().map(|round| (-round.bits).exp2()).sum();
    assert!(-error.log2() >= 128.0 + 32.0);
}
