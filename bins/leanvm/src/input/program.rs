//! The program of a verb: an ELF file, or one of the guests in this binary.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use clap::builder::PossibleValuesParser;
use rv::{Program, elf};
use thiserror::Error;

use super::exit_of;
use crate::{
    exit::{Exit, Failure},
    workloads::WORKLOADS,
};

/// The guests that this binary has in it and that are no workloads.
const SMALL: [(&str, &[u8]); 5] = [
    ("blake2s", hash_host::PLAIN_ELF),
    ("fibonacci", fibonacci_host::ELF),
    ("hash", hash_host::ELF),
    ("numbers", numbers_host::ELF),
    ("preimage", preimage_host::ELF),
];

/// The guests that this binary has in it, by name.
pub(crate) fn guests() -> Vec<(&'static str, &'static [u8])> {
    let workloads = WORKLOADS.iter().map(|workload| (workload.name, workload.elf));
    let mut guests: Vec<_> = SMALL.into_iter().chain(workloads).collect();
    guests.sort_unstable_by_key(|(name, _)| *name);
    guests
}

/// The program.
#[derive(Debug, clap::Args)]
pub(crate) struct ProgramArguments {
    #[arg(help = format!(
        "An ELF file, or if there is none of that name an embedded guest ({}). Without it: the only file *.elf in \
         the current directory",
        names()
    ))]
    program: Option<PathBuf>,
}

/// The program, where other arguments have no names.
#[derive(Debug, clap::Args)]
pub(crate) struct ProgramOption {
    /// The program: an ELF file, or if there is none of that name an embedded guest. Without it: the only file *.elf in
    /// the current directory.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
}

impl ProgramOption {
    /// The program, loaded.
    pub(crate) fn load(&self) -> Result<Program, Failure> {
        let program = self.program.clone();
        ProgramArguments { program }.load()
    }
}

#[derive(Debug, Error)]
enum ProgramError {
    #[error("{} is no file, and no embedded guest has that name: they are {}", .0.display(), names())]
    Unknown(PathBuf),
    #[error("no program is given, and the current directory has {found} files *.elf: name one")]
    NoneGiven { found: usize },
    #[error("{} cannot be read", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is no program for this machine", path.display())]
    Load { path: PathBuf, source: elf::LoadError },
}

impl ProgramArguments {
    fn path(&self) -> Result<PathBuf, Failure> {
        self.program.clone().map_or_else(the_only_elf_file, Ok)
    }

    /// The program's name: the file's, without directory and extension.
    pub(crate) fn name(&self) -> Result<String, Failure> {
        let path = self.path()?;
        Ok(path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned())
    }

    /// The program, loaded.
    pub(crate) fn load(&self) -> Result<Program, Failure> {
        let path = self.path()?;
        let bytes = read(&path)?;
        elf::load(&bytes).map_err(|source| Exit::BadInput.because(ProgramError::Load { path, source }))
    }
}

/// The embedded guest of this name.
pub(crate) fn guest(name: &str) -> Result<Program, Failure> {
    let path = PathBuf::from(name);
    let Some((_, bytes)) = guests().into_iter().find(|guest| guest.0 == name) else {
        return Err(Exit::BadInput.because(ProgramError::Unknown(path)));
    };
    load(name, bytes)
}

/// The embedded guest of this name, whose file is `bytes`.
pub(crate) fn load(name: &str, bytes: &[u8]) -> Result<Program, Failure> {
    elf::load(bytes).map_err(|source| {
        Exit::Bug.because(ProgramError::Load {
            path: name.into(),
            source,
        })
    })
}

/// The names of the embedded guests, as values of an argument.
pub(crate) fn guest_names() -> PossibleValuesParser {
    PossibleValuesParser::new(guests().into_iter().map(|(name, _)| name))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).or_else(|source| {
        let embedded = guests().into_iter().find(|(name, _)| path.as_os_str() == *name);
        match (embedded, source.kind()) {
            // A directory of a guest's name hides no guest.
            (Some((_, elf)), _) if !path.is_file() => Ok(elf.to_vec()),
            (None, io::ErrorKind::NotFound) => {
                Err(Exit::BadInput.because(ProgramError::Unknown(path.into())))
            }
            _ => Err(exit_of(&source).because(ProgramError::Read {
                path: path.into(),
                source,
            })),
        }
    })
}

fn the_only_elf_file() -> Result<PathBuf, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(env::current_dir()?)? {
        let path = PathBuf::from(entry?.file_name());
        if path.extension().is_some_and(|extension| extension == "elf") && path.is_file() {
            found.push(path);
        }
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        found => Err(Exit::BadInput.because(ProgramError::NoneGiven { found })),
    }
}

fn names() -> String {
    let names: Vec<_> = guests().into_iter().map(|(name, _)| name).collect();
    names.join(", ")
}
