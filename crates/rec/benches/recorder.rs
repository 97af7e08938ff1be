//! The verifier of a run as rows: recorded, wired, and the values of its slots taken.
//!
//! Knob `REC_LOG_INV_RATE`: the rate of the run, 2 to the minus this.

use argument::layout::Layout;
use argument::shape::Shape;
use bench::{Target, Work, black_box};
use fiat_shamir::{Channel, Kind};
use leanvm_core::riscv::Riscv;
use leanvm_core::verify::verify_core;
use rec::Recorder;
use rv::program::{Parts, TEXT_BASE};
use rv::{Program, asm};

/// The heights of a run with the first table of every class.
const HEIGHTS: [usize; 18] = [
    15, 16, 13, 14, 14, 12, 13, 12, 12, 13, 12, 15, 15, 11, 8, 8, 10, 8,
];

fn main() {
    let mut target = Target::from_args("recorder");
    let parts = Parts {
        text: asm::assemble("li a7, 93\necall").expect("it assembles").words,
        entry: TEXT_BASE,
        log_ram: 12,
        log_advice: 4,
        ..Parts::default()
    };
    let program = Program::new(parts).expect("it is a program");
    let riscv = Riscv::new(program.public());
    let shape = Shape {
        log_inv_rate: target.size("REC_LOG_INV_RATE", 1, 1),
        heights: [HEIGHTS.map(Some), [None; 18]].concat(),
    };
    let layout = Layout::new(riscv.machine(), &shape).expect("it fits");
    let words = shape.to_words();
    let record = || {
        let recorder = Recorder::without_values();
        let mut channel = Channel::new(&recorder, Kind::Run, &words);
        let reduction = verify_core(&mut channel, &riscv, &layout).expect("nothing is refused");
        let _ = black_box(reduction);
        channel.finish().expect("nothing is left");
        recorder
    };
    let work = Work::PerCall {
        calls: 1,
        what: "verifier",
    };
    target.case("recorded", work, record);
    let recorder = record();
    target.case("wired", work, || recorder.rows());
    target.case("values", work, || recorder.assignment());
    target.finish();
}
