//! What the command line can prove without being given a program: embedded guests with their inputs, and the outputs
//! that their own libraries compute.

use leanvm::{Output, Program};

use crate::{
    exit::{Exit, Failure},
    input::program,
};

/// A run to be proven.
pub(crate) struct Case {
    /// The name of its figures.
    pub(crate) name: String,
    /// The program.
    pub(crate) program: Program,
    /// Its advice.
    pub(crate) advice: Vec<u64>,
    /// The output, where it is known otherwise.
    pub(crate) expected: Option<Output>,
}

impl Case {
    fn embedded(guest: &str, name: String, advice: Vec<u64>, expected: [u8; 32]) -> Result<Self, Failure> {
        Ok(Self {
            name,
            program: Program::from(program::guest(guest)?),
            advice,
            expected: Some(Output::from_bytes(expected)),
        })
    }
}

/// The n-th Fibonacci number.
pub(crate) fn fibonacci(n: u64) -> Result<Case, Failure> {
    let (advice, output) = (fibonacci_host::advice(n), fibonacci_host::output(n));
    Case::embedded("fibonacci", format!("fibonacci {n}"), advice, output)
}

/// The hash of so many bytes, by the instruction.
pub(crate) fn hash(bytes: u64) -> Result<Case, Failure> {
    let (advice, output) = (hash_host::advice(bytes), hash_host::output(bytes));
    Case::embedded("hash", format!("hash {bytes}"), advice, output)
}

/// The same hash without the instruction.
pub(crate) fn blake2s(bytes: u64) -> Result<Case, Failure> {
    let (advice, output) = (blake2s_host::advice(bytes), blake2s_host::output(bytes));
    Case::embedded("blake2s", format!("blake2s {bytes}"), advice, output)
}

/// The verification of so many signatures.
pub(crate) fn leanxmss(n: usize) -> Result<Case, Failure> {
    let entries = leanxmss_host::benchmark_entries(n).map_err(|error| Exit::Bug.because(error))?;
    let output = leanxmss_host::output(entries.iter().map(|entry| &entry.claim));
    Case::embedded(
        "leanxmss",
        format!("leanxmss {n}"),
        leanxmss_host::advice(&entries),
        output,
    )
}

/// A case of the benchmark, which is made when it is needed.
pub(crate) type Benchmark = fn() -> Result<Case, Failure>;

/// The benchmark's cases, by name.
pub(crate) const BENCHMARKS: [(&str, Benchmark); 6] = [
    ("fibonacci 1000", || fibonacci(1000)),
    ("fibonacci 200000", || fibonacci(200_000)),
    ("hash 100000", || hash(100_000)),
    ("blake2s 10000", || blake2s(10_000)),
    ("leanxmss 2", || leanxmss(2)),
    ("leanxmss 100", || leanxmss(100)),
];
