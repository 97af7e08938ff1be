//! The programs of guests under QEMU's user mode for RISC-V, byte for byte as they are on the machine.
//!
//! QEMU knows neither the custom instructions nor the exit with an output. A program for it, `monitor.c`, loads
//! the guest's file and the advice to where they are on the machine, and does both when they trap, from their
//! definitions: what is compared is everything that the compiler made of the guest.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use test_tools::{gcc, output, qemu};

/// The output of a guest's program under QEMU, or nothing if QEMU or GCC is absent.
pub(crate) fn output_of(elf: &[u8], advice: &[u64]) -> Option<[u8; 32]> {
    let (qemu, gcc) = (qemu()?, gcc()?);
    let program = rv::elf::load(elf).unwrap_or_else(|error| panic!("{error}"));
    let directory = tempfile::tempdir().expect("there is room for temporary files");
    let write = |name: &str, bytes: &[u8]| {
        let path = directory.path().join(name);
        fs::write(&path, bytes).expect("a temporary file is written");
        path
    };
    let mut region = advice.to_vec();
    region.resize(1 << program.log_advice(), 0);
    let region: Vec<u8> = region.iter().flat_map(|word| word.to_le_bytes()).collect();
    let (guest, region) = (write("guest.elf", elf), write("advice", &region));
    let monitor = monitor(gcc, directory.path());
    let words = output(Command::new(qemu).args([monitor, guest, region]));
    Some(words.try_into().expect("an output has 32 bytes"))
}

/// Compiles the monitor.
fn monitor(gcc: &str, directory: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/qemu/monitor.c");
    let executable = directory.join("monitor");
    output(
        Command::new(gcc)
            .args([
                "-march=rv64im",
                "-mabi=lp64",
                "-O2",
                "-Wall",
                "-Wextra",
                "-Werror",
            ])
            .args([
                "-ffreestanding",
                "-fno-tree-loop-distribute-patterns",
                "-nostdlib",
                "-static",
            ])
            // Behind all regions of the machine.
            .args(["-Wl,--build-id=none", "-Wl,-Ttext-segment=0x70000000"])
            .arg("-o")
            .arg(&executable)
            .arg(source),
    );
    executable
}
