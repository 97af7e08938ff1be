//! `leanvm measure`: what a run costs, without proving it.

use std::io::Write;

use rv::{Class, Limits};

use crate::{
    exit::Failure,
    input::{advice::AdviceArguments, program::ProgramArguments},
    report::Report,
    verbs::run::report_run,
};

/// Counts what a run would commit: cycles, rows of each class, words of memory and entries of the program.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    program: ProgramArguments,
    #[command(flatten)]
    advice: AdviceArguments,
}

pub(crate) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let program = arguments.program.load()?;
    let advice = arguments.advice.words()?;
    let run = rv::run(&program, &advice, Limits::default(), &mut ())?;
    report_run(&run, &program, report)?;
    for (class, rows) in Class::ALL.iter().zip(run.rows(&program)) {
        if rows != 0 {
            report.line(&format!("{class} rows"), rows)?;
        }
    }
    report.line("program entries", program.table().entries().len())?;
    report.line("advice", format_args!("{} words", 1u64 << program.log_advice()))?;
    report.line("RAM", format_args!("{} words", 1u64 << program.log_ram()))?;
    Ok(())
}
