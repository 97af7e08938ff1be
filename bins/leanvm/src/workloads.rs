//! The workloads: programs that check a number of items, each with a verb of its own. To add one, add its entry to
//! [`WORKLOADS`].

use leanvm::{Output, Program};
use thiserror::Error;

use crate::{
    cases::Case,
    exit::{Exit, Failure},
    input::program,
};

/// A program that checks a number of items.
#[derive(Debug)]
pub(crate) struct Workload {
    /// The name of the verb and of the guest.
    pub(crate) name: &'static str,
    /// The program.
    pub(crate) elf: &'static [u8],
    /// What the verb does: a line for the list of all verbs.
    pub(crate) about: &'static str,
    /// What the output is the digest of.
    pub(crate) output: &'static str,
    /// The option that takes the number of items.
    pub(crate) option: &'static str,
    /// An item, and several.
    pub(crate) items: [&'static str; 2],
    /// What the help says of the option.
    pub(crate) help: &'static str,
    /// The fewest items that the program takes.
    pub(crate) min: usize,
    /// The most items that its advice region holds.
    pub(crate) max: usize,
    /// How many it is without the option.
    pub(crate) default: usize,
    /// The sizes of the benchmark.
    pub(crate) benchmarks: &'static [usize],
    /// Makes the benchmark's items, so many of them.
    pub(crate) make: fn(usize) -> Result<Inputs, Failure>,
}

/// Items that are made: the advice and the expected output of a run on the first so many of them.
pub(crate) type Inputs = Box<dyn Fn(usize) -> Result<Input, Failure>>;

/// The advice of a run, and its output as the program's own library computes it.
pub(crate) type Input = (Vec<u64>, [u8; 32]);

impl Workload {
    /// Makes the benchmark's first `n` items.
    ///
    /// # Errors
    /// The program takes no such number of items.
    pub(crate) fn inputs(&self, n: u64) -> Result<(usize, Inputs), Failure> {
        let (name, items, max) = (self.name, self.items[1], self.max);
        match usize::try_from(n) {
            Ok(n) if n <= max => Ok((n, (self.make)(n)?)),
            _ => Err(Exit::OverLimit.because(Advice { name, n, items, max })),
        }
    }

    /// The run on the first `n` of the items.
    pub(crate) fn case(&self, inputs: &Inputs, n: usize) -> Result<Case, Failure> {
        let (advice, output) = inputs(n)?;
        let program = program::load(self.name, self.elf)?;
        Ok(Case {
            name: format!("{} {n}", self.name),
            program: Program::from(program),
            advice,
            expected: Some(Output::from_bytes(output)),
            items: Some((self.items[0], n)),
        })
    }
}

/// The items do not fit the advice region.
#[derive(Debug, Error)]
#[error("{n} {items} do not fit the advice of {name}: at most {max} do")]
struct Advice {
    name: &'static str,
    n: u64,
    items: &'static str,
    max: usize,
}

/// All workloads.
pub(crate) const WORKLOADS: &[Workload] = &[
    Workload {
        name: "leanxmss",
        elf: leanxmss_host::ELF,
        about: "Signs with n leanXMSS keys, proves that all signatures are valid, and verifies the proof",
        output: "all public keys, leaf indices and messages",
        option: "n",
        items: ["signature", "signatures"],
        help: "The number of signatures, each by a key of its own",
        min: 0,
        max: leanxmss_host::MAX_ENTRIES,
        default: 100,
        benchmarks: &[2, 100],
        make: |n| {
            let entries = leanxmss_host::benchmark_entries(n).map_err(bug)?;
            Ok(Box::new(move |n| {
                let entries = &entries[..n];
                let advice = leanxmss_host::advice(entries).map_err(bug)?;
                let claims = entries.iter().map(|entry| &entry.claim);
                Ok((advice, leanxmss_host::output(claims)))
            }))
        },
    },
    Workload {
        name: "leansphincs",
        elf: leansphincs_host::ELF,
        about: "Signs with n leanSPHINCS keys, proves that all signatures are valid, and verifies the proof",
        output: "all public keys and messages",
        option: "n",
        items: ["signature", "signatures"],
        help: "The number of signatures, each by a key of its own",
        min: 0,
        max: leansphincs_host::MAX_ENTRIES,
        default: 26,
        benchmarks: &[1, 26],
        make: |n| {
            let entries = leansphincs_host::benchmark_entries(n).map_err(bug)?;
            Ok(Box::new(move |n| {
                let entries = &entries[..n];
                let advice = leansphincs_host::advice(entries).map_err(bug)?;
                let claims = entries.iter().map(|entry| &entry.claim);
                Ok((advice, leansphincs_host::output(claims)))
            }))
        },
    },
    Workload {
        name: "leanda",
        elf: leanda_host::ELF,
        about: "Encodes a blob of 128 KiB, proves that its commitment is to a codeword, and verifies the proof",
        output: "the commitment, and of the digest of the dual codeword that is drawn from it",
        option: "blobs",
        items: ["blob", "blobs"],
        help: "The number of blobs",
        min: 1,
        max: leanda_host::MAX_BLOBS,
        default: 1,
        benchmarks: &[1],
        make: |n| {
            let rows = leanda_host::benchmark_rows(n);
            let [row] = rows.as_slice() else {
                unreachable!("the program takes one row")
            };
            let (statement, dual) = leanda_host::statement(row).expect("an encoded blob is a codeword");
            let output = leanda_host::output(&statement.commitment.root);
            let advice = leanda_host::advice(&dual, &rows).map_err(bug)?;
            Ok(Box::new(move |_| Ok((advice.clone(), output))))
        },
    },
    Workload {
        name: "falcon",
        elf: falcon_host::ELF,
        about: "Signs with n Falcon-512 keys, proves that all signatures are valid, and verifies the proof",
        output: "all public keys and messages",
        option: "n",
        items: ["signature", "signatures"],
        help: "The number of signatures, each by a key of its own",
        min: 0,
        max: falcon_host::MAX_ENTRIES,
        default: 7,
        benchmarks: &[1, 7],
        make: |n| {
            let entries = falcon_host::benchmark_entries(n);
            Ok(Box::new(move |n| {
                let entries = &entries[..n];
                let advice = falcon_host::advice(entries).map_err(bug)?;
                let claims = entries.iter().map(|entry| &entry.claim);
                Ok((advice, falcon_host::output(claims)))
            }))
        },
    },
    Workload {
        name: "stateproof",
        elf: stateproof_host::ELF,
        about: "Makes up an Ethereum block, proves n reads of its state, and verifies the proof",
        output: "the block's hash and all reads: addresses, accounts, slots and their values",
        option: "n",
        items: ["read", "reads"],
        help: "The number of reads, each of an account and a slot of its storage",
        min: 0,
        max: stateproof_host::MAX_BENCHMARK_READS,
        default: 5,
        benchmarks: &[1, 5],
        // A block's tries are made of all its accounts: the first reads of a block are none of a smaller one.
        make: |_| {
            Ok(Box::new(|n| {
                let block = stateproof_host::benchmark_block(n);
                let (hash, claims) = stateproof_host::statement(&block)
                    .expect("the benchmarks' blocks are well formed and their proofs are valid");
                let advice = stateproof_host::advice(&block).map_err(bug)?;
                Ok((advice, stateproof_host::output(&hash, &claims)))
            }))
        },
    },
    Workload {
        name: "shielded",
        elf: shielded_host::ELF,
        about: "Makes n spends of a privacy pool, proves that all follow its rules, and verifies the proof",
        output: "the statements of all spends",
        option: "n",
        items: ["spend", "spends"],
        help: "The number of spends, each of two notes",
        min: 0,
        max: shielded_host::MAX_SPENDS,
        default: 258,
        benchmarks: &[3, 258],
        make: |n| {
            let spends = shielded_host::benchmark_spends(n);
            Ok(Box::new(move |n| {
                let spends = &spends[..n];
                let statements: Vec<_> = spends
                    .iter()
                    .map(|spend| shielded_host::statement(spend).expect("the benchmarks' spends are valid"))
                    .collect();
                let advice = shielded_host::advice(spends).map_err(bug)?;
                Ok((advice, shielded_host::output(&statements)))
            }))
        },
    },
];

fn bug(error: impl std::error::Error + 'static) -> Failure {
    Exit::Bug.because(error)
}
