//! Compiled C on the interpreter and under QEMU user mode.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rv::program::RAM_BASE;
use rv::{Limits, elf, run};
use test_tools::{gcc, output, qemu};

use super::directory::directory;

/// Compiles the test's sources to an executable.
fn compile(gcc: &str, directory: &Path, flags: &[&str]) -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machine/c");
    let executable = directory.join(format!("work{}.elf", flags.concat()));
    let fixed = [
        "-march=rv64im",
        "-mabi=lp64",
        "-ffreestanding",
        "-fwrapv",
        "-nostdlib",
        "-static",
    ];
    let linker = [
        "-Wl,--build-id=none",
        "-Wl,-z,max-page-size=4096",
        "-Wl,--no-warn-rwx-segments",
    ];
    output(
        Command::new(gcc)
            .args(fixed)
            .args(linker)
            .args(flags)
            .arg("-T")
            .arg(sources.join("link.ld"))
            .args([sources.join("start.S"), sources.join("work.c")])
            .arg("-lgcc")
            .arg("-o")
            .arg(&executable),
    );
    executable
}

#[test]
fn compiled_c_gives_the_same_results_as_under_qemu() {
    let (Some(gcc), Some(qemu)) = (gcc(), qemu()) else {
        return;
    };
    let directory = directory("compiled-c");
    for level in ["-O0", "-O1", "-O2", "-O3", "-Os"] {
        let theirs = output(Command::new(qemu).arg(compile(gcc, &directory, &[level, "-DON_QEMU"])));
        let file = fs::read(compile(gcc, &directory, &[level])).unwrap();
        let program = elf::load(&file).unwrap_or_else(|error| panic!("{level}: {error}"));
        let ours = run(&program, &[], Limits { cycles: 1 << 26 }, &mut ());
        let ours = ours.unwrap_or_else(|error| panic!("{level}: {error}"));
        let results = program
            .symbols()
            .as_slice()
            .iter()
            .find(|symbol| symbol.name == "results");
        let results = results.expect("the program has results");
        assert_eq!(results.size, theirs.len() as u64);
        let bytes = ours.state.bytes(results.address, results.size);
        for (at, (ours, theirs)) in bytes.chunks(8).zip(theirs.chunks(8)).enumerate() {
            assert_eq!(ours, theirs, "{level}: result {at}");
        }
        assert!(results.address >= RAM_BASE && theirs.iter().any(|&byte| byte != 0));
        assert!(ours.cycles > 100_000, "{level}: {} cycles", ours.cycles);
    }
}
