//! What the checker refuses, and how it names it.

use fiat_shamir::{Arith, Item, Label, VerifyError};
use primitives::field::E;

use super::{checked, scalars};
use crate::Recorder;
use crate::check::{Place, Violation, check};
use crate::rows::{announced_slot, key};
use crate::table::{Table, emul, split};

/// Rows of all tables.
fn recording(recorder: &Recorder<'_>) {
    let [a, b] = *scalars(2, 3)
        .iter()
        .map(|value| {
            let [a0, a1, a2] = value.to_words();
            recorder.hint([a0, a1, a2, 0])
        })
        .collect::<alloc::vec::Vec<_>>()
        .as_array()
        .unwrap();
    let product = recorder.mul(a, b);
    let state = recorder.hint([5, 6, 7, 8]);
    let state = recorder.compress(state, &[Item::Scalar(product), Item::Scalar(a)], 1 << 33, true);
    let [low, _, _, high] = recorder.digest_words(state);
    let bits = recorder.bits(low);
    let other = recorder.hint([9; 4]);
    let node = recorder.merkle_step(state, other, bits[17]);
    let sum = recorder.mul_word_add(product, high, recorder.constant(E::Y));
    let root = recorder.inverse_frobenius(sum, 3);
    let state = recorder.compress(node, &[Item::Scalar(root), Item::Word(low)], 1 << 33, true);
    for word in recorder.digest_words(state) {
        recorder.announce(word);
    }
}

#[test]
fn every_word_of_every_slot_matters() {
    let recorder = Recorder::new();
    recording(&recorder);
    let (rows, assignment) = checked(&recorder);
    for table in Table::ALL {
        assert!(rows.count(table) > 0, "{table:?}");
        for place in 0..assignment.values[table.number()].len() {
            for word in 0..4 {
                let mut wrong = assignment.clone();
                let Some(value) = &mut wrong.values[table.number()][place] else {
                    continue;
                };
                value[word] ^= 2;
                assert!(check(&rows, &wrong).is_err(), "{table:?}, {place}, word {word}");
            }
        }
    }
    let mut wrong = assignment;
    wrong.announced[2] ^= 1;
    let refusal = check(&rows, &wrong).unwrap_err();
    assert!(
        matches!(
            refusal,
            Violation::Copy { place, next, .. }
                if [place, next].contains(&Place::Announced(2))
        ),
        "{refusal}"
    );
}

#[test]
fn a_violation_names_the_first_row() {
    let recorder = Recorder::new();
    recording(&recorder);
    let (rows, assignment) = checked(&recorder);

    let mut wrong = assignment.clone();
    let result = wrong.values[Table::Emul.number()][emul::C].as_mut().unwrap();
    result[1] ^= 1;
    let place = Place::Row {
        table: Table::Emul,
        row: 0,
        slot: emul::C,
    };
    let refusal = check(&rows, &wrong).unwrap_err();
    assert!(
        matches!(refusal, Violation::Slot { place: found, .. } if found == place),
        "{refusal}"
    );

    // A bit that is 2, and the word that makes up for it.
    let mut wrong = assignment.clone();
    let row = &mut wrong.values[Table::Split.number()][..Table::Split.slot_count()];
    row[split::WORD].as_mut().unwrap()[0] ^= 2 << 5;
    row[split::BITS + 5].as_mut().unwrap()[0] ^= 2;
    assert_eq!(
        check(&rows, &wrong),
        Err(Violation::Identity {
            table: Table::Split,
            row: 0,
            identity: 5
        })
    );

    let mut wrong = assignment.clone();
    wrong.values[Table::Exk.number()].pop();
    assert!(matches!(
        check(&rows, &wrong),
        Err(Violation::Length {
            table: Table::Exk,
            ..
        })
    ));

    let mut wrong = rows.clone();
    wrong.announced_next[0] = key(announced_slot() + 1, 0);
    assert!(matches!(
        check(&wrong, &assignment),
        Err(Violation::Copy {
            place: Place::Announced(0),
            next: Place::Nowhere(_),
            ..
        })
    ));
}

#[test]
fn an_equality_that_does_not_hold_is_named_or_found_later() {
    let label = Label::new("a: b").at(3);
    let strict = Recorder::new();
    let [two, three] = [2, 3].map(|word| strict.hint_word(word));
    let refusal = strict.assert_eq_word(two, three, label).unwrap_err();
    assert!(matches!(refusal, VerifyError::Check { label: found, .. } if found == label));

    let lenient = Recorder::hazmat_lenient();
    let words = [2, 3].map(|word| lenient.hint_word(word));
    let squares = words.map(|word| lenient.square(word));
    lenient.assert_eq_word(words[0], words[1], label).unwrap();
    for square in squares {
        lenient.announce(square);
    }
    assert_eq!(lenient.violated(), [label]);
    let (rows, assignment) = lenient.finish();
    let refusal = check(&rows, &assignment).unwrap_err();
    assert!(matches!(refusal, Violation::Copy { .. }), "{refusal}");
    // Without the equality, the rows are others, and hold.
    let (rows, assignment) = lenient.hazmat_finish_without(0);
    assert_eq!(check(&rows, &assignment), Ok(()));
}

#[test]
fn a_root_is_one_by_an_equality() {
    let recorder = Recorder::new();
    let (state, value) = (recorder.hint([4, 3, 2, 1]), recorder.hint([1, 2, 3, 0]));
    let _ = recorder.compress(state, &[Item::Scalar(value)], 64, true);
    let _ = recorder.inverse_frobenius(value, 2);
    let (rows, mut assignment) = checked(&recorder);
    assert_eq!(recorder.counts().equalities, 1);
    // Forgery: zero for a root. Its squares are right.
    for value in assignment.values[Table::Emul.number()].iter_mut().flatten() {
        *value = [0; 4];
    }
    assert!(matches!(check(&rows, &assignment), Err(Violation::Copy { .. })));
    let (without, _) = recorder.hazmat_finish_without(0);
    assert_eq!(check(&without, &assignment), Ok(()));
}
