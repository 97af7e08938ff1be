//! Any bytes as the proof of a run give an error, and so does a changed honest one, also where the challenges are the
//! honest ones.

#![no_main]

use std::sync::LazyLock;

use argument::check_deferred;
use argument::layout::Layout;
use argument::prove::uninterrupted;
use argument::shape::Shape;
use fiat_shamir::proof::header;
use fiat_shamir::{Channel, Kind, Native, Proof};
use leanvm_core::prove::prove_witness;
use leanvm_core::riscv::Riscv;
use leanvm_core::verify::{verify, verify_core};
use leanvm_core::witness::{Target, witness};
use libfuzzer_sys::fuzz_target;
use rv::program::{Parts, TEXT_BASE};
use rv::{Limits, Program, asm};

struct Honest {
    riscv: Riscv,
    file: Vec<u8>,
    /// The states of the transcript.
    states: Vec<[u64; 4]>,
}

/// The least program and its proof.
static HONEST: LazyLock<Honest> = LazyLock::new(|| {
    let program = Program::new(Parts {
        text: asm::assemble("li a7, 93\necall").unwrap().words,
        entry: TEXT_BASE,
        log_ram: 2,
        ..Parts::default()
    })
    .unwrap();
    let riscv = Riscv::new(program.public());
    let target = Target::Least { log_inv_rate: 4 };
    let limits = Limits { cycles: 2 };
    let run = witness(riscv.machine(), &program, &[], limits, target).unwrap();
    let proof = prove_witness(&riscv, &run, &mut uninterrupted)
        .continue_value()
        .unwrap();
    let recording = Native::hazmat_recording(&proof);
    assert!(accepts(&riscv, &proof, &recording));
    Honest {
        states: recording.hazmat_states(),
        file: proof.encode(),
        riscv,
    }
});

fuzz_target!(|bytes: &[u8]| {
    let Honest { riscv, file, states } = &*HONEST;
    if let Ok(proof) = Proof::decode(&[&header(Kind::Run), bytes].concat()) {
        assert!(verify(riscv, &proof).is_err());
    }
    // A few bytes as changes: a position of three bytes, then the byte there.
    if bytes.len() > 16 || !bytes.len().is_multiple_of(4) {
        return;
    }
    let mut forged = file.clone();
    for change in bytes.chunks_exact(4) {
        let at = usize::from(change[0]) | usize::from(change[1]) << 8 | usize::from(change[2]) << 16;
        let at = at % forged.len();
        forged[at] = change[3];
    }
    if let Ok(proof) = Proof::decode(&forged) {
        assert_eq!(verify(riscv, &proof).is_ok(), forged == *file);
        // So every check is reached, whatever came before.
        accepts(riscv, &proof, &Native::hazmat_frozen(&proof, states));
    }
});

/// Whether the verifier accepts that takes challenges from this instance.
fn accepts(riscv: &Riscv, proof: &Proof, arith: &Native<'_>) -> bool {
    let Ok(shape) = Shape::parse(riscv.machine(), &proof.shape) else {
        return false;
    };
    let Ok(layout) = Layout::new(riscv.machine(), &shape) else {
        return false;
    };
    let mut channel = Channel::new(arith, Kind::Run, &proof.shape);
    let reduction = verify_core(&mut channel, riscv, &layout);
    let ended = channel.finish();
    match (reduction, ended) {
        (Ok(reduction), Ok(_)) => check_deferred(riscv.machine(), &layout, &reduction.deferred).is_ok(),
        _ => false,
    }
}
