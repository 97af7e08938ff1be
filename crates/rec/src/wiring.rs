//! From recorded wires to cycles of slots.

use alloc::vec;
use alloc::vec::Vec;

use crate::recorder::{State, Wire};
use crate::rows::{Assignment, Rows, Value, announced_slot, constant_slot, first_slot, key};
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

impl Home {
    fn write(self, rows: &mut Rows, next: u64) {
        match self {
            Self::Row(table, place) => rows.next[table.number()][place] = next,
            Self::Constant(number) => rows.constant_next[number] = next,
            Self::Announced(number) => rows.announced_next[number] = next,
        }
    }
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

    // By value, so that the same constants are the same rows whatever asked for them first.
    let mut constants: Vec<(Value, Wire)> = (state.used.iter())
        .map(|&wire| (state.value(wire), wire))
        .collect();
    constants.sort_unstable_by_key(|&(value, _)| value);

    let mut rows = Rows {
        next: state.rows.each_ref().map(|wires| vec![0; wires.len()]),
        controls: state.controls.clone(),
        constants: constants.iter().map(|&(value, _)| value).collect(),
        constant_next: vec![0; constants.len()],
        announced_next: vec![0; state.announced.len()],
    };
    let mut cycles = Cycles {
        ends: vec![None; state.wires()],
    };
    for table in Table::ALL {
        let (recorded, slots) = (&state.rows[table.number()], table.slot_count());
        for (place, &wire) in recorded.iter().enumerate() {
            let own = key(first_slot(table) + place % slots, place / slots);
            match wire {
                Some(wire) => cycles.append(&mut rows, classes.find(wire), own, Home::Row(table, place)),
                None => rows.next[table.number()][place] = own,
            }
        }
    }
    for (number, &(_, wire)) in constants.iter().enumerate() {
        let own = key(constant_slot(), number);
        cycles.append(&mut rows, classes.find(wire), own, Home::Constant(number));
    }
    for (number, &wire) in state.announced.iter().enumerate() {
        let own = key(announced_slot(), number);
        cycles.append(&mut rows, classes.find(wire), own, Home::Announced(number));
    }
    cycles.close(&mut rows);
    rows
}

/// The cycles of slots so far, each open: its last slot has no successor yet.
struct Cycles {
    /// Of each class the key of its first slot, and where the successor of its last is written.
    ends: Vec<Option<(u64, Home)>>,
}

impl Cycles {
    fn append(&mut self, rows: &mut Rows, class: usize, own: u64, home: Home) {
        let first = match self.ends[class] {
            Some((first, last)) => {
                last.write(rows, own);
                first
            }
            None => own,
        };
        self.ends[class] = Some((first, home));
    }

    fn close(&self, rows: &mut Rows) {
        for &(first, last) in self.ends.iter().flatten() {
            last.write(rows, first);
        }
    }
}
