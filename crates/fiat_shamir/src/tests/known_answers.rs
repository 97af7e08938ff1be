//! A scripted conversation whose every answer is in a data file, for verifiers in other languages.
//!
//! Each line of `tests/data/transcript.txt` is a turn, its inputs, and after `=` what the turn gives; numbers are
//! decimal words. `cargo test -p fiat_shamir renew_the_known_answers -- --ignored` writes the answers anew.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use primitives::blake2s;
use primitives::field::{E, K};

use super::Tree;
use crate::merkle::LeafShape;
use crate::{Channel, Digest, Kind, Native, Proof, Prover, Queries, QueryPlan};

const KNOWN: &str = include_str!("../../tests/data/transcript.txt");
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/transcript.txt");

/// A line without its answer: the turn and its inputs.
fn turns() -> impl Iterator<Item = (&'static str, Vec<u64>)> {
    let is_turn = |line: &&str| !["#", "state", "file"].iter().any(|start| line.starts_with(start));
    KNOWN.lines().filter(is_turn).map(|line| {
        let mut parts = line.split('=').next().unwrap().split_whitespace();
        (
            parts.next().unwrap(),
            parts.map(|word| word.parse().unwrap()).collect(),
        )
    })
}

fn scalar(words: &[u64]) -> E {
    E::from_words(words.try_into().unwrap())
}

fn digest(words: &[u64]) -> Digest {
    words.try_into().unwrap()
}

fn plan(words: &[u64]) -> QueryPlan {
    let &[count, log_leaves, log_strata] = words else {
        panic!("a plan is three words")
    };
    QueryPlan::new(count as usize, log_leaves as usize, log_strata as usize).unwrap()
}

fn list(words: impl IntoIterator<Item = impl ToString>) -> String {
    words
        .into_iter()
        .map(|word| format!(" {}", word.to_string()))
        .collect()
}

/// The file as it has to be: its comments and turns, with the prover's answers; and the proof.
fn answered() -> (String, Proof) {
    let mut file: String = KNOWN
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    let mut prover = Prover::new(Kind::Opening, Vec::new());
    let mut drawn: Option<Queries<bool>> = None;
    for (turn, inputs) in turns() {
        let answer = match turn {
            "shape" => {
                prover = Prover::new(Kind::Opening, inputs.clone());
                None
            }
            "observe_word" => {
                prover.observe_word(K(inputs[0]));
                None
            }
            "observe_scalar" => {
                prover.observe_scalar(scalar(&inputs));
                None
            }
            "observe_digest" => {
                prover.observe_digest(digest(&inputs));
                None
            }
            "send_word" => {
                prover.send_word(K(inputs[0]));
                None
            }
            "send_scalar" => {
                prover.send_scalar(scalar(&inputs));
                None
            }
            "send_digest" => {
                prover.send_digest(digest(&inputs));
                None
            }
            "challenge" => Some(list(prover.challenge().to_words())),
            "grind" => {
                prover.grind(inputs[0] as usize);
                Some(list([prover.proof().stream.last().unwrap()]))
            }
            "queries" => {
                let queries = prover.queries(plan(&inputs));
                let indices = list(queries.indices());
                drawn = Some(queries);
                Some(indices)
            }
            "open" => {
                let queries = drawn.take().expect("queries come before an opening");
                let (zeros, words) = (inputs[0] as usize, inputs[1] as usize);
                let tree = Tree::new(zeros, words, queries.plan().log_leaves());
                prover.open(&LeafShape::new(zeros, words), &queries, tree.leaf(), tree.node());
                Some(list(tree.root()))
            }
            _ => panic!("no turn is called {turn}"),
        };
        let answer = answer.map(|answer| format!(" ={answer}")).unwrap_or_default();
        file += &format!("{turn}{}{answer}\n", list(&inputs));
    }
    let (proof, state) = prover.finish();
    let hex: String = blake2s::hash(&proof.encode())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    file += &format!("state ={}\nfile = {hex}\n", list(state));
    (file, proof)
}

/// The verifier's side: the answers that it computes by itself, for the turns that have any.
fn replayed(proof: &Proof) -> Result<Vec<String>, crate::VerifyError> {
    let native = Native::new(proof);
    let mut channel = Channel::new(&native, proof.kind, &proof.shape);
    let mut drawn = None;
    let mut answers = Vec::new();
    for (turn, inputs) in turns() {
        match turn {
            "observe_word" => channel.observe_word(K(inputs[0])),
            "observe_scalar" => channel.observe_scalar(scalar(&inputs)),
            "observe_digest" => channel.observe_digest(digest(&inputs)),
            "send_word" => assert_eq!(channel.read_word()?, K(inputs[0])),
            "send_scalar" => assert_eq!(channel.read_scalar()?, scalar(&inputs)),
            "send_digest" => assert_eq!(channel.read_digest()?, digest(&inputs)),
            "challenge" => answers.push(list(channel.challenge().to_words())),
            "grind" => channel.check_grinding(inputs[0] as usize)?,
            "queries" => {
                let queries = channel.queries(plan(&inputs));
                answers.push(list(queries.indices()));
                drawn = Some(queries);
            }
            "open" => {
                let queries = drawn.take().expect("queries come before an opening");
                let (zeros, words) = (inputs[0] as usize, inputs[1] as usize);
                let root = Tree::new(zeros, words, queries.plan().log_leaves()).root();
                channel.open(root, &LeafShape::new(zeros, words), &queries)?;
                answers.push(list(root));
            }
            _ => {}
        }
    }
    answers.push(list(channel.finish()?));
    Ok(answers)
}

#[test]
fn the_prover_gives_the_known_answers() {
    assert_eq!(
        answered().0,
        KNOWN,
        "the protocol changed: renew the file if that is meant, and raise the version"
    );
}

#[test]
fn the_verifier_gives_the_known_answers() {
    let known: Vec<&str> = KNOWN
        .lines()
        .filter(|line| !["grind", "file", "#"].iter().any(|name| line.starts_with(name)))
        .filter_map(|line| line.split_once('=').map(|(_, answer)| answer))
        .collect();
    assert_eq!(replayed(&answered().1).unwrap(), known);
}

#[test]
#[ignore = "writes the data file"]
fn renew_the_known_answers() {
    extern crate std;
    std::fs::write(PATH, answered().0).unwrap();
}
