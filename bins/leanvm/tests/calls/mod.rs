//! Calls of the binary, and what is read from their reports.

use std::{
    path::Path,
    process::{Command, Output},
};

/// Calls the binary in a directory, with the default settings.
pub(crate) fn leanvm(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_leanvm"))
        .args(arguments)
        .current_dir(directory)
        .env_remove("LEANVM_NUM_THREADS")
        .env_remove("LEANVM_BACKEND")
        .output()
        .expect("the binary starts")
}

/// What the binary wrote.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// The value of a report's line.
pub(crate) fn value(report: &str, label: &str) -> String {
    let line = report
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{label} : ")));
    line.unwrap_or_else(|| panic!("{label} is not in the report:\n{report}"))
        .into()
}

/// Checks the exit code, and that the message of an error has this text.
pub(crate) fn assert_ends(output: &Output, code: i32, error: &str) {
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains(error), "{error} is not in: {stderr}");
}
