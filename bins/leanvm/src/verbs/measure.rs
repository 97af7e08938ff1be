//! `leanvm measure`: what a proof of a run would be made of, without proving.

use std::io::Write;

use leanvm::{Program, Prover, Rate};

use crate::{
    exit::Failure,
    input::{advice::AdviceArguments, program::ProgramArguments},
    report::{Hex, Report},
    verbs::proving::{gib, rate},
};

/// Counts what a proof of a run would be made of: cycles, committed words, the tables and their rows. The figures are
/// exact, and the same on every machine; the memory is about what proving takes at its most.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    program: ProgramArguments,
    #[command(flatten)]
    advice: AdviceArguments,
    /// The rate of the commitment is 2^-R: it changes the memory alone.
    #[arg(long, value_name = "R", default_value = "1", value_parser = rate())]
    log_inv_rate: Rate,
}

pub(crate) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let program = Program::from(arguments.program.load()?);
    let advice = arguments.advice.words()?;
    let prover = Prover::new(&program).at_rate(arguments.log_inv_rate);
    let measure = prover.measure(&advice)?;
    report.line("output", measure.output)?;
    report.line("program", Hex(program.digest()))?;
    report.line("cycles", measure.cycles)?;
    report.line("committed", format_args!("{} words", measure.committed_words))?;
    if let Some(bytes) = measure.memory_bytes {
        report.line("memory", format_args!("{:.3} GiB", gib(bytes as u64)))?;
    }
    for table in &measure.tables {
        report.line(
            &format!("{} rows", table.name),
            format_args!("{} of {}", table.rows, table.heights()),
        )?;
    }
    report.line("program entries", program.table().entries().len())?;
    report.line("advice", format_args!("{} words", 1u64 << program.log_advice()))?;
    report.line("RAM", format_args!("{} words", 1u64 << program.log_ram()))?;
    Ok(())
}
