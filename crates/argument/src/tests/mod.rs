//! Machines proven and refused, by the prover from the definitions.

mod case;
mod diagnose;
mod machines;
#[cfg(feature = "prover")]
mod prover;

use alloc::vec::Vec;

use case::{HONEST, refused_by};
use fiat_shamir::Label;
use primitives::field::E;

use crate::reference::Message;
use crate::{gkr, tables};

/// The check that a change of a message upsets first.
fn owner(message: Message<'_>) -> Label {
    match message {
        Message::Root => gkr::ROOT.at(0),
        Message::First(side) => gkr::ROOT.at(side),
        Message::Layer(d) => gkr::LAYER.at(d),
        Message::Named | Message::Round | Message::Columns(..) | Message::Producer => tables::TERMINAL,
    }
}

#[test]
fn a_change_of_any_scalar_is_refused_by_the_check_that_owns_it() {
    for case in machines::all() {
        let mut owners = Vec::new();
        case.prove(|message, scalars| owners.extend(scalars.iter().map(|_| owner(message))));
        for (index, &owner) in owners.iter().enumerate() {
            let mut at = 0;
            let proof = case.prove(|_, scalars| {
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

#[test]
fn honest_proofs_are_accepted() {
    for case in machines::all() {
        assert_eq!(case.verify(&case.prove(HONEST)), Ok(()), "{}", case.name);
    }
}

#[test]
fn a_tuple_that_nobody_pulls_is_refused() {
    let mut case = machines::permutation();
    case.tables[0].as_mut().unwrap().columns[1][3] ^= 1;
    assert_eq!(refused_by(&case.verify(&case.prove(HONEST))), gkr::ROOT.at(1));
}

#[test]
fn column_values_that_agree_with_the_terminal_check_are_refused_by_the_opening() {
    // Forgery: one column's value is raised by 1, and another, in which the terminal is linear, by what makes up
    // for it.
    let case = machines::permutation();
    for table in 0..3 {
        let proof = case.prove(|message, values| {
            if let Message::Columns(place, terminal) = message
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
        assert_eq!(refused_by(&case.verify(&proof)), pcs::whir::TERMINAL);
    }
}
