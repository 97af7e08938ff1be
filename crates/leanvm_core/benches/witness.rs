//! Instructions a second of measuring a run and of making its witness, and the stages of the latter.
//!
//! Knobs: `CORE_FIBONACCI` steps, `CORE_LEANXMSS` signatures, `CORE_LOG_ROUNDS` log2 of the rounds of a loop of all kinds
//! of cheap instructions.

use bench::{Spans, Target, Work};
use leanvm_core::machine::machine;
use leanvm_core::witness::{Target as Sizes, measure, witness};
use rv::program::{Parts, TEXT_BASE};
use rv::{Limits, Program, asm, elf};
use tracing::info_span;

/// Arithmetic, loads, stores and branches, none of which is folded away.
const MIXED: &str = "
    slli t0, s3, 13
    xor s3, s3, t0
    srli t0, s3, 7
    add s3, s3, t0
    ld t1, 8(s1)
    addi t1, t1, 1
    sd t1, 8(s1)
    lw t2, 16(s2)
    addw t2, t2, s3
    sw t2, 24(s1)
    sltu t3, s3, t2
    sub a1, a1, t3
    srl a2, s3, t2
    andi t4, s3, 1
    beqz t4, even
    sub a0, a0, s3
    even:
    bltu a0, s3, less
    addi a3, a3, 7
    less:";

fn mixed(rounds: usize) -> Program {
    let source = format!(
        "li s0, {rounds}
        lui s1, 0x40000
        lui s2, 0x20000
        li s3, 0x9e3779b97f4a7c15
        loop:
        {MIXED}
        addi s0, s0, -1
        bnez s0, loop
        li a7, 93
        ecall"
    );
    let parts = Parts {
        text: asm::assemble(&source).expect("the text assembles").words,
        entry: TEXT_BASE,
        log_ram: 12,
        log_advice: 12,
        ..Parts::default()
    };
    Program::new(parts).expect("the parts make a program")
}

fn main() {
    let mut target = Target::from_args("witness");
    let steps = target.size("CORE_FIBONACCI", 200_000, 10);
    let signatures = target.size("CORE_LEANXMSS", 100, 1);
    let rounds = 1 << target.size("CORE_LOG_ROUNDS", 16, 1);
    let spans = Spans::record().expect("the process has no other subscriber");
    let entries = leanxmss_host::benchmark_entries(signatures).expect("the signers sign");
    let guest = |elf: &[u8]| elf::load(elf).expect("it is a program");
    for (name, program, advice) in [
        ("mixed", mixed(rounds), Vec::new()),
        (
            "fibonacci",
            guest(fibonacci_host::ELF),
            fibonacci_host::advice(steps as u64),
        ),
        (
            "leanxmss",
            guest(leanxmss_host::ELF),
            leanxmss_host::advice(&entries).expect("the entries fit"),
        ),
    ] {
        let machine = machine(program.public());
        let sizes = Sizes::Least { log_inv_rate: 1 };
        let measured =
            measure(&machine, &program, &advice, Limits::default(), sizes).expect("the program exits");
        let work = Work::Items {
            items: measured.cycles as usize,
            what: "instructions",
        };
        target.case(&format!("{name}, measured"), work, || {
            measure(&machine, &program, &advice, Limits::default(), sizes)
        });
        spans.take();
        let run = || witness(&machine, &program, &advice, Limits::default(), sizes);
        target.case(name, work, || {
            info_span!("witness")
                .in_scope(run)
                .map(|witness| witness.stack.len())
        });
        if let Some(pass) = spans.take().last().filter(|_| !target.runs_once()) {
            println!(
                "{} cycles, {} committed words; the last pass:",
                measured.cycles, measured.words
            );
            println!("{pass}");
        }
    }
    target.finish();
}
