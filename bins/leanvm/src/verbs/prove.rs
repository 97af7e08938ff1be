//! `leanvm prove`: proves a run of any program.

use std::{io::Write, path::PathBuf};

use leanvm::Program;

use crate::{
    exit::Failure,
    input::{advice::AdviceArguments, program::ProgramArguments},
    report::Report,
    verbs::proving::{Job, ProvingArguments},
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
    let program = Program::from(arguments.program.load()?);
    let job = Job {
        name: &name,
        program: &program,
        advice: &arguments.advice.words()?,
        expected: None,
        proof: Some(arguments.proof.unwrap_or_else(|| format!("{name}.proof").into())),
    };
    arguments.proving.run(&job, report)
}
