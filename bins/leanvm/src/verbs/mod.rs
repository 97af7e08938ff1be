//! The verbs, one file each.

mod aggregate;
mod bench;
mod disasm;
mod fibonacci;
mod guest;
mod machine;
mod measure;
mod new;
mod prove;
mod proving;
mod run;
mod security;
mod tree;
mod verify;
mod workload;

use std::io::Write;

use crate::{exit::Failure, report::Report};

/// What to do. A variant holds the arguments that its file declares.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Verb {
    Prove(prove::Arguments),
    Verify(verify::Arguments),
    #[command(flatten)]
    Workload(workload::Verb),
    Fibonacci(fibonacci::Arguments),
    Guest(guest::Arguments),
    Aggregate(aggregate::Arguments),
    Tree(tree::Arguments),
    Bench(bench::Arguments),
    Run(run::Arguments),
    Measure(measure::Arguments),
    Security(security::Arguments),
    Disasm(disasm::Arguments),
    New(new::Arguments),
    Machine(machine::Arguments),
}

/// Runs `verb` and writes what it tells to `report`.
pub(crate) fn run(verb: Verb, report: &mut Report<impl Write>) -> Result<(), Failure> {
    match verb {
        Verb::Prove(arguments) => prove::run(arguments, report),
        Verb::Verify(arguments) => verify::run(arguments, report),
        Verb::Workload(verb) => verb.run(report),
        Verb::Fibonacci(arguments) => fibonacci::run(&arguments, report),
        Verb::Aggregate(arguments) => aggregate::run(&arguments, report),
        Verb::Tree(arguments) => tree::run(&arguments, report),
        Verb::Bench(arguments) => bench::run(&arguments, report),
        Verb::Guest(arguments) => guest::run(arguments, report),
        Verb::Run(arguments) => run::run(&arguments, report),
        Verb::Measure(arguments) => measure::run(&arguments, report),
        Verb::Security(arguments) => security::run(&arguments, report),
        Verb::Disasm(arguments) => disasm::run(&arguments, report),
        Verb::Machine(arguments) => machine::run(&arguments, report),
        Verb::New(arguments) => new::run(&arguments, report),
    }
}
