//! The command line of leanVM.
//!
//! A verb is a file in `verbs/`: its arguments, and a function that writes its report. Results go to the
//! standard output as a [`report`], errors to the standard error, and how it ended is the [`exit`] code.

mod cases;
mod exit;
mod file;
mod input;
mod memory;
mod report;
mod verbs;
mod workloads;

use std::{env, io, process::ExitCode};

use clap::Parser as _;
use primitives::backend::SelectError;

use crate::{
    exit::{Exit, Failure},
    report::Report,
};

/// Proves and verifies runs of RISC-V programs.
#[derive(Debug, clap::Parser)]
#[command(name = "leanvm", version, about, after_help = exit::help())]
struct Arguments {
    #[command(subcommand)]
    verb: verbs::Verb,
}

fn main() -> ExitCode {
    bench::keep_freed();
    let Arguments { verb } = Arguments::parse();
    match settings().and_then(|()| verbs::run(verb, &mut Report::new(io::stdout().lock()))) {
        Ok(()) => Exit::Success.into(),
        Err(failure) => {
            eprintln!("leanvm: {failure}");
            failure.exit.into()
        }
    }
}

/// Refuses environment variables that make no sense before anything is done with them.
fn settings() -> Result<(), Failure> {
    primitives::pool::configured_threads()?;
    primitives::backend::from_environment().map_err(|source| {
        let value = env::var_os("LEANVM_BACKEND")
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        Exit::BadInput.because(BackendSetting { value, source })
    })?;
    Ok(())
}

/// `LEANVM_BACKEND` names no back end that can be used here.
#[derive(Debug, thiserror::Error)]
#[error("LEANVM_BACKEND is {value:?}: choose another back end, or unset it to use the fastest")]
struct BackendSetting {
    value: String,
    source: SelectError,
}
