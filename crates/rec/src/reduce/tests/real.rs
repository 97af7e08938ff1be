//! Claims of real proofs: two runs, reduced one by one; then proofs of rows of both kinds that carry what is left.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use std::sync::OnceLock;

use argument::Deferred;
use argument::layout::Layout;
use argument::shape::Shape;
use fiat_shamir::{Arith, Channel, Item, Kind, Label, Native, Proof, Prover, VerifyError};
use leanvm_core::riscv::Riscv;
use leanvm_core::witness::Target;
use primitives::field::E;
use rv::program::{Parts, TEXT_BASE};
use rv::{Limits, Program, asm};

use super::fixtures::verify_with;
use crate::machine::{Heights, RowMachine};
use crate::reduce::{Catalog, Child, DENSE, Merged, ROWS, prove, settle};
use crate::rows::{Assignment, Rows};
use crate::tests::{checked, rows_of};
use crate::{Recorder, Wire, verify};

const LOG_INV_RATE: usize = 2;

/// A program with words in memory, that adds up 1 to the first of its advice.
fn program() -> Program {
    let source = "
        li s0, 10
        lui s1, 0x40000
        loop:
        add a0, a0, s0
        sd a0, 8(s1)
        ld a1, 8(s1)
        mul a2, a1, a0
        addi s0, s0, -1
        bnez s0, loop
        li a7, 93
        ecall";
    let parts = Parts {
        text: asm::assemble(source).unwrap().words,
        entry: TEXT_BASE,
        log_ram: 12,
        log_advice: 4,
        image: vec![(0, 99), (1, 7), (40, 1 << 60)],
        ..Parts::default()
    };
    Program::new(parts).unwrap()
}

/// The claims of a run, and the catalog for its shape and for circuits of these machines.
fn run(rows: [&RowMachine; 3]) -> (Deferred<E>, Catalog) {
    let program = program();
    let riscv = Riscv::new(program.public());
    let target = Target::Least { log_inv_rate: 1 };
    let go_on = &mut |_| ControlFlow::Continue(());
    let proof = leanvm_core::prove::prove(&riscv, &program, &[], Limits::default(), target, go_on).unwrap();
    let shape = Shape::parse(riscv.machine(), &proof.shape).unwrap();
    let layout = Layout::new(riscv.machine(), &shape).unwrap();
    let arith = Native::new(&proof);
    let mut channel = Channel::new(&arith, Kind::Run, &proof.shape);
    let reduction = leanvm_core::verify::verify_core(&mut channel, &riscv, &layout).unwrap();
    channel.finish().unwrap();
    argument::check_deferred(riscv.machine(), &layout, &reduction.deferred).unwrap();
    let [blank, first, node] = rows.map(RowMachine::machine);
    let catalog = Catalog::new(riscv.machine(), &layout, blank).with_fixed([first, node]);
    (reduction.deferred, catalog)
}

/// A circuit with rows of every table: hashes and products, `steps` of them, of which the last is announced.
fn circuit(steps: usize) -> (Rows, Assignment) {
    let recorder = Recorder::new();
    let mut state = recorder.hint([1, 2, 3, 4]);
    let mut sum = recorder.constant(E::Y);
    for _ in 0..steps {
        state = recorder.compress(state, &[Item::Scalar(sum)], 1 << 33, true);
        let challenge = recorder.digest_scalar(state);
        sum = recorder.mul_add(sum, challenge, recorder.inverse_frobenius(challenge, 2));
        sum = recorder.mul_word_add(sum, recorder.limbs(challenge)[1], challenge);
    }
    let [word, ..] = recorder.digest_words(state);
    let _ = recorder.bits(word);
    recorder.announce(word);
    checked(&recorder)
}

/// The claims of a proof of rows, by the verifier that does not know which.
fn claims_of_rows(rows: &Rows, assignment: &Assignment, heights: Heights) -> Deferred<E> {
    let machine = RowMachine::new(rows, heights);
    let layout = machine.layout(LOG_INV_RATE).unwrap();
    let proof = crate::prove::prove(rows, assignment, &machine, &layout);
    let blank = RowMachine::blank(heights, machine.announced());
    let layout = blank.layout(LOG_INV_RATE).unwrap();
    let core = verify::verify_core(&Native::new(&proof), &blank, &layout).unwrap();
    core.deferred
}

/// A catalog, a run, and trees of both kinds that carry what the run leaves.
struct Real {
    catalog: Catalog,
    run: Vec<Child<E>>,
    trees: Vec<Child<E>>,
}

impl Real {
    fn get() -> &'static Self {
        static REAL: OnceLock<Real> = OnceLock::new();
        REAL.get_or_init(Self::new)
    }

    fn new() -> Self {
        let circuits = [circuit(5), circuit(6)];
        let heights = circuits
            .iter()
            .map(|(rows, _)| Heights::of(rows))
            .reduce(Heights::max)
            .unwrap();
        let machines = circuits
            .each_ref()
            .map(|(rows, _)| RowMachine::new(rows, heights));
        let blank = RowMachine::blank(heights, 1);
        let (run, catalog) = run([&blank, &machines[0], &machines[1]]);
        let run = vec![Child::Run(run)];
        let (_, carried) = reduce(&catalog, &run, &[false], 0);
        let (_, other) = reduce(&catalog, &run, &[false], 1);
        assert!(carried != other);
        let trees = circuits.iter().zip([carried, other]);
        let trees = trees.map(|((rows, assignment), carried)| Child::Tree {
            deferred: claims_of_rows(rows, assignment, heights),
            carried,
        });
        Self {
            trees: trees.collect(),
            catalog,
            run,
        }
    }

    /// Children with the kinds of those that are trees.
    fn nodes(&self) -> [(&[Child<E>], &'static [bool]); 2] {
        [(&self.run, &[false]), (&self.trees, &[false, true])]
    }
}

/// A reduction after some word.
fn reduce(catalog: &Catalog, children: &[Child<E>], kinds: &[bool], word: u64) -> (Proof, Merged<E>) {
    let mut prover = Prover::new(Kind::Tree, vec![]);
    if word > 0 {
        prover.observe_word(primitives::field::K(word));
    }
    let merged = prove(&mut prover, catalog, children, kinds);
    (prover.finish().0, merged)
}

#[test]
fn claims_of_runs_and_of_trees_that_carry_them_are_reduced_and_settled() {
    let real = Real::get();
    for (children, kinds) in real.nodes() {
        let (proof, merged) = reduce(&real.catalog, children, kinds, 0);
        let verified = verify_with(&Native::new(&proof), &real.catalog, children).unwrap();
        assert!(verified == merged);
        settle(&real.catalog, &merged).unwrap();
    }
}

fn refused_by(real: &Real, children: &[Child<E>], kinds: &[bool]) -> Label {
    let (proof, _) = reduce(&real.catalog, children, kinds, 0);
    match verify_with(&Native::new(&proof), &real.catalog, children) {
        Err(VerifyError::Check { label, .. }) => label,
        Err(other) => panic!("refused by no check: {other}"),
        Ok(_) => panic!("accepted"),
    }
}

#[test]
fn trees_of_the_other_kind_and_false_values_are_refused() {
    let real = Real::get();
    assert_eq!(refused_by(real, &real.trees, &[true, true]), DENSE);
    assert_eq!(refused_by(real, &real.trees, &[false, false]), DENSE);
    for (claims, _) in real.nodes() {
        let values = |children: &mut Vec<Child<E>>, number: usize| {
            let (Child::Run(deferred) | Child::Tree { deferred, .. }) = &mut children[0];
            let public = deferred.public.iter_mut().map(|claim| (&mut claim.value, DENSE));
            let producers = (deferred.producers.iter_mut()).map(|claim| (&mut claim.value, DENSE));
            let circuits = deferred
                .circuits
                .iter_mut()
                .flat_map(|circuits| &mut circuits.claims);
            let circuits = circuits.map(|claim| (&mut claim.value, ROWS));
            let (value, label) = public.chain(producers).chain(circuits).nth(number)?;
            *value += E::Y;
            Some(label)
        };
        let kinds = [false, true];
        for number in 0.. {
            let mut children = claims.to_vec();
            let Some(expected) = values(&mut children, number) else {
                break;
            };
            let kinds = &kinds[..children.len()];
            assert_eq!(refused_by(real, &children, kinds), expected, "value {number}");
        }
    }
}

#[test]
fn the_verifier_has_the_values_of_values_in_rows() {
    let real = Real::get();
    let counts: [&[(&str, usize)]; 2] = [
        &[("EMUL", 597), ("EXK", 121), ("HASH", 63)],
        &[("EMUL", 1823), ("EXK", 203), ("HASH", 93), ("CAST", 1)],
    ];
    for ((children, kinds), counts) in real.nodes().into_iter().zip(counts) {
        let (proof, merged) = reduce(&real.catalog, children, kinds, 0);
        let record = |recorder: &Recorder<'_>| -> Merged<Wire> {
            let wire = |value: E| {
                let [w0, w1, w2] = value.to_words();
                recorder.hint([w0, w1, w2, 0])
            };
            let children: Vec<_> = children.iter().map(|child| child.map(wire)).collect();
            verify_with(recorder, &real.catalog, &children).unwrap()
        };
        let recorder = Recorder::new();
        recorder.read(Some(&proof));
        let wires = record(&recorder);
        let value = |wire: Wire| {
            let [w0, w1, w2, rest] = recorder.value(wire);
            assert_eq!(rest, 0, "a scalar has three words");
            E::from_words([w0, w1, w2])
        };
        assert!(wires.map(value) == merged);
        let (rows, _) = checked(&recorder);

        let blank = Recorder::without_values();
        let _ = record(&blank);
        assert!(blank.finish().0 == rows, "the rows depend on the proof");
        assert_eq!(rows_of(&recorder.counts()), counts);

        // No equality is one of wires that are the same without it.
        for equality in 0..blank.counts().equalities {
            let without = blank.hazmat_finish_without(equality).0;
            assert!(without != rows, "{}", blank.labels()[equality]);
        }
    }
}
