//! `leanvm machine`: what leanVM uses of this machine.

use std::io::Write;

use primitives::pool;

use crate::{exit::Failure, report::Report};

/// Tells what leanVM uses of this machine.
///
/// LEANVM_NUM_THREADS sets the number of threads.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    report.line("threads", pool::configured_threads()?)?;
    Ok(())
}
