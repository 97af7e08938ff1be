//! `leanvm tree verify`: verifies a root.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use bench::timed;
use leanvm::{Output, aggregate::Tree};
use thiserror::Error;

use super::{TreeArguments, read, read_node};
use crate::{
    exit::{Exit, Failure},
    report::{Hex, Report},
    verbs::{proving::kib, verify::output},
};

/// Verifies the root of a tree against the outputs of its leaves.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    tree: TreeArguments,
    /// The root's proof.
    #[arg(value_name = "PROOF")]
    proof: PathBuf,
    /// The outputs of the leaves in their order: a line of 64 hexadecimal digits each.
    #[arg(long, value_name = "FILE")]
    outputs: PathBuf,
}

#[derive(Debug, Error)]
#[error("line {line} of {} is no output: {reason}", path.display())]
struct LineError {
    path: PathBuf,
    line: usize,
    reason: String,
}

pub(super) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let outputs = read_outputs(&arguments.outputs)?;
    let proof = read_node(&arguments.proof)?;
    let (set_up, tree) = timed(|| arguments.tree.load());
    let (program, tree): (_, Tree) = tree?;
    let (verifying, verified) = timed(|| tree.verify(&proof, &outputs));
    verified?;
    report.line("outputs", outputs.len())?;
    report.line("program", Hex(program.digest()))?;
    report.line("tree", Hex(&tree.key().digest()))?;
    report.line("proof digest", Hex(&proof.digest()))?;
    report.line("set-up", format_args!("{:.3} s", set_up.as_secs_f64()))?;
    report.line("verifying", format_args!("{:.4} s", verifying.as_secs_f64()))?;
    report.line("proof size", format_args!("{:.1} KiB", kib(&proof.to_bytes())))?;
    Ok(())
}

fn read_outputs(path: &Path) -> Result<Vec<Output>, Failure> {
    let text = String::from_utf8_lossy(&read(path)?).into_owned();
    let line = |(number, line): (usize, &str)| {
        output(line).map_err(|reason| {
            Exit::BadInput.because(LineError {
                path: path.into(),
                line: number + 1,
                reason,
            })
        })
    };
    text.lines().enumerate().map(line).collect()
}
