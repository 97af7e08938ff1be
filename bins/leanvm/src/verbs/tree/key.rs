//! `leanvm tree key`: names a tree.

use std::{io::Write, path::PathBuf};

use bench::timed;
use leanvm::{
    Program, Rate,
    aggregate::{Arities, NodeKind, Tree},
};

use super::read_leaf;
use crate::{
    exit::{Exit, Failure},
    file,
    input::program::ProgramOption,
    report::{Hex, Report},
    verbs::proving::rate,
};

/// Names the tree over runs of a program in the shape of one proof, and tells what its nodes are made of.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    program: ProgramOption,
    /// A leaf: its rate and the heights of its tables are those of all leaves.
    #[arg(long, value_name = "FILE")]
    leaf: PathBuf,
    /// The children of a first-level node.
    #[arg(long, value_name = "A", default_value_t = 2)]
    arity0: usize,
    /// The children of a node.
    #[arg(long, value_name = "A", default_value_t = 2)]
    arity: usize,
    /// The rate of the nodes' commitments is 2^-R.
    #[arg(long, value_name = "R", default_value = "1", value_parser = rate())]
    log_inv_rate: Rate,
    /// Where the key is written.
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let program = Program::from(arguments.program.load()?);
    let leaf = read_leaf(&arguments.leaf)?;
    let arities = Arities::new(arguments.arity0, arguments.arity);
    let arities = arities.map_err(|error| Exit::BadInput.because(error))?;
    let (set_up, tree) = timed(|| Tree::new(program.public(), &leaf, arities, arguments.log_inv_rate));
    let tree = tree?;
    file::write(&arguments.out, &tree.key().to_bytes())?;
    report.line("program", Hex(program.digest()))?;
    report.line("tree", Hex(&tree.key().digest()))?;
    for kind in NodeKind::ALL {
        for table in tree.tables(kind) {
            let label = format!("{kind} {}", table.name);
            report.line(&label, format_args!("{} rows of {}", table.rows, table.heights()))?;
        }
    }
    report.line("committed", format_args!("{} words", tree.committed_words()))?;
    report.line("set-up", format_args!("{:.3} s", set_up.as_secs_f64()))?;
    report.line("key file", arguments.out.display())?;
    Ok(())
}
