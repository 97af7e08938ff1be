//! The rows that fill a table.

use alloc::vec::Vec;

use argument::machine::Machine;
use rv::Class;
use rv::forms;
use rv::table::Table;

use crate::columns::{Column, columns};
use crate::parts::number;
use crate::tables::slots;

/// The words of the padding row of a class.
pub(super) struct Padding {
    /// Of each committed column.
    pub(super) columns: Vec<u64>,
    /// Of the class's block.
    pub(super) block: Vec<u64>,
    /// Of the clock's block.
    pub(super) clock: Vec<u64>,
}

impl Padding {
    /// The padding row of a class: at its filler, at clock 0, where an access in slot k refers to itself.
    pub(super) fn new(machine: &Machine, table: &Table, class: Class) -> Self {
        let slot = table.filler_slot(class);
        let filler = &table.entries()[slot];
        let row = forms::padding(filler);
        let [own @ .., clock] = &machine.tables[number(class, 0)].blocks[..] else {
            panic!("every class has a clock");
        };
        let used = row.words(filler).accesses(class);
        let is_used = |slot: u64| used.iter().any(|&(used, _)| used == slot);
        let mut times = Vec::from([0]);
        times.extend(
            slots(class)
                .iter()
                .map(|&slot| if is_used(slot) { slot } else { 0 }),
        );
        let word = |&column: &Column| match column {
            Column::Pc => rv::program::slot_pc(slot),
            Column::Old => row.old,
            Column::Own(i) => row.columns[i],
            column => of_entry(filler, column),
        };
        Self {
            columns: columns(class).iter().map(word).collect(),
            block: own
                .first()
                .map_or_else(Vec::new, |&own| machine.circuits[own].block(&row.inputs)),
            clock: machine.circuits[*clock].block(&times),
        }
    }
}

/// The word of an entry that a column holds; zero for those that hold none.
#[inline(always)]
pub(super) fn of_entry(entry: &rv::entry::Entry, column: Column) -> u64 {
    match column {
        Column::A1 => entry.a1.into(),
        Column::A2 => entry.a2.into(),
        Column::Ad => entry.ad.into(),
        Column::Imm => entry.imm,
        Column::Next => entry.next,
        Column::Delta => entry.delta,
        Column::Constant(i) => entry.constants[i],
        Column::Exit => entry.exit.into(),
        Column::Pc | Column::Old | Column::Own(_) => 0,
    }
}
