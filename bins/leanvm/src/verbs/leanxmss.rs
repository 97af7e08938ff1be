//! `leanvm leanxmss`: proves that signatures are valid.

use std::{io::Write, path::PathBuf};

use crate::{cases, exit::Failure, report::Report, verbs::proving::ProvingArguments};

/// Signs with n leanXMSS keys, proves that all signatures are valid, and verifies the proof.
///
/// The output is the digest of all public keys, leaf indices and messages.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The number of signatures, each by a key of its own.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count())]
    n: u64,
    /// Writes the proof to a file.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    proving: ProvingArguments,
}

fn count() -> impl clap::builder::TypedValueParser<Value = u64> {
    clap::value_parser!(u64).range(..=leanxmss_host::MAX_ENTRIES as u64)
}

pub(crate) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let case = cases::leanxmss(arguments.n as usize)?;
    arguments.proving.run(&case, arguments.proof.as_deref(), report)
}
