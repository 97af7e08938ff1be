//! The run of the least program.

use argument::check_deferred;
use argument::layout::Layout;
use argument::prove::uninterrupted;
use argument::shape::Shape;
use fiat_shamir::{Channel, Kind, Native, Proof};
use leanvm_core::prove::prove_witness;
use leanvm_core::riscv::Riscv;
use leanvm_core::verify::{verify, verify_core};
use leanvm_core::witness::{Target, witness};
use rv::program::{Parts, TEXT_BASE};
use rv::{Limits, Program, asm};

use crate::{Subject, Verifier};

/// The verifier of runs of a program.
pub struct Run(Riscv);

impl Verifier for Run {
    const KIND: Kind = Kind::Run;

    fn accepts_by(&self, proof: &Proof, arith: &Native<'_>) -> bool {
        let Ok(shape) = Shape::parse(self.0.machine(), &proof.shape) else {
            return false;
        };
        let Ok(layout) = Layout::new(self.0.machine(), &shape) else {
            return false;
        };
        let mut channel = Channel::new(arith, Kind::Run, &proof.shape);
        let reduction = verify_core(&mut channel, &self.0, &layout);
        let ended = channel.finish();
        match (reduction, ended) {
            (Ok(reduction), Ok(_)) => check_deferred(self.0.machine(), &layout, &reduction.deferred).is_ok(),
            _ => false,
        }
    }

    fn accepts(&self, proof: &Proof) -> bool {
        verify(&self.0, proof).is_ok()
    }
}

/// The least program.
///
/// # Panics
/// Never: it is a program.
#[must_use]
pub fn program() -> Program {
    Program::new(Parts {
        text: asm::assemble("li a7, 93\necall").unwrap().words,
        entry: TEXT_BASE,
        log_ram: 2,
        ..Parts::default()
    })
    .unwrap()
}

/// The honest proof of its run.
///
/// # Panics
/// Never: it runs.
#[must_use]
pub fn proof(program: &Program) -> Proof {
    let riscv = Riscv::new(program.public());
    let target = Target::Least { log_inv_rate: 4 };
    let limits = Limits { cycles: 2 };
    let run = witness(riscv.machine(), program, &[], limits, target).unwrap();
    prove_witness(&riscv, &run, &mut uninterrupted)
        .continue_value()
        .unwrap()
}

/// The run, honest.
#[must_use]
pub fn subject() -> Subject<Run> {
    let program = program();
    let proof = proof(&program);
    Subject::new(Run(Riscv::new(program.public())), proof)
}
