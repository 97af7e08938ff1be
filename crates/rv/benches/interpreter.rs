//! Instructions per second of the interpreter, watched and not, on three kinds of loops.
//!
//! Knob `RV_LOG_N`: log2 of the number of rounds.

use bench::{Target, Work};
use rv::observe::{Access, Observer, Step};
use rv::profile::CallPaths;
use rv::program::{Parts, TEXT_BASE};
use rv::{Limits, Program, asm, run};

/// A program whose body runs `2^20` times or as the knob says.
fn program(rounds: usize, body: &str) -> Program {
    let source = format!(
        "
        li s0, {rounds}
        lui s1, 0x40000
        lui s2, 0x20000
        li s3, 0x9e3779b97f4a7c15
        loop:
        {body}
        addi s0, s0, -1
        bnez s0, loop
        li a7, 93
        ecall"
    );
    let text = asm::assemble(&source).expect("the text assembles").words;
    let parts = Parts {
        text,
        entry: TEXT_BASE,
        log_ram: 12,
        log_advice: 12,
        ..Parts::default()
    };
    Program::new(parts).expect("the parts make a program")
}

/// Dependent arithmetic and a data-dependent branch.
const ARITHMETIC: &str = "
    slli t0, s3, 13
    xor s3, s3, t0
    srli t0, s3, 7
    xor s3, s3, t0
    slli t0, s3, 17
    xor s3, s3, t0
    andi t1, s3, 1
    add a0, a0, s3
    beqz t1, even
    sub a1, a1, s3
    even:
    sltu t2, a0, s3
    addw a2, a2, t2";

/// Loads and stores of every width.
const MEMORY: &str = "
    ld t0, 8(s1)
    addi t0, t0, 1
    sd t0, 8(s1)
    lw t1, 16(s2)
    sw t1, 24(s1)
    lbu t2, 33(s1)
    sb t2, 41(s1)
    lh t3, 50(s1)
    sh t3, 58(s1)
    ld t4, 64(s2)
    sd t4, 72(s2)";

/// A call, its frame, and a return.
const CALLS: &str = "
    call function
    j end
    function:
    sd ra, 128(s1)
    sd s0, 136(s1)
    mv t0, s0
    add a0, a0, t0
    ld s0, 136(s1)
    ld ra, 128(s1)
    ret
    end:";

/// Keeps what it is told, as a recorder does, in a bounded buffer.
struct Recorder {
    steps: Vec<Step>,
    accesses: Vec<Access>,
}

impl Observer for Recorder {
    #[inline(always)]
    fn access(&mut self, access: Access) {
        let at = self.accesses.len() & 0xffff;
        if self.accesses.len() > 0xffff {
            self.accesses[at] = access;
        } else {
            self.accesses.push(access);
        }
    }

    #[inline(always)]
    fn retire(&mut self, step: Step) {
        if self.steps.len() < 1 << 16 {
            self.steps.push(step);
        } else {
            self.steps[(step.cycle & 0xffff) as usize] = step;
        }
    }
}

fn main() {
    let mut target = Target::from_args("interpreter");
    let rounds = 1 << target.size("RV_LOG_N", 20, 1);
    for (name, body) in [("arithmetic", ARITHMETIC), ("memory", MEMORY), ("calls", CALLS)] {
        let program = program(rounds, body);
        let cycles = run(&program, &[], Limits::default(), &mut ())
            .expect("the program exits")
            .cycles;
        let work = Work::Items {
            items: cycles as usize,
            what: "instructions",
        };
        target.case(name, work, || run(&program, &[], Limits::default(), &mut ()));
        target.case(&format!("{name}, recorded"), work, || {
            let mut recorder = Recorder {
                steps: Vec::new(),
                accesses: Vec::new(),
            };
            run(&program, &[], Limits::default(), &mut recorder)
        });
        target.case(&format!("{name}, call paths"), work, || {
            run(&program, &[], Limits::default(), &mut CallPaths::new(&program))
        });
    }
    target.finish();
}
