//! `leanvm tree`: the steps by which proofs of runs are joined into one, file by file.

mod circuits;
mod join;
mod key;
mod leaf;
mod verify;

use std::{
    error::Error,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use leanvm::aggregate::{CircuitError, JoinError, NodeProof, Tree, TreeError, TreeKey, TreeVerifyError};
use leanvm::{Program, Proof};
use thiserror::Error;

use crate::{
    exit::{Exit, Failure},
    input::{exit_of, program::ProgramOption},
    report::Report,
};

/// Joins proofs of one program's runs into one, step by step.
///
/// `leaf` proves a run; `key` names the tree over runs in the shape of that proof, and further leaves are made with the
/// key; `join` proves a node over leaves or over nodes, level by level; `verify` verifies the root. `circuits` is for
/// verifiers in other languages.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, clap::Subcommand)]
enum Step {
    Leaf(leaf::Arguments),
    Key(key::Arguments),
    Circuits(circuits::Arguments),
    Join(join::Arguments),
    Verify(verify::Arguments),
}

pub(crate) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    match &arguments.step {
        Step::Leaf(arguments) => leaf::run(arguments, report),
        Step::Key(arguments) => key::run(arguments, report),
        Step::Circuits(arguments) => circuits::run(arguments, report),
        Step::Join(arguments) => join::run(arguments, report),
        Step::Verify(arguments) => verify::run(arguments, report),
    }
}

/// A tree: its program, and the file of its key.
#[derive(Debug, clap::Args)]
struct TreeArguments {
    #[command(flatten)]
    program: ProgramOption,
    /// The key of the tree, which `tree key` wrote.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
}

impl TreeArguments {
    /// The program and its tree.
    fn load(&self) -> Result<(Program, Tree), Failure> {
        let program = Program::from(self.program.load()?);
        let tree = Tree::of_key(program.public(), &read_key(&self.key)?)?;
        Ok((program, tree))
    }
}

#[derive(Debug, Error)]
enum FileError {
    #[error("{} cannot be read", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is no {what}", path.display())]
    Decode {
        path: PathBuf,
        what: &'static str,
        source: Box<dyn Error>,
    },
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|source| {
        exit_of(&source).because(FileError::Read {
            path: path.into(),
            source,
        })
    })
}

fn decode<T, E: Error + 'static>(
    path: &Path,
    what: &'static str,
    decode: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<T, Failure> {
    decode(&read(path)?).map_err(|source| {
        Exit::BadInput.because(FileError::Decode {
            path: path.into(),
            what,
            source: Box::new(source),
        })
    })
}

fn read_key(path: &Path) -> Result<TreeKey, Failure> {
    decode(path, "key of a tree", TreeKey::from_bytes)
}

fn read_leaf(path: &Path) -> Result<Proof, Failure> {
    decode(path, "proof file", Proof::from_bytes)
}

fn read_node(path: &Path) -> Result<NodeProof, Failure> {
    decode(path, "proof of a node", NodeProof::from_bytes)
}

impl From<TreeError> for Failure {
    fn from(error: TreeError) -> Self {
        let exit = match error {
            TreeError::Arity(_) | TreeError::Shape(_) | TreeError::Key { .. } => Exit::BadInput,
            TreeError::Leaves(_)
            | TreeError::Circuits(CircuitError::Layout(_) | CircuitError::Heights { .. }) => Exit::OverLimit,
            // The list may grow; whatever is new is not known to be the user's.
            _ => Exit::Bug,
        };
        exit.because(error)
    }
}

impl From<JoinError> for Failure {
    fn from(error: JoinError) -> Self {
        let exit = match error {
            JoinError::Children { .. }
            | JoinError::LeafShape { .. }
            | JoinError::LeafRate { .. }
            | JoinError::LeafTable { .. } => Exit::BadInput,
            JoinError::ChildClaims { .. } | JoinError::Child { .. } => Exit::Refused,
            _ => Exit::Bug,
        };
        exit.because(error)
    }
}

impl From<TreeVerifyError> for Failure {
    fn from(error: TreeVerifyError) -> Self {
        let exit = match error {
            TreeVerifyError::NoOutputs => Exit::BadInput,
            TreeVerifyError::Kind { .. } | TreeVerifyError::Claims { .. } | TreeVerifyError::Check(_) => {
                Exit::Refused
            }
            _ => Exit::Bug,
        };
        exit.because(error)
    }
}
