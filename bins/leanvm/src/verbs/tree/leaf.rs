//! `leanvm tree leaf`: a proof of a run, to be joined.

use std::{io::Write, path::PathBuf};

use bench::{Spans, peak_memory_bytes, timed};
use leanvm::{Program, Prover, Rate, Verifier};
use tracing::info_span;

use super::read_key;
use crate::{
    exit::{Exit, Failure},
    file,
    input::{advice::AdviceArguments, program::ProgramOption},
    memory,
    report::{Hex, Report},
    verbs::proving::{gib, kib, rate, record_spans, refuse_what_cannot_fit},
};

/// Proves a run that is to be a leaf of a tree, and tells its output.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    program: ProgramOption,
    #[command(flatten)]
    advice: AdviceArguments,
    /// The key of the tree: the proof has the rate and the shape of its leaves.
    #[arg(long, value_name = "FILE", conflicts_with = "log_inv_rate")]
    key: Option<PathBuf>,
    /// The rate of the commitment is 2^-R, for a leaf that a tree is to be named after.
    #[arg(long, value_name = "R", default_value = "2", value_parser = rate())]
    log_inv_rate: Rate,
    /// Where the proof is written.
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Tells how long each stage took.
    #[arg(long)]
    tracing: bool,
}

pub(super) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let program = Program::from(arguments.program.load()?);
    let advice = arguments.advice.words()?;
    let prover = Prover::new(&program).at_rate(arguments.log_inv_rate);
    let prover = match &arguments.key {
        Some(key) => prover.for_tree(&read_key(key)?),
        None => Ok(prover),
    };
    let prover = prover.map_err(|error| Exit::BadInput.because(error))?;
    let measure = prover.measure(&advice)?;
    refuse_what_cannot_fit(&measure, memory::total_bytes())?;
    let spans = arguments.tracing.then(record_spans);
    let (proving, proof) = timed(|| info_span!("leaf").in_scope(|| prover.prove(&advice)));
    let proof = proof?;
    let output = Verifier::new(program.public()).verify(&proof);
    let output = output.map_err(|error| Exit::Bug.because(error))?;
    let bytes = proof.to_bytes();
    file::write(&arguments.out, &bytes)?;
    report.line("output", output)?;
    report.line("program", Hex(program.digest()))?;
    report.line("proof digest", Hex(&proof.digest()))?;
    report.line("cycles", measure.cycles)?;
    report.line("committed", format_args!("{} words", measure.committed_words))?;
    report.line("proving", format_args!("{:.3} s", proving.as_secs_f64()))?;
    report.line("proof size", format_args!("{:.1} KiB", kib(&bytes)))?;
    report.line("peak memory", format_args!("{:.3} GiB", gib(peak_memory_bytes())))?;
    report.line("proof file", arguments.out.display())?;
    for span in spans.iter().flat_map(Spans::take) {
        report.text(&span.to_string())?;
    }
    Ok(())
}
