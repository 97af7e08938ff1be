//! `leanvm machine`: what leanVM uses of this machine.

use std::io::Write;

use primitives::{
    backend::{self, Kind},
    pool,
};

use crate::{exit::Failure, report::Report};

/// Tells what leanVM uses of this machine: threads, and the instructions of its kernels.
///
/// LEANVM_NUM_THREADS sets the number of threads, LEANVM_BACKEND the back end.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    report.line("threads", pool::configured_threads()?)?;
    let selected = backend::selected().kind();
    for kind in Kind::ALL {
        let state = match kind.token() {
            Ok(_) if kind == selected => "selected",
            Ok(_) => "available",
            Err(_) => "absent",
        };
        report.line(&format!("back end {kind}"), state)?;
    }
    Ok(())
}
