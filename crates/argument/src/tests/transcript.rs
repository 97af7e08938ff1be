//! What binds a message: the transcript, and the checks.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::{Channel, Counting, Counts, Kind, Native, Proof, VerifyError};
use primitives::field::K;
use proptest::prelude::*;

use super::case::{Case, HONEST, refused_by};
use super::machines;
use crate::machine::{Fixed, FixedValue, FreeColumn, Machine};
use crate::reference;
use crate::{CALL, verify_core};

/// The counts of a verification.
fn counts(case: &Case) -> Counts {
    let layout = case.layout();
    let arith = Counting::default();
    let mut channel = Channel::new(&arith, Kind::Opening, &case.shape.to_words());
    let announced: Vec<()> = case
        .announced
        .iter()
        .map(|_| channel.read_word().unwrap())
        .collect();
    let Ok(deferred) = verify_core(&mut channel, &case.machine, &layout, &announced);
    assert_eq!(deferred.producers.len(), case.machine.producers.len());
    assert!(channel.finish().is_ok());
    arith.counts()
}

#[test]
fn the_verifier_does_the_same_for_every_proof_of_a_shape() {
    let mut openings = BTreeMap::new();
    for case in machines::all() {
        let counted = counts(&case);
        assert_eq!(counts(&case), counted);
        let layout = case.layout();
        let proof = case.prove(HONEST);
        assert_eq!(counted.stream_words, proof.stream.len() as u64, "{}", case.name);
        // Checks: two for the root, one for each layer, one for the tables, Flock's two. What is left are the
        // opening's, as many for all stacks of one size and rate.
        let layers = (layout.log_leaves - 1) / 2;
        let flock = if layout.batch.is_some() { 2 } else { 0 };
        let of_opening = counted.assert as usize - (2 + layers + 1 + flock);
        let parameters = &layout.parameters;
        let shape = (parameters.log_words(), parameters.log_inv_rate());
        assert_eq!(
            *openings.entry(shape).or_insert(of_opening),
            of_opening,
            "{}",
            case.name
        );
    }
    assert_eq!(openings.len(), 4);
}

#[test]
fn every_message_is_absorbed() {
    // Forgery: the prover absorbs all items but one. Expected: the verifier has absorbed it, and comes to other
    // challenges.
    for case in [machines::memory(), machines::lookup()] {
        let honest = case.prove(HONEST);
        let forget = |items: usize| -> Proof {
            let mut prover = case.prover(&[]);
            prover.hazmat_forget(items);
            for &word in &case.announced {
                prover.send_word(K(word));
            }
            case.with_input(|input| reference::prove(&mut prover, input, HONEST));
            prover.finish().0
        };
        let mut items = 0;
        loop {
            let proof = forget(items);
            if proof == honest {
                break;
            }
            assert!(
                case.verify(&proof).is_err(),
                "{}: item {items} is not absorbed",
                case.name
            );
            items += 1;
        }
        // A digest or a scalar is one item; three roots at least, and what bus and tables send.
        let sent = case.reduce(HONEST).stream.len() / 3;
        assert!(items > sent, "{}: {items} items", case.name);
    }
}

#[test]
fn every_word_of_the_stream_has_a_check_beside_the_transcript() {
    // Forgery: the challenges are those of the honest proof, whatever is sent. Expected: a change is refused, but
    // for the nonces of the proofs of work, which nothing but the transcript uses.
    for case in [machines::memory(), machines::lookup(), machines::circuits()] {
        let proof = case.prove(HONEST);
        let recording = Native::hazmat_recording(&proof);
        assert_eq!(case.verify_by(&recording, &proof), Ok(()));
        let states = recording.hazmat_states();
        let mut accepted = 0;
        for word in 0..proof.stream.len() {
            let mut forged = proof.clone();
            forged.stream[word] ^= 1 << (word % 64);
            let frozen = Native::hazmat_frozen(&forged, &states);
            match case.verify_by(&frozen, &forged) {
                Ok(()) => {
                    accepted += 1;
                    assert!(case.verify(&forged).is_err(), "{}: word {word}", case.name);
                }
                Err(VerifyError::Check { .. } | VerifyError::Opening { .. }) => {}
                Err(other) => panic!("{other}"),
            }
        }
        let levels = case.layout().parameters.levels().len();
        assert_eq!(accepted, levels, "{}", case.name);
    }
}

#[test]
fn a_proof_cut_short_or_longer_is_refused() {
    let case = machines::tiny(3);
    let proof = case.prove(HONEST);
    for length in 0..proof.stream.len() {
        let mut cut = proof.clone();
        cut.stream.truncate(length);
        let refusal = case.verify(&cut);
        assert!(
            matches!(refusal, Err(VerifyError::StreamEnded { .. })),
            "{length} words: {refusal:?}"
        );
    }
    let mut long = proof.clone();
    long.stream.push(0);
    assert!(matches!(case.verify(&long), Err(VerifyError::StreamLeft { .. })));
    let mut missing = proof.clone();
    missing.openings.pop();
    assert!(matches!(
        case.verify(&missing),
        Err(VerifyError::OpeningMissing { .. })
    ));
    let mut surplus = proof.clone();
    surplus.openings.push(proof.openings[0].clone());
    assert!(matches!(
        case.verify(&surplus),
        Err(VerifyError::OpeningsLeft { .. })
    ));
}

#[test]
fn a_proof_of_another_shape_is_refused() {
    // Fixture: tables of 2^0 rows. Forgery: the shape says that one has two.
    let case = machines::tiny(3);
    let mut proof = case.prove(HONEST);
    proof.shape[1] += 1;
    assert!(case.verify(&proof).is_err());
    // And a verifier that was told the honest one notices that it is not the proof's.
    let layout = case.layout();
    let arith = Native::new(&proof);
    let mut channel = Channel::new(&arith, Kind::Opening, &case.shape.to_words());
    assert!(verify_core(&mut channel, &case.machine, &layout, &[]).is_ok());
    assert!(matches!(channel.finish(), Err(VerifyError::Shape { .. })));
}

#[test]
fn a_call_with_too_few_words_is_refused() {
    let case = machines::memory();
    let proof = case.prove(HONEST);
    assert_eq!(refused_by(&call(&case, &case.machine, &proof, 3)), CALL);
    assert_eq!(call(&case, &case.machine, &proof, 4), Ok(()));
}

#[test]
fn a_call_with_the_layout_of_another_machine_is_refused() {
    // Fixture: a fixed word of a column of four. The verifier's machine has a column of sixteen, and fixes a word that
    // the layout's does not have.
    let mut case = machines::constants();
    case.machine.columns = vec![FreeColumn {
        name: "free",
        log_words: 2,
    }];
    case.machine.fixed = vec![Fixed {
        column: 0,
        index: 1,
        value: FixedValue::Constant(K::X),
    }];
    case.columns = vec![vec![0, K::X.0, 0, 0]];
    let proof = case.prove(HONEST);
    assert_eq!(call(&case, &case.machine, &proof, 0), Ok(()));
    let mut other = case.machine.clone();
    other.columns[0].log_words = 4;
    other.fixed[0].index = 5;
    assert_eq!(refused_by(&call(&case, &other, &proof, 0)), CALL);
}

/// The checks of a machine with the layout of a case's, and so many of the announced words.
fn call(case: &Case, machine: &Machine, proof: &Proof, announced: usize) -> Result<(), VerifyError> {
    let layout = case.layout();
    let arith = Native::new(proof);
    let mut channel = Channel::new(&arith, Kind::Opening, &proof.shape);
    let announced = (0..announced).map(|_| channel.read_word());
    let announced: Vec<K> = announced.collect::<Result<_, _>>()?;
    let deferred = verify_core(&mut channel, machine, &layout, &announced)?;
    assert_eq!(deferred.producers.len(), machine.producers.len());
    Ok(())
}

#[test]
fn changed_openings_are_refused() {
    let case = machines::tiny(1);
    let proof = case.prove(HONEST);
    for number in 0..proof.openings.len() {
        let mut forged = proof.clone();
        forged.openings[number].words[0] ^= 1;
        assert!(matches!(case.verify(&forged), Err(VerifyError::Opening { number: n, .. }) if n == number));
    }
}

proptest! {
    #![proptest_config(super::config())]

    #[test]
    fn any_words_are_refused_without_a_panic(
        stream in prop::collection::vec(any::<u64>(), 0..900),
        shape in prop::collection::vec(0u64..9, 0..6),
        case in 0usize..4,
    ) {
        let case = &[
            machines::memory(),
            machines::lookup(),
            machines::circuits(),
            machines::permutation(),
        ][case];
        let mut proof = Proof {
            kind: Kind::Opening,
            shape: case.shape.to_words(),
            stream,
            openings: Vec::new(),
        };
        prop_assert!(case.verify(&proof).is_err());
        // Any shape: one that parses has a layout, or is refused; a layout that is not the proof's refuses it.
        proof.shape = shape;
        if let Ok(parsed) = crate::shape::Shape::parse(&case.machine, &proof.shape)
            && crate::layout::Layout::new(&case.machine, &parsed).is_ok()
        {
            prop_assert!(case.verify(&proof).is_err());
        }
    }

    #[test]
    fn a_changed_word_is_refused(word in any::<prop::sample::Index>(), bit in 0usize..64) {
        static HONEST_PROOF: std::sync::LazyLock<(Case, Proof)> = std::sync::LazyLock::new(|| {
            let case = machines::memory();
            let proof = case.prove(HONEST);
            (case, proof)
        });
        let (case, proof) = &*HONEST_PROOF;
        let mut forged = proof.clone();
        let word = word.index(forged.stream.len());
        forged.stream[word] ^= 1 << bit;
        prop_assert!(case.verify(&forged).is_err());
    }
}
