//! Runs of real guests: proven, verified, and refused where anything is changed.

use std::ops::ControlFlow;

use leanvm::{Output, Program, Proof, ProveError, Prover, PublicProgram, Rate, Stage, Verifier};
use primitives::{backend, pool};

fn program(elf: &[u8]) -> Program {
    Program::from_elf(elf).expect("a fixture loads")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A run of a guest.
struct Case {
    name: &'static str,
    program: Program,
    advice: Vec<u64>,
    output: [u8; 32],
    /// The digest of the proof at rate 1/2. It moves with every change of the protocol or of the program alone; the
    /// failing test prints the new one.
    digest: &'static str,
}

fn cases() -> [Case; 3] {
    let entries = leanxmss_host::benchmark_entries(2).expect("two keys sign");
    [
        Case {
            name: "fibonacci of 1000",
            program: program(fibonacci_host::ELF),
            advice: fibonacci_host::advice(1000),
            output: fibonacci_host::output(1000),
            digest: "46534a264991210a6ff66d853c21bcdeeade84780627a7d1f5f99cd060cbf700",
        },
        Case {
            name: "hash of 1000 bytes",
            program: program(hash_host::ELF),
            advice: hash_host::advice(1000),
            output: hash_host::output(1000),
            digest: "923680031b1f7a0f52f3992ab2f05c7729cf402ad37750cc2074fa2a6578783c",
        },
        Case {
            name: "two signatures",
            program: program(leanxmss_host::ELF),
            advice: leanxmss_host::advice(&entries).expect("two entries fit"),
            output: leanxmss_host::output(entries.iter().map(|entry| &entry.claim)),
            digest: "01378d92c29d89f6503253db7e0311b36dc918ec3fee5b457fde26f88a25b736",
        },
    ]
}

#[test]
fn proofs_of_guests_have_the_expected_outputs_and_the_pinned_digests() {
    for Case {
        name,
        program,
        advice,
        output,
        digest,
    } in cases()
    {
        let proof = Prover::new(&program).prove(&advice).unwrap();
        let verified = Verifier::new(program.public()).verify(&proof).unwrap();
        assert_eq!(verified, Output::from_bytes(output), "{name}");
        assert_eq!(hex(&proof.digest()), digest, "{name}");
    }
}

#[test]
fn a_proof_has_the_same_bytes_for_any_number_of_threads() {
    let [
        Case {
            program,
            advice,
            digest,
            ..
        },
        ..,
    ] = cases();
    let prover = Prover::new(&program);
    for threads in [1, 2, 8] {
        let proof = pool::with_threads(threads, || prover.prove(&advice)).unwrap();
        assert_eq!(hex(&proof.digest()), digest, "{threads} threads");
    }
}

#[test]
fn a_proof_has_the_same_bytes_for_every_back_end() {
    let program = program(fibonacci_host::ELF);
    let prover = Prover::new(&program);
    let expected = prover.prove(&[7]).unwrap();
    let selected = backend::selected().kind();
    let mut tried = 0;
    for kind in backend::Kind::ALL
        .into_iter()
        .filter(|&kind| backend::force(kind).is_ok())
    {
        assert!(prover.prove(&[7]).unwrap() == expected, "{kind}");
        tried += 1;
    }
    backend::force(selected).unwrap();
    assert!(tried >= 1);
}

#[test]
fn every_rate_proves_and_higher_ones_make_smaller_proofs() {
    let program = program(fibonacci_host::ELF);
    let verifier = Verifier::new(program.public());
    let sizes = Rate::ALL.map(|rate| {
        let proof = Prover::new(&program).at_rate(rate).prove(&[20]).unwrap();
        let output = verifier.verify(&proof).unwrap();
        assert_eq!(output.to_bytes(), fibonacci_host::output(20));
        proof.to_bytes().len()
    });
    assert!(sizes.is_sorted_by(|a, b| a > b), "{sizes:?}");
}

#[test]
fn a_verifier_needs_the_public_part_alone() {
    let program = program(fibonacci_host::ELF);
    let file = Prover::new(&program).prove(&[5]).unwrap().to_bytes();
    let public = PublicProgram::from_bytes(&program.public().to_bytes()).unwrap();
    assert_eq!(public.digest(), program.digest());
    let output = Verifier::new(&public).verify(&Proof::from_bytes(&file).unwrap());
    assert_eq!(output.unwrap().to_bytes(), fibonacci_host::output(5));
}

#[test]
fn the_proof_of_another_program_is_refused() {
    let (one, other) = (program(fibonacci_host::ELF), program(hash_host::ELF));
    let proof = Prover::new(&one).prove(&[5]).unwrap();
    assert!(Verifier::new(other.public()).verify(&proof).is_err());
}

/// Every word of a proof, by turns: no bit can be changed.
#[test]
fn a_proof_with_a_changed_word_is_refused() {
    let program = program(fibonacci_host::ELF);
    let verifier = Verifier::new(program.public());
    let file = Prover::new(&program)
        .at_rate(Rate::Sixteenth)
        .prove(&[3])
        .unwrap()
        .to_bytes();
    let words = file.len() / 8;
    // A step that is prime to everything, so that all parts are met.
    for word in (0..words).step_by(97) {
        let mut changed = file.clone();
        changed[8 * word + word % 8] ^= 1 << (word % 7);
        let accepted = Proof::from_bytes(&changed).is_ok_and(|proof| verifier.verify(&proof).is_ok());
        assert!(!accepted, "word {word} of {words}");
    }
}

#[test]
fn what_is_measured_is_what_is_proven() {
    let program = program(fibonacci_host::ELF);
    let measure = Prover::new(&program).measure(&[100]).unwrap();
    assert_eq!(measure.output.to_bytes(), fibonacci_host::output(100));
    let rows: u64 = measure.tables.iter().map(|table| table.rows).sum();
    assert_eq!(rows, measure.cycles);
    assert!(measure.tables.iter().all(|table| {
        table.rows
            <= table
                .log_heights
                .iter()
                .map(|log_rows| 1 << log_rows)
                .sum::<u64>()
    }));
}

#[test]
fn a_run_over_the_limit_of_cycles_is_refused() {
    let program = program(fibonacci_host::ELF);
    let error = Prover::new(&program).at_most(50).prove(&[100]).unwrap_err();
    assert!(error.to_string().contains("50"), "{error}");
}

#[test]
fn a_caller_sees_every_stage_once_and_can_stop_before_any() {
    let program = program(fibonacci_host::ELF);
    let prover = Prover::new(&program);
    for last in Stage::ALL {
        let mut seen = Vec::new();
        let cancelled = prover.prove_in_stages(&[2], |stage| {
            seen.push(stage);
            if stage == last {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(cancelled, Err(ProveError::Cancelled));
        assert!(
            Stage::ALL.starts_with(&seen) && seen.last() == Some(&last),
            "{seen:?}"
        );
    }
}

#[test]
fn a_run_is_proven_in_the_shape_of_a_larger_one_and_not_of_a_smaller_one() {
    let program = program(fibonacci_host::ELF);
    let verifier = Verifier::new(program.public());
    let prover = Prover::new(&program);
    let (large, small) = (prover.prove(&[100]).unwrap(), prover.prove(&[1]).unwrap());

    let alike = prover.clone().in_shape_of(&large).unwrap();
    let proof = alike.prove(&[1]).unwrap();
    assert_eq!(
        verifier.verify(&proof).unwrap().to_bytes(),
        fibonacci_host::output(1)
    );
    assert!(proof != small);
    let heights = |prover: &Prover<'_>, n| {
        let tables = prover.measure(&[n]).unwrap().tables;
        tables
            .iter()
            .map(|table| (table.name, table.log_heights.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(heights(&alike, 1), heights(&prover, 100));
    assert_ne!(heights(&alike, 1), heights(&prover, 1));

    let error = prover.in_shape_of(&small).unwrap().prove(&[100]).unwrap_err();
    assert!(
        matches!(error, ProveError::Witness(leanvm::WitnessError::Rows { .. })),
        "{error}"
    );
}
