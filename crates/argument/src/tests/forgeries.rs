//! What is false is refused, by the check that protects it; and where a prover hides it, by the next one.

use alloc::vec::Vec;

use fiat_shamir::Label;
use pcs::whir;
use primitives::field::E;

use super::case::{Case, refused_by};
use super::machines;
use crate::reference::Message;
use crate::{PRODUCER, PUBLIC, gkr, tables};

#[test]
fn false_statements_are_refused_by_the_check_that_protects_each() {
    for forged in machines::forged() {
        let refused = refused_by(&forged.verdict());
        assert_eq!(refused, forged.refused, "{}: {}", forged.honest.name, forged.what);
    }
}

/// The check that a change of a message upsets first.
fn owner(message: Message<'_>) -> Label {
    match message {
        Message::Leaves(_) => unreachable!("leaves are not sent"),
        Message::Root => gkr::ROOT.at(0),
        Message::First { side, .. } => gkr::ROOT.at(side),
        Message::LayerRound { d } | Message::LayerValues { d, .. } => gkr::LAYER.at(d),
        Message::Named { .. } | Message::Round | Message::Columns { .. } | Message::Producer { .. } => {
            tables::TERMINAL
        }
    }
}

#[test]
fn a_change_of_any_scalar_is_refused_by_the_check_that_owns_it() {
    for case in machines::all() {
        let mut owners = Vec::new();
        case.reduce(|message, scalars| {
            if !matches!(message, Message::Leaves(_)) {
                owners.extend(scalars.iter().map(|_| owner(message)));
            }
        });
        for (index, &owner) in owners.iter().enumerate() {
            let mut at = 0;
            let proof = case.reduce(|message, scalars| {
                if matches!(message, Message::Leaves(_)) {
                    return;
                }
                let range = at..at + scalars.len();
                at = range.end;
                if range.contains(&index) {
                    scalars[index - range.start] += E::Y;
                }
            });
            assert_eq!(
                refused_by(&case.verify(&proof)),
                owner,
                "{}, scalar {index}",
                case.name
            );
        }
    }
}

/// Where a prover makes up for what is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hide {
    /// The first values have the right product.
    First,
    /// The values of every layer have, too.
    Layers,
    /// The value of a column that a boundary names.
    Named(usize),
    /// The values of a table's columns.
    Columns(usize),
    /// The product of a producer.
    Product(usize),
}

impl Hide {
    fn forge(self, message: Message<'_>, scalars: &mut [E]) {
        let scale = |scalars: &mut [E], product: E| {
            let found: E = scalars.iter().copied().product();
            scalars[0] *= product * found.inverse_or_zero();
        };
        match message {
            Message::First { side: 1, product } => scale(scalars, product),
            Message::LayerValues { side: 1, product, .. } if self != Self::First => scale(scalars, product),
            Message::Named { number, gap, slope } if self == Self::Named(number) => {
                scalars[0] += gap * slope.inverse_or_zero();
            }
            Message::Columns { place, terminal, gap } if self == Self::Columns(place) => {
                raise(terminal, scalars, gap);
            }
            Message::Producer { number, gap } if self == Self::Product(number) => {
                *scalars.last_mut().unwrap() += gap;
            }
            _ => {}
        }
    }
}

/// Changes a value so that the function grows by `gap`; it is linear in some value.
fn raise(function: &dyn Fn(&[E]) -> E, values: &mut [E], gap: E) {
    let wanted = function(values) + gap;
    for i in 0..values.len() {
        let before = values[i];
        values[i] += E::ONE;
        let slope = function(values) + wanted + gap;
        values[i] = before + gap * slope.inverse_or_zero();
        if function(values) == wanted {
            return;
        }
        values[i] = before;
    }
    panic!("no value makes up for the gap");
}

#[test]
fn an_unbalanced_bus_is_refused_wherever_it_is_hidden() {
    // Fixture: a word that is pulled and was never pushed. The prover makes every check hold that its messages can
    // make hold, up to one place. Expected: the check after that place.
    let unbalanced = |honest: Case, table: usize, change: fn(&mut Case, usize)| {
        let mut forged = honest.clone();
        change(&mut forged, table);
        (honest, forged)
    };
    let column: fn(&mut Case, usize) = |case, table| {
        case.tables[table].as_mut().unwrap().columns[1][0] ^= 1;
    };
    let block: fn(&mut Case, usize) = |case, table| {
        let rows = case.tables[table].as_mut().unwrap();
        // 1 + 1 for what was pushed.
        rows.blocks[0] = case.machine.circuits[1].block(&[3 << 32 | 1]).repeat(64);
    };
    let memory = unbalanced(machines::memory(), 0, column);
    let lookup = unbalanced(machines::lookup(), 1, column);
    let circuits = unbalanced(machines::circuits(), 3, block);
    let odd = unbalanced(machines::permutation(), 1, column);
    for case in [&memory, &lookup, &circuits, &odd] {
        let first = 2 - case.0.layout().log_leaves % 2;
        assert_eq!(hidden(case, Hide::First), gkr::LAYER.at(first), "{}", case.0.name);
        assert_eq!(hidden(case, Hide::Layers), tables::TERMINAL, "{}", case.0.name);
    }
    for (case, places) in [(&memory, 1), (&lookup, 2), (&circuits, 3), (&odd, 3)] {
        for place in 0..places {
            assert_eq!(
                hidden(case, Hide::Columns(place)),
                whir::TERMINAL,
                "{}",
                case.0.name
            );
        }
    }
    // Of the columns that the memory's boundaries name the first is pushed, and what is missing is pulled.
    assert_eq!(hidden(&memory, Hide::Named(1)), whir::TERMINAL);
    assert_eq!(hidden(&memory, Hide::Named(2)), whir::TERMINAL);
    assert_eq!(hidden(&lookup, Hide::Named(1)), PUBLIC.at(1));
    for producer in 0..3 {
        assert_eq!(hidden(&lookup, Hide::Product(producer)), PRODUCER.at(producer));
    }
}

fn hidden((honest, forged): &(Case, Case), hide: Hide) -> Label {
    let proof = forged.prove(|message, scalars| hide.forge(message, scalars));
    refused_by(&honest.verify(&proof))
}

#[test]
fn slices_that_agree_with_the_terminal_check_are_refused_by_the_opening() {
    // Forgery: a slice of a count is raised by 1, and the product by what makes up for it.
    let case = machines::lookup();
    for (forged, bits) in [(0, 4), (1, 4)] {
        for bit in 0..bits {
            let proof = case.prove(|message, scalars| {
                if let Message::Producer { number, .. } = message
                    && number == forged
                {
                    scalars[bit] += E::ONE;
                }
                if let Message::Producer { number, gap } = message
                    && number == 2
                {
                    scalars[0] += gap;
                }
            });
            assert_eq!(refused_by(&case.verify(&proof)), whir::TERMINAL);
        }
    }
}

#[test]
fn two_products_that_agree_with_the_terminal_check_are_refused_by_their_lists() {
    let case = machines::lookup();
    for first in 0..2 {
        let proof = case.prove(|message, scalars| {
            if let Message::Producer { number, gap } = message {
                let product = scalars.last_mut().unwrap();
                if number == first {
                    *product += E::Y;
                } else {
                    *product += gap;
                }
            }
        });
        assert_eq!(refused_by(&case.verify(&proof)), PRODUCER.at(first));
    }
}

#[test]
fn leaves_that_are_not_those_of_the_witness_are_refused() {
    // Forgery: the bus does not balance, and one leaf of the pull side makes its product that of the other: one of
    // the ones after the blocks, or one of a block.
    let mut case = machines::memory();
    case.tables[0].as_mut().unwrap().columns[1][0] ^= 1;
    let leaves = 1 << case.layout().log_leaves;
    for leaf in [0, 20, 32, 33, leaves - 1] {
        let mut pushed = E::ONE;
        let proof = case.reduce(|message, scalars| {
            if let Message::Leaves(side) = message {
                let product: E = scalars.iter().copied().product();
                if side == 0 {
                    pushed = product;
                } else {
                    scalars[leaf] *= pushed * product.inverse_or_zero();
                }
            }
        });
        assert_eq!(refused_by(&case.verify(&proof)), tables::TERMINAL, "leaf {leaf}");
    }
}

#[test]
fn column_values_that_agree_with_the_terminal_check_are_refused_by_the_opening() {
    // Forgery: one column's value is raised by 1, and another, in which the terminal is linear, by what makes up
    // for it.
    let case = machines::permutation();
    for table in 0..3 {
        let proof = case.prove(|message, values| {
            if let Message::Columns { place, terminal, .. } = message
                && place == table
            {
                let expected = terminal(values);
                values[0] += E::ONE;
                let wrong = terminal(values);
                values[1] += E::ONE;
                let slope = terminal(values) + wrong;
                values[1] += E::ONE + (wrong + expected) * slope.inverse_or_zero();
                assert_eq!(terminal(values), expected);
            }
        });
        assert_eq!(refused_by(&case.verify(&proof)), whir::TERMINAL);
    }
}

#[test]
fn public_columns_that_agree_with_the_terminal_check_are_refused_when_they_are_settled() {
    // Forgery: of the two public columns of the first table, in each of which the terminal is affine, one is raised
    // by 1, and the other by what makes up for it. No committed column is claimed falsely.
    let case = machines::known(3);
    for (raised, other) in [(2, 3), (3, 2)] {
        let proof = case.prove(|message, values| {
            if let Message::Columns {
                place: 0, terminal, ..
            } = message
            {
                let expected = terminal(values);
                values[raised] += E::ONE;
                let wrong = terminal(values);
                values[other] += E::ONE;
                let slope = terminal(values) + wrong;
                values[other] += E::ONE + (wrong + expected) * slope.inverse_or_zero();
                assert_eq!(terminal(values), expected);
            }
        });
        assert_eq!(refused_by(&case.verify(&proof)), PUBLIC.at(0));
    }
}
