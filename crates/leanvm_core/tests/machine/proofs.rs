//! Runs of every kind are proven, and the proofs verified.

use argument::prove::uninterrupted;
use argument::shape::Shape;
use fiat_shamir::Proof;
use leanvm_core::prove::prove_witness;
use leanvm_core::riscv::Riscv;
use leanvm_core::verify::verify;
use leanvm_core::witness::{Target, witness};
use primitives::pool;
use rv::{Class, Limits, Program};

use super::corpus::Case;
use super::random_program::{Random, wild};
use super::witness::{LEAST, every_class, program};

const LIMITS: Limits = Limits { cycles: 1 << 20 };

/// A proof that is accepted.
#[derive(PartialEq, Eq)]
pub(crate) struct Proven {
    pub(crate) shape: Shape,
    pub(crate) proof: Proof,
    /// What the verifier says that the run's output is.
    pub(crate) output: [u64; 4],
}

/// The proof of a run, which is verified and has the output of the interpreter.
pub(crate) fn proven(program: &Program, advice: &[u64], target: Target<'_>) -> Proven {
    let riscv = Riscv::new(program.public());
    let run = witness(riscv.machine(), program, advice, LIMITS, target).unwrap();
    let proof = prove_witness(&riscv, &run, &mut uninterrupted);
    let proof = proof.continue_value().expect("nobody interrupts");
    let output = verify(&riscv, &proof).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(output, rv::run(program, advice, LIMITS, &mut ()).unwrap().output);
    let case = Case {
        program: program.public(),
        riscv: &riscv,
        file: &proof.encode(),
        honest: None,
        frozen: false,
    };
    case.record();
    Proven {
        shape: run.shape,
        proof,
        output,
    }
}

#[test]
fn random_programs() {
    let mut random = Random::new(23);
    let mut proofs = 0;
    while proofs < 12 {
        let (program, advice) = wild(&mut random, 300);
        if rv::run(&program, &advice, Limits { cycles: 1000 }, &mut ()).is_ok() {
            proven(&program, &advice, LEAST);
            proofs += 1;
        }
    }
}

/// An instruction of each class, which can be repeated.
pub(crate) const SAMPLES: [&str; Class::COUNT] = [
    "sub t0, t1, t0",
    "addi t0, t0, -3",
    "jal t0, next",
    "xor t0, t0, s1",
    "slli t0, t0, 7",
    "sltu t0, t0, s1",
    "bne t0, t0, next",
    "addiw t0, t0, 9",
    "sra t0, t0, s1",
    "lbu t0, 3(s1)",
    "sh t0, 6(s1)",
    "ld t0, 8(s1)",
    "sd t0, 16(s1)",
    "mul t0, t0, s1",
    "mulhu t0, t0, s1",
    "rem t0, s1, t0",
    "blake2s s1, t0",
    "extmac s1, s1, s1",
];

/// `rows` rows of the class of a sample, and the few that a run needs.
pub(crate) fn repeated(sample: &str, rows: usize) -> Program {
    let mut source = String::from("lui s1, 0x40000\n");
    for row in 0..rows {
        source += &sample.replace("next", &format!("next{row}"));
        source += &format!("\nnext{row}:\n");
    }
    program(&(source + "li a7, 93\necall"))
}

/// The rows of the class's table in a proof of one row.
fn floor(class: Class, sample: &str) -> usize {
    let shape = proven(&repeated(sample, 1), &[], LEAST).shape;
    1 << shape.heights[class.index()].expect("the class is used")
}

#[test]
fn each_class_alone_at_the_smallest_height_filled_and_with_one_row_more() {
    for (class, sample) in Class::ALL.into_iter().zip(SAMPLES) {
        let floor = floor(class, sample);
        // The rows that every run has.
        let besides = rv::run(&repeated(sample, 0), &[], LIMITS, &mut ()).unwrap();
        let besides = besides.rows(&repeated(sample, 0))[class.index()] as usize;
        for rows in [floor, floor + 1] {
            let shape = proven(&repeated(sample, rows - besides), &[], LEAST).shape;
            let log_rows = rows.next_power_of_two().ilog2() as usize;
            assert_eq!(
                shape.heights[class.index()],
                Some(log_rows),
                "{rows} rows of {class}"
            );
        }
    }
}

#[test]
fn all_classes_mixed_at_every_rate_and_for_any_number_of_threads() {
    let program = every_class(33);
    let advice = [0x0123_4567_89ab_cdef, u64::MAX];
    for log_inv_rate in 1..=4 {
        let target = Target::Least { log_inv_rate };
        let [one, many] =
            [1, 5].map(|threads| pool::with_threads(threads, || proven(&program, &advice, target)));
        assert!(one == many, "rate 2^-{log_inv_rate}");
        assert!(one.shape.heights[..Class::COUNT].iter().all(Option::is_some));
    }
}

#[test]
fn a_run_in_the_shape_of_a_larger_one_with_tables_of_padding_alone() {
    let shape = proven(&every_class(9), &[7], LEAST).shape;
    let same = proven(&program("li a7, 93\necall"), &[], Target::Shape(&shape));
    assert_eq!(same.shape, shape);
}
