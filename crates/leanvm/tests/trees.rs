//! Proofs of runs joined into one.

use leanvm::aggregate::{Arities, JoinError, NodeKind, NodeProof, Tree, TreeKey, TreeVerifyError};
use leanvm::{Output, Program, Proof, Prover, Rate};

fn output(n: u64) -> Output {
    Output::from_bytes(fibonacci_host::output(n))
}

#[test]
fn leaves_of_a_fleet_are_joined_and_verified_by_files_alone() {
    let program = Program::from_elf(fibonacci_host::ELF).unwrap();
    let shape = Prover::new(&program).at_rate(Rate::Quarter).prove(&[9]).unwrap();
    let arities = Arities::new(2, 2).unwrap();
    let tree = Tree::new(program.public(), &shape, arities, Rate::Half).unwrap();
    let key = TreeKey::from_bytes(&tree.key().to_bytes()).unwrap();
    assert_eq!(&key, tree.key());

    // Three leaves, whose provers know the key, and a root of another shape than its children.
    let prover = Prover::new(&program).for_tree(&key).unwrap();
    let leaves: Vec<Proof> = [4, 9, 6].map(|n| prover.prove(&[n]).unwrap()).into();
    let root = tree.prove(&leaves).unwrap();
    let parts = [&leaves[..2], &leaves[2..]].map(|leaves| tree.join_leaves(leaves).unwrap());
    parts.iter().for_each(|part| tree.verify_node(part).unwrap());
    assert!(tree.join(&parts).unwrap() == root, "the steps make the same root");

    let read = NodeProof::from_bytes(&root.to_bytes()).unwrap();
    assert_eq!((read.kind(), read.digest()), (NodeKind::Node, root.digest()));
    let outputs = [4, 9, 6].map(output);
    tree.verify(&read, &outputs).unwrap();
    assert!(matches!(
        tree.verify(&read, &outputs[..2]),
        Err(TreeVerifyError::Kind { leaves: 2, .. })
    ));
    let mut swapped = outputs;
    swapped.swap(0, 2);
    for other in [&swapped[..], &[outputs[0], outputs[1], outputs[2], outputs[2]]] {
        assert!(matches!(
            tree.verify(&read, other),
            Err(TreeVerifyError::Check(_))
        ));
    }

    // A leaf is named by its place among all.
    let mut others = leaves;
    others.push(Prover::new(&program).prove(&[1]).unwrap());
    let expected = JoinError::LeafRate {
        leaf: 3,
        found: 1,
        expected: 2,
    };
    assert_eq!(tree.prove(&others), Err(expected));
    let none = JoinError::Children {
        kind: NodeKind::FirstLevel,
        found: 0,
        max: 2,
    };
    assert_eq!(tree.prove(&[]), Err(none));
}
