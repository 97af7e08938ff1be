//! The proof of work, a round of a conversation, decoding, and the check of a Merkle opening.
//!
//! Knob `GRINDING_BITS`: bits of the proof of work.

use bench::{Target, Work};
use fiat_shamir::merkle::{LeafSet, LeafShape, Opening};
use fiat_shamir::{Digest, Kind, Native, Proof, Prover, grinding};
use primitives::field::{E, K};
use primitives::pool;

/// Leaves of the tree, and those that are opened: a first level's.
const LOG_LEAVES: usize = 12;
const OPENED: usize = 224;
const LEAF_WORDS: usize = 64;

fn main() {
    let mut target = Target::from_args("transcript");
    search(&mut target);

    let rounds = 1000;
    let work = Work::PerCall {
        calls: rounds,
        what: "round",
    };
    target.case("two scalars, one challenge", work, || {
        let mut prover = Prover::new(Kind::Opening, vec![]);
        for _ in 0..rounds {
            prover.send_scalars(&[E::ONE, E::Y]);
            let _ = prover.challenge();
        }
        prover.finish()
    });

    let bytes = opening_proof().encode();
    target.case("decode", Work::Bytes(bytes.len()), || Proof::decode(&bytes));
    open(&mut target);
    target.finish();
}

/// The search for a nonce, per nonce tried.
fn search(target: &mut Target) {
    let bits = target.size("GRINDING_BITS", 14, 4);
    let state: Digest = [1, 2, 3, 4];
    let tried = grinding::search_scalar(&state, bits) as usize + 1;
    let work = Work::PerCall {
        calls: tried,
        what: "nonce",
    };
    target.case("grind, scalar", work, || grinding::search_scalar(&state, bits));
    target.case("grind, lanes of one thread", work, || {
        pool::with_threads(1, || grinding::search(&state, bits))
    });
    target.case("grind, all threads", work, || grinding::search(&state, bits));
}

/// A tree of equal leaves: every layer has one node.
fn opening_proof() -> Proof {
    let shape = LeafShape::new(0, LEAF_WORDS);
    let mut nodes = vec![shape.hash(&Native::default(), &[K::ONE; LEAF_WORDS])];
    for layer in 0..LOG_LEAVES {
        let below = nodes[layer];
        nodes.push(fiat_shamir::Arith::merkle_node(&Native::default(), below, below));
    }
    let words = |_, words: &mut Vec<u64>| words.extend([1; LEAF_WORDS]);
    let opening = Opening::extract(&shape, &leaves(), words, |layer, _| nodes[layer]);
    Proof {
        kind: Kind::Opening,
        shape: vec![],
        stream: nodes[LOG_LEAVES].to_vec(),
        openings: vec![opening],
    }
}

/// Leaves that are spread like random ones.
fn leaves() -> LeafSet {
    let indices = (0..OPENED).map(|i| i * i * 2741 % (1 << LOG_LEAVES)).collect();
    LeafSet::new(indices, LOG_LEAVES).expect("indices are reduced")
}

fn open(target: &mut Target) {
    let (proof, leaves, shape) = (opening_proof(), leaves(), LeafShape::new(0, LEAF_WORDS));
    let root: Digest = proof.stream[..].try_into().expect("the stream is the root");
    let work = Work::PerCall {
        calls: leaves.indices().len(),
        what: "leaf",
    };
    target.case("open", work, || {
        proof.openings[0]
            .verify(&root, &shape, &leaves)
            .map(|words| words.len())
    });
}
