//! `leanvm bench`: the figures of all benchmark cases.

use std::io::Write;

use bench::Bmf;
use clap::builder::PossibleValuesParser;
use comfy_table::{CellAlignment, Table, presets};
use leanvm::Prover;

use crate::{
    cases::{Case, benchmarks},
    exit::Failure,
    report::Report,
    verbs::proving::{ProvingArguments, kib},
};

/// Proves every benchmark case and tells its figures, or only counts what the proofs would be made of.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only counts, without proving: cycles, committed words, rows of each table. They are the same on every machine.
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

/// A line for each case, and for each of its tables: exact figures.
fn counts(cases: impl Iterator<Item = Result<Case, Failure>>, markdown: bool) -> Result<String, Failure> {
    let mut table = table(markdown, &["case", "part", "rows", "height", "committed words"]);
    for case in cases {
        let case = case?;
        let measure = Prover::new(&case.program).measure(&case.advice)?;
        let all = [
            measure.cycles.to_string(),
            String::new(),
            measure.committed_words.to_string(),
        ];
        table.add_row([&[case.name.clone(), "all".into()][..], &all].concat());
        for part in measure.tables {
            table.add_row([
                &case.name,
                part.name,
                &part.rows.to_string(),
                &part.heights().to_string(),
                "",
            ]);
        }
    }
    Ok(text(&table))
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
