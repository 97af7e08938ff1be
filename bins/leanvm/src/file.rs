//! Writing files so that none is ever half written.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;
use thiserror::Error;

use crate::exit::{Exit, Failure};

#[derive(Debug, Error)]
#[error("{} cannot be written", path.display())]
struct WriteError {
    path: PathBuf,
    source: io::Error,
}

/// Writes a file, or replaces it: under another name first, in the same directory, so that whoever reads the file
/// sees all of it or what was there before. What is no file, a pipe for instance, is written to and not replaced.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace(path, bytes).map_err(|source| {
        Exit::Io.because(WriteError {
            path: path.into(),
            source,
        })
    })
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let there = fs::metadata(path);
    if there.as_ref().is_ok_and(|there| !there.is_file()) {
        return fs::write(path, bytes);
    }
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let mut file = NamedTempFile::new_in(directory.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    // A temporary file is its owner's alone; this one is to be like any other.
    match there {
        Ok(there) => fs::set_permissions(file.path(), there.permissions())?,
        Err(_) => readable_by_others(file.path())?,
    }
    file.persist(path)?;
    Ok(())
}

#[cfg(unix)]
fn readable_by_others(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_others(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_and_replaced_and_nothing_else_is_left() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("proof");
        for bytes in [&b"one"[..], b"two"] {
            write(&path, bytes).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to_and_stays_one() {
        write(Path::new("/dev/null"), b"proof").unwrap();
        let failure = write(Path::new("/dev/full"), b"proof").unwrap_err();
        assert_eq!(failure.exit, Exit::Io);
        for device in ["/dev/null", "/dev/full"] {
            assert!(!fs::metadata(device).unwrap().is_file());
        }
    }

    #[test]
    fn a_directory_that_does_not_exist_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("missing").join("proof");
        let failure = write(&path, b"").unwrap_err();
        assert_eq!(failure.exit, Exit::Io);
        assert!(
            failure.to_string().contains(&path.display().to_string()),
            "{failure}"
        );
    }
}
