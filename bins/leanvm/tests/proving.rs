//! Proving and verifying as a user does it: files, reports, exit codes.

mod calls;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use calls::{assert_ends, leanvm, text, value};

#[test]
fn what_prove_writes_verify_accepts_and_both_tell_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let proven = leanvm(directory.path(), &["prove", "fibonacci", "--advice", "10"]);
    assert_ends(&proven, 0, "");
    let report = text(&proven.stdout);
    let labels: Vec<&str> = report
        .lines()
        .filter_map(|line| line.split(" : ").next())
        .collect();
    assert_eq!(
        labels,
        [
            "output",
            "program",
            "proof digest",
            "cycles",
            "committed",
            "proving",
            "verifying",
            "proof size",
            "peak memory",
            "proof file"
        ]
    );
    let verified = leanvm(directory.path(), &["verify", "fibonacci"]);
    assert_ends(&verified, 0, "");
    for label in ["output", "program", "proof digest", "proof size"] {
        assert_eq!(value(&report, label), value(&text(&verified.stdout), label));
    }

    let output = value(&report, "output");
    let verify = |output: &str| leanvm(directory.path(), &["verify", "fibonacci", "--output", output]);
    assert_ends(&verify(&output), 0, "");
    assert_ends(&verify(&output.replace(|_| true, "0")), 1, "exited with");
    assert_ends(&verify("1234"), 2, "64 hexadecimal digits");
}

#[test]
fn proofs_that_are_changed_cut_or_of_another_program_are_refused_by_their_kind_of_fault() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("p");
    let arguments = [
        "prove",
        "fibonacci",
        "--advice",
        "3",
        "--log-inv-rate",
        "4",
        "--proof",
        "p",
    ];
    assert_ends(&leanvm(directory.path(), &arguments), 0, "");
    let honest = fs::read(&file).unwrap();
    let verify = |bytes: &[u8], program: &str| {
        fs::write(&file, bytes).unwrap();
        leanvm(directory.path(), &["verify", program, "--proof", "p"])
    };
    assert_ends(&verify(&honest, "fibonacci"), 0, "");
    let mut changed = honest.clone();
    changed[honest.len() / 2] ^= 1;
    assert_ends(&verify(&changed, "fibonacci"), 1, "is no proof for this program");
    assert_ends(
        &verify(&honest[..honest.len() - 1], "fibonacci"),
        2,
        "is no proof file",
    );
    assert_ends(&verify(&[], "fibonacci"), 2, "is no proof file");
    assert_ends(&verify(&honest, "hash"), 1, "is no proof for this program");
    fs::remove_file(&file).unwrap();
    assert_ends(
        &leanvm(directory.path(), &["verify", "fibonacci", "--proof", "p"]),
        2,
        "cannot be read",
    );
}

#[test]
fn a_run_that_traps_leaves_no_proof() {
    let directory = tempfile::tempdir().unwrap();
    // A length that the advice does not hold.
    let output = leanvm(directory.path(), &["prove", "preimage", "--advice", "99999999"]);
    assert_ends(&output, 3, "panic");
    assert_eq!(text(&output.stdout), "");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn a_proof_that_cannot_be_written_ends_with_5_and_names_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["prove", "fibonacci", "--advice", "1", "--proof", "missing/p"];
    assert_ends(
        &leanvm(directory.path(), &arguments),
        5,
        "missing/p cannot be written",
    );
}

#[test]
fn the_benchmark_verbs_check_their_outputs() {
    let directory = tempfile::tempdir().unwrap();
    for (arguments, item) in [
        (&["fibonacci", "--n", "50"][..], None),
        (&["leanxmss", "--n", "1"], Some("signature")),
        (&["leansphincs", "--n", "1"], Some("signature")),
        (&["stateproof", "--n", "1"], Some("read")),
        (&["shielded", "--n", "2"], Some("spend")),
    ] {
        let output = leanvm(directory.path(), arguments);
        assert_ends(&output, 0, "");
        let report = text(&output.stdout);
        assert_eq!(value(&report, "output").len(), 64);
        if let Some(item) = item {
            let number = |label: &str| value(&report, label).parse::<f64>().unwrap();
            let n: f64 = arguments[2].parse().unwrap();
            let each = number(&format!("cycles per {item}"));
            assert!((number("cycles") - n * each).abs() <= 0.05 * n, "{report}");
        }
    }
    assert_eq!(
        fs::read_dir(directory.path()).unwrap().count(),
        0,
        "no proof was asked for"
    );
}

#[test]
fn repeated_passes_give_intervals_stages_and_json() {
    let directory = tempfile::tempdir().unwrap();
    let repeat = ["guest", "fibonacci", "--advice", "5", "--repeat", "2"];
    let output = leanvm(directory.path(), &[&repeat[..], &["--tracing"]].concat());
    assert_ends(&output, 0, "");
    let report = text(&output.stdout);
    assert!(value(&report, "proving").contains("+-"), "{report}");
    for stage in ["witness", "commit", "bus", "tables", "circuits", "opening"] {
        assert!(
            report.lines().any(|line| line.trim_start().starts_with(stage)),
            "{stage}: {report}"
        );
    }
    let output = leanvm(directory.path(), &[&repeat[..], &["--json"]].concat());
    assert_ends(&output, 0, "");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for measure in [
        "latency",
        "verifying",
        "cycles",
        "committed-words",
        "proof-bytes",
        "peak-memory-bytes",
    ] {
        assert!(
            json["fibonacci"][measure]["value"].is_number(),
            "{measure}: {json}"
        );
    }
    let output = leanvm(
        directory.path(),
        &[&repeat[..], &["--json", "--tracing"]].concat(),
    );
    assert_ends(&output, 0, "");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let stage = |name: &str| json[name]["latency"]["value"].as_f64().unwrap();
    let parts = stage("fibonacci/circuits/zerocheck") + stage("fibonacci/circuits/lincheck");
    assert!(parts <= stage("fibonacci/circuits"), "{json}");
}

#[test]
fn the_guests_are_listed() {
    let output = leanvm(Path::new("."), &["guest"]);
    assert_ends(&output, 0, "");
    assert!(text(&output.stdout).contains("leanxmss"));
    assert_ends(&leanvm(Path::new("."), &["guest", "nobody"]), 2, "nobody");
}

/// `scripts/check-counts.sh` holds all counts to those that are checked in.
#[test]
fn counts_are_told_of_runs_and_of_the_nodes_over_them() {
    let output = leanvm(
        Path::new("."),
        &["bench", "--cycles-only", "--only", "fibonacci 1000"],
    );
    assert_ends(&output, 0, "");
    let counts = text(&output.stdout);
    // Of the line of a part the cells behind its name, which no other part's name begins with two blanks behind.
    let find = |part: &str| {
        let cells = counts.lines().find_map(|line| {
            let rest = line.trim_start().strip_prefix("fibonacci 1000")?.trim_start();
            rest.strip_prefix(part)?.strip_prefix("  ")
        });
        let cells = cells.unwrap_or_else(|| panic!("{part}: {counts}"));
        cells
            .split("  ")
            .map(str::trim)
            .filter(|cell| !cell.is_empty())
            .collect::<Vec<_>>()
    };
    let number = |cell: &str| cell.parse::<u64>().unwrap_or_else(|_| panic!("{cell}: {counts}"));
    assert_eq!(find("all")[0], "5071");
    assert_eq!(find("ADDI")[0], "3025");
    for kind in ["first-level node", "node"] {
        let tables = ["EMUL", "EXK", "HASH", "SPLIT", "CAST"];
        let rows = tables.map(|table| {
            let [rows, height] = find(&format!("{kind} {table}"))[..] else {
                panic!("{kind} {table}: {counts}")
            };
            let log_height = height.strip_prefix("2^").map(number).unwrap();
            assert!(number(rows) <= 1 << log_height, "{kind} {table}");
            number(rows)
        });
        let [all, committed] = find(kind)[..] else {
            panic!("{kind}: {counts}")
        };
        assert_eq!(number(all), rows.iter().sum::<u64>());
        assert!(number(committed) > 0);
    }
}

#[test]
fn the_benchmark_tells_times_as_a_table_and_as_json() {
    let bench = ["bench", "--only", "fibonacci 1000"];
    let output = leanvm(Path::new("."), &[&bench[..], &["--markdown"]].concat());
    assert_ends(&output, 0, "");
    let table = text(&output.stdout);
    assert!(
        table
            .lines()
            .all(|line| line.starts_with('|') && line.ends_with('|')),
        "{table}"
    );
    assert!(table.contains("| fibonacci 1000 |   5071 |"), "{table}");
    let output = leanvm(Path::new("."), &[&bench[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["fibonacci 1000"]["cycles"]["value"], 5071.0);
    assert_ends(
        &leanvm(Path::new("."), &["bench", "--only", "everything"]),
        2,
        "everything",
    );
}

/// Each with its exit code, and a part of the error that names what is wrong.
#[test]
fn bad_use_ends_with_the_code_of_its_kind_before_anything_is_proven() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("odd"), [0; 12]).unwrap();
    for (arguments, code, error) in [
        (&["prove", "nothing.elf"][..], 2, "nothing.elf is no file"),
        (
            &["prove", "fibonacci", "--log-inv-rate", "0"],
            2,
            "--log-inv-rate",
        ),
        (
            &["prove", "fibonacci", "--log-inv-rate", "5"],
            2,
            "--log-inv-rate",
        ),
        (&["prove", "fibonacci", "--advice", "0xg"], 2, "0xg"),
        (&["prove", "fibonacci", "--advice-file", "odd"], 2, "12 bytes"),
        (
            &["prove", "fibonacci", "--advice-file", "missing"],
            2,
            "missing cannot be read",
        ),
        (&["prove", "fibonacci", "--advice", "1,1,1,1,1"], 4, "5 words"),
        (&["prove", "fibonacci", "--repeat", "0"], 2, "--repeat"),
        (&["prove", "fibonacci", "--cooldown=-1"], 2, "--cooldown"),
        (&["fibonacci", "--n", "many"], 2, "many"),
        (&["leanxmss", "--n=-1"], 2, "-1"),
        (
            &["leanxmss", "--n", "410"],
            4,
            "410 signatures do not fit the advice of leanxmss: at most 409 do",
        ),
        (&["leansphincs", "--n", "105"], 4, "at most 104 do"),
        (&["leanda", "--blobs", "0"], 2, "0 is not in 1.."),
        (
            &["leanda", "--blobs", "2"],
            4,
            "2 blobs do not fit the advice of leanda: at most 1 do",
        ),
        (&["shielded", "--n", "1243"], 4, "at most 1242 do"),
        (&["stateproof", "--n", "39"], 4, "at most 38 do"),
        (&["stateproof", "--n", "18446744073709551615"], 4, "at most 38 do"),
        // A run that no proof holds. One does hold the most items of every workload that fit its advice.
        (&["fibonacci", "--n", "20000000"], 4, "committed words"),
    ] {
        let output = leanvm(directory.path(), arguments);
        assert_ends(&output, code, error);
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn no_items_are_proven_too() {
    for workload in ["leanxmss", "leansphincs", "falcon", "shielded"] {
        let output = leanvm(Path::new("."), &[workload, "--n", "0"]);
        assert_ends(&output, 0, "");
        let report = text(&output.stdout);
        // The digest of nothing.
        let nothing = "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9";
        assert_eq!(value(&report, "output"), nothing);
        assert!(!report.contains("cycles per"), "{report}");
    }
    // No reads are those of a block all the same.
    let output = leanvm(Path::new("."), &["stateproof", "--n", "0"]);
    assert_ends(&output, 0, "");
}

#[test]
fn the_memory_that_is_predicted_is_enough_and_not_far_too_much() {
    let directory = tempfile::tempdir().unwrap();
    let gib = |report: &Output, label| {
        let value = value(&text(&report.stdout), label);
        let number = value.strip_suffix(" GiB").map(str::parse::<f64>);
        number.and_then(Result::ok).unwrap_or_else(|| panic!("{value}"))
    };
    for rate in ["1", "2", "4"] {
        let run = ["fibonacci", "--advice", "20000", "--log-inv-rate", rate];
        let [predicted, taken] = [("measure", "memory"), ("prove", "peak memory")].map(|(verb, label)| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_leanvm"));
            // With more threads the opening keeps less.
            command.arg(verb).args(run).env("LEANVM_NUM_THREADS", "2");
            command.current_dir(directory.path());
            gib(&command.output().unwrap(), label)
        });
        assert!(
            taken <= predicted && predicted <= 1.3 * taken,
            "{predicted} GiB for {taken} at rate 2^-{rate}"
        );
    }
}
