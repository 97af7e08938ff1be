//! Programs from outside that some tests need.
//!
//! A test that lacks one says so and passes, unless `LEANVM_REQUIRE_TOOLS` is set, as in continuous integration:
//! then it fails.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// QEMU's user mode for RISC-V: Debian's `qemu-user-static` has the first, `qemu-user` the second.
const QEMU: [&str; 2] = ["qemu-riscv64-static", "qemu-riscv64"];
/// GCC for bare RISC-V: Debian's `gcc-riscv64-unknown-elf`.
const GCC: [&str; 1] = ["riscv64-unknown-elf-gcc"];

/// QEMU, or nothing if this test is to be skipped.
pub(crate) fn qemu() -> Option<&'static str> {
    find(&QEMU)
}

/// GCC, or nothing if this test is to be skipped.
pub(crate) fn gcc() -> Option<&'static str> {
    find(&GCC)
}

/// The first of the programs that starts.
fn find(names: &[&'static str]) -> Option<&'static str> {
    let starts = |name: &&&str| {
        let status = Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    };
    let found = names.iter().find(starts).copied();
    if found.is_none() {
        let required = env::var_os("LEANVM_REQUIRE_TOOLS").is_some();
        assert!(
            !required,
            "LEANVM_REQUIRE_TOOLS is set and there is no {}",
            names.join(" or ")
        );
        eprintln!("SKIPPED: there is no {}", names.join(" or "));
    }
    found
}

/// A directory of its own for one test, in cargo's directory for such.
pub(crate) fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&path).unwrap();
    path
}

/// What a command that must succeed writes.
pub(crate) fn output(command: &mut Command) -> Vec<u8> {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    assert!(
        status.success(),
        "{command:?}: {status}\n{}",
        String::from_utf8_lossy(&stderr)
    );
    stdout
}
