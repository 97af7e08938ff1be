//! Arguments that bytes say, tried: nothing panics, and the exit codes are those of the help. The fuzz target `arguments`
//! tries them as well.

use std::ffi::OsString;
use std::io;

use leanvm_cli::{Arguments, Exit, parse, run};

/// What arguments are made of: verbs, flags, values, good and bad.
const WORDS: [&str; 69] = [
    "run",
    "disasm",
    "machine",
    "verify",
    "prove",
    "leanxmss",
    "fibonacci",
    "guest",
    "bench",
    "measure",
    "security",
    "new",
    "help",
    "nothing",
    "hash",
    "numbers",
    "preimage",
    "stateproof",
    "shielded",
    "blake2s",
    "leansphincs",
    "missing.elf",
    "--help",
    "-h",
    "--version",
    "-V",
    "--",
    "-",
    "",
    "--advice",
    "--advice=1,2",
    "--advice=",
    "--advice-file",
    "--max-cycles",
    "--max-cycles=100",
    "--profile",
    "--folded",
    "--proof",
    "--output",
    "--n",
    "--n=0",
    "--n=18446744073709551616",
    "--log-inv-rate",
    "--log-inv-rate=5",
    "--repeat",
    "--cooldown",
    "--cooldown=1e400",
    "--cooldown=nan",
    "--cooldown=-1",
    "--tracing",
    "--json",
    "--markdown",
    "--cycles-only",
    "--only",
    "hash 100000",
    "0",
    "1",
    "4",
    "-1",
    "0x10",
    "7,0xffffffffffffffff,8",
    "1,,2",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "\u{1f600}",
    "aggregate",
    "tree",
    "leaf",
    "key",
    "join",
];

/// Verbs that read at most, and soon end.
const HARMLESS: [&str; 4] = ["run", "disasm", "machine", "verify"];

/// Tries the bytes as arguments, each up to a zero, and as numbers of words.
///
/// # Panics
/// If anything is wrong.
pub(crate) fn try_bytes(bytes: &[u8]) {
    let raw = bytes.split(|&byte| byte == 0).take(32);
    let _ = understood(raw.map(argument));

    let words = bytes.iter().take(16);
    let mut words: Vec<&str> = words
        .map(|&byte| WORDS[usize::from(byte) % WORDS.len()])
        .collect();
    let harmless = words.first().is_some_and(|verb| HARMLESS.contains(verb)) && !words.contains(&"--folded");
    if harmless && words[0] == "run" {
        words.splice(1..1, ["--max-cycles", "1000"]);
    }
    let Some(arguments) = understood(words.iter().map(OsString::from)) else {
        return;
    };
    if harmless && let Err(failure) = run(arguments, io::sink()) {
        let expected = [
            Exit::Refused,
            Exit::BadInput,
            Exit::Trapped,
            Exit::OverLimit,
            Exit::Io,
        ];
        assert!(expected.contains(&failure.exit), "{words:?}: {failure}");
        assert_ne!(failure.to_string(), "");
    }
}

/// An argument of any bytes, as far as the system has such.
#[cfg(unix)]
fn argument(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStrExt as _;
    std::ffi::OsStr::from_bytes(bytes).to_owned()
}

/// An argument of any bytes, as far as the system has such.
#[cfg(not(unix))]
fn argument(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// The arguments, if they are understood; else the exit code is that of bad usage, or of the help.
fn understood(words: impl Iterator<Item = OsString>) -> Option<Arguments> {
    let error = match parse(std::iter::once(OsString::from("leanvm")).chain(words)) {
        Ok(arguments) => return Some(arguments),
        Err(error) => error,
    };
    assert!(matches!(error.exit_code(), 0 | 2), "{error:?}");
    assert_ne!(error.render().to_string(), "");
    None
}
