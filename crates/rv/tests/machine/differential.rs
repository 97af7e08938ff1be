//! The interpreter against the oracle, in lockstep.

use rv::observe::{Access, Observer, Step};
use rv::program::{ADVICE_BASE, Program, RAM_BASE};
use rv::trap::{Cause, Trap};
use rv::{Limits, RunError, run};

use super::CASES;
use super::oracle::{Oracle, Stop};
use super::random_program::{Random, wild};

/// Steps the oracle with every instruction and compares what both did.
struct Lockstep<'a> {
    program: &'a Program,
    oracle: Oracle,
    accesses: Vec<Access>,
}

impl<'a> Lockstep<'a> {
    fn new(program: &'a Program, advice: &[u64]) -> Self {
        let mut oracle = Oracle::new(
            program.text(),
            program.entry(),
            1 << program.log_ram(),
            1 << program.log_advice(),
        );
        for &(index, word) in program.image() {
            oracle.poke(RAM_BASE + 8 * u64::from(index), 8, word);
        }
        for (&word, address) in advice.iter().zip((ADVICE_BASE..).step_by(8)) {
            oracle.poke(address, 8, word);
        }
        Self {
            program,
            oracle,
            accesses: Vec::new(),
        }
    }
}

impl Observer for Lockstep<'_> {
    fn access(&mut self, access: Access) {
        // The oracle has not made this step yet, so it still holds the word before, unless this row wrote it
        // in an earlier slot.
        let written = self
            .accesses
            .iter()
            .rev()
            .find(|a| a.address == access.address)
            .map(|a| a.new);
        let old = written.unwrap_or_else(|| self.oracle.peek(access.address, 8));
        assert_eq!(old, access.old, "{access:?} at {:#x}", self.oracle.pc);
        self.accesses.push(access);
    }

    fn retire(&mut self, step: Step) {
        let pc = rv::program::slot_pc(step.slot);
        assert_eq!(pc, self.oracle.pc);
        let entry = self.program.table().entries()[step.slot];
        let text = || self.program.describe(pc);
        let before = self.oracle.x;
        let stop = self.oracle.step();
        assert_eq!(stop.is_err(), entry.exit, "{:?} {stop:?}", text());
        if !entry.exit {
            assert_eq!(self.oracle.pc, step.next_pc, "{:?} {step:?}", text());
        }
        assert_eq!(
            [before[usize::from(entry.a1)], before[usize::from(entry.a2)]],
            [step.v1, if entry.a2 == 0 { 0 } else { step.v2 }]
        );
        if (1..32).contains(&entry.ad) {
            let cell = usize::from(entry.ad);
            assert_eq!(
                [before[cell], self.oracle.x[cell]],
                [step.old, step.new],
                "{:?} {step:?}",
                text()
            );
        }
        // Of several accesses to one cell the last leaves its word.
        while let Some(access) = self.accesses.pop() {
            assert_eq!(
                self.oracle.peek(access.address, 8),
                access.new,
                "{:?} {access:?}",
                text()
            );
            self.accesses.retain(|earlier| earlier.address != access.address);
        }
    }
}

/// What the oracle must say where the interpreter traps.
fn stop_of(cause: &Cause) -> Stop {
    match cause {
        Cause::Illegal(_) | Cause::Panic(_) => Stop::Illegal,
        Cause::Jump { .. } | Cause::End => Stop::Fetch,
        Cause::Misaligned { .. } | Cause::OutOfRegion { .. } => Stop::Memory,
        Cause::Ecall { .. } => Stop::Ecall,
        cause => panic!("no such cause: {cause}"),
    }
}

#[test]
fn the_interpreter_equals_the_oracle_on_random_programs() {
    let mut random = Random::new(1);
    let (mut steps, mut exits, mut traps, mut limits) = (0, 0, 0, 0);
    for _ in 0..8 * CASES {
        let (program, advice) = wild(&mut random, 300);
        let mut lockstep = Lockstep::new(&program, &advice);
        let result = run(&program, &advice, Limits { cycles: 1000 }, &mut lockstep);
        let oracle = &mut lockstep.oracle;
        match result {
            Ok(run) => {
                exits += 1;
                steps += run.cycles;
                assert_eq!(run.state.registers[..32], oracle.x);
                for (words, base) in [(&run.state.ram, RAM_BASE), (&run.state.advice, ADVICE_BASE)] {
                    for (&word, address) in words.iter().zip((base..).step_by(8)) {
                        assert_eq!(word, oracle.peek(address, 8));
                    }
                }
                assert_eq!(run.executions.iter().sum::<u64>(), run.cycles);
                assert_eq!(run.rows(&program).iter().sum::<u64>(), run.cycles);
            }
            Err(RunError::Trap(trap)) => {
                let Trap { pc, cause, cycle, .. } = *trap;
                traps += 1;
                steps += cycle;
                assert_eq!(pc, oracle.pc);
                assert_eq!(oracle.step(), Err(stop_of(&cause)), "{cause}");
            }
            Err(RunError::CycleLimit { cycles, pc, .. }) => {
                limits += 1;
                steps += cycles;
                assert_eq!(pc, oracle.pc);
            }
            Err(error) => panic!("{error}"),
        }
    }
    // Each way to end is met, and programs run far enough to mean something.
    assert!(
        exits > CASES / 8 && traps > CASES / 8 && limits > CASES / 8,
        "{exits} {traps} {limits}"
    );
    assert!(steps > 500 * u64::from(CASES), "{steps}");
}
