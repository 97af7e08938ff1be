//! Proving.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display};
use core::ops::ControlFlow;

use argument::security::Security;
use argument::shape::Shape;
use leanvm_core::parts::{self, PARTS};
use leanvm_core::prove;
use leanvm_core::riscv::Riscv;
use leanvm_core::witness::{self, Target};
use rv::{Class, Limits};

pub use argument::shape::ShapeError;
pub use leanvm_core::prove::ProveError;
pub use leanvm_core::witness::WitnessError;

use crate::aggregate::TreeKey;
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
    shape: Option<Shape>,
    limits: Limits,
}

/// What a proof of a run would be made of: exact counts, the same on every machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measure {
    /// The output of the run.
    pub output: Output,
    /// The instructions executed.
    pub cycles: u64,
    /// The tables of each class that a proof of the run has.
    pub tables: Vec<TableSize>,
    /// The words of 64 bits that a proof commits to.
    pub committed_words: usize,
    /// The words of the proof's shape: its rate, and the height of each table.
    pub shape: Vec<u64>,
    /// About how many bytes of memory proving takes at its most; absent if the run is too large for one proof.
    pub memory_bytes: Option<usize>,
}

/// The tables of a kind of rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableSize {
    /// The kind of rows: of a run, the class of instructions.
    pub name: &'static str,
    /// The rows that are needed: of a run, the instructions of the class that were executed.
    pub rows: u64,
    /// log2 of the rows of each table. The rows fill the first, then the next; padding fills what is left.
    pub log_heights: Vec<usize>,
}

impl TableSize {
    /// The rows of the tables, as a sum of powers of two: `2^14 + 2^8`.
    #[must_use]
    pub fn heights(&self) -> impl Display {
        let heights = self.log_heights.iter();
        let heights: Vec<String> = heights.map(|log_rows| format!("2^{log_rows}")).collect();
        heights.join(" + ")
    }
}

impl<'p> Prover<'p> {
    /// The prover of a program's runs, at rate 1/2.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            riscv: Riscv::new(&program.public().0),
            rate: Rate::default(),
            shape: None,
            limits: Limits::default(),
        }
    }

    /// The same prover at another rate.
    #[must_use]
    pub fn at_rate(mut self, rate: Rate) -> Self {
        self.rate = rate;
        self.shape = None;
        self
    }

    /// The same prover, whose proofs have the rate, the tables and the heights of this one, a proof of a run of the same
    /// program: a fleet of provers makes proofs of one shape, which can be aggregated.
    ///
    /// # Errors
    /// The proof announces what no proof of this program has.
    pub fn in_shape_of(self, proof: &Proof) -> Result<Self, ShapeError> {
        self.in_shape(&proof.0.shape)
    }

    /// The same prover, whose proofs are leaves of the tree of this key: they have the rate, the tables and the heights of
    /// its leaves.
    ///
    /// # Errors
    /// The key is of a tree over leaves of another program.
    pub fn for_tree(self, key: &TreeKey) -> Result<Self, ShapeError> {
        self.in_shape(key.leaf_shape())
    }

    fn in_shape(mut self, words: &[u64]) -> Result<Self, ShapeError> {
        self.shape = Some(Shape::parse(self.riscv.machine(), words)?);
        Ok(self)
    }

    /// The same prover, which refuses runs of more cycles.
    #[must_use]
    pub fn at_most(mut self, cycles: u64) -> Self {
        self.limits = Limits { cycles };
        self
    }

    /// Proves that the program exits on this advice.
    ///
    /// The bytes of the proof depend on the program, the advice, the rate and the shape alone. Runs on the thread pool
    /// of the environment (`LEANVM_NUM_THREADS`). All memory that was taken is given back.
    ///
    /// # Errors
    /// The run traps, exceeds the limit, is too large for one proof, or does not fit the [shape](Self::in_shape_of);
    /// this is found before memory is taken for a proof.
    pub fn prove(&self, advice: &[u64]) -> Result<Proof, ProveError> {
        self.prove_in_stages(advice, |_| ControlFlow::Continue(()))
    }

    /// [`prove`](Self::prove), asking `next` before each stage whether to go on: for showing progress, and for
    /// cancelling.
    ///
    /// # Errors
    /// As [`prove`](Self::prove), and [`ProveError::Cancelled`] if `next` breaks.
    pub fn prove_in_stages(
        &self,
        advice: &[u64],
        mut next: impl FnMut(Stage) -> ControlFlow<()>,
    ) -> Result<Proof, ProveError> {
        let next = &mut |stage| next(Stage::of(stage));
        prove::prove(
            &self.riscv,
            self.program,
            advice,
            self.limits,
            self.target(),
            next,
        )
        .map(Proof)
    }

    /// What a proof of the program's run on this advice would be made of, without proving; a run that is too large for
    /// one proof is measured too.
    ///
    /// # Errors
    /// The run traps, exceeds the limit, or does not fit the [shape](Self::in_shape_of).
    pub fn measure(&self, advice: &[u64]) -> Result<Measure, WitnessError> {
        let machine = self.riscv.machine();
        let measured = witness::measure(machine, self.program, advice, self.limits, self.target())?;
        let tables = Class::ALL
            .into_iter()
            .zip(measured.rows)
            .map(|(class, rows)| TableSize {
                name: class.name(),
                rows,
                log_heights: (0..PARTS)
                    .filter_map(|part| measured.shape.heights[parts::number(class, part)])
                    .collect(),
            });
        Ok(Measure {
            output: Output::from_words(measured.output),
            cycles: measured.cycles,
            tables: tables.filter(|table| !table.log_heights.is_empty()).collect(),
            committed_words: measured.words,
            shape: measured.shape.to_words(),
            memory_bytes: measured.memory_bytes(machine).ok(),
        })
    }

    /// The error in bits of each challenge of the verifier of a proof of the program's run on this advice
    /// (`doc/soundness.md`), without proving.
    ///
    /// # Errors
    /// The run traps, exceeds the limit, is too large for one proof, or does not fit the [shape](Self::in_shape_of).
    pub fn security(&self, advice: &[u64]) -> Result<Security, WitnessError> {
        let machine = self.riscv.machine();
        let measured = witness::measure(machine, self.program, advice, self.limits, self.target())?;
        measured.security(machine)
    }

    fn target(&self) -> Target<'_> {
        match &self.shape {
            Some(shape) => Target::Shape(shape),
            None => Target::Least {
                log_inv_rate: self.rate.log_inv(),
            },
        }
    }
}

/// A part of proving; they come in this order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// The program is run, and what is committed of the run is written.
    Witness,
    /// That is encoded and hashed.
    Commit,
    /// Registers, memory, states and instructions balance.
    Bus,
    /// All rows of all tables are what their instructions say.
    Tables,
    /// The Boolean circuits of all rows.
    Circuits,
    /// All that was claimed is opened.
    Opening,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 6] = [
        Self::Witness,
        Self::Commit,
        Self::Bus,
        Self::Tables,
        Self::Circuits,
        Self::Opening,
    ];

    fn of(stage: prove::Stage) -> Self {
        use argument::prove::Stage::{Bus, Circuits, Commit, Opening, Tables};
        match stage {
            prove::Stage::Argument(Commit) => Self::Commit,
            prove::Stage::Argument(Bus) => Self::Bus,
            prove::Stage::Argument(Tables) => Self::Tables,
            prove::Stage::Argument(Circuits) => Self::Circuits,
            prove::Stage::Argument(Opening) => Self::Opening,
            _ => Self::Witness,
        }
    }
}

/// What the stage does, in a word or two.
impl Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Witness => "running",
            Self::Commit => "committing",
            Self::Bus => "balancing the bus",
            Self::Tables => "tables",
            Self::Circuits => "circuits",
            Self::Opening => "opening",
        })
    }
}
