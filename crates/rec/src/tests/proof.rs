//! Rows proven by the argument.

use alloc::vec;
use alloc::vec::Vec;

use argument::diagnose::{Committed, diagnose};
use argument::machine::PublicColumn;
use argument::{PUBLIC, gkr};
use fiat_shamir::{Arith, Item, Label, Native, Proof, VerifyError};
use primitives::field::{E, K};

use super::checked;
use crate::machine::{Heights, RowMachine};
use crate::rows::{Assignment, Rows};
use crate::table::Table;
use crate::witness::Witness;
use crate::{Recorder, Wire, prove, verify};

const LOG_INV_RATE: usize = 2;

/// A chain of hashes and products, of a secret, with a path: announces its end.
fn chain(recorder: &Recorder<'_>, secret: [u64; 4]) {
    let mut state = recorder.hint(secret);
    let mut sum = recorder.constant(E::ONE);
    for i in 0..5 {
        state = recorder.compress(state, &[Item::Scalar(sum)], 1 << 33, true);
        let challenge = recorder.digest_scalar(state);
        sum = recorder.mul_add(sum, challenge, recorder.inverse_frobenius(challenge, 2));
        sum = recorder.mul_word_add(sum, recorder.limbs(challenge)[i % 3], challenge);
    }
    let [word, ..] = recorder.digest_words(state);
    let sibling = recorder.constant_digest([6; 4]);
    for bit in recorder.bits(word).into_iter().take(7) {
        state = recorder.merkle_step(state, sibling, bit);
    }
    let label = Label::new("chain: word");
    let words = recorder.digest_words(state);
    recorder
        .assert_eq_word(words[3], recorder.digest_words(state)[3], label)
        .unwrap();
    let again: Wire = recorder.digest(words);
    recorder.assert_eq_digest(again, state, label).unwrap();
    for word in words {
        recorder.announce(word);
    }
}

fn prove(rows: &Rows, assignment: &Assignment) -> Proof {
    let machine = RowMachine::new(rows, Heights::of(rows));
    let layout = machine.layout(LOG_INV_RATE).unwrap();
    prove::prove(rows, assignment, &machine, &layout)
}

fn verify(rows: &Rows, proof: &Proof) -> Result<Vec<K>, VerifyError> {
    let machine = RowMachine::new(rows, Heights::of(rows));
    let layout = machine.layout(LOG_INV_RATE).unwrap();
    verify::verify(proof, &machine, &layout).map(|(announced, _)| announced)
}

fn label<T>(result: &Result<T, VerifyError>) -> Label {
    match result {
        Err(VerifyError::Check { label, .. }) => *label,
        Err(other) => panic!("refused by no check: {other}"),
        Ok(_) => panic!("accepted"),
    }
}

#[test]
fn rows_are_proven_and_verified_without_values() {
    let recorder = Recorder::new();
    chain(&recorder, [1, 2, 3, 4]);
    let (rows, assignment) = checked(&recorder);
    for table in Table::ALL {
        assert!(rows.count(table) > 0, "{table:?}");
    }

    let machine = RowMachine::new(&rows, Heights::of(&rows));
    let layout = machine.layout(LOG_INV_RATE).unwrap();
    let witness = Witness::new(&rows, &assignment, &layout);
    let diagnosis = diagnose(&Committed {
        machine: machine.machine(),
        layout: &layout,
        announced: &assignment.announced,
        stack: &witness.stack,
    });
    assert!(diagnosis.is_clean(), "{diagnosis}");

    let proof = prove(&rows, &assignment);
    let blank = Recorder::without_values();
    chain(&blank, [0; 4]);
    let announced = verify(&blank.finish().0, &proof).unwrap();
    let expected: Vec<K> = assignment.announced.iter().copied().map(K).collect();
    assert_eq!(announced, expected);
}

#[test]
fn an_announced_word_that_is_another_is_refused_by_the_bus() {
    let recorder = Recorder::new();
    chain(&recorder, [1, 2, 3, 4]);
    let (rows, mut assignment) = recorder.finish();
    assignment.announced[1] ^= 1;
    // The prover's two sides differ, and it sends the pushing one's root.
    let refused = verify(&rows, &prove(&rows, &assignment));
    assert_eq!(label(&refused), gkr::ROOT.at(1));
}

#[test]
fn a_value_that_differs_between_slots_is_refused_by_the_bus() {
    let recorder = Recorder::new();
    chain(&recorder, [1, 2, 3, 4]);
    let (rows, mut assignment) = recorder.finish();
    // The last HASH row has another message than the row before gives.
    let slots = Table::Hash.slot_count();
    let values = &mut assignment.values[Table::Hash.number()];
    let last = values.len() - slots;
    values[last + crate::hash::slot::LOW].as_mut().unwrap()[2] ^= 1;
    let refused = verify(&rows, &prove(&rows, &assignment));
    assert_eq!(label(&refused), gkr::ROOT.at(1));
}

#[test]
fn a_proof_of_other_rows_is_refused_when_its_public_columns_are_settled() {
    let recorder = Recorder::new();
    chain(&recorder, [1, 2, 3, 4]);
    let (rows, _) = recorder.finish();
    let mut refused = vec![];
    for equality in 0..recorder.counts().equalities {
        let (other, assignment) = recorder.hazmat_finish_without(equality);
        if other != rows && Heights::of(&other) == Heights::of(&rows) {
            let proof = prove(&other, &assignment);
            refused.push(label(&verify(&rows, &proof)).name);
        }
        if refused.len() == 3 {
            break;
        }
    }
    assert_eq!(refused, [PUBLIC.name; 3]);
}

#[test]
fn circuits_of_the_same_heights_differ_in_the_words_of_public_columns_alone() {
    let recorder = Recorder::new();
    chain(&recorder, [1, 2, 3, 4]);
    let (rows, assignment) = checked(&recorder);
    let heights = Heights::of(&rows);
    let blank = RowMachine::blank(heights, assignment.announced.len());
    assert_eq!(blank.announced(), assignment.announced.len());
    let without_words = |machine: &RowMachine| {
        let mut machine = machine.machine().clone();
        for column in &mut machine.public {
            let PublicColumn::Dense(words) = column else {
                panic!("a sparse column")
            };
            words.fill(K::ZERO);
        }
        machine
    };
    let machine = RowMachine::new(&rows, heights);
    assert!(without_words(&machine) == without_words(&blank));

    // The proof of these rows leaves the same claims on either.
    let proof = prove(&rows, &assignment);
    let deferred = [&machine, &blank].map(|machine| {
        let layout = machine.layout(LOG_INV_RATE).unwrap();
        let core = verify::verify_core(&Native::new(&proof), machine, &layout).unwrap();
        core.deferred
    });
    assert!(deferred[0] == deferred[1]);
    // Only the words tell which rows they are.
    let layout = blank.layout(LOG_INV_RATE).unwrap();
    let refused = verify::verify(&proof, &blank, &layout);
    assert_eq!(label(&refused).name, PUBLIC.name);
}
