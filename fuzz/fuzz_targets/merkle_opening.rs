//! An opening leads to a root or to an error; and what leads to a root has one form, which the root fixes.

#![no_main]

use fiat_shamir::merkle::{LeafSet, LeafShape, OpeningError};
use fiat_shamir::proof::header;
use fiat_shamir::{Kind, Proof};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The shape is the tree: log2 of its leaves, zero words, words; then the leaves' indices.
    let Ok(proof) = Proof::decode(&[&header(Kind::Opening), bytes].concat()) else {
        return;
    };
    let ([log_leaves, zeros, words, indices @ ..], [opening, ..]) = (&proof.shape[..], &proof.openings[..])
    else {
        return;
    };
    let Ok(indices) = indices.iter().map(|&index| usize::try_from(index)).collect() else {
        return;
    };
    let Ok(set) = LeafSet::new(indices, (log_leaves % 80) as usize) else {
        return;
    };
    let shape = LeafShape::new((zeros % 64) as usize, (words % 64) as usize);
    match opening.verify(&[0; 4], &shape, &set) {
        Err(OpeningError::Root { computed, .. }) => {
            assert!(opening.verify(&computed, &shape, &set).is_ok());
            let mut longer = opening.clone();
            longer.siblings.push([0; 4]);
            let surplus = longer.verify(&computed, &shape, &set);
            assert!(matches!(surplus, Err(OpeningError::SurplusSiblings { .. })));
        }
        Err(_) => {}
        Ok(_) => panic!("a digest of zeros"),
    }
});
