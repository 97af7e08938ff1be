//! `leanvm tree join`: one node.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use bench::{Spans, peak_memory_bytes, timed};
use leanvm::{Proof, aggregate::NodeProof};
use thiserror::Error;

use super::{TreeArguments, read, read_leaf, read_node};
use crate::{
    exit::{Exit, Failure},
    file,
    report::{Hex, Report},
    verbs::proving::{gib, kib, record_spans},
};

/// Proves a node over leaves, or over nodes, in this order, and writes its proof.
///
/// The nodes of a level take, from the first on, as many as their arity of what the level below has; the last one takes
/// what is left. The root is the one node of the last level.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    tree: TreeArguments,
    /// The proofs: of runs, or of nodes.
    #[arg(value_name = "PROOF", required = true)]
    proofs: Vec<PathBuf>,
    /// Where the proof is written.
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Tells how long each stage took.
    #[arg(long)]
    tracing: bool,
}

/// Some proofs are of runs and some of nodes.
#[derive(Debug, Error)]
#[error("{} is the proof of a {}, and {} of a {}: a node is over leaves or over nodes", first.display(), kind(*.node), other.display(), kind(!*.node))]
struct Mixed {
    first: PathBuf,
    node: bool,
    other: PathBuf,
}

fn kind(node: bool) -> &'static str {
    if node { "node" } else { "run" }
}

pub(super) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let children = Children::read(&arguments.proofs)?;
    let (program, tree) = arguments.tree.load()?;
    let spans = arguments.tracing.then(record_spans);
    let (proving, proof) = timed(|| match &children {
        Children::Leaves(leaves) => tree.join_leaves(leaves),
        Children::Nodes(nodes) => tree.join(nodes),
    });
    let proof = proof?;
    let bytes = proof.to_bytes();
    file::write(&arguments.out, &bytes)?;
    report.line("program", Hex(program.digest()))?;
    report.line("tree", Hex(&tree.key().digest()))?;
    report.line("proof digest", Hex(&proof.digest()))?;
    report.line("kind", proof.kind())?;
    report.line("children", arguments.proofs.len())?;
    report.line("committed", format_args!("{} words", tree.committed_words()))?;
    report.line("proving", format_args!("{:.3} s", proving.as_secs_f64()))?;
    report.line("proof size", format_args!("{:.1} KiB", kib(&bytes)))?;
    report.line("peak memory", format_args!("{:.3} GiB", gib(peak_memory_bytes())))?;
    report.line("proof file", arguments.out.display())?;
    for span in spans.iter().flat_map(Spans::take) {
        report.text(&span.to_string())?;
    }
    Ok(())
}

/// The children of a node.
enum Children {
    Leaves(Vec<Proof>),
    Nodes(Vec<NodeProof>),
}

impl Children {
    /// The children in these files, which are of one sort.
    fn read(paths: &[PathBuf]) -> Result<Self, Failure> {
        let sorts = paths.iter().map(|path| is_node(path));
        let sorts = sorts.collect::<Result<Vec<bool>, _>>()?;
        let (Some(first), Some(&node)) = (paths.first(), sorts.first()) else {
            return Ok(Self::Leaves(Vec::new()));
        };
        if let Some(other) = sorts.iter().position(|&other| other != node) {
            return Err(Exit::BadInput.because(Mixed {
                first: first.clone(),
                node,
                other: paths[other].clone(),
            }));
        }
        if node {
            let nodes = paths.iter().map(|path| read_node(path));
            nodes.collect::<Result<_, _>>().map(Self::Nodes)
        } else {
            let leaves = paths.iter().map(|path| read_leaf(path));
            leaves.collect::<Result<_, _>>().map(Self::Leaves)
        }
    }
}

/// Whether a file is the proof of a node; what is neither is read as that of a run, which says what is wrong.
fn is_node(path: &Path) -> Result<bool, Failure> {
    Ok(NodeProof::from_bytes(&read(path)?).is_ok())
}
