//! `leanvm new`: a guest of one's own.

mod files;

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use thiserror::Error;

use crate::{
    exit::{Exit, Failure},
    report::Report,
};

/// Writes a new guest: a package that builds anywhere, the SDK's source in it.
///
/// Then: cd NAME && ./build.sh && leanvm run
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The directory to make; its last part names the package.
    path: PathBuf,
}

/// Why no guest was written.
#[derive(Debug, Error)]
enum NewError {
    #[error(
        "{0:?} cannot name a package: take letters, digits, - and _, a letter first, and no word that Rust keeps for itself"
    )]
    Name(String),
    #[error("{} exists already: choose another name, or remove it", .0.display())]
    Exists(PathBuf),
    #[error("{} cannot be written", path.display())]
    Write { path: PathBuf, source: io::Error },
}

pub(crate) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let path = &arguments.path;
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    if !names_a_package(&name) {
        return Err(Exit::BadInput.because(NewError::Name(name)));
    }
    if path.exists() {
        return Err(Exit::BadInput.because(NewError::Exists(path.clone())));
    }
    for file in files::all(&name) {
        let path = path.join(file.path);
        write(&path, &file.text, file.executable)
            .map_err(|source| Exit::Io.because(NewError::Write { path, source }))?;
    }
    report.line("guest", path.display())?;
    Ok(())
}

fn write(path: &Path, text: &str, executable: bool) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(path, text)?;
    #[cfg(unix)]
    if executable {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// Whether cargo and rustc take it as the name of a package and of a crate.
fn names_a_package(name: &str) -> bool {
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let ends_well = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    starts_well && ends_well && !RESERVED.contains(&name)
}

/// Keywords, and names that would clash with a crate or a directory of the build.
const RESERVED: &[&str] = &[
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "build",
    "const",
    "continue",
    "core",
    "crate",
    "deps",
    "do",
    "dyn",
    "else",
    "enum",
    "examples",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "incremental",
    "leanvm_guest",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc_macro",
    "pub",
    "ref",
    "return",
    "self",
    "Self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_no_package_can_have_are_told_apart() {
        for good in ["square", "my-guest", "a1_b", "Falcon"] {
            assert!(names_a_package(good), "{good}");
        }
        for bad in [
            "",
            "1st",
            "-a",
            "_a",
            "a b",
            "a/b",
            "fn",
            "core",
            "leanvm_guest",
            "naïve",
            "..",
        ] {
            assert!(!names_a_package(bad), "{bad}");
        }
    }
}
