//! Nodes over runs.

use core::ops::ControlFlow;

use argument::layout::Layout;
use argument::shape::Shape;
use fiat_shamir::{Channel, Kind, Label, Native, Proof, VerifyError};
use leanvm_core::prove::prove;
use leanvm_core::riscv::Riscv;
use leanvm_core::verify::verify_core;
use leanvm_core::witness::Target;
use rv::program::{Parts, TEXT_BASE};
use rv::{Limits, Program, asm};

use crate::check::check;
use crate::node::{Node, NodeError, STATEMENT};
use crate::table::Table;
use crate::{Recorder, statement};

/// A program that adds up 1 to 10 and leaves the sum in memory and in a0.
fn program() -> Program {
    let source = "
        li s0, 10
        lui s1, 0x40000
        loop:
        add a0, a0, s0
        sd a0, 8(s1)
        ld a1, 8(s1)
        addi s0, s0, -1
        bnez s0, loop
        li a7, 93
        ecall";
    let parts = Parts {
        text: asm::assemble(source).unwrap().words,
        entry: TEXT_BASE,
        log_ram: 12,
        log_advice: 4,
        ..Parts::default()
    };
    Program::new(parts).unwrap()
}

fn run(riscv: &Riscv, program: &Program) -> Proof {
    let target = Target::Least { log_inv_rate: 1 };
    let go_on = &mut |_| ControlFlow::Continue(());
    prove(riscv, program, &[], Limits::default(), target, go_on).unwrap()
}

#[test]
fn the_verifier_of_a_run_has_the_values_of_values_in_rows() {
    let program = program();
    let riscv = Riscv::new(program.public());
    let proof = run(&riscv, &program);
    let node = Node::new(&riscv, &proof.shape, 2).unwrap();
    let (assignment, claims) = node.assign(&proof).unwrap();
    assert_eq!(check(node.rows(), &assignment), Ok(()));

    let shape = Shape::parse(riscv.machine(), &proof.shape).unwrap();
    let layout = Layout::new(riscv.machine(), &shape).unwrap();
    let arith = Native::new(&proof);
    let mut channel = Channel::new(&arith, Kind::Run, &proof.shape);
    let reduction = verify_core(&mut channel, &riscv, &layout).unwrap();
    channel.finish().unwrap();
    assert_eq!(claims.output.map(primitives::field::K), reduction.output);
    assert_eq!(claims.output, [55, 55, 0, 0]);
    assert!(claims.deferred == reduction.deferred, "deferred claims differ");
    let digest = statement::digest(&arith, &reduction.output, &reduction.deferred);
    assert_eq!(assignment.announced, digest);

    // A changed proof is refused by the check that refuses it natively.
    let mut changed = proof;
    let word = changed.stream.len() / 2;
    changed.stream[word] ^= 1;
    let arith = Native::new(&changed);
    let mut channel = Channel::new(&arith, Kind::Run, &changed.shape);
    let expected = verify_core(&mut channel, &riscv, &layout)
        .map(|_| ())
        .unwrap_err();
    assert_eq!(node.assign(&changed).unwrap_err(), NodeError::Check(expected));
}

#[test]
fn the_rows_of_a_run_verifier_fit_these_heights() {
    // All tables present, 4,968,144 words committed; with the statement.
    let program = program();
    let riscv = Riscv::new(program.public());
    let heights = [
        15, 16, 13, 14, 14, 12, 13, 12, 12, 13, 12, 15, 15, 11, 8, 8, 10, 8,
    ];
    let shape = Shape {
        log_inv_rate: 1,
        heights: heights.map(Some).to_vec(),
    };
    let rows = [1, 2].map(|log_inv_rate| {
        let shape = Shape {
            log_inv_rate,
            ..shape.clone()
        };
        let layout = Layout::new(riscv.machine(), &shape).unwrap();
        let recorder = Recorder::without_values();
        let words = shape.to_words();
        let mut channel = Channel::new(&recorder, Kind::Run, &words);
        let reduction = verify_core(&mut channel, &riscv, &layout).unwrap();
        channel.finish().unwrap();
        let _ = statement::digest(&recorder, &reduction.output, &reduction.deferred);
        recorder.counts().rows
    });
    // The heights of the tables that a node needs.
    let heights = [[15, 15, 13, 9, 11], [15, 15, 13, 8, 11]];
    for (rows, heights) in rows.into_iter().zip(heights) {
        for (table, (rows, height)) in Table::ALL.iter().zip(rows.into_iter().zip(heights)) {
            assert!(rows <= 1 << height, "{rows} rows of {}", table.name());
            assert!(rows > 0, "no rows of {}", table.name());
        }
    }
}

fn label<T>(result: &Result<T, NodeError>) -> Label {
    match result {
        Err(NodeError::Check(VerifyError::Check { label, .. })) => *label,
        Err(other) => panic!("refused by no check: {other}"),
        Ok(_) => panic!("accepted"),
    }
}

#[test]
fn a_node_over_a_run_is_proven_and_verified() {
    let program = program();
    let riscv = Riscv::new(program.public());
    let run = run(&riscv, &program);
    let node = Node::new(&riscv, &run.shape, 2).unwrap();
    let (proof, claims) = node.prove(&run).unwrap();
    // Who verifies makes the node from the shape.
    let node = Node::new(&riscv, &run.shape, 2).unwrap();
    node.verify(&proof, &claims).unwrap();

    // Another output, another claim: neither is what the node announces.
    let mut other = claims.clone();
    other.output[0] ^= 1;
    assert_eq!(label(&node.verify(&proof, &other)).name, STATEMENT.name);
    let mut other = claims.clone();
    other.deferred.public[0].column += 1;
    assert_eq!(node.verify(&proof, &other), Err(NodeError::Form));
    // The same scalars, split otherwise.
    let mut other = claims.clone();
    let circuits = other.deferred.circuits.as_mut().unwrap();
    let moved = circuits.row_point.pop().unwrap();
    circuits.row_point.push(circuits.batching);
    circuits.lagrange.push(moved);
    assert_eq!(node.verify(&proof, &other), Err(NodeError::Form));
    let mut other = claims;
    let value = &mut other.deferred.circuits.as_mut().unwrap().claims[1].value;
    *value = value.square();
    assert_eq!(label(&node.verify(&proof, &other)).name, STATEMENT.name);
}
