//! What all verbs that prove have in common: their options, how they prove, what they report.

use std::{io::Write, ops::ControlFlow, path::Path, time::Duration};

use bench::{Bmf, Estimate, Pass, Plan, SpanTree, Spans, peak_memory_bytes, timed};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use indicatif::{ProgressBar, ProgressStyle};
use leanvm::{Digest, Measure, Output, Proof, ProveError, Prover, Rate, Stage, Verifier, WitnessError};
use thiserror::Error;

use crate::{
    cases::Case,
    exit::{Exit, Failure},
    file, memory,
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
    /// Prints the figures in Bencher Metric Format, and nothing else; those of the stages too, if they are told.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The negative of a rate's log2, on the command line.
pub(crate) fn rate() -> impl clap::builder::TypedValueParser<Value = Rate> {
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

/// The figures of a case: of its run, of all passes' times, and of the last pass's proof.
pub(crate) struct Figures {
    pub(crate) measure: Measure,
    pub(crate) file: Vec<u8>,
    pub(crate) digest: Digest,
    pub(crate) proving: Estimate,
    pub(crate) verifying: Estimate,
    pub(crate) spans: Vec<SpanTree>,
}

impl ProvingArguments {
    /// Proves, verifies, writes the proof to a file if there is one, and reports.
    pub(crate) fn run(
        &self,
        case: &Case,
        proof: Option<&Path>,
        report: &mut Report<impl Write>,
    ) -> Result<(), Failure> {
        let figures = self.figures(case, self.record_spans().as_ref())?;
        if let Some(path) = proof {
            file::write(path, &figures.file)?;
        }
        if self.json {
            let mut metrics = Bmf::default();
            figures.put(&case.name, &mut metrics);
            report.text(&metrics.to_json())?;
            return Ok(());
        }
        let Figures {
            measure,
            file,
            digest,
            proving,
            verifying,
            spans,
        } = &figures;
        report.line("output", measure.output)?;
        report.line("program", Hex(case.program.digest()))?;
        report.line("proof digest", Hex(digest))?;
        report.line("cycles", measure.cycles)?;
        if let Some((item, count @ 1..)) = case.items {
            let each = measure.cycles as f64 / count as f64;
            report.line(&format!("cycles per {item}"), format_args!("{each:.1}"))?;
        }
        report.line("committed", format_args!("{} words", measure.committed_words))?;
        report.line("proving", format_args!("{proving:.3} s"))?;
        report.line("verifying", format_args!("{verifying:.4} s"))?;
        report.line("proof size", format_args!("{:.1} KiB", kib(file)))?;
        report.line("peak memory", format_args!("{:.3} GiB", gib(peak_memory_bytes())))?;
        if let Some(path) = proof {
            report.line("proof file", path.display())?;
        }
        for span in spans {
            report.text(&span.to_string())?;
        }
        Ok(())
    }

    /// The rate of the commitment.
    pub(crate) fn rate(&self) -> Rate {
        self.log_inv_rate
    }

    /// How often to prove.
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            warmups: usize::from(self.repeat.is_some()),
            repeats: self.repeat.map_or(1, |repeat| repeat as usize),
            cooldown: self.cooldown,
        }
    }

    /// What records the stages, if they are to be told; a process has one.
    pub(crate) fn record_spans(&self) -> Option<Spans> {
        self.tracing.then(record_spans)
    }

    /// Proves and verifies as often as was asked for.
    pub(crate) fn figures(&self, case: &Case, spans: Option<&Spans>) -> Result<Figures, Failure> {
        let prover = Prover::new(&case.program).at_rate(self.log_inv_rate);
        let measure = prover.measure(&case.advice)?;
        refuse_what_cannot_fit(&measure, memory::total_bytes())?;
        let plan = self.plan();
        let mut verifying = Vec::new();
        let mut last = None;
        let mut failure = None;
        let proving = plan.run(|pass| {
            if failure.is_some() {
                return Duration::ZERO;
            }
            if let Some(spans) = spans {
                spans.take();
            }
            match prove_and_verify(case, &prover) {
                Ok((proof, [proving, verifying_once])) => {
                    if pass != Pass::Warmup {
                        verifying.push(verifying_once.as_secs_f64());
                    }
                    last = Some(proof);
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
        let proof = last.expect("a plan has a measured pass");
        Ok(Figures {
            measure,
            digest: proof.digest(),
            file: proof.to_bytes(),
            proving: proving.estimate(),
            verifying: Estimate::of(&verifying),
            spans: spans.map_or_else(Vec::new, Spans::take),
        })
    }
}

impl ProvingArguments {
    /// Whether a proof holds the run, and so many bytes of memory the proof.
    pub(crate) fn fits(&self, case: &Case, available: u64) -> Result<bool, Failure> {
        let prover = Prover::new(&case.program).at_rate(self.log_inv_rate);
        let memory_bytes = prover.measure(&case.advice)?.memory_bytes;
        Ok(memory_bytes.is_some_and(|needed| needed as u64 <= available))
    }
}

impl Figures {
    /// Adds the figures of the case of this name.
    pub(crate) fn put(&self, name: &str, metrics: &mut Bmf) {
        let nanoseconds = 1e9;
        metrics.set(name, "latency", self.proving.scaled(nanoseconds));
        metrics.set(name, "verifying", self.verifying.scaled(nanoseconds));
        metrics.set(name, "cycles", self.measure.cycles as f64);
        metrics.set(name, "committed-words", self.measure.committed_words as f64);
        metrics.set(name, "proof-bytes", self.file.len() as f64);
        metrics.set(name, "peak-memory-bytes", peak_memory_bytes() as f64);
        put_stages(name, &self.spans, metrics);
    }
}

/// What records the stages; a process has one.
pub(crate) fn record_spans() -> Spans {
    Spans::record().expect("nothing else records spans")
}

/// Adds the time of every span, under the names of those around it: `case/prove/commit`.
pub(crate) fn put_stages(around: &str, spans: &[SpanTree], metrics: &mut Bmf) {
    for span in spans {
        let name = format!("{around}/{}", span.name);
        metrics.set(&name, "latency", span.duration.as_secs_f64() * 1e9);
        put_stages(&name, &span.children, metrics);
    }
}

/// Refuses a proof that takes more memory than there is.
pub(crate) fn refuse_what_cannot_fit(measure: &Measure, available: u64) -> Result<(), Failure> {
    match measure.memory_bytes {
        Some(needed) if needed as u64 > available => Err(Exit::OverLimit.because(Memory {
            cycles: measure.cycles,
            needed: gib(needed as u64),
            available: gib(available),
        })),
        _ => Ok(()),
    }
}

/// The machine is too small for the proof.
#[derive(Debug, Error)]
#[error(
    "a proof of {cycles} cycles takes about {needed:.1} GiB of memory, and there are {available:.1} GiB: prove fewer \
     cycles at once"
)]
struct Memory {
    cycles: u64,
    needed: f64,
    available: f64,
}

/// One pass: a proof that its maker has verified from its bytes alone, as anybody else would.
fn prove_and_verify(case: &Case, prover: &Prover<'_>) -> Result<(Proof, [Duration; 2]), Failure> {
    let (proving, proof) = timed(|| prove(case, prover));
    let proof = proof?;
    let bytes = proof.to_bytes();
    let (verifying, output) = timed(|| {
        let proof = Proof::from_bytes(&bytes).map_err(Bug::Undecodable)?;
        Verifier::new(case.program.public())
            .verify(&proof)
            .map_err(Bug::Refused)
    });
    let found = output.map_err(|bug| Exit::Bug.because(bug))?;
    match case.expected {
        Some(expected) if found != expected => Err(Exit::Bug.because(Bug::Output { found, expected })),
        _ => Ok((proof, [proving, verifying])),
    }
}

/// Proves, and shows on a terminal which stage it is in and since when.
fn prove(case: &Case, prover: &Prover<'_>) -> Result<Proof, ProveError> {
    // Draws nothing unless the standard error is a terminal.
    let bar = ProgressBar::new(Stage::ALL.len() as u64).with_style(progress_style());
    bar.enable_steady_tick(Duration::from_millis(100));
    let mut stages = 0..;
    let proof = prover.prove_in_stages(&case.advice, |stage| {
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

/// The length of a file in KiB.
pub(crate) fn kib(file: &[u8]) -> f64 {
    file.len() as f64 / 1024.0
}

/// Bytes in GiB.
pub(crate) fn gib(bytes: u64) -> f64 {
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
