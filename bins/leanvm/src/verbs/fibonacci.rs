//! `leanvm fibonacci`: proves a Fibonacci number.

use std::{io::Write, path::PathBuf};

use crate::{cases, exit::Failure, report::Report, verbs::proving::ProvingArguments};

/// Proves the n-th Fibonacci number modulo 2^64, whose digest is the output, and verifies the proof.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Which number; the run has about 5 n cycles.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    n: u64,
    /// Writes the proof to a file.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    proving: ProvingArguments,
}

pub(crate) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let case = cases::fibonacci(arguments.n)?;
    arguments.proving.run(&case, arguments.proof.as_deref(), report)
}
