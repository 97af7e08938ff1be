//! The verifier of a node as rows is the native one.

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::{Digest, Native, Proof};
use primitives::field::E;

use super::FIXTURE;
use crate::check::check;
use crate::tree::circuits::{Verified, record};
use crate::tree::node::{self, Statement};
use crate::tree::plan::NodeKind;
use crate::{Recorder, Wire};

/// What a node states natively.
fn native(kind: NodeKind, verified: &Verified<'_>) -> (Digest, Vec<E>) {
    let parts = FIXTURE.tree.parts().unwrap();
    let children = verified.children.iter().map(|&child| Native::new(child));
    let reduction = Native::new(verified.reduction);
    let Statement { outputs, claims } = match kind {
        NodeKind::FirstLevel => {
            let leaves = children
                .map(|child| node::leaf(&child, &parts).unwrap())
                .collect();
            node::first_level(&reduction, &parts, leaves).unwrap()
        }
        NodeKind::Node => {
            let nodes = children.map(|child| node::verify_core(&child, &parts).unwrap());
            node::node(&reduction, &parts, nodes.collect()).unwrap()
        }
    };
    (outputs, claims.scalars())
}

/// The values that the rows of a node have for what it states, which they announce.
fn in_rows(kind: NodeKind, verified: &Verified<'_>) -> (Digest, Vec<E>) {
    let tree = &FIXTURE.tree;
    let recorder = Recorder::new();
    let stated = record(&recorder, &tree.parts().unwrap(), kind, Some(verified)).unwrap();
    let (rows, assignment) = recorder.finish();
    assert!(rows == *tree.rows(kind), "the rows are those of no proof");
    assert_eq!(check(&rows, &assignment), Ok(()));
    assert_eq!(assignment.announced, recorder.value(stated.digest(&recorder)));
    let scalar = |wire: Wire| {
        let [a0, a1, a2, _] = recorder.value(wire);
        E::from_words([a0, a1, a2])
    };
    let claims = stated.claims.scalars().into_iter().map(scalar).collect();
    (recorder.value(stated.outputs), claims)
}

#[test]
fn nodes_have_in_rows_the_values_of_values() {
    let tree = &FIXTURE.tree;
    let leaves: Vec<&Proof> = FIXTURE.leaves[..2].iter().collect();
    let first_level = FIXTURE.node(0, 0, 2);
    // Children of either kind, and one of them twice.
    let node = FIXTURE.node(1, 0, 2);
    for (kind, children, reduction) in [
        (
            NodeKind::FirstLevel,
            leaves,
            tree.reduce_first_level(&FIXTURE.leaves[..2]),
        ),
        (
            NodeKind::Node,
            vec![&first_level.rows, &node.rows],
            tree.reduce_node(&[first_level.clone(), node.clone()]),
        ),
        (
            NodeKind::Node,
            vec![&node.rows, &node.rows],
            tree.reduce_node(core::slice::from_ref(&node)),
        ),
    ] {
        let reduction = &reduction.unwrap();
        let verified = Verified { children, reduction };
        assert_eq!(in_rows(kind, &verified), native(kind, &verified));
    }
}
