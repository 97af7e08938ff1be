//! Where tests write files.

use std::fs;
use std::path::{Path, PathBuf};

/// A directory of its own for one test, in cargo's directory for such.
pub(crate) fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&path).unwrap();
    path
}
