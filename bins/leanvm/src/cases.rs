//! What the command line can prove without being given a program: embedded guests with their inputs, and the outputs
//! that their own libraries compute.

use leanvm::{Output, Program};

use crate::{exit::Failure, input::program, workloads::WORKLOADS};

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
    /// What it checks, one of it, and how many it checks, where that can be said.
    pub(crate) items: Option<(&'static str, usize)>,
}

impl Case {
    fn embedded(guest: &str, name: String, advice: Vec<u64>, expected: [u8; 32]) -> Result<Self, Failure> {
        Ok(Self {
            name,
            program: Program::from(program::guest(guest)?),
            advice,
            expected: Some(Output::from_bytes(expected)),
            items: None,
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
    hashing("hash", bytes)
}

/// The same hash without the instruction.
pub(crate) fn blake2s(bytes: u64) -> Result<Case, Failure> {
    hashing("blake2s", bytes)
}

fn hashing(guest: &str, bytes: u64) -> Result<Case, Failure> {
    let (advice, output) = (hash_host::advice(bytes), hash_host::output(bytes));
    Case::embedded(guest, format!("{guest} {bytes}"), advice, output)
}

/// A case of the benchmark, which is made when it is needed.
pub(crate) struct Benchmark {
    /// The name of its figures.
    pub(crate) name: String,
    /// Makes it.
    pub(crate) make: Box<dyn FnOnce() -> Result<Case, Failure>>,
}

/// The benchmark's cases.
pub(crate) fn benchmarks() -> Vec<Benchmark> {
    let small = [
        Benchmark::new("fibonacci 1000", || fibonacci(1000)),
        Benchmark::new("fibonacci 200000", || fibonacci(200_000)),
        Benchmark::new("hash 100000", || hash(100_000)),
        Benchmark::new("blake2s 10000", || blake2s(10_000)),
    ];
    let workloads = WORKLOADS.iter().flat_map(|workload| {
        workload.benchmarks.iter().map(move |&n| {
            let make = move || workload.case(&(workload.make)(n)?, n);
            Benchmark::new(&format!("{} {n}", workload.name), make)
        })
    });
    small.into_iter().chain(workloads).collect()
}

impl Benchmark {
    fn new(name: &str, make: impl FnOnce() -> Result<Case, Failure> + 'static) -> Self {
        Self {
            name: name.into(),
            make: Box::new(make),
        }
    }
}
