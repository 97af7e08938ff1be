//! The columns of a single row, and its tuples.

use argument::machine::{Flush, Side, Table};
use circuit::clock;
use leanvm_core::columns::{Column, columns};
use leanvm_core::tables;
use primitives::field::K;
use rv::Class;
use rv::entry::Entry;
use rv::forms::Row;

/// A row at its place and time.
pub(crate) struct Placed<'a> {
    pub(crate) entry: &'a Entry,
    pub(crate) pc: u64,
    pub(crate) ts: u64,
    /// By slot of the class's clock circuit.
    pub(crate) prev: Vec<u64>,
    pub(crate) row: Row,
}

impl Placed<'_> {
    pub(crate) fn class(&self) -> Class {
        self.entry.class.expect("a row is at an entry with a class")
    }

    /// The words at the ports of the row's blocks: of the class's circuit, if it has one, then of its clock.
    pub(crate) fn ports(&self) -> Vec<Vec<u64>> {
        let step = clock::reference(tables::slots(self.class()), self.ts, &self.prev);
        let clock = [&[self.ts][..], &self.prev, &[step]].concat();
        let own = [&self.row.inputs[..], &self.row.outputs].concat();
        if own.is_empty() {
            [clock].into()
        } else {
            [own, clock].into()
        }
    }

    /// The words of the table's columns: committed ones, then ports.
    pub(crate) fn columns(&self, table: &Table) -> Vec<K> {
        let entry = self.entry;
        let committed = columns(self.class()).iter().map(|&column| match column {
            Column::Pc => self.pc,
            Column::A1 => entry.a1.into(),
            Column::A2 => entry.a2.into(),
            Column::Ad => entry.ad.into(),
            Column::Imm => entry.imm,
            Column::Next => entry.next,
            Column::Delta => entry.delta,
            Column::Constant(i) => entry.constants[i],
            Column::Exit => entry.exit.into(),
            Column::Old => self.row.old,
            Column::Own(i) => self.row.columns[i],
        });
        let blocks = self.ports();
        let ports = table.ports.iter().map(|port| blocks[port.block][port.word]);
        committed.chain(ports).map(K).collect()
    }

    /// The tuples of the row, in the order of the flushes.
    pub(crate) fn tuples(&self, table: &Table) -> Vec<(Side, Vec<u64>)> {
        let columns = self.columns(table);
        let tuple = |flush: &Flush| flush.tuple.iter().map(|form| form.evaluate(&columns).0).collect();
        table
            .flushes
            .iter()
            .map(|flush| (flush.side, tuple(flush)))
            .collect()
    }

    /// Asserts that the identities vanish.
    pub(crate) fn assert_identities(&self, table: &Table) {
        let columns = self.columns(table);
        for identity in &table.identities {
            assert_eq!(
                identity.evaluate(&columns),
                K::ZERO,
                "{} {identity:?}",
                table.name
            );
        }
    }
}
