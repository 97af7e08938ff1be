//! What each check protects, forged.
//!
//! Forgers run the prover from the definitions, with one thing changed before it is absorbed, so that transcripts agree.
//! What a lenient verifier finds violated is then what protects it, and that alone.

use alloc::vec;
use alloc::vec::Vec;

use argument::Deferred;
use fiat_shamir::{Counting, Label, Proof, Value, VerifyError};
use primitives::field::{E, K};

use proptest::prelude::*;

use super::fixtures::{Case, FEW, HONEST, Is, verify_with};
use super::reference::{self, Message, Tables};
use crate::Recorder;
use crate::reduce::{CALL, COLUMNS, Child, DENSE, ENTRIES, FIXED, IMAGE, KIND, MATRIX, Merged, ROWS, settle};

/// Two trees of both kinds and a run.
fn case() -> Case {
    Case::new(&FEW, &[Is::Tree(true), Is::Run, Is::Tree(false)])
}

/// The checks that do not hold, all of them.
fn violated(case: &Case, proof: &Proof) -> Vec<Label> {
    let recorder = Recorder::hazmat_lenient();
    recorder.read(Some(proof));
    let wire = |value: E| {
        let [w0, w1, w2] = value.to_words();
        recorder.hint([w0, w1, w2, 0])
    };
    let children: Vec<_> = case.children.iter().map(|child| child.map(wire)).collect();
    let _ = verify_with(&recorder, &case.catalog, &children).unwrap();
    recorder.violated()
}

fn label<T>(result: &Result<T, VerifyError>) -> Label {
    match result {
        Err(VerifyError::Check { label, .. }) => *label,
        Err(other) => panic!("refused by no check: {other}"),
        Ok(_) => panic!("accepted"),
    }
}

/// That a forgery is refused by this check, and that no other would refuse it.
fn assert_refused_by(case: &Case, proof: &Proof, expected: Label, what: &str) {
    assert_eq!(label(&case.verify(proof)), expected, "{what}");
    assert_eq!(violated(case, proof), [expected], "{what}");
}

#[test]
fn the_honest_proof_violates_nothing() {
    let case = case();
    assert_eq!(violated(&case, &case.forge(HONEST).0), []);
}

#[test]
fn a_kind_that_is_neither_is_refused() {
    // Forgery: the claims on fixed columns are those of the line through both circuits, at y.
    let mut case = case();
    let tables = Tables::new(&case.catalog);
    for (child, number) in [(0, 0), (2, 2)] {
        let honest = case.clone();
        let Child::Tree { deferred, .. } = &mut case.children[child] else {
            panic!("it is a tree")
        };
        for claim in &mut deferred.public {
            let region = case.catalog.fixed.regions[claim.column];
            let halves = tables.dense[2].chunks(1 << case.catalog.fixed.log_words);
            let values: Vec<E> = halves
                .map(|half| reference::evaluate(&half[region.range()], &claim.point))
                .collect();
            claim.value = values[0] + E::Y * (values[0] + values[1]);
        }
        case.kinds[child] = E::Y;
        assert_refused_by(&case, &case.forge(HONEST).0, KIND.at(number), "kind y");
        case = honest;
    }
}

#[test]
fn a_kind_that_is_the_other_is_refused() {
    let mut case = case();
    case.kinds[2] = E::ONE;
    assert_refused_by(
        &case,
        &case.forge(HONEST).0,
        DENSE,
        "a first-level node as a node",
    );
    case.kinds[2] = E::ZERO;
    case.kinds[0] = E::ZERO;
    assert_refused_by(
        &case,
        &case.forge(HONEST).0,
        DENSE,
        "a node as a first-level node",
    );
}

/// Every scalar of the claims of a child, with the check that refuses it if it is another.
fn claims_of(child: &mut Child<E>) -> Vec<(&mut E, Label)> {
    let (deferred, carried) = match child {
        Child::Run(deferred) => (deferred, None),
        Child::Tree { deferred, carried } => (deferred, Some(carried)),
    };
    let mut dense: Vec<&mut E> = vec![];
    let mut matrices: Vec<&mut E> = vec![];
    for claim in &mut deferred.public {
        dense.extend(&mut claim.point);
        dense.push(&mut claim.value);
    }
    for claim in &mut deferred.producers {
        dense.extend(&mut claim.alpha);
        dense.push(&mut claim.beta);
        dense.extend(&mut claim.point);
        dense.extend(&mut claim.weights);
        dense.push(&mut claim.value);
    }
    let circuits = deferred.circuits.as_mut().unwrap();
    matrices.extend(&mut circuits.lagrange[..2]);
    matrices.extend(&mut circuits.row_point);
    matrices.push(&mut circuits.batching);
    for claim in &mut circuits.claims {
        matrices.extend(&mut claim.slices[..2]);
        matrices.extend(&mut claim.column_point);
        matrices.push(&mut claim.value);
    }
    if let Some(carried) = carried {
        dense.extend(&mut carried.point);
        dense.extend([&mut carried.image, &mut carried.entries, &mut carried.fixed]);
        matrices.extend(&mut carried.row_point);
        matrices.extend(&mut carried.column_point);
        matrices.extend(carried.matrices.as_flattened_mut());
    }
    let dense = dense.into_iter().map(|scalar| (scalar, DENSE));
    dense
        .chain(matrices.into_iter().map(|scalar| (scalar, ROWS)))
        .collect()
}

#[test]
fn a_false_claim_of_a_child_is_refused_by_the_sumcheck_it_is_in() {
    let mut case = case();
    for child in 0..case.children.len() {
        let honest = case.children[child].clone();
        for number in 0..claims_of(&mut honest.clone()).len() {
            let mut claims = claims_of(&mut case.children[child]);
            let (scalar, expected) = &mut claims[number];
            **scalar += E::Y;
            let expected = *expected;
            // The shipped prover refuses nothing: its proof is of what it is given.
            let (proof, _) = case.prove();
            assert_refused_by(
                &case,
                &proof,
                expected,
                &alloc::format!("child {child}, scalar {number}"),
            );
            case.children[child] = honest.clone();
        }
    }
}

/// All messages of a prover, with the number of their scalars.
fn messages(case: &Case) -> Vec<(Message, usize)> {
    let mut messages = vec![];
    let _ = case.forge(|message, scalars| messages.push((message, scalars.len())));
    messages
}

/// The proof with `change` added to some scalars of a message.
fn changed(case: &Case, message: Message, changes: &[(usize, E)]) -> (Proof, Merged<E>) {
    case.forge(|this, scalars| {
        if this == message {
            for &(place, change) in changes {
                scalars[place] += change;
            }
        }
    })
}

#[test]
fn a_change_of_any_scalar_sent_is_refused_by_the_check_that_owns_it() {
    let case = case();
    let all = messages(&case);
    let rounds = case.catalog.point_variables() + 2 * case.catalog.block_variables();
    // Two kinds, three lists of values, and rounds.
    assert_eq!(all.len(), 2 + 3 + rounds);
    for (message, count) in all {
        let expected: &[Label] = match message {
            Message::Kind => continue,
            Message::DenseRound(_) | Message::Dense => &[DENSE],
            Message::RowRound(_) => &[ROWS],
            // One value changes both sums that it is in.
            Message::Products => &[ROWS, COLUMNS],
            Message::ColumnRound(_) | Message::Matrices => &[COLUMNS],
        };
        for place in 0..count {
            let (proof, _) = changed(&case, message, &[(place, K::X.into())]);
            assert_eq!(label(&case.verify(&proof)), expected[0], "{message:?} {place}");
            assert_eq!(violated(&case, &proof), expected, "{message:?} {place}");
        }
    }
}

#[test]
fn products_that_agree_with_the_rows_are_refused_by_the_columns() {
    // Fixture: the first claim is a fresh one. Forgery: A V and B V changed such that A V + a B V is not.
    let case = case();
    let Child::Tree { deferred, .. } = &case.children[0] else {
        panic!("it is a tree")
    };
    let batching = deferred.circuits.as_ref().unwrap().batching;
    let (proof, _) = changed(&case, Message::Products, &[(0, batching), (1, E::ONE)]);
    assert_refused_by(&case, &proof, COLUMNS, "products");
}

/// What adding 1 to a scalar of a message adds to the sum that a check compares.
fn weight(case: &Case, message: Message, place: usize) -> E {
    let (proof, _) = changed(case, message, &[(place, E::ONE)]);
    match case.verify(&proof) {
        Err(VerifyError::Check {
            left: Value::Scalar(left),
            right: Value::Scalar(right),
            ..
        }) => left + right,
        Ok(_) => E::ZERO,
        Err(other) => panic!("refused by no sum: {other}"),
    }
}

#[test]
fn values_that_agree_with_the_sumcheck_are_refused_when_they_are_settled() {
    let case = case();
    let matrices = 2 * case.catalog.circuits();
    let pairs = [(Message::Dense, 3), (Message::Matrices, matrices)];
    for (message, count) in pairs {
        for first in 0..count - 1 {
            let [a, b] = [first, first + 1].map(|place| weight(&case, message, place));
            assert!(a != E::ZERO && b != E::ZERO);
            let (proof, merged) = changed(&case, message, &[(first, b), (first + 1, a)]);
            assert_eq!(case.verify(&proof).as_ref(), Ok(&merged));
            let expected = match message {
                Message::Dense => [IMAGE, ENTRIES][first],
                _ => MATRIX.at(first),
            };
            assert_eq!(label(&settle(&case.catalog, &merged)), expected);
        }
    }
}

#[test]
fn values_on_which_no_child_has_a_claim_are_refused_when_they_are_settled() {
    // A run has no claim on fixed columns, on the circuit of an absent table, on HASH's.
    let case = Case::new(&FEW, &[Is::Run, Is::Run]);
    let free = [
        (Message::Dense, 2, FIXED),
        (Message::Matrices, 2, MATRIX.at(2)),
        (Message::Matrices, 3, MATRIX.at(3)),
        (Message::Matrices, 6, MATRIX.at(6)),
        (Message::Matrices, 7, MATRIX.at(7)),
    ];
    for (message, place, expected) in free {
        let (proof, merged) = changed(&case, message, &[(place, E::Y)]);
        assert_eq!(case.verify(&proof).as_ref(), Ok(&merged));
        assert_eq!(label(&settle(&case.catalog, &merged)), expected);
    }
    assert_ne!(weight(&case, Message::Matrices, 0), E::ZERO);
}

#[test]
fn claims_that_are_not_true_are_not_settled() {
    let case = case();
    let (_, honest) = case.prove();
    let variables = case.catalog.variables();
    let blocks: Vec<usize> = case
        .catalog
        .circuits
        .iter()
        .map(circuit::Circuit::log_block)
        .collect();
    for number in 0..honest.scalars().len() {
        let mut scalars = honest.scalars();
        scalars[number] += E::Y;
        let merged = Merged::from_scalars(&case.catalog, &scalars).unwrap();
        let of_points = case.catalog.point_variables();
        let expected = if number < of_points {
            // The first polynomial that has the variable.
            let first = variables.iter().position(|&count| count > number).unwrap();
            [IMAGE, ENTRIES, FIXED][first]
        } else if number < of_points + 3 {
            [IMAGE, ENTRIES, FIXED][number - of_points]
        } else if number < of_points + 3 + 2 * case.catalog.block_variables() {
            let variable = (number - of_points - 3) % case.catalog.block_variables();
            MATRIX.at(2 * blocks.iter().position(|&count| count > variable).unwrap())
        } else {
            MATRIX.at(number - of_points - 3 - 2 * case.catalog.block_variables())
        };
        assert_eq!(
            label(&settle(&case.catalog, &merged)),
            expected,
            "scalar {number}"
        );
    }
}

#[test]
fn a_proof_that_is_cut_short_or_goes_on_is_refused() {
    let case = case();
    let (proof, _) = case.prove();
    for length in 0..proof.stream.len() {
        let mut cut = proof.clone();
        cut.stream.truncate(length);
        let refused = case.verify(&cut);
        assert!(
            matches!(refused, Err(VerifyError::StreamEnded { .. })),
            "{length}"
        );
    }
    let mut longer = proof;
    longer.stream.push(0);
    assert!(matches!(
        case.verify(&longer),
        Err(VerifyError::StreamLeft { .. })
    ));
}

#[test]
fn claims_of_another_form_are_the_callers_mistake() {
    let honest = case();
    let (proof, merged) = honest.prove();
    type OfTree = fn(&mut Deferred<E>, &mut Merged<E>);
    let tree = |case: &mut Case, change: OfTree| {
        let Child::Tree { deferred, carried } = &mut case.children[0] else {
            panic!("it is a tree")
        };
        change(deferred, carried);
    };
    let run = |case: &mut Case, change: fn(&mut Deferred<E>)| {
        let Child::Run(deferred) = &mut case.children[1] else {
            panic!("it is a run")
        };
        change(deferred);
    };
    let of_tree: [OfTree; 12] = [
        |deferred, _| deferred.public[0].column = 99,
        |deferred, _| deferred.public[1].point.push(E::ONE),
        |deferred, _| deferred.circuits = None,
        |deferred, _| deferred.circuits.as_mut().unwrap().claims.clear(),
        |deferred, _| deferred.circuits.as_mut().unwrap().row_point.clear(),
        |deferred, _| _ = deferred.circuits.as_mut().unwrap().lagrange.pop(),
        |deferred, _| _ = deferred.circuits.as_mut().unwrap().claims[0].slices.pop(),
        |deferred, _| _ = deferred.circuits.as_mut().unwrap().claims[0].column_point.pop(),
        |_, carried| _ = carried.point.pop(),
        |_, carried| carried.row_point.push(E::ONE),
        |_, carried| _ = carried.column_point.pop(),
        |_, carried| carried.matrices.push([E::ONE; 2]),
    ];
    let of_run: [fn(&mut Deferred<E>); 6] = [
        |deferred| deferred.public.clear(),
        |deferred| deferred.public[0].column += 1,
        |deferred| _ = deferred.public[0].point.pop(),
        |deferred| deferred.producers.clear(),
        |deferred| _ = deferred.producers[0].point.pop(),
        |deferred| _ = deferred.circuits.as_mut().unwrap().claims.pop(),
    ];
    let mut changed = vec![];
    for change in of_tree {
        let mut case = honest.clone();
        tree(&mut case, change);
        changed.push(case);
    }
    for change in of_run {
        let mut case = honest.clone();
        run(&mut case, change);
        changed.push(case);
    }
    let mut swapped = honest.clone();
    if let [Child::Tree { deferred: tree, .. }, Child::Run(run), ..] = &mut swapped.children[..] {
        core::mem::swap(tree, run);
    }
    changed.push(swapped);
    for (number, case) in changed.iter().enumerate() {
        assert_eq!(label(&case.verify(&proof)), CALL, "{number}");
        // An instance without values goes on to the end.
        let children: Vec<_> = case.children.iter().map(|child| child.map(|_| ())).collect();
        let Ok(_) = verify_with(&Counting::default(), &case.catalog, &children);
    }

    let of_merged: [fn(&mut Merged<E>); 4] = [
        |merged| _ = merged.point.pop(),
        |merged| _ = merged.row_point.pop(),
        |merged| _ = merged.column_point.pop(),
        |merged| _ = merged.matrices.pop(),
    ];
    for change in of_merged {
        let mut other = merged.clone();
        change(&mut other);
        assert_eq!(label(&settle(&honest.catalog, &other)), CALL);
    }
    let mut without = honest.catalog;
    without.fixed.words.clear();
    assert_eq!(label(&settle(&without, &merged)), CALL);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_words_are_refused_without_a_panic(
        words in prop::collection::vec(any::<u64>(), 0..400),
        kept in 0usize..400,
    ) {
        let case = Case::new(&FEW, &[Is::Tree(true), Is::Run]);
        let mut proof = case.prove().0;
        let kept = kept.min(proof.stream.len());
        proof.stream.truncate(kept);
        proof.stream.extend(words);
        // It is none of a proof but for a negligible chance, which is there if nothing was changed.
        prop_assert!(case.verify(&proof).is_err() || proof == case.prove().0);
    }
}
