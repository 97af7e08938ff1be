//! What all verbs that prove have in common: their options, how they prove, what they report.

use std::{io::Write, ops::ControlFlow, path::PathBuf, time::Duration};

use bench::{Bmf, Estimate, Pass, Plan, SpanTree, Spans, peak_memory_bytes, timed};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use indicatif::{ProgressBar, ProgressStyle};
use leanvm::{Measure, Output, Program, Proof, ProveError, Prover, Rate, Stage, Verifier, WitnessError};
use thiserror::Error;

use crate::{
    exit::{Exit, Failure},
    file,
    report::{Hex, Report},
};

/// How to prove, and what to tell.
#[derive(Debug, clap::Args)]
pub(crate) struct ProvingArguments {
    /// The rate of the commitment is 2^-R: 1 proves fastest, 4 gives the smallest proof.
    #[arg(long, value_name = "R", default_value = "1", value_parser = rate())]
    log_inv_rate: Rate,
    /// Proves so many times after one warm-up, and tells means and their 95% intervals.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
    /// Rests so many seconds before every measured pass.
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = seconds)]
    cooldown: Duration,
    /// Tells how long each stage took, in the last pass.
    #[arg(long)]
    tracing: bool,
    /// Prints the figures in Bencher Metric Format, and nothing else.
    #[arg(long, conflicts_with = "tracing")]
    json: bool,
}

fn rate() -> impl clap::builder::TypedValueParser<Value = Rate> {
    PossibleValuesParser::new(["1", "2", "3", "4"]).map(|log| {
        let log = log.parse().ok();
        log.and_then(Rate::from_log_inv)
            .expect("the possible values are rates")
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "write a number of seconds".to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// What is to be proven.
pub(crate) struct Job<'j> {
    /// The name of the figures.
    pub(crate) name: &'j str,
    /// The program.
    pub(crate) program: &'j Program,
    /// Its advice.
    pub(crate) advice: &'j [u64],
    /// The output, where it is known otherwise.
    pub(crate) expected: Option<Output>,
    /// Where the proof is to be written.
    pub(crate) proof: Option<PathBuf>,
}

/// We made a proof that our own verifier refuses, or of another output than the guest's library computes.
#[derive(Debug, Error)]
enum Bug {
    #[error("the proof that was made is refused: a bug of leanVM")]
    Refused(#[source] leanvm::VerifyError),
    #[error("the proof that was made does not decode: a bug of leanVM")]
    Undecodable(#[source] leanvm::DecodeError),
    #[error(
        "the run has the output {found}, and the program's own library computes {expected}: a bug of leanVM"
    )]
    Output { found: Output, expected: Output },
}

/// The last pass's results and all passes' times.
struct Results {
    output: Output,
    file: Vec<u8>,
    digest: leanvm::Digest,
    proving: Estimate,
    verifying: Estimate,
    spans: Vec<SpanTree>,
}

impl ProvingArguments {
    /// Proves, verifies, writes the proof and reports.
    pub(crate) fn run(&self, job: &Job<'_>, report: &mut Report<impl Write>) -> Result<(), Failure> {
        let prover = Prover::new(job.program).at_rate(self.log_inv_rate);
        let measure = prover.measure(job.advice)?;
        let results = self.results(job, &prover)?;
        if let Some(path) = &job.proof {
            file::write(path, &results.file)?;
        }
        if self.json {
            report.text(&json(job, &measure, &results))?;
            return Ok(());
        }
        report.line("output", results.output)?;
        report.line("program", Hex(job.program.digest()))?;
        report.line("proof digest", Hex(&results.digest))?;
        report.line("cycles", measure.cycles)?;
        report.line("committed", format_args!("{} words", measure.committed_words))?;
        report.line("proving", format_args!("{:.3} s", results.proving))?;
        report.line("verifying", format_args!("{:.4} s", results.verifying))?;
        report.line(
            "proof size",
            format_args!("{:.1} KiB", results.file.len() as f64 / 1024.0),
        )?;
        report.line("peak memory", format_args!("{:.3} GiB", gib(peak_memory_bytes())))?;
        if let Some(path) = &job.proof {
            report.line("proof file", path.display())?;
        }
        for span in &results.spans {
            report.text(&span.to_string())?;
        }
        Ok(())
    }

    fn results(&self, job: &Job<'_>, prover: &Prover<'_>) -> Result<Results, Failure> {
        let plan = Plan {
            warmups: usize::from(self.repeat.is_some()),
            repeats: self.repeat.map_or(1, |repeat| repeat as usize),
            cooldown: self.cooldown,
        };
        let spans = self
            .tracing
            .then(Spans::record)
            .transpose()
            .expect("nothing else records spans");
        let mut verifying = Vec::new();
        let mut last = None;
        let mut failure = None;
        let proving = plan.run(|pass| {
            if failure.is_some() {
                return Duration::ZERO;
            }
            if let Some(spans) = &spans {
                spans.take();
            }
            match prove_and_verify(job, prover) {
                Ok((proof, output, [proving, verifying_once])) => {
                    if pass != Pass::Warmup {
                        verifying.push(verifying_once.as_secs_f64());
                    }
                    last = Some((proof, output));
                    proving
                }
                Err(error) => {
                    failure = Some(error);
                    Duration::ZERO
                }
            }
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        let (proof, output) = last.expect("a plan has a measured pass");
        Ok(Results {
            output,
            digest: proof.digest(),
            file: proof.to_bytes(),
            proving: proving.estimate(),
            verifying: Estimate::of(&verifying),
            spans: spans.map_or_else(Vec::new, |spans| spans.take()),
        })
    }
}

/// One pass: a proof that its maker has verified from its bytes alone, as anybody else would.
fn prove_and_verify(job: &Job<'_>, prover: &Prover<'_>) -> Result<(Proof, Output, [Duration; 2]), Failure> {
    let (proving, proof) = timed(|| prove(job, prover));
    let proof = proof?;
    let bytes = proof.to_bytes();
    let (verifying, output) = timed(|| {
        let proof = Proof::from_bytes(&bytes).map_err(Bug::Undecodable)?;
        Verifier::new(job.program.public())
            .verify(&proof)
            .map_err(Bug::Refused)
    });
    let found = output.map_err(|bug| Exit::Bug.because(bug))?;
    match job.expected {
        Some(expected) if found != expected => Err(Exit::Bug.because(Bug::Output { found, expected })),
        _ => Ok((proof, found, [proving, verifying])),
    }
}

/// Proves, and shows on a terminal which stage it is in and since when.
fn prove(job: &Job<'_>, prover: &Prover<'_>) -> Result<Proof, ProveError> {
    // Draws nothing unless the standard error is a terminal.
    let bar = ProgressBar::new(Stage::ALL.len() as u64).with_style(progress_style());
    bar.enable_steady_tick(Duration::from_millis(100));
    let mut stages = 0..;
    let proof = prover.prove_in_stages(job.advice, |stage| {
        bar.set_message(stage.to_string());
        bar.set_position(stages.next().unwrap_or_default());
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    proof
}

fn progress_style() -> ProgressStyle {
    let template = "{spinner} [{elapsed_precise}] {pos}/{len} {msg}";
    ProgressStyle::with_template(template).expect("the template is well formed")
}

fn json(job: &Job<'_>, measure: &Measure, results: &Results) -> String {
    let mut figures = Bmf::default();
    let nanoseconds = 1e9;
    figures.set(job.name, "latency", results.proving.scaled(nanoseconds));
    figures.set(job.name, "verifying", results.verifying.scaled(nanoseconds));
    figures.set(job.name, "cycles", measure.cycles as f64);
    figures.set(job.name, "committed-words", measure.committed_words as f64);
    figures.set(job.name, "proof-bytes", results.file.len() as f64);
    figures.set(job.name, "peak-memory-bytes", peak_memory_bytes() as f64);
    figures.to_json()
}

fn gib(bytes: u64) -> f64 {
    bytes as f64 / (1u64 << 30) as f64
}

impl From<ProveError> for Failure {
    fn from(error: ProveError) -> Self {
        match error {
            ProveError::Witness(error) => error.into(),
            ProveError::Cancelled => Exit::Cancelled.because(error),
            // The list may grow; whatever is new is not known to be the user's.
            _ => Exit::Bug.because(error),
        }
    }
}

impl From<WitnessError> for Failure {
    fn from(error: WitnessError) -> Self {
        match error {
            WitnessError::Run(error) => error.into(),
            WitnessError::Shape(_) => Exit::BadInput.because(error),
            WitnessError::TooLarge { .. }
            | WitnessError::Rows { .. }
            | WitnessError::Absent { .. }
            | WitnessError::Layout(_) => Exit::OverLimit.because(error),
            // The list may grow; whatever is new is not known to be the user's.
            _ => Exit::Bug.because(error),
        }
    }
}
