//! Openings by the prover from the definitions, honest and forged.

use alloc::vec::Vec;

use fiat_shamir::merkle::OpeningError;
use fiat_shamir::{Channel, GRINDING, Kind, Label, Native, Proof, Prover, VerifyError};
use primitives::field::{E, K};

use super::first_rounds::Strategy;
use super::reference::{self, Forgery, Oracle, eq_table, weighted_sum};
use super::weights::{CHUNK, Chunk, Weights};
use super::{TERMINAL, prove, verify};
use crate::commit::commit;
use crate::parameters::Parameters;

/// Deterministic words.
pub(crate) fn words(count: usize, seed: u64) -> Vec<K> {
    (1..=count as u64)
        .map(|i| (K(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)) + K(seed)).square() * K(i))
        .collect()
}

/// Deterministic scalars.
pub(crate) fn scalars(count: usize, seed: u64) -> Vec<E> {
    words(3 * count, seed)
        .as_chunks()
        .0
        .iter()
        .copied()
        .map(E)
        .collect()
}

/// Weights that are written out.
struct Written(Vec<E>);

impl Weights for Written {
    fn chunks(&self) -> usize {
        let words = self.0.iter().rposition(|&weight| weight != E::ZERO);
        words.map_or(0, |last| last / CHUNK + 1)
    }

    fn add_to(&self, first: usize, stride: usize, out: &mut [Chunk]) {
        for (i, chunk) in out.iter_mut().enumerate() {
            for (x, weight) in self.0[(first + i * stride) * CHUNK..][..CHUNK].iter().enumerate() {
                for (row, coefficient) in chunk.iter_mut().zip(weight.0) {
                    row[x] += coefficient;
                }
            }
        }
    }
}

/// A stack, and a point at which it is opened.
struct Case {
    parameters: Parameters,
    present_lanes: usize,
    stack: Vec<K>,
    point: Vec<E>,
}

impl Case {
    fn new(parameters: Parameters, present_lanes: usize) -> Self {
        let mut stack = words(1 << parameters.log_words(), 1);
        stack[present_lanes << parameters.log_lane_words()..].fill(K::ZERO);
        let point = scalars(parameters.log_words(), 2);
        Self {
            parameters,
            present_lanes,
            stack,
            point,
        }
    }

    fn claim(&self) -> E {
        let f: Vec<E> = self.stack.iter().map(|&word| E::from(word)).collect();
        weighted_sum(&eq_table(&self.point), &f)
    }

    fn root(&self) -> [u64; 4] {
        let (log_lanes, log_inv_rate) = (self.parameters.log_lanes(), self.parameters.log_inv_rate());
        Oracle::of_stack(&self.stack, log_lanes, self.present_lanes, log_inv_rate).root()
    }

    /// A proof that the prover forges after it has claimed `claim`.
    fn prove(&self, claim: E, forgery: Forgery) -> Proof {
        let mut prover = Prover::new(Kind::Opening, Vec::new());
        let mut root = self.root();
        root[0] ^= u64::from(forgery == (Forgery::Root { level: 0 }));
        prover.send_digest(root);
        prover.send_scalar(claim);
        let weights = eq_table(&self.point);
        reference::prove(
            &mut prover,
            &self.parameters,
            &self.stack,
            self.present_lanes,
            &weights,
            forgery,
        );
        prover.finish().0
    }

    /// A proof by the prover that ships.
    fn prove_by(&self, strategy: Strategy) -> Proof {
        let stack = &self.stack[..self.present_lanes << self.parameters.log_lane_words()];
        let oracle = commit(stack, &prove::stack_shape(&self.parameters, self.present_lanes));
        let mut prover = Prover::new(Kind::Opening, Vec::new());
        prover.send_digest(oracle.root());
        prover.send_scalar(self.claim());
        let weights = Written(eq_table(&self.point));
        prove::prove_by(&mut prover, &self.parameters, stack, &oracle, weights, strategy);
        prover.finish().0
    }

    fn verify(&self, proof: &Proof) -> Result<(), VerifyError> {
        let arith = Native::new(proof);
        let mut channel = Channel::new(&arith, Kind::Opening, &[]);
        let root = channel.read_digest()?;
        let claim = channel.read_scalar()?;
        let eq = |_: &Native<'_>, r: &[E]| r.iter().zip(&self.point).map(|(&a, &b)| E::ONE + a + b).product();
        verify::verify(
            &mut channel,
            &self.parameters,
            root,
            self.present_lanes,
            claim,
            eq,
        )?;
        channel.finish().map(|_| ())
    }
}

#[test]
fn an_honest_opening_is_accepted_at_every_small_size() {
    for log_lanes in [2, 3] {
        for log_words in log_lanes + 1..=13 {
            let parameters = Parameters::insecure(log_words, 1 + log_words % 4, log_lanes);
            for present_lanes in [1, (1 << log_lanes) - 1, 1 << log_lanes] {
                let case = Case::new(parameters.clone(), present_lanes);
                let proof = case.prove(case.claim(), Forgery::Honest);
                assert_eq!(
                    case.verify(&proof),
                    Ok(()),
                    "2^{log_words} words, {present_lanes} lanes"
                );
            }
        }
    }
}

#[test]
fn the_prover_is_the_one_from_the_definitions_kept_or_refilled() {
    for log_words in 10..=14 {
        for log_lanes in [3, 4] {
            for (present_lanes, zeros) in [
                (1, 0),
                (5, 0),
                (1 << log_lanes, 0),
                (1, 3),
                (1, 2),
                (5, 1),
                (3, 3),
            ] {
                let mut case = Case::new(
                    Parameters::insecure(log_words, 1 + log_words % 3, log_lanes),
                    present_lanes,
                );
                // Where the last coordinates are zero, only the first 2^-zeros of the weights are others.
                case.point[log_words - zeros..].fill(E::ZERO);
                let expected = case.prove(case.claim(), Forgery::Honest);
                for strategy in [Strategy::Keep, Strategy::Refill] {
                    let proof = case.prove_by(strategy);
                    assert!(
                        proof == expected,
                        "2^{log_words} words, {present_lanes} lanes, {zeros} zeros, {strategy:?}"
                    );
                }
            }
        }
    }
}

pub(crate) fn refused_at(label: Label, result: Result<(), VerifyError>) {
    match result {
        Err(VerifyError::Check { label: found, .. }) => assert_eq!(found, label),
        other => panic!("{other:?} is not the refusal of {label}"),
    }
}

fn small() -> Case {
    Case::new(Parameters::insecure(13, 1, 3), 7)
}

#[test]
fn a_claim_off_by_one_is_refused_at_the_terminal_check() {
    let case = small();
    let proof = case.prove(case.claim() + E::ONE, Forgery::Honest);
    refused_at(TERMINAL, case.verify(&proof));
}

fn refused_opening(level: usize, result: Result<(), VerifyError>) {
    match result {
        Err(VerifyError::Opening {
            number,
            error: OpeningError::Root { .. },
        }) => assert_eq!(number, level),
        other => panic!("{other:?} is not the refusal of opening {level}"),
    }
}

#[test]
fn a_wrong_round_message_is_refused_at_the_terminal_check() {
    // Every round of every level and of the residual table, either coefficient: the prover goes on honestly.
    let case = small();
    for round in 0..case.parameters.log_words() {
        for coefficient in 0..2 {
            let proof = case.prove(case.claim(), Forgery::Round { round, coefficient });
            refused_at(TERMINAL, case.verify(&proof));
        }
    }
}

#[test]
fn a_wrong_root_is_refused_by_the_opening_under_it() {
    let case = small();
    for level in 0..case.parameters.levels().len() {
        let proof = case.prove(case.claim(), Forgery::Root { level });
        refused_opening(level, case.verify(&proof));
    }
}

#[test]
fn a_wrong_out_of_domain_answer_is_refused_at_the_terminal_check() {
    let case = small();
    for level in 1..case.parameters.levels().len() {
        let proof = case.prove(case.claim(), Forgery::Answer { level });
        refused_at(TERMINAL, case.verify(&proof));
    }
}

#[test]
fn a_function_that_is_not_the_fold_is_refused_by_its_queries_claims() {
    // The function has the weighted sum that is claimed, its oracle and its answer are honest: only the
    // queries of the level before tell.
    let case = small();
    for level in 0..case.parameters.levels().len() {
        let proof = case.prove(case.claim(), Forgery::Fold { level });
        refused_at(TERMINAL, case.verify(&proof));
    }
}

#[test]
fn a_residual_table_off_by_one_scalar_is_refused_at_the_terminal_check() {
    let case = small();
    for index in 0..1 << case.parameters.log_residual() {
        let proof = case.prove(case.claim(), Forgery::Residual { index });
        refused_at(TERMINAL, case.verify(&proof));
    }
}

#[test]
fn a_query_answered_from_another_leaf_is_refused() {
    let case = small();
    for level in 0..case.parameters.levels().len() {
        let proof = case.prove(case.claim(), Forgery::OtherLeaf { level });
        refused_opening(level, case.verify(&proof));
    }
}

#[test]
fn a_changed_word_of_a_leaf_is_refused() {
    let case = small();
    for (level, word) in [(0, 0), (0, 6), (1, 0), (1, 47), (2, 20)] {
        let proof = case.prove(case.claim(), Forgery::LeafWord { level, word });
        refused_opening(level, case.verify(&proof));
    }
}

#[test]
fn a_wrong_sibling_is_refused() {
    let case = small();
    for level in 0..case.parameters.levels().len() {
        let proof = case.prove(case.claim(), Forgery::Sibling { level });
        refused_opening(level, case.verify(&proof));
    }
}

/// The words of the stream at which the nonces stand: after the root and the claim, each level has its rounds,
/// then root and answer or the residual table.
fn nonces(parameters: &Parameters) -> Vec<usize> {
    let mut position = 4 + 3;
    let last = parameters.levels().len() - 1;
    let of_level = |(i, level): (usize, &crate::parameters::Level)| {
        position += 6 * level.log_fold
            + if i < last {
                4 + 3
            } else {
                3 << parameters.log_residual()
            };
        position += 1;
        position - 1
    };
    parameters.levels().iter().enumerate().map(of_level).collect()
}

#[test]
fn a_nonce_without_work_is_refused() {
    // The parameters of the table, whose 17 bits no change of a nonce meets by chance.
    let case = Case::new(Parameters::new(15, 4).unwrap(), 3);
    let proof = case.prove(case.claim(), Forgery::Honest);
    assert_eq!(case.verify(&proof), Ok(()));
    for nonce in nonces(&case.parameters) {
        let mut forged = proof.clone();
        forged.stream[nonce] ^= 1 << 20;
        match case.verify(&forged) {
            Err(VerifyError::Check { label, .. }) => assert_eq!(label.name, GRINDING.name),
            other => panic!("{other:?} is not the refusal of a nonce"),
        }
    }
}

#[test]
fn every_word_of_the_stream_and_of_the_openings_matters() {
    let case = small();
    let proof = case.prove(case.claim(), Forgery::Honest);
    for word in 0..proof.stream.len() {
        let mut forged = proof.clone();
        forged.stream[word] ^= 1 << (word % 64);
        assert!(case.verify(&forged).is_err(), "word {word} of the stream");
    }
    for opening in 0..proof.openings.len() {
        for word in 0..proof.openings[opening].words.len() {
            let mut forged = proof.clone();
            forged.openings[opening].words[word] ^= 1 << (word % 64);
            refused_opening(opening, case.verify(&forged));
        }
        for sibling in 0..proof.openings[opening].siblings.len() {
            let mut forged = proof.clone();
            forged.openings[opening].siblings[sibling][sibling % 4] ^= 1 << (sibling % 64);
            refused_opening(opening, case.verify(&forged));
        }
    }
}

#[test]
fn a_truncated_or_longer_proof_is_refused() {
    let case = small();
    let proof = case.prove(case.claim(), Forgery::Honest);
    for length in 0..proof.stream.len() {
        let mut forged = proof.clone();
        forged.stream.truncate(length);
        assert!(matches!(
            case.verify(&forged),
            Err(VerifyError::StreamEnded { .. })
        ));
    }
    let mut forged = proof.clone();
    forged.stream.push(0);
    assert!(matches!(
        case.verify(&forged),
        Err(VerifyError::StreamLeft { .. })
    ));
    let mut forged = proof.clone();
    forged.openings.pop();
    assert!(matches!(
        case.verify(&forged),
        Err(VerifyError::OpeningMissing { .. })
    ));
    let mut forged = proof;
    forged.openings.push(forged.openings[0].clone());
    assert!(matches!(
        case.verify(&forged),
        Err(VerifyError::OpeningsLeft { .. })
    ));
}
