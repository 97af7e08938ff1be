//! `leanvm fibonacci`: proves a Fibonacci number.

use std::{io::Write, path::PathBuf};

use leanvm::{Output, Program};

use crate::{
    exit::Failure,
    input::program,
    report::Report,
    verbs::proving::{Job, ProvingArguments},
};

/// Proves the n-th Fibonacci number modulo 2^64, whose digest is the output, and verifies the proof.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Which number; the run has about 7 n cycles.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    n: u64,
    /// Writes the proof to a file.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    proving: ProvingArguments,
}

pub(crate) fn run(arguments: Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let job = Job {
        name: "fibonacci",
        program: &Program::from(program::guest("fibonacci")?),
        advice: &fibonacci_host::advice(arguments.n),
        expected: Some(Output::from_bytes(fibonacci_host::output(arguments.n))),
        proof: arguments.proof,
    };
    arguments.proving.run(&job, report)
}
