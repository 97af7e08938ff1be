//! Trees over runs of a program that puts out three times its advice.

mod counts;
mod forgeries;
mod joins;
mod twins;

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use alloc::vec::Vec;
use core::ops::ControlFlow;

use fiat_shamir::{Label, Proof, VerifyError};
use leanvm_core::prove::prove;
use leanvm_core::riscv::Riscv;
use leanvm_core::witness::Target;
use rv::program::{Parts, TEXT_BASE};
use rv::{Limits, Program, asm};

use crate::tree::plan::Arities;
use crate::tree::proof::NodeProof;
use crate::tree::prove::JoinError;
use crate::tree::{Tree, TreeVerifyError};

/// The rate of nodes is 1/2.
const LOG_INV_RATE: usize = 1;

/// A program that adds up its first word of advice three times, stores the sum, and leaves it in a0 and a1; `marker` is in
/// a2.
fn program(marker: u32) -> Program {
    let source = alloc::format!(
        "
        lui s2, 0x20000
        ld s3, 0(s2)
        li s0, 3
        lui s1, 0x40000
        loop:
        add a0, a0, s3
        sd a0, 8(s1)
        ld a1, 8(s1)
        addi s0, s0, -1
        bnez s0, loop
        li a2, {marker}
        li a7, 93
        ecall"
    );
    let parts = Parts {
        text: asm::assemble(&source).unwrap().words,
        entry: TEXT_BASE,
        log_ram: 12,
        log_advice: 4,
        ..Parts::default()
    };
    Program::new(parts).unwrap()
}

/// What the program with marker 0 puts out for the leaf of this number.
fn output(leaf: u64) -> [u64; 4] {
    [3 * leaf, 3 * leaf, 0, 0]
}

fn outputs(leaves: impl IntoIterator<Item = u64>) -> Vec<[u64; 4]> {
    leaves.into_iter().map(output).collect()
}

fn run(program: &Program, advice: u64, log_inv_rate: usize) -> Proof {
    let target = Target::Least { log_inv_rate };
    let go_on = &mut |_| ControlFlow::Continue(());
    let riscv = Riscv::new(program.public());
    prove(&riscv, program, &[advice], Limits::default(), target, go_on).unwrap()
}

/// The tree over such runs, two to two, and proofs that are made once for all tests.
struct Fixture {
    tree: Tree,
    leaves: [Proof; 8],
    nodes: Mutex<BTreeMap<(usize, u64, u64), NodeProof>>,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let program = program(0);
    let leaves = core::array::from_fn(|leaf| run(&program, leaf as u64, 1));
    let shape = &leaves[0].shape;
    let arities = Arities::new(2, 2).unwrap();
    Fixture {
        tree: Tree::new(Riscv::new(program.public()), shape, arities, LOG_INV_RATE).unwrap(),
        leaves,
        nodes: Mutex::default(),
    }
});

impl Fixture {
    /// The node of a level, 0 for first-level nodes, over the leaves from `first` to before `end`.
    fn node(&self, level: usize, first: u64, end: u64) -> NodeProof {
        let key = (level, first, end);
        if let Some(node) = self.nodes.lock().unwrap().get(&key) {
            return node.clone();
        }
        let node = match level.checked_sub(1) {
            None => self
                .tree
                .prove_first_level(&self.leaves[first as usize..end as usize]),
            Some(below) => {
                // Two to two, so a child of this level has 2^level leaves.
                let middle = end.min(first + (1 << level));
                let mut children = Vec::from([self.node(below, first, middle)]);
                if middle < end {
                    children.push(self.node(below, middle, end));
                }
                self.tree.prove_node(&children)
            }
        };
        let node = node.unwrap();
        self.nodes.lock().unwrap().insert(key, node.clone());
        node
    }

    /// The root over the first leaves.
    fn root(&self, leaves: u64) -> NodeProof {
        let levels = self.tree.arities().levels((leaves as usize).try_into().unwrap());
        self.node(levels.len() - 1, 0, leaves)
    }
}

/// The label of the check that refused a proof. Proofs are too long to print.
fn refusal<T, E: Refused>(result: Result<T, E>) -> Label {
    match result {
        Err(refused) => refused.label(),
        Ok(_) => panic!("accepted"),
    }
}

/// The check that refused.
trait Refused {
    fn label(&self) -> Label;
}

impl Refused for VerifyError {
    fn label(&self) -> Label {
        match *self {
            Self::Check { label, .. } => label,
            ref other => panic!("refused by no check: {other}"),
        }
    }
}

impl Refused for TreeVerifyError {
    fn label(&self) -> Label {
        match *self {
            Self::Check(error) => error.label(),
            ref other => panic!("refused by no check: {other}"),
        }
    }
}

impl Refused for JoinError {
    fn label(&self) -> Label {
        match *self {
            Self::Child { error, .. } | Self::Reduction(error) => error.label(),
            ref other => panic!("refused by no check: {other}"),
        }
    }
}
