//! `leanvm guest`: proves a run of an embedded guest.

use std::{io::Write, path::PathBuf};

use leanvm::Program;

use crate::{
    exit::Failure,
    input::{advice::AdviceArguments, program},
    report::Report,
    verbs::proving::{Job, ProvingArguments},
};

/// Proves a run of one of the guests in this binary, and verifies the proof. Without a name it lists the guests.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The guest.
    #[arg(value_parser = program::guest_names())]
    name: Option<String>,
    #[command(flatten)]
    advice: AdviceArguments,
    /// Writes the proof to a file.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    proving: ProvingArguments,
}

pub(crate) fn run(arguments: Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let Some(name) = arguments.name else {
        for (name, elf) in program::GUESTS {
            report.line(name, format_args!("{:.1} KiB", elf.len() as f64 / 1024.0))?;
        }
        return Ok(());
    };
    let program = Program::from(program::guest(&name)?);
    let job = Job {
        name: &name,
        program: &program,
        advice: &arguments.advice.words()?,
        expected: None,
        proof: arguments.proof,
    };
    arguments.proving.run(&job, report)
}
