//! `leanvm bench`: the figures of all benchmark cases.

use std::io::Write;

use bench::Bmf;
use clap::builder::PossibleValuesParser;
use comfy_table::{CellAlignment, Table, presets};
use leanvm::{
    Prover, Rate, TableSize,
    aggregate::{Arities, NodeKind, Tree},
};

use crate::{
    cases::{Case, benchmarks},
    exit::{Exit, Failure},
    report::Report,
    verbs::proving::{ProvingArguments, kib},
};

/// Proves every benchmark case and tells its figures, or only counts what the proofs would be made of.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only counts, without proving: cycles, committed words, rows of each table, of the run and of the nodes of its tree.
    /// They are the same on every machine.
    #[arg(long, conflicts_with_all = ["json", "tracing"])]
    cycles_only: bool,
    /// Prints the table in Markdown.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Only this case; may be given several times.
    #[arg(long, value_name = "CASE", value_parser = names())]
    only: Vec<String>,
    #[command(flatten)]
    proving: ProvingArguments,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(benchmarks().into_iter().map(|benchmark| benchmark.name))
}

pub(crate) fn run(arguments: &Arguments, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let chosen = |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| only == name);
    let benchmarks = benchmarks()
        .into_iter()
        .filter(|benchmark| chosen(&benchmark.name));
    let cases = benchmarks.map(|benchmark| (benchmark.make)());
    let text = if arguments.cycles_only {
        counts(cases, arguments.markdown)?
    } else if arguments.proving.json {
        metrics(cases, &arguments.proving)?
    } else {
        times(cases, arguments)?
    };
    report.text(&text)?;
    Ok(())
}

/// Lines for each case: what the proof of the run is made of, and what nodes over two such runs are made of, and over two
/// such nodes, in the tree that `aggregate` makes.
fn counts(cases: impl Iterator<Item = Result<Case, Failure>>, markdown: bool) -> Result<String, Failure> {
    let mut table = table(markdown, &["case", "part", "rows", "height", "committed words"]);
    let arities = Arities::new(2, 2).map_err(|error| Exit::Bug.because(error))?;
    for case in cases {
        let case = case?;
        let run = Prover::new(&case.program).measure(&case.advice)?;
        put_counts(
            &mut table,
            &case.name,
            ["all", ""],
            run.cycles,
            &run.tables,
            run.committed_words,
        );
        let leaf = Prover::new(&case.program)
            .at_rate(Rate::Quarter)
            .measure(&case.advice)?;
        let tree = Tree::of_measure(case.program.public(), &leaf, arities, Rate::Half)?;
        for kind in NodeKind::ALL {
            let (name, tables) = (kind.to_string(), tree.tables(kind));
            let rows = tables.iter().map(|table| table.rows).sum();
            let parts = [name.as_str(), &format!("{name} ")];
            put_counts(
                &mut table,
                &case.name,
                parts,
                rows,
                &tables,
                tree.committed_words(),
            );
        }
    }
    Ok(text(&table))
}

/// A line for a proof, and for each of its tables. `parts`: its name, and what is before those of its tables.
fn put_counts(
    table: &mut Table,
    case: &str,
    parts: [&str; 2],
    rows: u64,
    tables: &[TableSize],
    committed_words: usize,
) {
    let [all, before] = parts;
    table.add_row([case, all, &rows.to_string(), "", &committed_words.to_string()]);
    for of_table in tables {
        let part = format!("{before}{}", of_table.name);
        let (rows, heights) = (of_table.rows.to_string(), of_table.heights().to_string());
        table.add_row([case, &part, &rows, &heights, ""]);
    }
}

/// A line for each case, then the stages of each, if they are recorded.
fn times(
    cases: impl Iterator<Item = Result<Case, Failure>>,
    arguments: &Arguments,
) -> Result<String, Failure> {
    let columns = [
        "case",
        "cycles",
        "committed words",
        "proving s",
        "verifying s",
        "proof KiB",
    ];
    let mut table = table(arguments.markdown, &columns);
    let spans = arguments.proving.record_spans();
    let mut stages = String::new();
    for case in cases {
        let case = case?;
        let figures = arguments.proving.figures(&case, spans.as_ref())?;
        table.add_row([
            case.name.clone(),
            figures.measure.cycles.to_string(),
            figures.measure.committed_words.to_string(),
            format!("{:.3}", figures.proving),
            format!("{:.4}", figures.verifying),
            format!("{:.1}", kib(&figures.file)),
        ]);
        if !figures.spans.is_empty() {
            stages += &format!("\n{}\n", case.name);
            stages.extend(figures.spans.iter().map(ToString::to_string));
        }
    }
    Ok(text(&table) + &stages)
}

fn metrics(
    cases: impl Iterator<Item = Result<Case, Failure>>,
    proving: &ProvingArguments,
) -> Result<String, Failure> {
    let mut metrics = Bmf::default();
    let spans = proving.record_spans();
    for case in cases {
        let case = case?;
        let figures = proving.figures(&case, spans.as_ref())?;
        figures.put(&case.name, &mut metrics);
    }
    Ok(metrics.to_json())
}

/// An empty table with these columns, of which all but the names are numbers.
fn table(markdown: bool, columns: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(if markdown {
        presets::ASCII_MARKDOWN
    } else {
        presets::NOTHING
    });
    table.set_header(columns);
    for (column, name) in table.column_iter_mut().zip(columns) {
        if !matches!(*name, "case" | "part") {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// The lines of the table, without the blanks at their ends.
fn text(table: &Table) -> String {
    table
        .lines()
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect()
}
