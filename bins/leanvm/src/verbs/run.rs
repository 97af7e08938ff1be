//! `leanvm run`: runs a program without proving.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use rv::{Limits, Run, RunError, profile, profile::CallPaths};

use crate::{
    exit::{Exit, Failure},
    file,
    input::{advice::AdviceArguments, program::ProgramArguments},
    report::{Hex, Report},
};

/// Runs a program without proving it.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    program: ProgramArguments,
    #[command(flatten)]
    advice: AdviceArguments,
    /// Stops the run after that many instructions.
    #[arg(long, value_name = "CYCLES")]
    max_cycles: Option<u64>,
    /// Tells where the cycles go, by class and by function.
    #[arg(long)]
    profile: bool,
    /// Writes the cycles of every call path to a file, as flame-graph tools read them.
    #[arg(long, value_name = "FILE")]
    folded: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let program = arguments.program.load()?;
    let advice = arguments.advice.words()?;
    let limits = arguments
        .max_cycles
        .map_or_else(Limits::default, |cycles| Limits { cycles });
    let run = match &arguments.folded {
        None => rv::run(&program, &advice, limits, &mut ())?,
        Some(path) => {
            let mut paths = CallPaths::new(&program);
            let run = rv::run(&program, &advice, limits, &mut paths)?;
            file::write(path, paths.folded().as_bytes())?;
            run
        }
    };
    report_run(&run, &program, report)?;
    if arguments.profile {
        report.text(&profile::text(&program, &run))?;
    }
    Ok(())
}

/// The lines that every run has.
pub(super) fn report_run(
    run: &Run,
    program: &rv::Program,
    report: &mut Report<impl Write>,
) -> io::Result<()> {
    report.line("output", Hex(&run.output_bytes()))?;
    report.line("program", Hex(program.digest()))?;
    report.line("cycles", run.cycles)
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let exit = match error {
            RunError::Advice { .. } | RunError::CycleLimit { .. } => Exit::OverLimit,
            RunError::Trap(_) => Exit::Trapped,
            // The list may grow; whatever is new is not known to be the user's.
            _ => Exit::Bug,
        };
        exit.because(error)
    }
}
