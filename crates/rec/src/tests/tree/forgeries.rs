//! What is refused, by which check.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use argument::{PUBLIC, gkr, tables};
use fiat_shamir::{Native, Proof, VerifyError};
use leanvm_core::riscv::Riscv;
use primitives::field::{E, K};

use super::{FIXTURE, LOG_INV_RATE, Refused as _, outputs, program, refusal, run};
use crate::machine::RowMachine;
use crate::reduce::{DENSE, ENTRIES, FIXED, MATRIX};
use crate::tree::circuits::{Refused, Verified};
use crate::tree::plan::{NodeKind, padded};
use crate::tree::proof::NodeProof;
use crate::tree::prove::JoinError;
use crate::tree::{OUTPUTS, STATEMENT, Tree, TreeVerifyError, node, statement};
use crate::{Recorder, prove, verify};

/// The node that a prover makes who records every equality, true or not.
fn forged(kind: NodeKind, children: &[&Proof], reduction: &Proof) -> NodeProof {
    let verified = Verified {
        children: padded(children, FIXTURE.tree.arities().of(kind)),
        reduction,
    };
    let recorder = Recorder::hazmat_lenient();
    let proof = FIXTURE.tree.prove_recorded(&recorder, kind, &verified).unwrap();
    assert!(!recorder.violated().is_empty(), "nothing is forged");
    proof.unwrap()
}

/// Words spread over a stream, of every kind of message.
fn sample(length: usize) -> impl Iterator<Item = usize> {
    (0..12).map(move |i| i * (length - 1) / 11)
}

#[test]
fn a_leaf_with_one_scalar_changed_is_refused_as_natively() {
    let (tree, leaf) = (&FIXTURE.tree, &FIXTURE.leaves[1]);
    for word in sample(leaf.stream.len()) {
        let mut other = leaf.clone();
        other.stream[word] ^= 1;
        let error = node::leaf(&Native::new(&other), &tree.parts().unwrap()).unwrap_err();
        let expected = Err(JoinError::Child { child: 1, error });
        assert_eq!(
            tree.prove_first_level(&[leaf.clone(), other]),
            expected,
            "word {word}"
        );
    }
}

#[test]
fn a_child_with_one_scalar_changed_is_refused_as_natively() {
    let (tree, child) = (&FIXTURE.tree, FIXTURE.node(0, 0, 2));
    // The announced words come first.
    for word in sample(child.rows.stream.len()) {
        let mut other = child.clone();
        other.rows.stream[word] ^= 1;
        let error = node::verify_core(&Native::new(&other.rows), &tree.parts().unwrap()).unwrap_err();
        let expected = Err(JoinError::Child { child: 0, error });
        assert_eq!(tree.prove_node(&[other, child.clone()]), expected, "word {word}");
    }
}

/// The tree of a forger whose circuits have these public columns: what its nodes claim of them is true, for the forger.
fn forger(circuits: [&RowMachine; 2]) -> Tree {
    let mut tree = FIXTURE.tree.clone();
    tree.catalog = tree.catalog.with_fixed(circuits.map(RowMachine::machine));
    tree
}

#[test]
fn a_node_of_another_program_is_refused_where_it_is_verified_and_at_the_root() {
    let tree = &FIXTURE.tree;
    let other = program(1);
    let leaf = run(&other, 0, 1);
    assert_eq!(leaf.shape, tree.leaf_words());
    let riscv = Riscv::new(other.public());
    let forger = Tree::new(riscv, &leaf.shape, tree.arities(), LOG_INV_RATE).unwrap();
    assert!(matches!(
        tree.prove_first_level(core::slice::from_ref(&leaf)),
        Err(JoinError::Child { child: 0, .. })
    ));
    let node = forger.prove_first_level(&[leaf]).unwrap();
    forger.verify(&node, &[[0, 0, 1, 0]]).unwrap();
    assert_eq!(refusal(tree.verify_node(&node)).name, PUBLIC.name);
    // The same check tells an honest prover which child it is.
    match tree.prove_node(&[FIXTURE.node(0, 0, 2), node.clone()]) {
        Err(JoinError::Child { child: 1, error }) => assert_eq!(error.label().name, PUBLIC.name),
        other => panic!("{:?}", other.map(|_| ())),
    }
    // Forgery: the other program's whole tree. Nodes above the first level are of the same circuit.
    let root = forger.prove_node(&[node]).unwrap();
    forger.verify_node(&root).unwrap();
    assert_eq!(refusal(tree.verify_node(&root)), ENTRIES);
}

#[test]
fn a_node_of_a_fake_circuit_is_refused_where_it_is_verified_and_at_the_root() {
    // Forgery: a circuit that announces what its prover likes, and nodes for which it is that of the first level.
    let tree = &FIXTURE.tree;
    let recorder = Recorder::new();
    for word in [0; 4] {
        recorder.announce(recorder.hint_word(word));
    }
    let (rows, mut assignment) = recorder.finish();
    let machine = RowMachine::new(&rows, tree.heights());
    let layout = machine.layout(LOG_INV_RATE).unwrap();
    let forger = forger([&machine, &tree.circuit(NodeKind::Node).machine]);
    let claims = forger.prove_first_level(&FIXTURE.leaves[..1]).unwrap().claims;
    let lie = outputs([6, 7]);
    let digest = tree.arities().digest(&lie).unwrap();
    assignment.announced = statement::statement(&Native::default(), digest, &claims).to_vec();
    let fake = NodeProof {
        kind: NodeKind::FirstLevel,
        outputs: digest,
        claims,
        rows: prove::prove(&rows, &assignment, &machine, &layout),
    };
    assert_eq!(refusal(tree.verify(&fake, &lie)).name, PUBLIC.name);
    assert_eq!(
        refusal(tree.prove_node(core::slice::from_ref(&fake))).name,
        PUBLIC.name
    );
    let root = forger.prove_node(&[fake.clone(), fake]).unwrap();
    assert_eq!(refusal(tree.verify(&root, &outputs([6, 7, 6, 7]))), FIXED);
}

#[test]
fn outputs_that_are_others_or_in_another_order_are_refused() {
    let tree = &FIXTURE.tree;
    let root = FIXTURE.root(4);
    for other in [[1, 0, 2, 3], [2, 3, 0, 1], [0, 1, 2, 4]] {
        let other = outputs(other);
        assert_eq!(refusal(tree.verify(&root, &other)), OUTPUTS);
        // Forgery: a root that says it has these.
        let digest = tree.arities().digest(&other).unwrap();
        let forged = NodeProof {
            outputs: digest,
            ..root.clone()
        };
        assert_eq!(refusal(tree.verify(&forged, &other)).name, STATEMENT.name);
    }
    // Children that are proven in another order have another digest.
    let swapped = tree
        .prove_node(&[FIXTURE.node(0, 2, 4), FIXTURE.node(0, 0, 2)])
        .unwrap();
    assert_eq!(refusal(tree.verify(&swapped, &outputs(0..4))), OUTPUTS);
    tree.verify(&swapped, &outputs([2, 3, 0, 1])).unwrap();
}

#[test]
fn outputs_that_are_missing_or_too_many_are_refused() {
    let tree = &FIXTURE.tree;
    let root = FIXTURE.root(3);
    assert_eq!(tree.verify(&root, &[]), Err(TreeVerifyError::NoOutputs));
    let refused = |leaves: &[u64]| tree.verify(&root, &outputs(leaves.iter().copied())).unwrap_err();
    // The third leaf stands twice in its node, but counts once.
    assert_eq!(refused(&[0, 1, 2, 2]).label(), OUTPUTS);
    assert_eq!(refused(&[0, 1, 2, 2, 2]).label(), OUTPUTS);
    let expected = TreeVerifyError::Kind {
        found: NodeKind::Node,
        expected: NodeKind::FirstLevel,
        leaves: 2,
    };
    assert_eq!(refused(&[0, 1]), expected);
    // A node that says that one of two leaves counts.
    let leaves: Vec<&Proof> = FIXTURE.leaves[..2].iter().collect();
    let mut reduction = tree.reduce_first_level(&FIXTURE.leaves[..2]).unwrap();
    reduction.stream[0] = 1;
    let verified = Verified {
        children: leaves,
        reduction: &reduction,
    };
    let node = tree
        .prove_recorded(&Recorder::new(), NodeKind::FirstLevel, &verified)
        .unwrap()
        .unwrap();
    tree.verify_node(&node).unwrap();
    for leaves in [&[0, 1][..], &[0], &[1]] {
        let outputs = outputs(leaves.iter().copied());
        assert_eq!(refusal(tree.verify(&node, &outputs)), OUTPUTS);
    }
}

#[test]
fn a_root_of_another_kind_is_refused() {
    let tree = &FIXTURE.tree;
    for (level, kind, leaves) in [(0, NodeKind::Node, 3), (1, NodeKind::FirstLevel, 2)] {
        // As many outputs as are of this kind, and their digest.
        let outputs = outputs(0..leaves);
        let forged = NodeProof {
            kind,
            outputs: tree.arities().digest(&outputs).unwrap(),
            ..FIXTURE.node(level, 0, 2)
        };
        assert_eq!(refusal(tree.verify(&forged, &outputs)).name, PUBLIC.name);
    }
    // The tree over two leaves has no node above the first level.
    let expected = TreeVerifyError::Kind {
        found: NodeKind::Node,
        expected: NodeKind::FirstLevel,
        leaves: 2,
    };
    let above = FIXTURE.node(1, 0, 2);
    assert_eq!(tree.verify(&above, &outputs(0..2)), Err(expected));
}

#[test]
fn a_child_of_another_kind_is_refused_at_the_root() {
    // Forgery: nodes for which either kind has the circuit of first-level nodes.
    let tree = &FIXTURE.tree;
    let circuit = &tree.circuit(NodeKind::FirstLevel).machine;
    let forger = forger([circuit, circuit]);
    let child = NodeProof {
        kind: NodeKind::Node,
        ..forger.prove_first_level(&FIXTURE.leaves[..2]).unwrap()
    };
    assert_eq!(
        refusal(tree.prove_node(core::slice::from_ref(&child))).name,
        PUBLIC.name
    );
    let root = forger.prove_node(&[child]).unwrap();
    assert_eq!(refusal(tree.verify_node(&root)), FIXED);
}

#[test]
fn what_a_child_does_not_announce_is_refused() {
    let (tree, child) = (&FIXTURE.tree, FIXTURE.node(0, 0, 2));
    let honest = tree.reduce_node(core::slice::from_ref(&child)).unwrap();
    let claims = 3 * child.claims.len();
    // After `live`: of each of two children the digest of outputs and the claims.
    let places = [1, 4, 5, 4 + claims, 5 + claims, 8 + 2 * claims];
    for (number, word) in places.into_iter().enumerate() {
        let mut reduction = honest.clone();
        reduction.stream[word] ^= 1;
        let verified = Verified {
            children: vec![&child.rows; 2],
            reduction: &reduction,
        };
        let recorded = tree.prove_recorded(&Recorder::new(), NodeKind::Node, &verified);
        let Err(Refused::Reduction(refused)) = recorded.unwrap() else {
            panic!("word {word} is accepted")
        };
        // The first word of the child's digest that differs.
        let first = if number < 4 { 0 } else { 4 };
        assert_eq!(refused.label(), STATEMENT.at(first), "word {word}");
    }
    // Forgery: a prover who records it all the same.
    let mut reduction = honest;
    reduction.stream[1] ^= 1;
    let forged = forged(NodeKind::Node, &[&child.rows], &reduction);
    assert_eq!(refusal(tree.verify_node(&forged)), gkr::ROOT.at(1));
    // The same in the child's own file.
    let mut other = child.clone();
    other.outputs[2] ^= 1;
    assert_eq!(refusal(tree.prove_node(&[child.clone(), other])), STATEMENT.at(4));
    let mut other = child;
    other.claims[7] += E::ONE;
    assert_eq!(refusal(tree.verify_node(&other)), STATEMENT.at(0));
}

#[test]
fn a_forged_reduction_is_refused_by_its_checks_or_where_its_claims_are_settled() {
    let tree = &FIXTURE.tree;
    let kind = NodeKind::FirstLevel;
    let leaves: Vec<&Proof> = FIXTURE.leaves[..2].iter().collect();
    let honest = tree.reduce_first_level(&FIXTURE.leaves[..2]).unwrap();
    let record = |word: usize| {
        let mut reduction = honest.clone();
        reduction.stream[word] ^= 1;
        let verified = Verified {
            children: leaves.clone(),
            reduction: &reduction,
        };
        let recorded = tree.prove_recorded(&Recorder::new(), kind, &verified).unwrap();
        recorded.map_err(|refused| match refused {
            Refused::Reduction(error) => Box::new(error),
            Refused::Child { child, .. } => panic!("child {child} is refused"),
        })
    };
    let mut settled = 0;
    for word in sample(honest.stream.len()).skip(1) {
        match record(word) {
            Err(refused) => {
                assert!(refused.label().name.starts_with("reduction: "), "word {word}");
            }
            // On the circuit of HASH rows, and on those of classes without rows, leaves have no claim: what is left
            // of these is the prover's choice.
            Ok(forged) => {
                assert_eq!(refusal(tree.verify_node(&forged)).name, MATRIX.name);
                settled += 1;
            }
        }
    }
    assert!((1..6).contains(&settled), "{settled} words");
    // The first message, and a prover who records it all the same.
    let mut reduction = honest.clone();
    reduction.stream[1] ^= 1;
    match record(1) {
        Err(refused) => assert_eq!(refused.label(), DENSE),
        Ok(_) => panic!("accepted"),
    }
    let forged = forged(kind, &leaves, &reduction);
    assert_eq!(refusal(tree.verify_node(&forged)), gkr::ROOT.at(1));
}

#[test]
fn every_part_of_a_root_is_owned_by_a_check() {
    let tree = &FIXTURE.tree;
    let bytes = FIXTURE.root(3).encode();
    let outputs = outputs(0..3);
    for place in 0..60 {
        let mut other = bytes.clone();
        other[place * (bytes.len() - 1) / 59] ^= 1;
        if let Ok(proof) = NodeProof::decode(&other) {
            assert!(tree.verify(&proof, &outputs).is_err(), "byte {place} of 60");
        }
    }
}

/// Announced words reach the bus in one equation over E, linear in each, so with all challenges fixed there are four words
/// of K that nothing tells from those announced: the transcript, which absorbs them first, is what binds them.
#[test]
fn a_statement_moved_along_the_linear_kernel_of_the_bus_is_refused_by_the_transcript() {
    let (tree, honest) = (&FIXTURE.tree, FIXTURE.node(0, 0, 2));
    let machine = &tree.circuit(NodeKind::FirstLevel).machine;
    let layout = machine.layout(LOG_INV_RATE).unwrap();
    let recording = Native::hazmat_recording(&honest.rows);
    let _ = verify::verify_core(&recording, machine, &layout).unwrap();
    let states = recording.hazmat_states();
    // By how much the sides of the last check of the tables differ when a word is moved by one.
    let moved = |by: [K; 4]| {
        let mut proof = honest.rows.clone();
        for (word, by) in proof.stream.iter_mut().zip(by) {
            *word ^= by.0;
        }
        proof
    };
    let frozen =
        |proof: &Proof| verify::verify_core(&Native::hazmat_frozen(proof, &states), machine, &layout);
    let slopes: Vec<[K; 3]> = (0..4)
        .map(|word| {
            let mut by = [K::ZERO; 4];
            by[word] = K::ONE;
            let refused = frozen(&moved(by)).unwrap_err();
            assert_eq!(refused.label(), tables::TERMINAL);
            match refused {
                VerifyError::Check {
                    left: fiat_shamir::Value::Scalar(left),
                    right: fiat_shamir::Value::Scalar(right),
                    ..
                } => (left + right).0,
                other => panic!("{other}"),
            }
        })
        .collect();
    // The minors of three equations in four words.
    let minor = |without: usize| {
        let [a, b, c]: [[K; 3]; 3] = (0..4)
            .filter(|&word| word != without)
            .map(|word| slopes[word])
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        let pair = |i: usize, j: usize| b[i] * c[j] + b[j] * c[i];
        a[0] * pair(1, 2) + a[1] * pair(0, 2) + a[2] * pair(0, 1)
    };
    let kernel = [0, 1, 2, 3].map(minor);
    assert!(kernel.iter().any(|&word| word != K::ZERO));
    let forged = moved(kernel);
    // No check of the bus or of the tables sees it: what refuses is in what the announced words themselves say.
    let core = frozen(&forged).unwrap();
    assert_eq!(
        core.deferred,
        verify::verify_core(&Native::new(&honest.rows), machine, &layout)
            .unwrap()
            .deferred
    );
    // Absorbed, they are other challenges.
    let refused = verify::verify_core(&Native::new(&forged), machine, &layout).unwrap_err();
    assert!(matches!(refused, VerifyError::Check { .. }), "{refused}");
}
