//! Proof files of batches, for verifiers in other languages, which hold themselves to them.
//!
//! `known_answers/batches.txt` lists the batches; its comment explains the lines. The proof file of each is beside it.
//! `cargo test -p flock renew_the_batches -- --ignored` writes the proofs anew.

extern crate std;

use alloc::format;
use alloc::vec::Vec;
use std::path::PathBuf;

use circuit::{Builder, Circuit, blake2s, clock, pointers};
use fiat_shamir::{Channel, Kind, Native, Proof, Prover, VerifyError};
use pcs::commit::commit;
use pcs::stack::layout::present_lanes;
use pcs::stack::{prove as open, verify as check_opening};
use pcs::whir::prove::stack_shape;
use primitives::field::K;

use crate::prove::{Witness, prove};
use crate::tests::{Case, adder, statement};
use crate::{check_deferred, verify_core};

const BATCHES: &str = include_str!("../known_answers/batches.txt");
const LOG_INV_RATE: usize = 4;

fn circuit(name: &str) -> Circuit {
    match name {
        "adder" => adder(),
        "less" => less(),
        "compression" => blake2s::compression(),
        "clock_three" => clock::circuit(&clock::THREE),
        "pointers" => pointers::circuit(),
        _ => panic!("no circuit is called {name}"),
    }
}

/// The comparison of unsigned words, with the constant at its output port.
fn less() -> Circuit {
    let mut builder = Builder::new();
    let (p, q) = (builder.input(), builder.input());
    let less = builder.less(&p, &q);
    let port = builder.output(&[less]);
    builder.constant_at(port, 1);
    builder.build()
}

/// The batches of the list, by name.
fn batches() -> impl Iterator<Item = (&'static str, Case)> {
    let lines = BATCHES.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (name, parts) = line.split_once(' ').unwrap();
        let words: Vec<&str> = parts.split(' ').collect();
        let circuits = words.chunks(2).map(|part| circuit(part[0])).collect();
        let sizes = words.chunks(2).map(|part| part[1].parse().unwrap());
        let parts: Vec<(usize, usize)> = sizes.enumerate().collect();
        (name, Case::new(circuits, &parts))
    })
}

fn path(name: &str) -> PathBuf {
    [
        env!("CARGO_MANIFEST_DIR"),
        "known_answers",
        &format!("{name}.proof"),
    ]
    .iter()
    .collect()
}

/// The file of the proof by the prover that ships.
fn file(case: &Case) -> Vec<u8> {
    let layout = case.layout();
    let parameters = layout.parameters(LOG_INV_RATE).unwrap();
    let lanes = present_lanes(&parameters, layout.placed());
    let mut stack = alloc::vec![K::ZERO; lanes << parameters.log_lane_words()];
    for (region, words) in layout.regions().iter().zip(&case.witnesses) {
        stack[region.range()].copy_from_slice(words);
    }
    let oracle = commit(&stack, &stack_shape(&parameters, lanes));
    let mut prover = Prover::new(Kind::Opening, Vec::new());
    prover.send_digest(oracle.root());
    let lives = case.all_live();
    let witnesses = case.witnesses.iter().zip(&lives);
    let witnesses: Vec<_> = witnesses.map(|(words, &live)| Witness { words, live }).collect();
    let reduction = prove(&mut prover, &case.batch(), &witnesses);
    let statement = statement(&layout, &reduction);
    open::prove(&mut prover, &parameters, &stack, &oracle, &statement);
    prover.finish().0.encode()
}

fn verify(case: &Case, proof: &Proof) -> Result<(), VerifyError> {
    let layout = case.layout();
    let parameters = layout.parameters(LOG_INV_RATE).unwrap();
    let arith = Native::new(proof);
    let mut channel = Channel::new(&arith, Kind::Opening, &[]);
    let root = channel.read_digest()?;
    let reduction = verify_core(&mut channel, &case.batch())?;
    let statement = statement(&layout, &reduction);
    check_opening::verify(&mut channel, &parameters, root, layout.placed(), &statement)?;
    channel.finish()?;
    check_deferred(&case.batch(), &reduction.deferred)
}

#[test]
fn the_prover_gives_the_known_batches_and_the_verifier_accepts_them() {
    for (name, case) in batches() {
        let known = std::fs::read(path(name)).unwrap();
        assert!(
            file(&case) == known,
            "the proof of {name} is another: renew the files if that is meant, and raise the version"
        );
        assert_eq!(verify(&case, &Proof::decode(&known).unwrap()), Ok(()));
    }
}

#[test]
#[ignore = "writes the data files"]
fn renew_the_batches() {
    for (name, case) in batches() {
        std::fs::write(path(name), file(&case)).unwrap();
    }
}
