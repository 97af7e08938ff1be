//! Joining proofs as a user does it: files, reports, exit codes.

mod calls;

use std::fs;

use calls::{assert_ends, leanvm, text, value};

#[test]
fn leaves_are_joined_file_by_file_and_the_root_is_verified() {
    let directory = tempfile::tempdir().unwrap();
    let run = |arguments: &str| {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        leanvm(directory.path(), &arguments)
    };
    let report = |arguments: &str| {
        let output = run(arguments);
        assert_ends(&output, 0, "");
        text(&output.stdout)
    };
    // The first leaf names the tree, and the others are made by its key.
    let leaf = "tree leaf --program fibonacci --advice";
    let mut outputs = vec![value(&report(&format!("{leaf} 7 -o leaf0")), "output")];
    let key = report("tree key --program fibonacci --leaf leaf0 -o key");
    for (number, n) in [(1, 8), (2, 9)] {
        let report = report(&format!("{leaf} {n} --key key -o leaf{number} --tracing"));
        assert_eq!(stages(&report, "leaf")[..2], ["witness", "commit"]);
        outputs.push(value(&report, "output"));
    }
    // The digest of the circuits' file is what names the tree.
    let circuits = report("tree circuits --program fibonacci --key key -o circuits");
    assert_eq!(value(&circuits, "tree"), value(&key, "tree"));
    let file = fs::read(directory.path().join("circuits")).unwrap();
    assert_eq!(value(&circuits, "words"), (file.len() / 8).to_string());
    let digest = primitives::blake2s::hash(&file);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(value(&key, "tree"), digest);
    let join = "tree join --program fibonacci --key key";
    let first = report(&format!("{join} leaf0 leaf1 -o first --tracing"));
    assert_node_is_traced(&first, "first-level node");
    assert_eq!(value(&first, "kind"), "first-level node");
    assert_eq!(value(&first, "tree"), value(&key, "tree"));
    report(&format!("{join} leaf2 -o second"));
    let root = report(&format!("{join} first second -o root --tracing"));
    assert_node_is_traced(&root, "node");
    assert_eq!(value(&root, "kind"), "node");

    let list =
        |name: &str, outputs: &[String]| fs::write(directory.path().join(name), outputs.join("\n")).unwrap();
    list("outputs", &outputs);
    let verify = "tree verify --program fibonacci --key key";
    let verified = report(&format!("{verify} root --outputs outputs"));
    assert_eq!(value(&verified, "outputs"), "3");
    assert_eq!(value(&verified, "proof digest"), value(&root, "proof digest"));
    outputs.swap(0, 1);
    list("swapped", &outputs);
    assert_ends(
        &run(&format!("{verify} root --outputs swapped")),
        1,
        "tree: outputs",
    );
    list("two", &outputs[..2]);
    assert_ends(&run(&format!("{verify} root --outputs two")), 1, "2 leaves");
    list("none", &[]);
    assert_ends(&run(&format!("{verify} root --outputs none")), 2, "no outputs");
    list("bad", &[outputs[0].clone(), "12".into()]);
    assert_ends(&run(&format!("{verify} root --outputs bad")), 2, "line 2 of bad");
    assert_ends(
        &run(&format!("{verify} leaf0 --outputs outputs")),
        2,
        "is no proof of a node",
    );
    assert_ends(
        &run(&format!("{verify} missing --outputs outputs")),
        2,
        "missing cannot be read",
    );

    // What is no child, and what is another tree.
    assert_ends(
        &run(&format!("{join} leaf0 first -o x")),
        2,
        "leaf0 is the proof of a run, and first of a node",
    );
    assert_ends(
        &run(&format!("{join} leaf0 leaf1 leaf2 -o x")),
        2,
        "1 to 2 children",
    );
    report(&format!("{leaf} 7 --log-inv-rate 1 -o other"));
    assert_ends(
        &run(&format!("{join} leaf0 other -o x")),
        2,
        "leaf 1 has the rate 2^-1",
    );
    let other = "tree join --program hash --key key leaf0 -o x";
    assert_eq!(run(other).status.code(), Some(2));
    let mut bytes = fs::read(directory.path().join("leaf1")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(directory.path().join("changed"), bytes).unwrap();
    assert_ends(&run(&format!("{join} leaf0 changed -o x")), 1, "child 1");
    assert!(!directory.path().join("x").exists());
}

/// The stages of a part: the spans right inside of the outermost one of this name.
fn stages(report: &str, part: &str) -> Vec<String> {
    let name = |line: &str| {
        let words = line.split_whitespace();
        let number = |word: &&str| word.parse::<f64>().is_err() && *word != "x";
        words.take_while(number).collect::<Vec<_>>().join(" ")
    };
    let lines = report.lines().filter(|line| line.ends_with('%'));
    let inside = lines.skip_while(|line| name(line) != part).skip(1);
    let inside = inside.take_while(|line| line.starts_with(['|', '`']));
    let stages = inside.filter_map(|line| line.strip_prefix("|- "));
    stages.map(name).collect()
}

fn assert_node_is_traced(report: &str, kind: &str) {
    let expected = [
        "verify",
        "reduction",
        "record",
        "assignment",
        "witness",
        "commit",
        "bus",
        "tables",
        "circuits",
        "opening",
    ];
    assert_eq!(stages(report, kind), expected, "{report}");
}

#[test]
fn a_tree_is_proven_and_its_parts_are_told() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = [
        "aggregate",
        "--program",
        "fibonacci",
        "--n",
        "5",
        "--leaves",
        "3",
        "--proof",
        "root",
        "--tracing",
    ];
    let output = leanvm(directory.path(), &arguments);
    assert_ends(&output, 0, "");
    let report = text(&output.stdout);
    assert!(report.starts_with("output : "), "{report}");
    for label in [
        "program",
        "proof digest",
        "tree",
        "leaf committed",
        "first-level node EMUL",
        "first-level node proving",
        "node HASH",
        "node verifying",
        "node proof size",
        "set-up",
        "proving",
        "verifying",
        "proof size",
        "peak memory",
    ] {
        value(&report, label);
    }
    assert_eq!(value(&report, "leaves"), "3");
    for kind in ["first-level node", "node"] {
        assert_node_is_traced(&report, kind);
    }
    assert_eq!(stages(&report, "leaf").len(), 6, "{report}");
    assert!(directory.path().join("root").exists());
    let arguments = "aggregate --program fibonacci --n 5 --leaves 1 --json --tracing";
    let output = leanvm(directory.path(), &arguments.split(' ').collect::<Vec<_>>());
    assert_ends(&output, 0, "");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for kind in ["first-level node", "node"] {
        let stage = |name: &str| json[format!("fibonacci 5 {kind}{name}")]["latency"]["value"].as_f64();
        let parts = stage("/reduction/dense").unwrap() + stage("/reduction/matrices").unwrap();
        assert!(parts <= stage("/reduction").unwrap(), "{json}");
        assert!(stage("/reduction").unwrap() <= stage("").unwrap(), "{json}");
    }
    for (arguments, code, error) in [
        (&["--leaves", "0"][..], 2, "0"),
        (&["--arity", "1"], 2, "2 to 64 are possible"),
        (&["--n", "410"], 4, "at most 409 do"),
    ] {
        let output = leanvm(directory.path(), &[&["aggregate"], arguments].concat());
        assert_ends(&output, code, error);
    }
}
