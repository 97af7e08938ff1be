//! `leanvm guest`: proves a run of an embedded guest.

use std::{io::Write, path::PathBuf};

use leanvm::Program;

use crate::{
    cases::Case,
    exit::Failure,
    input::{advice::AdviceArguments, program},
    report::Report,
    verbs::proving::{ProvingArguments, kib},
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
        for (name, elf) in program::guests() {
            report.line(name, format_args!("{:.1} KiB", kib(elf)))?;
        }
        return Ok(());
    };
    let case = Case {
        program: Program::from(program::guest(&name)?),
        name,
        advice: arguments.advice.words()?,
        expected: None,
        items: None,
    };
    arguments.proving.run(&case, arguments.proof.as_deref(), report)
}
