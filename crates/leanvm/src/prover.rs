//! Proving.

use alloc::vec::Vec;

use leanvm_core::prove::prove;
use leanvm_core::riscv::Riscv;
pub use leanvm_core::witness::WitnessError as ProveError;
use leanvm_core::witness::{self, Target};
use rv::{Class, Limits};

use crate::output::Output;
use crate::program::Program;
use crate::proof::Proof;
use crate::rate::Rate;

/// A prover of one program's runs.
///
/// Making it builds the machine's circuits: keep it where many runs are proven. It holds no memory of past proofs.
#[derive(Clone, Debug)]
pub struct Prover<'p> {
    program: &'p Program,
    riscv: Riscv,
    rate: Rate,
    limits: Limits,
}

/// What a proof of a run would be made of: exact counts, the same on every machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measure {
    /// The output of the run.
    pub output: Output,
    /// The instructions executed.
    pub cycles: u64,
    /// The tables that the run has rows of.
    pub tables: Vec<TableSize>,
    /// The words of 64 bits that a proof commits to.
    pub committed_words: usize,
}

/// A table of the proof of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableSize {
    /// The class of instructions.
    pub name: &'static str,
    /// The instructions of the class that were executed.
    pub rows: u64,
    /// log2 of the rows of the table, which padding fills.
    pub log_height: usize,
}

impl<'p> Prover<'p> {
    /// The prover of a program's runs, at rate 1/2.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            riscv: Riscv::new(&program.public().0),
            rate: Rate::default(),
            limits: Limits::default(),
        }
    }

    /// The same prover at another rate.
    #[must_use]
    pub fn at_rate(mut self, rate: Rate) -> Self {
        self.rate = rate;
        self
    }

    /// The same prover, which refuses runs of more cycles.
    #[must_use]
    pub fn at_most(mut self, cycles: u64) -> Self {
        self.limits = Limits { cycles };
        self
    }

    /// Proves that the program exits on this advice.
    ///
    /// The bytes of the proof depend on the program, the advice and the rate alone. Runs on the thread pool of the
    /// environment (`LEANVM_NUM_THREADS`).
    ///
    /// # Errors
    /// The run traps, exceeds the limit, or is too large for one proof, which is found before memory is taken for it.
    pub fn prove(&self, advice: &[u64]) -> Result<Proof, ProveError> {
        prove(&self.riscv, self.program, advice, self.limits, self.target()).map(Proof)
    }

    /// What a proof of the program's run on this advice would be made of, without proving; a run that is too large for
    /// one proof is measured too.
    ///
    /// # Errors
    /// The run traps or exceeds the limit.
    pub fn measure(&self, advice: &[u64]) -> Result<Measure, ProveError> {
        let machine = self.riscv.machine();
        let measured = witness::measure(machine, self.program, advice, self.limits, self.target())?;
        let tables = Class::ALL.iter().zip(measured.rows).zip(&measured.shape.heights);
        Ok(Measure {
            output: Output::from_words(measured.output),
            cycles: measured.cycles,
            tables: tables
                .filter_map(|((class, rows), height)| {
                    height.map(|log_height| TableSize {
                        name: class.name(),
                        rows,
                        log_height,
                    })
                })
                .collect(),
            committed_words: measured.words,
        })
    }

    fn target(&self) -> Target<'static> {
        Target::Least {
            log_inv_rate: self.rate.log_inv(),
        }
    }
}
