//! Programs from outside that some tests need: whether they are there, and what they write.
//!
//! A test that lacks one says so and passes, unless `LEANVM_REQUIRE_TOOLS` is set, as in continuous integration:
//! then it fails. It imports nothing.

use std::env;
use std::process::{Command, Output, Stdio};

/// QEMU's user mode for RISC-V: Debian's `qemu-user-static` has the first, `qemu-user` the second.
const QEMU: [&str; 2] = ["qemu-riscv64-static", "qemu-riscv64"];
/// GCC for bare RISC-V: Debian's `gcc-riscv64-unknown-elf`.
const GCC: [&str; 1] = ["riscv64-unknown-elf-gcc"];

/// QEMU's user mode for RISC-V, or nothing if the test is to be skipped.
///
/// # Panics
/// If there is none and `LEANVM_REQUIRE_TOOLS` is set.
#[must_use]
pub fn qemu() -> Option<&'static str> {
    find(&QEMU)
}

/// GCC for bare RISC-V, or nothing if the test is to be skipped.
///
/// # Panics
/// If there is none and `LEANVM_REQUIRE_TOOLS` is set.
#[must_use]
pub fn gcc() -> Option<&'static str> {
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

/// What a command that must succeed writes.
///
/// # Panics
/// If it does not start, or fails: with what it wrote to its standard error.
pub fn output(command: &mut Command) -> Vec<u8> {
    let run = command.output();
    let Output {
        status,
        stdout,
        stderr,
    } = run.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        status.success(),
        "{command:?}: {status}\n{}",
        String::from_utf8_lossy(&stderr)
    );
    stdout
}
