//! The command line of leanVM.
//!
//! A verb is a file in `verbs/`: its arguments, and a function that writes its report. Results go to the
//! standard output as a report, errors to the standard error, and how it ended is the [`Exit`] code.
//!
//! It is a library so that tests can hand it arguments without a process: [`parse`] them, then [`run`] them.

mod cases;
mod exit;
mod file;
mod input;
mod memory;
mod report;
mod verbs;
mod workloads;

use std::{
    env,
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

use clap::Parser as _;
use primitives::backend::SelectError;

pub use exit::{Exit, Failure};

use crate::report::Report;

/// Proves and verifies runs of RISC-V programs.
#[derive(Debug, clap::Parser)]
#[command(name = "leanvm", version, about, after_help = exit::help())]
pub struct Arguments {
    #[command(subcommand)]
    verb: verbs::Verb,
}

/// The whole program; it expects that the process has done nothing else yet.
#[must_use]
pub fn main() -> ExitCode {
    bench::keep_freed();
    let arguments = parse(env::args_os()).unwrap_or_else(|error| error.exit());
    match settings().and_then(|()| run(arguments, io::stdout().lock())) {
        Ok(()) => Exit::Success.into(),
        Err(failure) => {
            eprintln!("leanvm: {failure}");
            failure.exit.into()
        }
    }
}

/// Understands the arguments of a call, of which the first is the program's name.
///
/// # Errors
/// They make no sense, or ask for the help or the version: what is to be told, and with which exit code.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    Arguments::try_parse_from(arguments)
}

/// Does what the arguments say, and writes the report to `out`.
///
/// # Errors
/// It did not succeed: why, and the exit code that says so.
pub fn run(arguments: Arguments, out: impl Write) -> Result<(), Failure> {
    verbs::run(arguments.verb, &mut Report::new(out))
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
