//! The prover that ships, against the definitions.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use fiat_shamir::Counting;
use primitives::blake2s::hash;
use primitives::field::E;
use primitives::{backend, pool};

use super::fixtures::{Case, HONEST, Is, LARGE, SMALL, Sizes, verify_with};
use super::reference::Tables;
use crate::reduce::{Merged, settle};

const CHILDREN: [&[Is]; 6] = [
    &[Is::Run],
    &[Is::Run, Is::Run, Is::Run],
    &[Is::Tree(false)],
    &[Is::Tree(true), Is::Tree(false)],
    &[Is::Tree(true), Is::Run, Is::Tree(true)],
    &[],
];

/// An image of more words than half of its variables index, entries of one coordinate, one long column.
const OTHER: Sizes = Sizes {
    log_image: 5,
    live: 17,
    log_entries: 3,
    coordinates: 1,
    fixed: &[12],
};

#[test]
fn the_prover_is_the_one_from_the_definitions() {
    for sizes in [&LARGE, &SMALL, &OTHER] {
        for children in CHILDREN {
            let case = Case::new(sizes, children);
            let (proof, merged) = case.prove();
            assert!(
                (proof.clone(), merged.clone()) == case.forge(HONEST),
                "the proofs differ"
            );
            assert!(case.verify(&proof).unwrap() == merged);
        }
    }
}

#[test]
fn the_proof_is_the_known_one() {
    // What both sides leave out of the transcript, or number otherwise, shows here.
    let case = Case::new(&LARGE, CHILDREN[4]);
    let digest = hash(&case.prove().0.encode());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        hex,
        "7fc6197f62f4f55dfbf794368d1e44b42a38dfc576a59b585e260ecd277fefc5"
    );
}

#[test]
fn what_is_left_is_true() {
    for sizes in [&LARGE, &SMALL, &OTHER] {
        for children in CHILDREN {
            let case = Case::new(sizes, children);
            let (_, merged) = case.prove();
            let points = [&merged.point, &merged.row_point, &merged.column_point];
            let [point, row_point, column_point] = points.map(Clone::clone);
            let tables = Tables::new(&case.catalog);
            assert!(tables.merged(&case.catalog, point, row_point, column_point) == merged);
            settle(&case.catalog, &merged).unwrap();
        }
    }
}

#[test]
fn the_proof_does_not_depend_on_threads_or_back_ends() {
    let case = Case::new(&LARGE, CHILDREN[4]);
    let expected = case.prove();
    for threads in [1, 2, 8] {
        for token in backend::available() {
            backend::force(token.kind()).unwrap();
            let (proof, merged) = pool::with_threads(threads, || {
                let proven = case.prove();
                settle(&case.catalog, &proven.1).unwrap();
                proven
            });
            assert!((proof, merged) == expected, "{threads} threads, {}", token.kind());
        }
    }
}

#[test]
fn the_verifier_does_the_same_for_every_proof() {
    let case = Case::new(&LARGE, CHILDREN[4]);
    let children: Vec<_> = case.children.iter().map(|child| child.map(|_| ())).collect();
    let arith = Counting::default();
    let Ok(merged) = verify_with(&arith, &case.catalog, &children);
    let (proof, expected) = case.prove();
    assert_eq!(merged, expected.map(|_| ()));
    assert_eq!(arith.counts().stream_words, proof.stream.len() as u64);
    // A kind for each of two trees, and three steps.
    assert_eq!(arith.counts().assert, 5);
}

#[test]
fn merged_claims_are_what_their_scalars_are() {
    let case = Case::new(&LARGE, CHILDREN[0]);
    let (_, merged) = case.prove();
    let mut scalars = merged.scalars();
    assert_eq!(scalars.len(), Merged::<E>::count(&case.catalog));
    assert_eq!(
        Merged::from_scalars(&case.catalog, &scalars).as_ref(),
        Some(&merged)
    );
    scalars.push(E::ONE);
    assert_eq!(Merged::from_scalars(&case.catalog, &scalars), None);
    scalars.truncate(merged.scalars().len() - 1);
    assert_eq!(Merged::from_scalars(&case.catalog, &scalars), None);
    scalars.pop();
    assert_eq!(Merged::from_scalars(&case.catalog, &scalars), None);
}
