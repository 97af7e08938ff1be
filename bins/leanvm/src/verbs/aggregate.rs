//! `leanvm aggregate`: joins proofs of a run into one, and tells what each part of it takes.

use std::{io::Write, num::NonZeroUsize, path::PathBuf, time::Duration};

use bench::{Bmf, Estimate, SpanTree, Spans, peak_memory_bytes, timed};
use clap::builder::PossibleValuesParser;
use leanvm::{
    Output, Prover, Rate, TableSize, Verifier,
    aggregate::{Arities, JoinError, NodeKind, NodeProof, Tree, TreeVerifyError},
};
use thiserror::Error;
use tracing::info_span;

use crate::{
    cases::{self, Case},
    exit::{Exit, Failure},
    file, memory,
    report::{Hex, Report},
    verbs::proving::{ProvingArguments, gib, kib, put_stages, rate, refuse_what_cannot_fit},
    workloads::WORKLOADS,
};

/// Proves a leaf, a node of each kind, and a tree; verifies its root, and tells what each takes.
///
/// The leaves are proofs of one run: of n items of a workload. The rate of `--log-inv-rate` is that of the nodes.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The program whose runs are joined.
    #[arg(long, value_name = "NAME", default_value = "leanxmss", value_parser = programs())]
    program: String,
    /// The size of a leaf's run: signatures, bytes, or the like.
    #[arg(long, value_name = "N", default_value_t = 100)]
    n: u64,
    /// The number of leaves.
    #[arg(long, value_name = "L", default_value = "4")]
    leaves: NonZeroUsize,
    /// The children of a first-level node.
    #[arg(long, value_name = "A", default_value_t = 2)]
    arity0: usize,
    /// The children of a node.
    #[arg(long, value_name = "A", default_value_t = 2)]
    arity: usize,
    /// The rate of the leaves is 2^-R: smaller proofs make smaller nodes.
    #[arg(long, value_name = "R", default_value = "2", value_parser = rate())]
    leaf_log_inv_rate: Rate,
    /// Writes the root's proof to a file.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    proving: ProvingArguments,
}

/// A program's run on inputs of a size.
type Run = fn(u64) -> Result<Case, Failure>;

/// The programs that are no workloads.
const SMALL: [(&str, Run); 3] = [
    ("fibonacci", cases::fibonacci),
    ("hash", cases::hash),
    ("blake2s", cases::blake2s),
];

fn programs() -> PossibleValuesParser {
    let workloads = WORKLOADS.iter().map(|workload| workload.name);
    PossibleValuesParser::new(workloads.chain(SMALL.map(|(name, _)| name)))
}

/// The run of a program of this name on inputs of this size.
fn case(program: &str, n: u64) -> Result<Case, Failure> {
    if let Some((_, run)) = SMALL.iter().find(|(name, _)| *name == program) {
        return run(n);
    }
    let workload = WORKLOADS.iter().find(|workload| workload.name == program);
    let workload = workload.expect("the other possible values are workloads");
    let (n, inputs) = workload.inputs(n)?;
    if n < workload.min {
        let (items, min) = (workload.items[1], workload.min);
        return Err(Exit::BadInput.because(TooFew { n, items, min }));
    }
    workload.case(&inputs, n)
}

/// The program takes no so small a number of items.
#[derive(Debug, Error)]
#[error("{n} {items} are asked for, and the program takes {min} at least")]
struct TooFew {
    n: usize,
    items: &'static str,
    min: usize,
}

/// We made a proof of a node that our own verifier refuses, or could not make one of our own children.
#[derive(Debug, Error)]
enum Bug {
    #[error("a node over proofs that were made is refused: a bug of leanVM")]
    Join(#[from] JoinError),
    #[error("the proof of a node that was made is refused: a bug of leanVM")]
    Refused(#[from] TreeVerifyError),
    #[error("the leaf that was made is refused: a bug of leanVM")]
    Leaf(#[from] leanvm::VerifyError),
}

/// What one part of the tree takes.
struct Part {
    name: String,
    /// Rows and log2 heights of its tables.
    tables: Vec<TableSize>,
    committed_words: usize,
    proving: Estimate,
    verifying: Estimate,
    bytes: usize,
    /// The most memory until it was proven.
    peak_memory: u64,
    /// One that is named as the part is, if stages are to be told.
    spans: Vec<SpanTree>,
}

pub(crate) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let case = case(&arguments.program, arguments.n)?;
    let arities = Arities::new(arguments.arity0, arguments.arity);
    let arities = arities.map_err(|error| Exit::BadInput.because(error))?;
    let spans = arguments.proving.record_spans();
    let bench = Bench {
        arguments,
        spans: spans.as_ref(),
    };
    let (leaf, part_leaf) = bench.leaf(&case)?;
    let output = case.expected.map_or_else(|| bench.output(&case, &leaf), Ok)?;
    let (set_up, tree) = timed(|| Tree::new(case.program.public(), &leaf, arities, bench.rate()));
    let tree = tree?;

    let kind = NodeKind::FirstLevel;
    let leaves = vec![leaf; arguments.leaves.get().max(arities.of(kind))];
    let (first_level, part_first_level) =
        bench.node(&tree, kind, || tree.join_leaves(&leaves[..arities.of(kind)]))?;
    let kind = NodeKind::Node;
    let nodes = vec![first_level; arities.of(kind)];
    let (_, part_node) = bench.node(&tree, kind, || tree.join(&nodes))?;

    let leaves = &leaves[..arguments.leaves.get()];
    let (proving_tree, root) = timed(|| tree.prove(leaves));
    let root = root.map_err(|error| Exit::Bug.because(Bug::from(error)))?;
    let outputs = vec![output; leaves.len()];
    let verifying_root = bench.estimate(|| {
        let (time, verified) = timed(|| tree.verify(&root, &outputs));
        verified.map_err(|error| Exit::Bug.because(Bug::from(error)))?;
        Ok(time)
    })?;
    let file = root.to_bytes();
    if let Some(path) = &arguments.proof {
        file::write(path, &file)?;
    }

    let parts = [part_leaf, part_first_level, part_node];
    if arguments.proving.json {
        let mut metrics = Bmf::default();
        for part in &parts {
            part.put(&format!("{} {}", case.name, part.name), &mut metrics);
        }
        let name = format!("{} tree of {}", case.name, leaves.len());
        metrics.set(&name, "latency", proving_tree.as_nanos() as f64);
        metrics.set(&name, "verifying", verifying_root.scaled(1e9));
        metrics.set(&name, "set-up", set_up.as_nanos() as f64);
        metrics.set(&name, "proof-bytes", file.len() as f64);
        metrics.set(&name, "peak-memory-bytes", peak_memory_bytes() as f64);
        report.text(&metrics.to_json())?;
        return Ok(());
    }
    report.line("output", output)?;
    report.line("program", Hex(case.program.digest()))?;
    report.line("proof digest", Hex(&root.digest()))?;
    report.line("tree", Hex(&tree.key().digest()))?;
    report.line("leaves", leaves.len())?;
    for part in &parts {
        part.report(report)?;
    }
    report.line("set-up", format_args!("{:.3} s", set_up.as_secs_f64()))?;
    report.line("proving", format_args!("{:.3} s", proving_tree.as_secs_f64()))?;
    report.line("verifying", format_args!("{verifying_root:.4} s"))?;
    report.line("proof size", format_args!("{:.1} KiB", kib(&file)))?;
    report.line("peak memory", format_args!("{:.3} GiB", gib(peak_memory_bytes())))?;
    if let Some(path) = &arguments.proof {
        report.line("proof file", path.display())?;
    }
    for span in parts.iter().flat_map(|part| &part.spans) {
        report.text(&span.to_string())?;
    }
    Ok(())
}

/// How parts are measured.
struct Bench<'a> {
    arguments: &'a Arguments,
    spans: Option<&'a Spans>,
}

impl Bench<'_> {
    /// The rate of nodes.
    fn rate(&self) -> Rate {
        self.arguments.proving.rate()
    }

    /// The mean of the times of a pass, which gives its own.
    fn estimate(&self, mut pass: impl FnMut() -> Result<Duration, Failure>) -> Result<Estimate, Failure> {
        let mut failure = None;
        let samples = self.arguments.proving.plan().run(|_| {
            if failure.is_some() {
                return Duration::ZERO;
            }
            if let Some(spans) = self.spans {
                spans.take();
            }
            pass().unwrap_or_else(|error| {
                failure = Some(error);
                Duration::ZERO
            })
        });
        match failure {
            Some(failure) => Err(failure),
            None => Ok(samples.estimate()),
        }
    }

    /// A leaf, proven and verified.
    fn leaf(&self, case: &Case) -> Result<(leanvm::Proof, Part), Failure> {
        let prover = Prover::new(&case.program).at_rate(self.arguments.leaf_log_inv_rate);
        let measure = prover.measure(&case.advice)?;
        refuse_what_cannot_fit(&measure, memory::total_bytes())?;
        let mut last = None;
        let proving = self.estimate(|| {
            let leaf = || info_span!("leaf").in_scope(|| prover.prove(&case.advice));
            let (time, proof) = timed(leaf);
            last = Some(proof?);
            Ok(time)
        })?;
        let spans = self.spans.map_or_else(Vec::new, Spans::take);
        let proof = last.expect("a plan has a pass");
        let peak_memory = peak_memory_bytes();
        let verifying = self.estimate(|| {
            let (time, output) = timed(|| self.output(case, &proof));
            output.map(|_| time)
        })?;
        let part = Part {
            name: "leaf".into(),
            tables: measure.tables,
            committed_words: measure.committed_words,
            proving,
            verifying,
            bytes: proof.to_bytes().len(),
            peak_memory,
            spans,
        };
        Ok((proof, part))
    }

    /// The output that a leaf shows.
    fn output(&self, case: &Case, leaf: &leanvm::Proof) -> Result<Output, Failure> {
        let output = Verifier::new(case.program.public()).verify(leaf);
        output.map_err(|error| Exit::Bug.because(Bug::from(error)))
    }

    /// A node, proven by `prove`, and verified.
    fn node(
        &self,
        tree: &Tree,
        kind: NodeKind,
        mut prove: impl FnMut() -> Result<NodeProof, JoinError>,
    ) -> Result<(NodeProof, Part), Failure> {
        let mut last = None;
        let proving = self.estimate(|| {
            let (time, proof) = timed(&mut prove);
            last = Some(proof.map_err(|error| Exit::Bug.because(Bug::from(error)))?);
            Ok(time)
        })?;
        let spans = self.spans.map_or_else(Vec::new, Spans::take);
        let proof = last.expect("a plan has a pass");
        let peak_memory = peak_memory_bytes();
        let verifying = self.estimate(|| {
            let (time, verified) = timed(|| tree.verify_node(&proof));
            verified.map_err(|error| Exit::Bug.because(Bug::from(error)))?;
            Ok(time)
        })?;
        let part = Part {
            name: kind.to_string(),
            tables: tree.tables(kind),
            committed_words: tree.committed_words(),
            proving,
            verifying,
            bytes: proof.to_bytes().len(),
            peak_memory,
            spans,
        };
        Ok((proof, part))
    }
}

impl Part {
    fn report(&self, report: &mut Report<impl Write>) -> Result<(), Failure> {
        let name = &self.name;
        for table in &self.tables {
            let label = format!("{name} {}", table.name);
            report.line(&label, format_args!("{} rows of {}", table.rows, table.heights()))?;
        }
        report.line(
            &format!("{name} committed"),
            format_args!("{} words", self.committed_words),
        )?;
        report.line(&format!("{name} proving"), format_args!("{:.3} s", self.proving))?;
        report.line(
            &format!("{name} verifying"),
            format_args!("{:.4} s", self.verifying),
        )?;
        let kib = self.bytes as f64 / 1024.0;
        report.line(&format!("{name} proof size"), format_args!("{kib:.1} KiB"))?;
        let gib = gib(self.peak_memory);
        report.line(&format!("{name} peak memory"), format_args!("{gib:.3} GiB"))?;
        Ok(())
    }

    fn put(&self, name: &str, metrics: &mut Bmf) {
        metrics.set(name, "latency", self.proving.scaled(1e9));
        metrics.set(name, "verifying", self.verifying.scaled(1e9));
        for table in &self.tables {
            metrics.set(name, &format!("rows-{}", table.name), table.rows as f64);
        }
        metrics.set(name, "committed-words", self.committed_words as f64);
        metrics.set(name, "proof-bytes", self.bytes as f64);
        metrics.set(name, "peak-memory-bytes", self.peak_memory as f64);
        for span in &self.spans {
            put_stages(name, &span.children, metrics);
        }
    }
}
