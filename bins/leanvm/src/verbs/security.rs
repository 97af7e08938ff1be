//! `leanvm security`: what every challenge of a proof of a run is charged, without proving.

use std::io::Write;

use leanvm::{Program, Prover, Rate};

use crate::{
    exit::Failure,
    input::{advice::AdviceArguments, program::ProgramArguments},
    report::{Hex, Report},
    verbs::proving::rate,
};

/// Tells how sound a proof of a run is: the error of every challenge of its verifier, in bits, in the order of the
/// protocol, and the weakest of them. Errors between commitment and opening have in them the list of the commitment.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    program: ProgramArguments,
    #[command(flatten)]
    advice: AdviceArguments,
    /// The rate of the commitment is 2^-R.
    #[arg(long, value_name = "R", default_value = "1", value_parser = rate())]
    log_inv_rate: Rate,
}

pub(crate) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let program = Program::from(arguments.program.load()?);
    let advice = arguments.advice.words()?;
    let prover = Prover::new(&program).at_rate(arguments.log_inv_rate);
    let committed = prover.measure(&advice)?.committed_words;
    let security = prover.security(&advice)?;
    report.line("program", Hex(program.digest()))?;
    report.line("rate", format_args!("2^-{}", arguments.log_inv_rate.log_inv()))?;
    report.line("committed", format_args!("{committed} words"))?;
    report.line(
        "list of the commitment",
        format_args!("2^{:.2}", security.log_list),
    )?;
    for round in &security.rounds {
        report.line(&round.message.to_string(), format_args!("{:.2} bits", round.bits))?;
    }
    let weakest = security.weakest();
    report.line(
        "weakest",
        format_args!("{:.2} bits, {}", weakest.bits, weakest.message),
    )?;
    Ok(())
}
