//! Honest trees, and what is refused before anything is proven.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use argument::shape::ShapeError;
use fiat_shamir::VerifyError;
use leanvm_core::riscv::Riscv;
use primitives::blake2s;
use primitives::{backend, pool};

use super::{FIXTURE, LOG_INV_RATE, output, outputs, program, run};
use crate::tree::plan::{Arities, NodeKind};
use crate::tree::proof::NodeProof;
use crate::tree::prove::JoinError;
use crate::tree::{Tree, TreeError};

#[test]
fn trees_over_any_number_of_leaves_are_verified() {
    let tree = &FIXTURE.tree;
    let mut sizes = Vec::new();
    for leaves in [1, 2, 3, 4, 5, 8] {
        let root = FIXTURE.root(leaves);
        let bytes = root.encode();
        let read = NodeProof::decode(&bytes).unwrap();
        tree.verify(&read, &outputs(0..leaves)).unwrap();
        sizes.push((bytes.len(), root.rows.stream.len()));
    }
    // Openings share what their paths have in common, which differs a little from proof to proof.
    let (bytes, stream) = sizes[0];
    for (other, other_stream) in sizes {
        assert_eq!(other_stream, stream);
        assert!(other.abs_diff(bytes) < bytes / 32, "{other} bytes, and {bytes}");
    }
}

/// The digests of the proofs of a leaf, and of nodes of either kind over the first two. They move with every change of the
/// protocol, and with nothing else; the failing test prints the new ones.
const DIGESTS: [&str; 3] = [
    "940a890c1bde0b9f3dce78915a2a0e04e3c80caea6547a1895a5cd702cdc8304",
    "a5fc3ed9e0a3809a406f3b354610fc996899de452fa5df9f8271bf6dd21da574",
    "d1687130359f32b389c878108f10b06a0829fd25698a3d83026d01fc8c8863f3",
];

fn hex_digest(file: &[u8]) -> String {
    let digest = blake2s::hash(file);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn proofs_of_nodes_have_the_pinned_digests_for_any_number_of_threads_and_any_back_end() {
    let (first_level, node) = (FIXTURE.node(0, 0, 2), FIXTURE.node(1, 0, 2));
    let files = [FIXTURE.leaves[0].encode(), first_level.encode(), node.encode()];
    assert_eq!(files.map(|file| hex_digest(&file)), DIGESTS);
    let tree = &FIXTURE.tree;
    for threads in [1, 3] {
        let again = pool::with_threads(threads, || tree.prove_first_level(&FIXTURE.leaves[..2]));
        assert!(again.unwrap() == first_level, "{threads} threads");
    }
    let selected = backend::selected().kind();
    let others = backend::Kind::ALL.into_iter().filter(|&kind| kind != selected);
    for kind in others.filter(|&kind| backend::force(kind).is_ok()) {
        assert!(
            tree.prove_node(core::slice::from_ref(&first_level)).unwrap() == node,
            "{kind:?}"
        );
    }
    backend::force(selected).unwrap();
}

#[test]
fn what_has_the_wrong_number_of_children_is_refused() {
    let (tree, node) = (&FIXTURE.tree, FIXTURE.node(0, 0, 2));
    for found in [0, 3] {
        let kind = NodeKind::FirstLevel;
        let refused = tree.prove_first_level(&FIXTURE.leaves[..found]);
        assert_eq!(refused, Err(JoinError::Children { kind, found, max: 2 }));
        let kind = NodeKind::Node;
        let refused = tree.prove_node(&vec![node.clone(); found]);
        assert_eq!(refused, Err(JoinError::Children { kind, found, max: 2 }));
    }
}

#[test]
fn a_leaf_of_another_shape_is_refused_by_what_differs() {
    let (tree, leaf) = (&FIXTURE.tree, &FIXTURE.leaves[0]);
    let refused = |other| tree.prove_first_level(&[leaf.clone(), other]).unwrap_err();
    let other = run(&program(0), 0, 2);
    let expected = JoinError::LeafRate {
        leaf: 1,
        found: 2,
        expected: 1,
    };
    assert_eq!(refused(other), expected);
    // One more instruction than fit the table of additions of immediates.
    let mut other = leaf.clone();
    let table = other.shape.iter().rposition(|&height| height > 0).unwrap() - 1;
    let name = Riscv::new(program(0).public()).machine().tables[table].name;
    other.shape[table + 1] += 1;
    let found = other.shape[table + 1] as usize - 1;
    let expected = JoinError::LeafTable {
        leaf: 1,
        table: name,
        found: Some(found),
        expected: Some(found - 1),
    };
    assert_eq!(refused(other), expected);
    let mut other = leaf.clone();
    other.shape.pop();
    assert!(matches!(
        refused(other),
        JoinError::LeafShape {
            leaf: 1,
            error: ShapeError::Length { .. }
        }
    ));
}

#[test]
fn a_child_that_is_another_proof_is_refused() {
    let (tree, node) = (&FIXTURE.tree, FIXTURE.node(0, 0, 2));
    let mut other = node.clone();
    other.claims.pop();
    let (found, expected) = (other.claims.len(), node.claims.len());
    let refused = tree.prove_node(&[node.clone(), other]);
    let child = 1;
    assert_eq!(
        refused,
        Err(JoinError::ChildClaims {
            child,
            found,
            expected
        })
    );
    let mut other = node.clone();
    other.rows.shape[1] += 1;
    assert!(matches!(
        tree.prove_node(&[other]),
        Err(JoinError::Child {
            child: 0,
            error: VerifyError::Shape { .. }
        })
    ));
    // A run in place of a node's rows.
    let mut other = node;
    other.rows = FIXTURE.leaves[0].clone();
    assert!(matches!(
        tree.prove_node(&[other]),
        Err(JoinError::Child { child: 0, .. })
    ));
}

#[test]
fn a_tree_is_made_again_from_its_key() {
    let key = FIXTURE.tree.key();
    let riscv = || Riscv::new(program(0).public());
    let tree = Tree::of_key(riscv(), key).unwrap();
    assert_eq!(tree.key(), key);
    let file = tree.circuits_file();
    assert_eq!(blake2s::digest_to_words(&blake2s::hash(&file)), key.digest);
    tree.verify(&FIXTURE.node(0, 0, 1), &[output(0)]).unwrap();
    // Another digest, another program, other arities, another rate.
    let mut other = key.clone();
    other.digest[3] ^= 1;
    let expected = TreeError::Key {
        found: key.digest,
        expected: other.digest,
    };
    assert_eq!(Tree::of_key(riscv(), &other).unwrap_err(), expected);
    let others = [
        Tree::new(
            Riscv::new(program(1).public()),
            &key.leaf_shape,
            key.arities,
            LOG_INV_RATE,
        ),
        Tree::new(
            riscv(),
            &key.leaf_shape,
            Arities::new(1, 2).unwrap(),
            LOG_INV_RATE,
        ),
        Tree::new(riscv(), &key.leaf_shape, key.arities, LOG_INV_RATE + 1),
    ];
    for other in others {
        assert_ne!(other.unwrap().key().digest, key.digest);
    }
}
