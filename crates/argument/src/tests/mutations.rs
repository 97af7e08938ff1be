//! Every element of every list of a machine matters: without it, for prover and verifier alike, it is no machine, or
//! the honest proof is refused, or a false statement is accepted.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use std::format;

use fiat_shamir::VerifyError;
use primitives::field::K;

use super::case::{Case, Forged, HONEST};
use super::machines;
use crate::machine::{Form, Table};

#[test]
fn no_element_of_a_machine_can_be_left_out() {
    let forged = machines::forged();
    for case in machines::all() {
        let forged = forged.iter().filter(|forged| forged.honest.name == case.name);
        let forged: Vec<_> = forged.collect();
        for (what, mutation) in mutations(&case) {
            assert!(
                is_noticed(&case, &forged, &*mutation),
                "nothing notices that the {} machine lacks {what}",
                case.name
            );
        }
    }
}

/// Leaves out an element, and the words for it if they are words of their own.
type Mutation = Box<dyn Fn(&mut Case)>;

fn is_noticed(case: &Case, forged: &[&Forged], mutation: &dyn Fn(&mut Case)) -> bool {
    let with = |case: &Case| {
        let mut mutant = case.clone();
        mutation(&mut mutant);
        mutant
    };
    let mutant = with(case);
    if mutant.machine.check().is_err() {
        return true;
    }
    // What bus and tables refuse needs no opening.
    let early = mutant.verify(&mutant.reduce(HONEST));
    if !matches!(early, Err(VerifyError::StreamEnded { .. })) {
        return early.is_err();
    }
    if mutant.verify(&mutant.prove(HONEST)).is_err() {
        return true;
    }
    let of_this_machine = forged
        .iter()
        .filter(|forged| forged.prover.machine == case.machine);
    let mut accepted = of_this_machine.map(|forged| {
        let proof = with(&forged.prover).prove_announcing(&forged.announced, HONEST);
        mutant.verify(&proof).is_ok()
    });
    accepted.any(|accepted| accepted)
}

/// What leaves out each element of each list; not of absent tables, or of lists that nobody reads.
fn mutations(case: &Case) -> Vec<(String, Mutation)> {
    let machine = &case.machine;
    let mut all = Mutations(Vec::new());
    for (t, table) in machine.tables.iter().enumerate() {
        if case.tables[t].is_some() {
            of_table(&mut all, t, table);
        }
    }
    for (i, boundary) in machine.boundary.iter().enumerate() {
        all.add(format!("boundary {i}"), move |case| {
            case.machine.boundary.remove(i);
        });
        for j in 0..boundary.tuple.len() {
            let what = format!("coordinate {j} of boundary {i}");
            all.add(what, move |case| {
                case.machine.boundary[i].tuple.remove(j);
            });
        }
    }
    for (i, producer) in machine.producers.iter().enumerate() {
        let name = producer.name;
        all.add(format!("the producer {name}"), move |case| {
            case.machine.producers.remove(i);
            case.counts.remove(i);
        });
        let is_read = case.layout().producers[i].bits > 0;
        for j in (0..producer.tuple.len()).filter(|_| is_read) {
            let what = format!("coordinate {j} of the producer {name}");
            all.add(what, move |case| {
                case.machine.producers[i].tuple.remove(j);
            });
        }
    }
    for i in 0..machine.fixed.len() {
        all.add(format!("fixed word {i}"), move |case| {
            case.machine.fixed.remove(i);
        });
    }
    all.0
}

struct Mutations(Vec<(String, Mutation)>);

impl Mutations {
    fn add(&mut self, what: String, mutation: impl Fn(&mut Case) + 'static) {
        self.0.push((what, Box::new(mutation)));
    }
}

fn of_table(all: &mut Mutations, t: usize, table: &Table) {
    let name = table.name;
    for i in 0..table.blocks.len() {
        all.add(format!("block {i} of {name}"), move |case| {
            case.machine.tables[t].blocks.remove(i);
            case.tables[t].as_mut().unwrap().blocks.remove(i);
        });
    }
    for i in 0..table.ports.len() {
        all.add(format!("port {i} of {name}"), move |case| {
            case.machine.tables[t].ports.remove(i);
        });
    }
    for (i, flush) in table.flushes.iter().enumerate() {
        all.add(format!("flush {i} of {name}"), move |case| {
            case.machine.tables[t].flushes.remove(i);
        });
        for (j, form) in flush.tuple.iter().enumerate() {
            let coordinate = format!("coordinate {j} of flush {i} of {name}");
            for (term, without) in shorter(form).into_iter().enumerate() {
                all.add(format!("term {term} of {coordinate}"), move |case| {
                    case.machine.tables[t].flushes[i].tuple[j] = without.clone();
                });
            }
            all.add(coordinate, move |case| {
                case.machine.tables[t].flushes[i].tuple.remove(j);
            });
        }
    }
    for (i, form) in table.identities.iter().enumerate() {
        for (term, without) in shorter(form).into_iter().enumerate() {
            all.add(format!("term {term} of identity {i} of {name}"), move |case| {
                case.machine.tables[t].identities[i] = without.clone();
            });
        }
        all.add(format!("identity {i} of {name}"), move |case| {
            case.machine.tables[t].identities.remove(i);
        });
    }
}

/// The form without each of its terms.
fn shorter(form: &Form) -> Vec<Form> {
    let mut all = Vec::new();
    if form.constant != K::ZERO {
        all.push(Form {
            constant: K::ZERO,
            ..form.clone()
        });
    }
    for i in 0..form.linear.len() {
        let mut without = form.clone();
        without.linear.remove(i);
        all.push(without);
    }
    for i in 0..form.products.len() {
        let mut without = form.clone();
        without.products.remove(i);
        all.push(without);
    }
    all
}
