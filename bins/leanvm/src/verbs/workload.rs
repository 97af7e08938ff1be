//! The verbs of the [workloads](crate::workloads): each proves that a number of items is valid.

use std::{error::Error, io::Write, path::PathBuf};

use clap::{Arg, ArgMatches, Args as _, Command, FromArgMatches, Subcommand, value_parser};
use thiserror::Error;

use crate::{
    exit::{Exit, Failure},
    memory,
    report::Report,
    verbs::proving::ProvingArguments,
    workloads::{Inputs, WORKLOADS, Workload},
};

/// A workload's verb on the command line.
#[derive(Debug)]
pub(crate) struct Verb {
    workload: &'static Workload,
    n: u64,
    options: Options,
}

#[derive(Debug, clap::Args)]
struct Options {
    /// Writes the proof to a file.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    proving: ProvingArguments,
}

impl Verb {
    /// Makes the items, proves that they are valid, and reports.
    pub(crate) fn run(&self, report: &mut Report<impl Write>) -> Result<(), Failure> {
        let (n, inputs) = self.workload.inputs(self.n)?;
        let case = self.workload.case(&inputs, n)?;
        let Options { proof, proving } = &self.options;
        proving
            .run(&case, proof.as_deref(), report)
            .or_else(|failure| match failure.exit {
                Exit::OverLimit => Err(self.too_long(&inputs, n, failure)?),
                _ => Err(failure),
            })
    }

    /// The refusal of a run of `n` items that no proof holds, with the number that one does.
    fn too_long(&self, inputs: &Inputs, n: usize, failure: Failure) -> Result<Failure, Failure> {
        let fits = self.largest(inputs, n, memory::total_bytes())?;
        Ok(Exit::OverLimit.because(TooLong {
            n,
            items: self.workload.items[1],
            fits,
            source: failure.into_error(),
        }))
    }

    /// The most items, fewer than `too_many`, whose proof takes no more than `available` bytes of memory.
    fn largest(&self, inputs: &Inputs, too_many: usize, available: u64) -> Result<usize, Failure> {
        let (mut fits, mut too_many) = (0, too_many);
        while too_many - fits > 1 {
            let middle = fits.midpoint(too_many);
            let case = self.workload.case(inputs, middle)?;
            if self.options.proving.fits(&case, available)? {
                fits = middle;
            } else {
                too_many = middle;
            }
        }
        Ok(fits)
    }
}

/// A run of so many items is too long for one proof, or for the machine's memory.
#[derive(Debug, Error)]
#[error("{n} {items} are too many for one proof, which holds at most {fits} here")]
struct TooLong {
    n: usize,
    items: &'static str,
    fits: usize,
    source: Box<dyn Error>,
}

/// The identifier of the option that takes the number of items.
const COUNT: &str = "count";

impl Subcommand for Verb {
    fn augment_subcommands(parent: Command) -> Command {
        parent.subcommands(WORKLOADS.iter().map(command))
    }

    fn augment_subcommands_for_update(parent: Command) -> Command {
        Self::augment_subcommands(parent)
    }

    fn has_subcommand(name: &str) -> bool {
        find(name).is_some()
    }
}

fn command(workload: &'static Workload) -> Command {
    let Workload {
        name,
        about,
        output,
        option,
        help,
        min,
        default,
        ..
    } = workload;
    let count = Arg::new(COUNT)
        .long(option)
        .value_name("N")
        .help(*help)
        .default_value(default.to_string())
        .value_parser(value_parser!(u64).range(*min as u64..));
    Options::augment_args(Command::new(name).arg(count))
        .about(*about)
        .long_about(format!("{about}.\n\nThe output is the digest of {output}."))
}

fn find(name: &str) -> Option<&'static Workload> {
    WORKLOADS.iter().find(|workload| workload.name == name)
}

impl FromArgMatches for Verb {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Self::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, mut matches) = matches.remove_subcommand().ok_or_else(missing)?;
        Ok(Self {
            workload: find(&name).ok_or_else(missing)?,
            n: matches.remove_one(COUNT).expect("it has a default"),
            options: Options::from_arg_matches_mut(&mut matches)?,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(subcommand)]
        verb: Verb,
    }

    #[test]
    fn the_most_items_that_fit_the_memory_are_found() {
        let verb = CommandLine::parse_from(["leanvm", "shielded", "--n", "20"]).verb;
        let (n, inputs) = verb.workload.inputs(verb.n).unwrap();
        let fits = |n, available| {
            let case = verb.workload.case(&inputs, n).unwrap();
            verb.options.proving.fits(&case, available).unwrap()
        };
        let needed = |n: usize| {
            let case = verb.workload.case(&inputs, n).unwrap();
            let measure = leanvm::Prover::new(&case.program).measure(&case.advice).unwrap();
            measure.memory_bytes.unwrap() as u64
        };
        assert!(needed(8) < needed(20));
        for available in [needed(8), needed(20) - 1] {
            let most = verb.largest(&inputs, n, available).unwrap();
            assert!((8..20).contains(&most), "{most}");
            assert!(fits(most, available) && !fits(most + 1, available), "{most}");
        }
        assert_eq!(verb.largest(&inputs, n, 0).unwrap(), 0);
    }

    #[test]
    fn a_refusal_tells_the_most_items_that_fit_and_why() {
        let verb = CommandLine::parse_from(["leanvm", "stateproof", "--n", "2"]).verb;
        let (n, inputs) = verb.workload.inputs(verb.n).unwrap();
        let reason = Exit::OverLimit.because(std::io::Error::other("two are too many"));
        let failure = verb.too_long(&inputs, n, reason).unwrap();
        assert_eq!(failure.exit, Exit::OverLimit);
        assert_eq!(
            failure.to_string(),
            "2 reads are too many for one proof, which holds at most 1 here: two are too many"
        );
    }
}
