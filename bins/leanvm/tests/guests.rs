//! The verbs that run guests, as a user meets them: output and exit codes, and every kind of bad input.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A directory of the test's own, empty.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the directory can be made");
    path
}

fn leanvm_in(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_leanvm"))
        .args(arguments)
        .current_dir(directory)
        .env_remove("LEANVM_NUM_THREADS")
        .env_remove("LEANVM_BACKEND")
        .output()
        .expect("the binary starts")
}

fn leanvm(arguments: &[&str]) -> Output {
    leanvm_in(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// The report of a run that must succeed, as pairs of label and value.
fn report(arguments: &[&str]) -> Vec<(String, String)> {
    let output = leanvm(arguments);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{arguments:?}: {}",
        text(&output.stderr)
    );
    assert_eq!(text(&output.stderr), "");
    let lines = text(&output.stdout);
    lines
        .lines()
        .filter_map(|line| line.split_once(" : "))
        .map(|(a, b)| (a.into(), b.into()))
        .collect()
}

/// The error of a run that must fail with this code and tell nothing on the standard output.
fn error(arguments: &[&str], code: i32) -> String {
    let output = leanvm(arguments);
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}: {}",
        text(&output.stderr)
    );
    assert_eq!(text(&output.stdout), "");
    text(&output.stderr)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_run_reports_output_program_and_cycles_in_this_order() {
    let report = report(&["run", "fibonacci", "--advice", "0x5d"]);
    let labels: Vec<&str> = report.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["output", "program", "cycles"]);
    assert_eq!(report[0].1, hex(&fibonacci_host::output(93)));
    assert_eq!(report[1].1.len(), 64);
    assert!(report[2].1.parse::<u64>().is_ok());
}

#[test]
fn a_program_is_a_file_or_an_embedded_guest_and_its_digest_is_the_same() {
    let directory = directory("program");
    let file = directory.join("copy.elf");
    fs::write(&file, preimage_host::ELF).expect("the file can be written");
    let advice = directory.join("advice");
    let words = preimage_host::advice(b"correct horse battery staple");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    fs::write(&advice, bytes).expect("the file can be written");
    let advice = advice.to_str().expect("UTF-8");
    let from_file = report(&["run", file.to_str().expect("UTF-8"), "--advice-file", advice]);
    let embedded = report(&["run", "preimage", "--advice-file", advice]);
    assert_eq!(from_file, embedded);
    assert_eq!(
        embedded[0].1,
        hex(&preimage_host::output(b"correct horse battery staple"))
    );
    // Without a name, the only ELF file of the directory; with two, neither.
    let output = leanvm_in(&directory, &["run", "--advice-file", advice]);
    assert_eq!(output.status.code(), Some(0));
    fs::write(directory.join("second.elf"), hash_host::ELF).expect("the file can be written");
    let output = leanvm_in(&directory, &["run", "--advice-file", advice]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("has 2 files *.elf"),
        "{}",
        text(&output.stderr)
    );
    // A directory called like a guest hides no guest.
    fs::create_dir(directory.join("numbers")).expect("the directory can be made");
    assert_eq!(leanvm_in(&directory, &["run", "numbers"]).status.code(), Some(0));
}

#[test]
fn every_embedded_guest_is_named_and_loads() {
    let help = text(&leanvm(&["run", "--help"]).stdout);
    for guest in [
        "blake2s",
        "falcon",
        "fibonacci",
        "hash",
        "leansphincs",
        "leanxmss",
        "numbers",
        "preimage",
        "shielded",
    ] {
        assert!(help.contains(guest), "{guest}");
        report(&["run", guest]);
    }
    // No header is malformed, and no row is none.
    assert!(help.contains("stateproof"));
    assert!(help.contains("leanda"));
    assert!(error(&["run", "leanda"], 3).contains("the number of rows is not 1"));
    assert!(error(&["run", "stateproof"], 3).contains("is malformed"));
}

#[test]
fn a_profile_counts_every_cycle_once_by_class_and_by_function() {
    let directory = directory("profile");
    let folded = directory.join("folded");
    let folded_argument = folded.to_str().expect("UTF-8");
    let output = leanvm(&[
        "run",
        "hash",
        "--advice",
        "1000",
        "--profile",
        "--folded",
        folded_argument,
    ]);
    assert_eq!(output.status.code(), Some(0));
    let stdout = text(&output.stdout);
    let cycles: u64 = stdout
        .lines()
        .find_map(|line| line.strip_prefix("cycles : "))
        .and_then(|cycles| cycles.parse().ok())
        .expect("cycles are reported");
    let (_, tables) = stdout.split_once("cycles by class\n").expect("a table by class");
    let (classes, functions) = tables
        .split_once("cycles by function\n")
        .expect("a table by function");
    for table in [classes, functions] {
        let counts = table.lines().filter_map(|line| line.split_whitespace().next());
        assert_eq!(
            counts
                .map(|count| count.parse::<u64>().expect("a count"))
                .sum::<u64>(),
            cycles
        );
    }
    assert!(functions.contains("hash_guest::main"));
    let folded = fs::read_to_string(folded).expect("the stacks are written");
    let counts = folded.lines().filter_map(|line| line.rsplit_once(' '));
    assert_eq!(
        counts
            .map(|(_, count)| count.parse::<u64>().expect("a count"))
            .sum::<u64>(),
        cycles
    );
}

#[test]
fn a_measurement_reports_the_rows_of_each_class_and_the_sizes() {
    let report = report(&["measure", "hash", "--advice", "1000"]);
    let value = |label: &str| {
        report
            .iter()
            .find(|(found, _)| found == label)
            .map(|(_, value)| value.as_str())
    };
    let rows: u64 = report
        .iter()
        .filter(|(label, _)| label.ends_with(" rows"))
        .map(|(_, rows)| {
            let (rows, height) = rows.split_once(" of ").expect("rows and height");
            let rows: u64 = rows.parse().expect("a count");
            let powers = height.split(" + ").map(|power| {
                let exponent = power.strip_prefix("2^").expect("a power of two");
                1u64 << exponent.parse::<u32>().expect("an exponent")
            });
            assert!(rows <= powers.sum());
            rows
        })
        .sum();
    assert_eq!(value("cycles"), Some(rows.to_string().as_str()));
    // 16 blocks of the message, one of the output.
    assert_eq!(value("HASH rows"), Some("17 of 2^5"));
    assert_eq!(value("advice"), Some("4 words"));
}

#[test]
fn every_challenge_of_a_proof_is_told_and_has_128_bits_at_every_rate() {
    for rate in ["1", "2", "3", "4"] {
        let report = report(&["security", "hash", "--advice", "1000", "--log-inv-rate", rate]);
        let labels: Vec<&str> = report.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(
            labels[..5],
            [
                "program",
                "rate",
                "committed",
                "list of the commitment",
                "fingerprint of tuples"
            ]
        );
        assert_eq!(report[1].1, format!("2^-{rate}"));
        for part in [
            "batching of forms",
            "circuits",
            "ring-switching map",
            "queries of level 0",
        ] {
            assert!(labels.contains(&part), "{part}");
        }
        let ((last, weakest), rounds) = report[4..].split_last().expect("there are lines");
        assert_eq!(*last, "weakest");
        let bits = |value: &str| value.split(" bits").next().expect("a part").parse::<f64>();
        let least = rounds
            .iter()
            .map(|(label, value)| bits(value).unwrap_or_else(|_| panic!("{label}: {value}")))
            .fold(f64::INFINITY, f64::min);
        assert_eq!(bits(weakest), Ok(least));
        assert!(least >= 128.0, "{least}");
    }
    let refusal = error(&["security", "hash", "--log-inv-rate", "5"], 2);
    assert!(refusal.contains("[possible values: 1, 2, 3, 4]"), "{refusal}");
}

#[test]
fn a_listing_has_every_function_and_instruction() {
    let output = leanvm(&["disasm", "fibonacci"]);
    assert_eq!(output.status.code(), Some(0));
    let listing = text(&output.stdout);
    for part in [
        "10000000 <_start>:",
        "<fibonacci_guest::main>:",
        "HASH    blake2s ",
        "JUMP    ecall",
        ".word 0xc0001073",
    ] {
        assert!(listing.contains(part), "{part}");
    }
    let instructions = listing
        .lines()
        .filter(|line| line.get(8..11) == Some(":  "))
        .count();
    let program = rv::elf::load(fibonacci_host::ELF).expect("the guest loads");
    assert_eq!(instructions, program.text().len());
}

#[test]
fn a_panic_of_the_guest_ends_with_3_and_tells_message_and_place() {
    let error = error(&["run", "preimage", "--advice", "1,0x100"], 3);
    for part in [
        "the guest panicked at programs/preimage/guest/src/lib.rs:",
        "the bytes above the length are not zero",
    ] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn what_is_over_a_limit_ends_with_4_and_tells_the_numbers() {
    let words = error(&["run", "fibonacci", "--advice", "1,2,3,4,5"], 4);
    assert!(words.contains("5 words") && words.contains("holds 4"), "{words}");
    let cycles = error(
        &["run", "fibonacci", "--advice", "100000", "--max-cycles", "1000"],
        4,
    );
    assert!(
        cycles.contains("1000 cycles") && cycles.contains("fibonacci_guest::main"),
        "{cycles}"
    );
}

#[test]
fn bad_input_ends_with_2_and_says_what_is_wrong_with_what() {
    let directory = directory("bad_input");
    let file = |name: &str, bytes: &[u8]| {
        let path = directory.join(name);
        fs::write(&path, bytes).expect("the file can be written");
        path.to_str().expect("UTF-8").to_owned()
    };
    let no_elf = file("text", b"no program");
    let truncated = file("truncated", &fibonacci_host::ELF[..200]);
    let odd = file("odd", &[0; 15]);
    let this_binary = env!("CARGO_BIN_EXE_leanvm");
    let here = directory.to_str().expect("UTF-8");
    for (arguments, message) in [
        (&["run", "no-such-guest"][..], "no embedded guest has that name"),
        (&["run", &no_elf], "this is no ELF file"),
        (&["run", &truncated], "truncated"),
        (&["run", this_binary], "is no program for this machine"),
        (&["run", here], "cannot be read"),
        (
            &["run", "hash", "--advice", "ten"],
            "\"ten\" is no word of 64 bits",
        ),
        (
            &["run", "hash", "--advice", "18446744073709551616"],
            "is no word of 64 bits",
        ),
        (
            &["run", "hash", "--advice", "1", "--advice-file", &odd],
            "cannot be used with",
        ),
        (&["run", "hash", "--advice-file", &odd], "has 15 bytes"),
        (
            &["run", "hash", "--advice-file", "/no/such/file"],
            "/no/such/file cannot be read",
        ),
        (&["run", "hash", "--max-cycles", "many"], "invalid value 'many'"),
        (&["measure", "no-such-guest"], "no embedded guest has that name"),
        (&["disasm", "no-such-guest"], "no embedded guest has that name"),
        (&["new", "1st"], "cannot name a package"),
        (&["new", here], "exists already"),
    ] {
        let error = error(arguments, 2);
        assert!(error.contains(message), "{arguments:?}: {error}");
    }
}

#[test]
fn what_cannot_be_written_ends_with_5() {
    let directory = directory("io");
    let file = directory.join("file");
    fs::write(&file, b"").expect("the file can be written");
    let below_a_file = file.join("stacks");
    let error = error(
        &[
            "run",
            "numbers",
            "--folded",
            below_a_file.to_str().expect("UTF-8"),
        ],
        5,
    );
    assert!(error.contains("cannot be written"), "{error}");
}

/// The walk of the README: new, build, run. It needs a compiler for guests, and says so where there is none.
#[test]
fn a_new_guest_builds_and_runs() {
    let directory = directory("new");
    let output = leanvm_in(&directory, &["new", "my-guest"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let guest = directory.join("my-guest");
    let compiler = Command::new(guest.join("leanvm_guest/cargo-guest.sh"))
        .arg("compiler")
        .output()
        .expect("the script starts");
    if !compiler.status.success() {
        println!("not built: {}", text(&compiler.stderr));
        return;
    }
    // Kept from run to run, because building core takes long.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new-target");
    let build = Command::new(guest.join("build.sh"))
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("the script starts");
    assert!(build.status.success(), "{}", text(&build.stderr));
    let output = leanvm_in(&guest, &["run", "--advice", "5"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let expected = leanvm_guest::host::PublicValues::new().commit(&25u64).output();
    assert!(text(&output.stdout).starts_with(&format!("output : {}\n", hex(&expected))));
}
