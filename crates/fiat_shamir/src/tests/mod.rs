//! The conversation as a whole: both sides of one script.

use alloc::vec;
use alloc::vec::Vec;

use primitives::field::{E, K};

use crate::merkle::LeafShape;
use crate::proof::Kind;
use crate::{Arith, Channel, Counting, Digest, Label, Native, Proof, Prover, QueryPlan, Source, VerifyError};

/// A tree with every node stored: `layers[0]` is the leaves.
pub(crate) struct Tree {
    pub(crate) leaves: Vec<Vec<u64>>,
    pub(crate) layers: Vec<Vec<Digest>>,
}

impl Tree {
    /// The tree of these leaves, from the definition.
    pub(crate) fn new(zero_words: usize, leaves: Vec<Vec<u64>>) -> Self {
        let image = |leaf: &Vec<u64>| [vec![0; zero_words], leaf.clone()].concat();
        let hash = |words: &[u64]| primitives::blake2s::hash_words(words);
        let mut layers = vec![leaves.iter().map(|leaf| hash(&image(leaf))).collect::<Vec<_>>()];
        while layers.last().unwrap().len() > 1 {
            let below = layers.last().unwrap();
            layers.push(below.chunks(2).map(|pair| hash(pair.as_flattened())).collect());
        }
        Self { leaves, layers }
    }

    pub(crate) fn root(&self) -> Digest {
        self.layers.last().unwrap()[0]
    }
}

/// Leaf `i` of the trees below: words that are all different.
fn leaf(i: usize, words: usize) -> Vec<u64> {
    (0..words).map(|j| (i * 1000 + j) as u64).collect()
}

const SHAPE: [u64; 2] = [7, 2];
const CLAIM: Label = Label::new("script: claim");

fn leaf_shape() -> LeafShape {
    LeafShape::new(20, 3)
}

fn plan() -> QueryPlan {
    QueryPlan::new(12, 6, 2).unwrap()
}

fn prove() -> (Proof, Digest, Vec<E>) {
    let tree = Tree::new(20, (0..64).map(|i| leaf(i, 3)).collect());
    let mut prover = Prover::new(Kind::Opening, SHAPE.to_vec());
    prover.observe_digest([1, 2, 3, 4]);
    prover.send_digest(tree.root());
    prover.send_scalars(&[E::Y, E::ONE]);
    let mut challenges = vec![prover.challenge(), prover.challenge()];
    prover.send_word(K(5));
    prover.grind(5);
    let queries = prover.queries(plan());
    prover.open(
        &leaf_shape(),
        &queries,
        |i, words| words.extend_from_slice(&tree.leaves[i]),
        |layer, i| tree.layers[layer][i],
    );
    prover.send_scalar(challenges[0] * challenges[1]);
    challenges.push(prover.challenge());
    let (proof, state) = prover.finish();
    (proof, state, challenges)
}

/// The final state and the challenges.
type Script<A> = (<A as Arith>::Digest, Vec<<A as Arith>::Scalar>);

fn verify<A: Source>(arith: &A) -> Result<Script<A>, A::Error> {
    let mut channel = Channel::new(arith, Kind::Opening, &SHAPE);
    channel.observe_digest(arith.constant_digest([1, 2, 3, 4]));
    let root = channel.read_digest()?;
    let [_, _] = channel.read_array()?;
    let mut challenges = channel.challenges(2);
    channel.read_word()?;
    channel.check_grinding(5)?;
    let queries = channel.queries(plan());
    channel.open(root, &leaf_shape(), &queries)?;
    let claim = channel.read_scalar()?;
    arith.assert_eq(claim, arith.mul(challenges[0], challenges[1]), CLAIM)?;
    challenges.push(channel.challenge());
    Ok((channel.finish()?, challenges))
}

#[test]
fn prover_and_verifier_agree() {
    let (proof, state, challenges) = prove();
    let decoded = Proof::decode(&proof.encode()).unwrap();
    assert_eq!(decoded, proof);
    assert_eq!(verify(&Native::new(&decoded)), Ok((state, challenges)));
}

#[test]
fn a_false_claim_is_refused_by_its_label() {
    let (mut proof, ..) = prove();
    // The claim is the last scalar that is sent.
    *proof.stream.last_mut().unwrap() ^= 1;
    let error = verify(&Native::new(&proof)).unwrap_err();
    assert!(
        matches!(error, VerifyError::Check { label: CLAIM, .. }),
        "{error}"
    );
}

#[test]
fn a_verifier_is_counted_without_values() {
    let counting = Counting::default();
    let Ok(_) = verify(&counting);
    let counts = counting.counts();
    assert_eq!((counts.mul, counts.stream_words), (1, 4 + 2 * 3 + 1 + 1 + 3));
    // Twelve paths of four steps, and a cap of four nodes.
    assert_eq!(
        (counts.merkle, counts.nodes, counts.leaf_words),
        (12 * 4 + 3, 12 * 4 + 4, 12 * 3)
    );
}
