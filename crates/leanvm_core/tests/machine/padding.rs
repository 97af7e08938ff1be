//! Rows that fill a table.

use std::collections::BTreeMap;

use argument::machine::Side;
use leanvm_core::tables;
use rv::Class;
use rv::entry::Entry;
use rv::forms::padding;

use super::row::Placed;

/// Where the filler stands.
const PC: u64 = 0x1000_0040;

#[test]
fn the_tuples_of_a_padding_row_cancel_but_for_its_entry() {
    let circuits = tables::circuits();
    for class in Class::ALL {
        let table = tables::table(class, &circuits);
        let entry = Entry::filler(class, PC);
        let row = padding(&entry);
        let mut prev = vec![0; tables::slots(class).len()];
        for (slot, _) in row.words(&entry).accesses(class) {
            prev[slot as usize] = slot;
        }
        let placed = Placed {
            entry: &entry,
            pc: PC,
            ts: 0,
            prev,
            row,
        };

        placed.assert_identities(&table);
        for (ports, &number) in placed.ports().iter().zip(&table.blocks) {
            let circuit = &circuits[number];
            let block = circuit.block(&ports[..circuit.inputs()]);
            assert_eq!(block[..ports.len()], ports[..], "{class}");
            assert_eq!(circuit.check(&block), Ok(()), "{class}");
        }
        let mut tuples = placed.tuples(&table);
        let read = tuples.remove(2);
        assert_eq!(read, (Side::Pull, entry.tuple(2, PC).into()), "{class}");
        let mut net: BTreeMap<Vec<u64>, i32> = BTreeMap::new();
        for pair in tuples.chunks(2) {
            let [(Side::Pull, pulled), (Side::Push, pushed)] = pair else {
                panic!("{class}: a pull has its push behind it")
            };
            assert_eq!(pulled, pushed, "{class}");
            *net.entry(pulled.clone()).or_default() += 1;
        }
        // No two of a row are one tuple, so each cancels with its partner and with no other.
        assert!(net.values().all(|&count| count == 1), "{class}");
        // Nothing of it is live.
        assert!(net.keys().all(|tuple| tuple[2] >> 40 == 0), "{class}");
    }
}
