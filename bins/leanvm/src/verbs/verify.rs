//! `leanvm verify`: verifies a proof.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use bench::timed;
use leanvm::{DecodeError, Output, Program, Proof, Verifier, VerifyError};
use thiserror::Error;

use crate::{
    exit::{Exit, Failure},
    input::{exit_of, program::ProgramArguments},
    report::{Hex, Report},
};

/// Verifies a proof, and tells the output with which the program exited.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    program: ProgramArguments,
    /// The proof; without it, <program>.proof in the current directory.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// The output that the proof has to be of, as 64 hexadecimal digits.
    #[arg(long, value_name = "HEX", value_parser = output)]
    output: Option<Output>,
}

#[derive(Debug, Error)]
enum Refusal {
    #[error("{} cannot be read", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is no proof file", path.display())]
    Decode { path: PathBuf, source: DecodeError },
    #[error("{} is no proof for this program", path.display())]
    Proof { path: PathBuf, source: VerifyError },
    #[error("the program exited with {found}, and not with {expected}")]
    Output { found: Output, expected: Output },
}

pub(crate) fn run(arguments: Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let name = arguments.program.name()?;
    let program = Program::from(arguments.program.load()?);
    let path = arguments.proof.unwrap_or_else(|| format!("{name}.proof").into());
    let (bytes, proof) = read(&path)?;
    let (verifying, output) = timed(|| Verifier::new(program.public()).verify(&proof));
    let found = output.map_err(|source| Exit::Refused.because(Refusal::Proof { path, source }))?;
    if let Some(expected) = arguments.output.filter(|&expected| expected != found) {
        return Err(Exit::Refused.because(Refusal::Output { found, expected }));
    }
    report.line("output", found)?;
    report.line("program", Hex(program.digest()))?;
    report.line("proof digest", Hex(&proof.digest()))?;
    report.line("verifying", format_args!("{:.4} s", verifying.as_secs_f64()))?;
    report.line("proof size", format_args!("{:.1} KiB", bytes as f64 / 1024.0))?;
    Ok(())
}

/// The proof in a file, and the file's length in bytes.
fn read(path: &Path) -> Result<(usize, Proof), Failure> {
    let bytes = fs::read(path).map_err(|source| {
        exit_of(&source).because(Refusal::Read {
            path: path.into(),
            source,
        })
    })?;
    let proof = Proof::from_bytes(&bytes).map_err(|source| {
        Exit::BadInput.because(Refusal::Decode {
            path: path.into(),
            source,
        })
    })?;
    Ok((bytes.len(), proof))
}

/// An output on the command line or in a list: 64 hexadecimal digits.
pub(crate) fn output(text: &str) -> Result<Output, String> {
    let wrong = || "write 64 hexadecimal digits".to_string();
    let digits = text.as_bytes();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return Err(wrong());
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
        *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
    }
    Ok(Output::from_bytes(bytes))
}
