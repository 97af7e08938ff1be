//! `leanvm tree circuits`: the circuits of a tree, for verifiers that do not make them.

use std::{io::Write, path::PathBuf};

use super::TreeArguments;
use crate::{
    exit::Failure,
    file,
    report::{Hex, Report},
};

/// Writes the circuits of a tree's nodes, for verifiers that trust its key instead of making them.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    tree: TreeArguments,
    /// Where the circuits are written: words whose BLAKE2s digest is that of the tree.
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let (program, tree) = arguments.tree.load()?;
    let circuits = tree.circuits();
    file::write(&arguments.out, &circuits)?;
    report.line("program", Hex(program.digest()))?;
    report.line("tree", Hex(&tree.key().digest()))?;
    report.line("words", circuits.len() / 8)?;
    report.line("circuits file", arguments.out.display())?;
    Ok(())
}
