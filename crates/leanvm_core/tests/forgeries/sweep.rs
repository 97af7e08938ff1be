//! No word of a live row can be another.

use leanvm_core::columns::{Column, columns};
use leanvm_core::tables;
use rv::Class;

use super::fixture::{OF_EACH_CLASS, every_class};
use super::forge::{Forger, RowAt, Word};

/// The numbers of input and output ports of a class's circuit, with the free bits of each input.
fn ports(forger: &Forger<'_>, class: Class) -> (Vec<u64>, usize) {
    let circuits = &forger.fixture.machine().circuits;
    match tables::blocks(class)[..] {
        [own, _] => {
            let circuit = &circuits[own];
            let masks = (0..circuit.inputs()).map(|i| circuit.input_mask(i)).collect();
            (masks, circuit.outputs())
        }
        _ => (Vec::new(), 0),
    }
}

/// The slots of the row's accesses.
fn used_slots(row: RowAt) -> Vec<usize> {
    match row.class {
        Class::Hash => (0..18).collect(),
        Class::Ext => [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12].into(),
        Class::Addi | Class::Jump | Class::Shifti => [0, 2].into(),
        Class::Eq => [0, 1].into(),
        _ => [0, 1, 2].into(),
    }
}

#[test]
fn the_honest_witness_has_nothing_wrong() {
    let fixture = every_class();
    let diagnosis = fixture.honest().diagnosis();
    assert!(diagnosis.is_clean(), "{diagnosis}");
}

#[test]
fn no_committed_column_of_a_live_row_can_be_another() {
    let fixture = every_class();
    let honest = fixture.honest();
    for (label, class) in OF_EACH_CLASS.into_iter().zip(Class::ALL) {
        let row = honest.at(label);
        assert_eq!(row.class, class);
        for &column in columns(class) {
            for flip in [1, 1 << 63] {
                let mut forger = honest.clone();
                let word = Word::Column(column);
                forger.poke(row, word, forger.get(row, word) ^ flip);
                let diagnosis = forger.diagnosis();
                let told = !diagnosis.unmatched.is_empty() || !diagnosis.identities.is_empty();
                assert!(
                    told && diagnosis.blocks.is_empty(),
                    "{class} {column:?}: {diagnosis}"
                );
                // What the entry says is on the bus with it.
                if !matches!(column, Column::Old | Column::Own(_)) {
                    let read = diagnosis
                        .unmatched
                        .iter()
                        .any(|unmatched| unmatched.tuple[0].0 == 2);
                    assert!(read, "{class} {column:?}: {diagnosis}");
                }
            }
        }
    }
}

#[test]
fn no_input_of_a_live_row_can_be_another() {
    let fixture = every_class();
    let honest = fixture.honest();
    for label in OF_EACH_CLASS {
        let row = honest.at(label);
        let (masks, _) = ports(&honest, row.class);
        let mut words: Vec<(Word, u64)> = Vec::from([(Word::Ts, 1 << 5)]);
        words.extend(
            masks
                .iter()
                .enumerate()
                .map(|(i, mask)| (Word::Input(i), mask & mask.wrapping_neg())),
        );
        words.extend(used_slots(row).into_iter().map(|slot| (Word::Prev(slot), 1)));
        for (word, flip) in words {
            let mut forger = honest.clone();
            forger.set(row, word, forger.get(row, word) ^ flip);
            let diagnosis = forger.diagnosis();
            assert!(
                !diagnosis.unmatched.is_empty() && diagnosis.blocks.is_empty(),
                "{row:?} {word:?}: {diagnosis}"
            );
        }
    }
}

#[test]
fn no_output_of_a_live_row_can_be_another() {
    let fixture = every_class();
    let honest = fixture.honest();
    for label in OF_EACH_CLASS {
        let row = honest.at(label);
        let (_, outputs) = ports(&honest, row.class);
        for word in (0..outputs).map(Word::Output).chain([Word::Step]) {
            let mut forger = honest.clone();
            forger.poke(row, word, forger.get(row, word) ^ 1 << 33);
            let diagnosis = forger.diagnosis();
            let rows: Vec<_> = diagnosis
                .blocks
                .iter()
                .map(|block| (block.table, block.row))
                .collect();
            assert_eq!(
                rows,
                [(row.class.name(), row.row)],
                "{row:?} {word:?}: {diagnosis}"
            );
            assert!(!diagnosis.unmatched.is_empty(), "{row:?} {word:?}: {diagnosis}");
        }
    }
}
