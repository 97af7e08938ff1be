//! What a machine can lack, an element at a time.

use argument::machine::{Coordinate, Fixed, Form, Machine, Side, Table};
use primitives::field::K;
use rv::Class;

use crate::forge::{BYTECODE, MEMORY, REGISTERS, STATE};

/// What makes a machine lack something.
pub(super) struct Mutation {
    pub(super) what: String,
    pub(super) change: Box<dyn Fn(&mut Machine)>,
}

/// The first table of each class: the second is the same one, but for its name.
fn first_tables(machine: &Machine) -> &[Table] {
    &machine.tables[..Class::COUNT]
}

/// Mutations of the machine of any program: they name elements of what all programs' machines have alike.
#[derive(Default)]
pub(super) struct Mutations(pub(super) Vec<Mutation>);

impl Mutations {
    pub(super) fn of(machine: &Machine) -> Self {
        let mut all = Self::default();
        all.tables(machine);
        all.coordinates(machine);
        all.lists(machine);
        all.spaces();
        all
    }

    fn add(&mut self, what: String, change: impl Fn(&mut Machine) + 'static) {
        self.0.push(Mutation {
            what,
            change: Box::new(change),
        });
    }

    /// Each identity and each of its terms, each flush, the two flushes of each access.
    fn tables(&mut self, machine: &Machine) {
        for (t, table) in first_tables(machine).iter().enumerate() {
            let name = table.name;
            for (i, identity) in table.identities.iter().enumerate() {
                self.add(format!("identity {i} of {name}"), move |machine| {
                    machine.tables[t].identities.remove(i);
                });
                for (term, form) in shorter(identity).into_iter().enumerate() {
                    self.add(format!("term {term} of identity {i} of {name}"), move |machine| {
                        machine.tables[t].identities[i] = form.clone();
                    });
                }
            }
            for (i, flush) in table.flushes.iter().enumerate() {
                self.add(format!("flush {i} of {name}"), move |machine| {
                    machine.tables[t].flushes.remove(i);
                });
                if i >= 3 && flush.side == Side::Pull {
                    let pair = format!("flushes {i} and {} of {name}", i + 1);
                    self.add(pair, move |machine| {
                        machine.tables[t].flushes.drain(i..i + 2);
                    });
                }
            }
        }
    }

    /// Each coordinate of each flush, and each of its terms.
    fn coordinates(&mut self, machine: &Machine) {
        for (t, table) in first_tables(machine).iter().enumerate() {
            let name = table.name;
            for (i, flush) in table.flushes.iter().enumerate() {
                for (j, form) in flush.tuple.iter().enumerate() {
                    let coordinate = format!("coordinate {j} of flush {i} of {name}");
                    let other = other_form(form);
                    for (term, form) in shorter(form).into_iter().enumerate() {
                        if form != other {
                            self.add(format!("term {term} of {coordinate}"), move |machine| {
                                machine.tables[t].flushes[i].tuple[j] = form.clone();
                            });
                        }
                    }
                    self.add(coordinate, move |machine| {
                        machine.tables[t].flushes[i].tuple[j] = other.clone();
                    });
                }
            }
        }
    }

    /// Each boundary, the two of each memory, their coordinates; the producer's; each fixed word.
    fn lists(&mut self, machine: &Machine) {
        for (i, boundary) in machine.boundary.iter().enumerate() {
            self.add(format!("boundary {i}"), move |machine| {
                machine.boundary.remove(i);
            });
            if i % 2 == 0 {
                self.add(format!("boundaries {i} and {}", i + 1), move |machine| {
                    machine.boundary.drain(i..i + 2);
                });
            }
            for (j, coordinate) in boundary.tuple.iter().enumerate() {
                let other = other_coordinate(*coordinate);
                self.add(format!("coordinate {j} of boundary {i}"), move |machine| {
                    machine.boundary[i].tuple[j] = other;
                });
            }
        }
        for j in 0..machine.producers[0].tuple.len() {
            let other = other_coordinate(machine.producers[0].tuple[j]);
            self.add(format!("coordinate {j} of the bytecode"), move |machine| {
                machine.producers[0].tuple[j] = other;
            });
        }
        for (i, &Fixed { index, .. }) in machine.fixed.iter().enumerate() {
            self.add(format!("the fixed word {index}"), move |machine| {
                machine.fixed.remove(i);
            });
        }
    }

    /// Each coordinate but the separator of all tuples of a space.
    fn spaces(&mut self) {
        for (space, name, coordinates) in [
            (STATE, "all states", 1..4),
            (BYTECODE, "all entries", 1..14),
            (REGISTERS, "all registers", 1..4),
            (MEMORY, "all memory", 1..4),
        ] {
            for j in coordinates {
                self.add(format!("coordinate {j} of {name}"), move |machine| {
                    blank(machine, space, j);
                });
            }
        }
    }
}

/// The form without each of its terms.
fn shorter(form: &Form) -> Vec<Form> {
    let mut all = Vec::new();
    if form.constant != K::ZERO {
        let constant = K::ZERO;
        all.push(Form {
            constant,
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

/// Zero, or one if the form is zero: a zero at the end is no coordinate.
fn other_form(form: &Form) -> Form {
    if *form == Form::default() {
        Form::constant(K::ONE)
    } else {
        Form::default()
    }
}

fn other_coordinate(coordinate: Coordinate) -> Coordinate {
    Coordinate::Constant(if coordinate == Coordinate::Constant(K::ZERO) {
        K::ONE
    } else {
        K::ZERO
    })
}

/// Makes a coordinate zero in all tuples of a space.
fn blank(machine: &mut Machine, space: u64, j: usize) {
    for flush in machine.tables.iter_mut().flat_map(|table| &mut table.flushes) {
        let separator = &flush.tuple[0];
        // EXT reads the limbs of b in memory or in registers: those forms are no constants.
        let is_memory = !separator.linear.is_empty();
        if separator.constant == K(space) && !is_memory || is_memory && space >= REGISTERS {
            flush.tuple[j] = Form::default();
        }
    }
    let boundaries = machine.boundary.iter_mut().map(|boundary| &mut boundary.tuple);
    let producers = machine.producers.iter_mut().map(|producer| &mut producer.tuple);
    for tuple in boundaries.chain(producers) {
        if tuple[0] == Coordinate::Constant(K(space)) {
            tuple[j] = Coordinate::Constant(K::ZERO);
        }
    }
}
