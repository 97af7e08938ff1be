//! Both sides of one script with every sort of message.

use alloc::vec;
use alloc::vec::Vec;

use primitives::field::{E, K};

use super::Tree;
use crate::merkle::{LeafShape, OpeningError};
use crate::{
    Arith, Channel, Counting, Digest, GRINDING, Kind, Label, Native, Proof, Prover, QueryPlan, Source,
    VerifyError,
};

const SHAPE: [u64; 2] = [7, 2];
const STATEMENT: Digest = [1, 2, 3, 4];
const GRINDING_BITS: usize = 5;
const CLAIM: Label = Label::new("script: claim");

fn leaf_shape() -> LeafShape {
    LeafShape::new(20, 3)
}

fn plan() -> QueryPlan {
    QueryPlan::new(12, 6, 2).unwrap()
}

fn prove() -> (Proof, Digest, Vec<E>) {
    prove_forgetting(None)
}

/// A prover that does not absorb one item of those after the shape.
fn prove_forgetting(item: Option<usize>) -> (Proof, Digest, Vec<E>) {
    let tree = Tree::new(20, 3, 6);
    let mut prover = Prover::new(Kind::Opening, SHAPE.to_vec());
    if let Some(item) = item {
        prover.hazmat_forget(item);
    }
    prover.observe_digest(STATEMENT);
    prover.send_digest(tree.root());
    prover.send_scalars(&[E::Y, E::ONE]);
    let mut challenges = prover.challenges(2);
    prover.send_word(K(5));
    prover.grind(GRINDING_BITS);
    let queries = prover.queries(plan());
    prover.open(&leaf_shape(), &queries, tree.leaf(), tree.node());
    prover.send_scalar(challenges[0] * challenges[1]);
    challenges.push(prover.challenge());
    let (proof, state) = prover.finish();
    (proof, state, challenges)
}

/// The final state and the challenges.
type Script<A> = (<A as Arith>::Digest, Vec<<A as Arith>::Scalar>);

fn verify<A: Source>(arith: &A) -> Result<Script<A>, A::Error> {
    verify_forgetting(arith, None)
}

/// A verifier that does not absorb one item of those after the shape.
fn verify_forgetting<A: Source>(arith: &A, item: Option<usize>) -> Result<Script<A>, A::Error> {
    let mut channel = Channel::new(arith, Kind::Opening, &SHAPE);
    if let Some(item) = item {
        channel.hazmat_forget(item);
    }
    channel.observe_digest(arith.constant_digest(STATEMENT));
    let root = channel.read_digest()?;
    let [_, _] = channel.read_array()?;
    let mut challenges = channel.challenges(2);
    channel.read_word()?;
    channel.check_grinding(GRINDING_BITS)?;
    let queries = channel.queries(plan());
    channel.open(root, &leaf_shape(), &queries)?;
    let claim = channel.read_scalar()?;
    arith.assert_eq(claim, arith.mul(challenges[0], challenges[1]), CLAIM)?;
    challenges.push(channel.challenge());
    Ok((channel.finish()?, challenges))
}

fn refusal(proof: &Proof) -> VerifyError {
    verify(&Native::new(proof)).unwrap_err()
}

/// The words of the stream: root 0..4, scalars 4..10, word 10, nonce 11, claim 12..15.
const NONCE: usize = 11;
const LENGTH: usize = 15;

#[test]
fn prover_and_verifier_agree() {
    let (proof, state, challenges) = prove();
    let decoded = Proof::decode(&proof.encode()).unwrap();
    assert_eq!(decoded, proof);
    assert_eq!(proof.stream.len(), LENGTH);
    assert_eq!(verify(&Native::new(&decoded)), Ok((state, challenges)));
}

#[test]
fn every_flipped_bit_of_a_proof_is_refused() {
    // The proof of work makes a flip before it pass by chance once in 32, and the queries' opening refuses
    // those; so every flip is refused, by whichever check comes first.
    let (proof, ..) = prove();
    let bytes = proof.encode();
    for bit in 0..8 * bytes.len() {
        let mut forged = bytes.clone();
        forged[bit / 8] ^= 1 << (bit % 8);
        let Ok(forged) = Proof::decode(&forged) else {
            continue;
        };
        assert!(verify(&Native::new(&forged)).is_err(), "bit {bit}");
    }
}

#[test]
fn a_false_claim_is_refused_by_its_label_and_both_sides() {
    // Fixture: the honest conversation. Forgery: the claim, its last message, is raised by 1.
    // Expected: the claim's check, and the honest value on its right.
    let (mut proof, ..) = prove();
    proof.stream[LENGTH - 3] ^= 1;
    let VerifyError::Check { label, left, right } = refusal(&proof) else {
        panic!()
    };
    let (crate::Value::Scalar(left), crate::Value::Scalar(right)) = (left, right) else {
        panic!()
    };
    assert_eq!((label, left + right), (CLAIM, E::ONE));
}

#[test]
fn a_nonce_without_work_is_refused() {
    // Forgery: the nonce before the least one, none of which has the work. Expected: the check of the work.
    let (mut proof, ..) = prove();
    proof.stream[NONCE] -= 1;
    let error = refusal(&proof);
    assert!(
        matches!(error, VerifyError::Check { label, .. } if label.name == GRINDING.name),
        "{error}"
    );
}

#[test]
fn a_stream_that_ends_early_is_refused_where_it_ends() {
    let (proof, ..) = prove();
    for length in 0..LENGTH {
        let stream = proof.stream[..length].to_vec();
        let error = refusal(&Proof {
            stream,
            ..proof.clone()
        });
        // The message that holds the first missing word.
        let (position, needed) = match length {
            0..4 => (0, 4),
            4..10 => (4 + (length - 4) / 3 * 3, 3),
            10 | 11 => (length, 1),
            _ => (12, 3),
        };
        assert_eq!(
            error,
            VerifyError::StreamEnded {
                position,
                needed,
                length
            }
        );
    }
}

#[test]
fn messages_that_nobody_reads_are_refused() {
    let (proof, ..) = prove();
    let mut longer = proof.clone();
    longer.stream.push(0);
    assert_eq!(
        refusal(&longer),
        VerifyError::StreamLeft {
            read: LENGTH,
            length: LENGTH + 1
        }
    );
    let mut more = proof.clone();
    more.openings.push(proof.openings[0].clone());
    assert_eq!(refusal(&more), VerifyError::OpeningsLeft { read: 1, count: 2 });
    let none = Proof {
        openings: vec![],
        ..proof
    };
    assert_eq!(refusal(&none), VerifyError::OpeningMissing { count: 0 });
}

#[test]
fn a_proof_of_another_kind_or_shape_is_refused() {
    // Forgery: plain data that the verifier does not use.
    let (proof, ..) = prove();
    let other = Proof {
        kind: Kind::Run,
        ..proof.clone()
    };
    assert_eq!(
        refusal(&other),
        VerifyError::Kind {
            found: Kind::Run,
            expected: Kind::Opening
        }
    );
    let longer = Proof {
        shape: [&SHAPE[..], &[0]].concat(),
        ..proof.clone()
    };
    assert_eq!(
        refusal(&longer),
        VerifyError::Shape {
            found: 3,
            expected: 2
        }
    );
    let other = Proof {
        shape: [7, 3].to_vec(),
        ..proof
    };
    assert_eq!(
        refusal(&other),
        VerifyError::Shape {
            found: 2,
            expected: 2
        }
    );
}

#[test]
fn a_wrong_opening_is_refused_by_its_number() {
    let (mut proof, ..) = prove();
    proof.openings[0].siblings.pop();
    let error = refusal(&proof);
    assert!(
        matches!(
            error,
            VerifyError::Opening {
                number: 0,
                error: OpeningError::MissingSibling { .. }
            }
        ),
        "{error}"
    );
}

#[test]
fn a_verifier_is_counted_without_values() {
    let counting = Counting::default();
    let Ok(_) = verify(&counting);
    let counts = counting.counts();
    assert_eq!((counts.mul, counts.stream_words), (1, LENGTH as u64));
    // Twelve paths of four steps, and a cap of four nodes.
    assert_eq!(
        (counts.merkle, counts.nodes, counts.leaf_words),
        (12 * 4 + 3, 12 * 4 + 4, 12 * 3)
    );
    // A claim, the bits of the work, the cap, the paths.
    assert_eq!(counts.assert, 1 + GRINDING_BITS as u64 + 1 + 12);
    // Twelve indices of four bits are in one word, but a challenge's words are split together.
    assert_eq!(counts.bits, 1 + 3);
}

#[test]
fn an_item_that_both_sides_forget_is_not_bound() {
    let (honest, state, _) = prove();
    assert_eq!(verify_forgetting(&Native::new(&honest), None).unwrap().0, state);
    // Statement, root, two scalars, a word, the claim.
    for item in 0..6 {
        let (proof, forgetful, _) = prove_forgetting(Some(item));
        assert_ne!(forgetful, state);
        assert_eq!(
            verify_forgetting(&Native::new(&proof), Some(item)).unwrap().0,
            forgetful
        );
        assert!(
            verify(&Native::new(&proof)).is_err() || verify(&Native::new(&proof)).unwrap().0 != forgetful
        );
    }
    assert_eq!(prove_forgetting(Some(6)).1, state);
}

#[test]
fn what_is_accepted_with_frozen_states_is_what_the_transcript_binds() {
    let (honest, ..) = prove();
    let recording = Native::hazmat_recording(&honest);
    verify(&recording).unwrap();
    let states = recording.hazmat_states();
    let accepted: Vec<usize> = (0..LENGTH)
        .filter(|&word| {
            let mut forged = honest.clone();
            forged.stream[word] ^= 1;
            verify(&Native::hazmat_frozen(&forged, &states)).is_ok()
        })
        .collect();
    // The root is bound by its opening, and the claim by its check.
    assert_eq!(accepted, [4, 5, 6, 7, 8, 9, 10, NONCE]);
}
