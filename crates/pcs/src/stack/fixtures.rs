//! Proof files of openings, for verifiers in other languages, which hold themselves to them.
//!
//! `known_answers/opening_N_R.proof` is a proof file: 2^N words at rate 2^-R. `opening_N.claims` says what is claimed
//! of stacks of 2^N words; its comment explains the lines. `cargo test -p pcs renew_the_openings -- --ignored` writes
//! all of them anew.

extern crate std;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::path::PathBuf;

use fiat_shamir::Proof;
use primitives::field::E;

use super::Region;
use super::tests::{Case, case};
use crate::parameters::Parameters;

/// log2 of the words, and of the inverse rate: every rate, two levels and three.
const OPENINGS: [(usize, usize); 4] = [(15, 1), (15, 2), (15, 3), (16, 4)];

const CLAIMS_COMMENT: &str = "\
# What the proofs of this size claim. The proof's stream begins with the root, the slices of each family (64 scalars)
# and the value of each column; then comes the opening. The shape is empty.
#
# Numbers are decimal words; a scalar is three (the coefficients of 1, y, y^2). In order:
#   placed COUNT                                    the words from COUNT on are zero
#   point SCALAR..                                  a point, variable 0 first; claims name it by number
#   family                                          a family; the members that follow are its members
#   member OFFSET LOG_WORDS POINT SCALAR            a region, the point of which it uses LOG_WORDS coordinates, a weight
#   column OFFSET LOG_WORDS LOG_BLOCK WORD POINT    a region, blocks and a word of them (doc/pcs.md, \"Claims\")
#
# `cargo test -p pcs renew_the_openings -- --ignored` writes this file and the proofs.
";

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "known_answers", name]
        .iter()
        .collect()
}

fn proof_path((log_words, log_inv_rate): (usize, usize)) -> PathBuf {
    path(&format!("opening_{log_words}_{log_inv_rate}.proof"))
}

fn claims_path(log_words: usize) -> PathBuf {
    path(&format!("opening_{log_words}.claims"))
}

fn case_of((log_words, log_inv_rate): (usize, usize)) -> Case {
    case(Parameters::new(log_words, log_inv_rate).unwrap())
}

fn list<T: ToString>(words: impl IntoIterator<Item = T>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
    words.join(" ")
}

fn region(region: Region) -> String {
    format!("{} {}", region.offset, region.log_words)
}

/// The file of what `case` claims.
fn claims(case: &Case) -> String {
    let mut file = format!("{CLAIMS_COMMENT}placed {}\n", case.placed);
    for point in case.statement.points() {
        file += &format!(
            "point {}\n",
            list(point.iter().flat_map(|scalar| scalar.to_words()))
        );
    }
    for family in case.statement.families() {
        file += "family\n";
        for member in &family.members {
            let weight = list(member.weight.unwrap_or(E::ONE).to_words());
            file += &format!(
                "member {} {} {weight}\n",
                region(member.region),
                member.point.index
            );
        }
    }
    for column in case.statement.columns() {
        file += &format!(
            "column {} {} {} {}\n",
            region(column.region),
            column.log_block,
            column.word,
            column.point.index
        );
    }
    file
}

#[test]
fn the_prover_gives_the_known_openings_and_the_verifier_accepts_them() {
    for opening in OPENINGS {
        let case = case_of(opening);
        assert_eq!(
            std::fs::read_to_string(claims_path(opening.0)).unwrap(),
            claims(&case)
        );
        let known = std::fs::read(proof_path(opening)).unwrap();
        assert!(
            case.prove_shipped().encode() == known,
            "the proof of {opening:?} is another: renew the files if that is meant, and raise the version"
        );
        assert_eq!(case.verify(&Proof::decode(&known).unwrap()), Ok(()));
    }
}

#[test]
#[ignore = "writes the data files"]
fn renew_the_openings() {
    for opening in OPENINGS {
        let case = case_of(opening);
        std::fs::write(claims_path(opening.0), claims(&case)).unwrap();
        std::fs::write(proof_path(opening), case.prove_shipped().encode()).unwrap();
    }
}
