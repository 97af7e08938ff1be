//! `leanvm prove`: proves a run of any program.

use std::{io::Write, path::PathBuf};

use leanvm::Program;

use crate::{
    cases::Case,
    exit::Failure,
    input::{advice::AdviceArguments, program::ProgramArguments},
    report::Report,
    verbs::proving::ProvingArguments,
};

/// Proves a run of a program, verifies the proof and writes it to a file.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    program: ProgramArguments,
    #[command(flatten)]
    advice: AdviceArguments,
    /// Where the proof is written; without it, <program>.proof in the current directory.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    proving: ProvingArguments,
}

pub(crate) fn run(arguments: Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let name = arguments.program.name()?;
    let proof = arguments.proof.unwrap_or_else(|| format!("{name}.proof").into());
    let case = Case {
        name,
        program: Program::from(arguments.program.load()?),
        advice: arguments.advice.words()?,
        expected: None,
        items: None,
    };
    arguments.proving.run(&case, Some(&proof), report)
}
