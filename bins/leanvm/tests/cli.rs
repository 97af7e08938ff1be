//! The command line as a user meets it: the binary, its output and its exit codes.

use std::process::{Command, Output};

fn leanvm(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_leanvm"))
        .args(arguments)
        .env_remove("LEANVM_NUM_THREADS")
        .env_remove("LEANVM_BACKEND")
        .envs(environment.iter().copied())
        .output()
        .expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

#[test]
fn the_version_is_the_package_s() {
    let output = leanvm(&["--version"], &[]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        text(&output.stdout),
        concat!("leanvm ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn the_help_lists_verbs_and_exit_codes() {
    let output = leanvm(&["--help"], &[]);
    assert_eq!(output.status.code(), Some(0));
    let help = text(&output.stdout);
    for part in ["machine", "Exit codes:", "a check refused the proof"] {
        assert!(help.contains(part), "{part} is not in the help:\n{help}");
    }
}

#[test]
fn bad_usage_ends_with_2_and_an_error_on_the_standard_error() {
    for arguments in [&[][..], &["no-such-verb"], &["machine", "--no-such-flag"]] {
        let output = leanvm(arguments, &[]);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(text(&output.stdout), "");
        assert_ne!(text(&output.stderr), "");
    }
}

#[test]
fn the_number_of_threads_is_the_one_that_is_set() {
    let output = leanvm(&["machine"], &[("LEANVM_NUM_THREADS", "3")]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).lines().any(|line| line == "threads : 3"));
}

#[test]
fn a_bad_number_of_threads_ends_with_2_and_names_the_value() {
    for bad in ["0", "many", "1025", ""] {
        let output = leanvm(&["machine"], &[("LEANVM_NUM_THREADS", bad)]);
        assert_eq!(output.status.code(), Some(2), "{bad:?}");
        assert_eq!(text(&output.stdout), "");
        let error = text(&output.stderr);
        assert!(
            error.contains(&format!("LEANVM_NUM_THREADS is {bad:?}")),
            "{error}"
        );
    }
}

#[test]
fn the_back_end_that_is_forced_is_selected_and_every_one_is_listed() {
    let output = leanvm(&["machine"], &[("LEANVM_BACKEND", "portable")]);
    assert_eq!(output.status.code(), Some(0));
    let report = text(&output.stdout);
    let back_ends: Vec<&str> = report
        .lines()
        .filter(|line| line.starts_with("back end "))
        .collect();
    assert_eq!(back_ends.len(), 5, "{report}");
    assert_eq!(
        back_ends
            .iter()
            .filter(|line| line.ends_with(" : selected"))
            .count(),
        1,
        "{report}"
    );
    assert!(back_ends.contains(&"back end portable : selected"), "{report}");
}

#[test]
fn a_back_end_that_is_unknown_or_unsupported_ends_with_2() {
    let foreign = if cfg!(target_arch = "aarch64") {
        "avx2"
    } else {
        "neon"
    };
    for bad in ["", "fastest", "AVX2", foreign] {
        let output = leanvm(&["machine"], &[("LEANVM_BACKEND", bad)]);
        assert_eq!(output.status.code(), Some(2), "{bad:?}");
        assert_eq!(text(&output.stdout), "");
        let error = text(&output.stderr);
        assert!(
            error.contains(&format!("LEANVM_BACKEND is {bad:?}")) && error.contains(" portable"),
            "{error}"
        );
    }
}
