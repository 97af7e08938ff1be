//! The verbs, one file each.

mod machine;
mod new;

use std::io::Write;

use crate::{exit::Failure, report::Report};

/// What to do. A variant holds the arguments that its file declares.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Verb {
    Machine(machine::Arguments),
    New(new::Arguments),
}

/// Runs `verb` and writes what it tells to `report`.
pub(crate) fn run(verb: Verb, report: &mut Report<impl Write>) -> Result<(), Failure> {
    match verb {
        Verb::Machine(arguments) => machine::run(&arguments, report),
        Verb::New(arguments) => new::run(&arguments, report),
    }
}
