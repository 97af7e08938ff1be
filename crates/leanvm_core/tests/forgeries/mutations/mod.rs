//! Every element of every list of the machine matters: without it an honest run is none, or a forged one is one.

mod list;
mod runs;

use argument::diagnose::{Committed, diagnose};
use argument::layout::Layout;
use argument::machine::Machine;
use argument::shape::Shape;
use leanvm_core::machine::FINAL_CLOCK;
use leanvm_core::witness::RunWitness;
use primitives::field::K;

use self::list::{Mutation, Mutations};
use crate::forge::Fixture;

/// What is committed and announced for the machine of a program.
struct Witness {
    name: &'static str,
    shape: Shape,
    announced: [u64; FINAL_CLOCK + 1],
    stack: Vec<K>,
}

impl Witness {
    fn new(name: &'static str, witness: &RunWitness<'_>) -> Self {
        Self {
            name,
            shape: witness.shape.clone(),
            announced: witness.announced,
            stack: witness.stack.clone(),
        }
    }

    /// Whether it satisfies the machine.
    fn is_of(&self, machine: &Machine) -> bool {
        let Ok(layout) = Layout::new(machine, &self.shape) else {
            return false;
        };
        let committed = Committed {
            machine,
            layout: &layout,
            announced: &self.announced,
            stack: &self.stack,
        };
        diagnose(&committed).is_clean()
    }
}

/// The machine of a program and runs of the program.
struct Runs {
    machine: Machine,
    honest: Vec<Witness>,
    forged: Vec<Witness>,
}

impl Runs {
    /// The program with every class, all forged runs, and random programs.
    fn all() -> Vec<Self> {
        let fixtures = runs::fixtures();
        let honest = fixtures.iter().map(Fixture::honest);
        let every_class = Self {
            machine: fixtures[0].machine().clone(),
            honest: honest
                .map(|forger| Witness::new("honest", &forger.witness))
                .collect(),
            forged: runs::forged_runs(&fixtures[0]),
        };
        let all: Vec<Self> = std::iter::once(every_class).chain(runs::random()).collect();
        for Self {
            machine,
            honest,
            forged,
        } in &all
        {
            assert!(honest.iter().all(|witness| witness.is_of(machine)));
            for witness in forged {
                assert!(!witness.is_of(machine), "{}", witness.name);
            }
        }
        all
    }

    /// Whether the machine with this change makes a difference to a run.
    fn notice(&mut self, change: &dyn Fn(&mut Machine)) -> bool {
        let machine = &mut self.machine;
        let whole = (
            machine.tables.clone(),
            machine.boundary.clone(),
            machine.producers.clone(),
            machine.fixed.clone(),
        );
        change(machine);
        let noticed = machine.check().is_err()
            || !self.honest.iter().all(|witness| witness.is_of(machine))
            || self.forged.iter().any(|witness| witness.is_of(machine));
        (machine.tables, machine.boundary, machine.producers, machine.fixed) = whole;
        noticed
    }
}

#[test]
fn no_element_of_the_machine_can_be_left_out() {
    let mut all = Runs::all();
    let mutations = Mutations::of(&all[0].machine).0;
    let count = mutations.len();
    let mut unnoticed = Vec::new();
    for Mutation { what, change } in mutations {
        if !all.iter_mut().any(|runs| runs.notice(&*change)) {
            unnoticed.push(what);
        }
    }
    assert!(
        unnoticed.is_empty(),
        "{} of {count} mutations make no difference: {unnoticed:#?}",
        unnoticed.len()
    );
}
