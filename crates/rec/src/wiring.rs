//! From recorded wires to cycles of slots.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use crate::recorder::{State, Wire};
use crate::rows::{Assignment, Rows, announced_slot, constant_slot, first_slot, key};
use crate::table::Table;

/// Wires that are equal, by union-find.
struct Classes {
    parents: Vec<usize>,
}

impl Classes {
    fn find(&mut self, wire: Wire) -> usize {
        let mut class = wire.index();
        while self.parents[class] != class {
            // Path halving.
            self.parents[class] = self.parents[self.parents[class]];
            class = self.parents[class];
        }
        class
    }

    fn merge(&mut self, a: Wire, b: Wire) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b)] = a.min(b);
    }
}

/// Where the key of a slot's successor is written.
#[derive(Clone, Copy)]
enum Home {
    Row(Table, usize),
    Constant(usize),
    Announced(usize),
}

/// The values of a recording.
pub(crate) fn assignment(state: &State) -> Assignment {
    let value = |wire: &Option<Wire>| wire.map(|wire| state.value(wire));
    let first_word = |&wire: &Wire| state.value(wire)[0];
    Assignment {
        values: state
            .rows
            .each_ref()
            .map(|wires| wires.iter().map(value).collect()),
        announced: state.announced.iter().map(first_word).collect(),
    }
}

/// The rows of a recording, without one equality if a number is given.
pub(crate) fn rows(state: &State, without: Option<usize>) -> Rows {
    let mut classes = Classes {
        parents: (0..state.wires()).collect(),
    };
    for (number, &(a, b, _)) in state.equalities.iter().enumerate() {
        if without != Some(number) {
            classes.merge(a, b);
        }
    }

    let mut rows = Rows {
        controls: state.controls.clone(),
        constants: state.used.keys().copied().collect(),
        constant_next: vec![0; state.used.len()],
        announced_next: vec![0; state.announced.len()],
        ..Rows::default()
    };
    // Of each class its slots, in the order of the machine.
    let mut cycles: BTreeMap<usize, Vec<(u64, Home)>> = BTreeMap::new();
    for table in Table::ALL {
        let (recorded, slots) = (&state.rows[table.number()], table.slot_count());
        rows.next[table.number()] = vec![0; recorded.len()];
        for (place, &wire) in recorded.iter().enumerate() {
            let own = key(first_slot(table) + place % slots, place / slots);
            match wire {
                Some(wire) => {
                    let cycle = cycles.entry(classes.find(wire)).or_default();
                    cycle.push((own, Home::Row(table, place)));
                }
                None => rows.next[table.number()][place] = own,
            }
        }
    }
    for (number, &wire) in state.used.values().enumerate() {
        let cycle = cycles.entry(classes.find(wire)).or_default();
        cycle.push((key(constant_slot(), number), Home::Constant(number)));
    }
    for (number, &wire) in state.announced.iter().enumerate() {
        let cycle = cycles.entry(classes.find(wire)).or_default();
        cycle.push((key(announced_slot(), number), Home::Announced(number)));
    }

    for cycle in cycles.values() {
        let successors = cycle.iter().cycle().skip(1);
        for (&(_, home), &(next, _)) in cycle.iter().zip(successors) {
            match home {
                Home::Row(table, place) => rows.next[table.number()][place] = next,
                Home::Constant(number) => rows.constant_next[number] = next,
                Home::Announced(number) => rows.announced_next[number] = next,
            }
        }
    }
    rows
}
