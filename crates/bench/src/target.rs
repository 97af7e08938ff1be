//! The `main` of a bench target.

use std::{env, fs, process, time::Duration};

use crate::{Bmf, Estimate, KnobError, Plan, black_box, knob, knob_list, timed};

/// A bench target (`harness = false`): cases that are timed by `cargo bench` and run once by `cargo test`.
///
/// Arguments: words that a case's name must contain one of (none: every case), and `--json FILE`. Knobs:
/// `BENCH_REPEAT`, `BENCH_WARMUP`, `BENCH_COOLDOWN`, and those that the target itself reads.
#[derive(Debug)]
pub struct Target {
    name: &'static str,
    mode: Mode,
    filters: Vec<String>,
    json: Option<String>,
    report: Bmf,
    cases: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Measure(Plan),
    Once,
}

/// What one call of a case's body does, which decides the unit that it is reported in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Work {
    /// Reported in nanoseconds per call of `what`, of which the body makes `calls`.
    PerCall {
        /// How many, at least 1.
        calls: usize,
        /// The name of one, as `product`.
        what: &'static str,
    },
    /// Reported in MB/s (10^6 bytes a second).
    Bytes(usize),
    /// Reported in millions of `what` a second.
    Items {
        /// How many, at least 1.
        items: usize,
        /// The name of several, as `words`.
        what: &'static str,
    },
}

/// A sample repeats a short body until it has taken this long, so that the clock's own step does not matter.
const SHORTEST_SAMPLE: Duration = Duration::from_millis(20);

/// A sample is not made longer once the inputs of its calls take this long to set up.
const LONGEST_SET_UP: Duration = Duration::from_millis(200);

/// The measured samples of a case if `BENCH_REPEAT` says nothing else.
const REPEATS: usize = 10;

impl Target {
    /// The target `name` with the arguments and knobs of the process. Ends the process with code 2 if they
    /// make no sense.
    pub fn from_args(name: &'static str) -> Self {
        or_exit(Self::parse(name, env::args().skip(1)))
    }

    fn parse(name: &'static str, args: impl Iterator<Item = String>) -> Result<Self, UsageError> {
        let mut target = Self {
            name,
            mode: Mode::Once,
            filters: Vec::new(),
            json: None,
            report: Bmf::default(),
            cases: 0,
        };
        let mut args = args;
        while let Some(arg) = args.next() {
            match arg.as_str() {
                // cargo passes `--bench` when, and only when, the figures are wanted.
                "--bench" => target.mode = Mode::Measure(Plan::from_knobs(REPEATS)?),
                "--json" => target.json = Some(args.next().ok_or(UsageError::NoFile)?),
                // What follows `cargo test --` is meant for libtest's targets and comes here as well.
                flag if flag.starts_with('-') && target.mode == Mode::Once => (),
                flag if flag.starts_with('-') => return Err(UsageError::UnknownFlag { flag: flag.into() }),
                filter => target.filters.push(filter.into()),
            }
        }
        Ok(target)
    }

    /// Whether cases are run once, and not measured.
    pub fn runs_once(&self) -> bool {
        self.mode == Mode::Once
    }

    /// A size: the number in the environment variable `knob_name`, or `measured` if that is not set, or
    /// `once` if besides nothing is measured. Ends the process with code 2 if it is no number.
    pub fn size(&self, knob_name: &str, measured: usize, once: usize) -> usize {
        or_exit(knob(knob_name, if self.runs_once() { once } else { measured }))
    }

    /// Sizes, as [`Self::size`], from a list separated by commas.
    pub fn sizes(&self, knob_name: &str, measured: &[usize], once: &[usize]) -> Vec<usize> {
        or_exit(knob_list(
            knob_name,
            if self.runs_once() { once } else { measured },
        ))
    }

    /// Times `body`, or runs it once. Its result is consumed; set-up belongs before the call.
    ///
    /// Returns the seconds of one call of `body`, if it was measured.
    ///
    /// # Panics
    /// If the work is of size 0.
    pub fn case<R>(&mut self, name: &str, work: Work, mut body: impl FnMut() -> R) -> Option<Estimate> {
        self.sampled(name, work, |calls| {
            timed(|| (0..calls).for_each(|_| drop(black_box(body())))).0
        })
    }

    /// Times `body` on fresh inputs that `input` makes outside of the measured time. Every call is timed alone,
    /// so this is for bodies that take microseconds at least.
    ///
    /// # Panics
    /// If the work is of size 0.
    pub fn case_with_input<T, R>(
        &mut self,
        name: &str,
        work: Work,
        mut input: impl FnMut() -> T,
        mut body: impl FnMut(T) -> R,
    ) -> Option<Estimate> {
        let mut one = || {
            let input = black_box(input());
            let (time, result) = timed(|| black_box(body(input)));
            drop(result);
            time
        };
        self.sampled(name, work, |calls| (0..calls).map(|_| one()).sum())
    }

    /// `sample` makes so many calls and returns the measured time of all of them together.
    fn sampled(
        &mut self,
        name: &str,
        work: Work,
        mut sample: impl FnMut(usize) -> Duration,
    ) -> Option<Estimate> {
        assert!(work.size() > 0, "case {name} does no work");
        if !self.filters.is_empty() && !self.filters.iter().any(|filter| name.contains(filter)) {
            return None;
        }
        self.cases += 1;
        let label = format!("{}/{name}", self.name);
        let Mode::Measure(plan) = self.mode else {
            sample(1);
            println!("{label} : ran once");
            return None;
        };
        let calls = calls_per_sample(&mut sample);
        let seconds = plan.run(|_| sample(calls)).estimate().scaled(1.0 / calls as f64);
        let (figure, unit) = work.figure(seconds);
        println!("{label} : {figure} {unit}");
        self.report
            .set(&label, "latency", seconds.scaled(1e9 / work.size_of_latency()));
        self.report
            .set(&label, "throughput", seconds.rate(work.size() as f64));
        Some(seconds)
    }

    /// Writes the JSON report if one was asked for. Ends the process with code 5 if that fails, and with code
    /// 2 if no case had a name that was asked for.
    pub fn finish(self) {
        if self.cases == 0 && !self.runs_once() {
            let filters = self.filters.join(" ");
            or_exit::<(), _>(Err(UsageError::NothingMatches { filters }));
        }
        if let Some(file) = self.json
            && let Err(error) = fs::write(&file, self.report.to_json() + "\n")
        {
            eprintln!("{file} could not be written: {error}");
            process::exit(5);
        }
    }
}

/// So many calls that a sample is long enough, or that the set-up of its inputs takes long.
fn calls_per_sample(sample: &mut impl FnMut(usize) -> Duration) -> usize {
    let mut calls = 1;
    loop {
        let (with_inputs, time) = timed(|| sample(calls));
        if time >= SHORTEST_SAMPLE || with_inputs >= LONGEST_SET_UP {
            return calls;
        }
        let short_by = SHORTEST_SAMPLE.as_secs_f64() / time.as_secs_f64().max(1e-9);
        calls = (calls as f64 * (1.2 * short_by).clamp(2.0, 100.0)).ceil() as usize;
    }
}

impl Work {
    fn size(self) -> usize {
        match self {
            Self::PerCall { calls: size, .. } | Self::Bytes(size) | Self::Items { items: size, .. } => size,
        }
    }

    /// What the latency is divided by: it is told per call where calls are the unit, else for the body.
    fn size_of_latency(self) -> f64 {
        match self {
            Self::PerCall { calls, .. } => calls as f64,
            Self::Bytes(_) | Self::Items { .. } => 1.0,
        }
    }

    fn figure(self, seconds: Estimate) -> (Estimate, String) {
        match self {
            Self::PerCall { calls, what } => (seconds.scaled(1e9 / calls as f64), format!("ns/{what}")),
            Self::Bytes(bytes) => (seconds.rate(bytes as f64 / 1e6), "MB/s".into()),
            Self::Items { items, what } => (seconds.rate(items as f64 / 1e6), format!("M {what}/s")),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum UsageError {
    #[error(transparent)]
    Knob(#[from] KnobError),
    #[error("--json needs the name of the file to write")]
    NoFile,
    #[error(
        "{flag} is no flag of a bench target: give words that the names of cases contain, or --json FILE"
    )]
    UnknownFlag { flag: String },
    #[error("no case has a name that contains any of: {filters}")]
    NothingMatches { filters: String },
}

fn or_exit<T, E: std::error::Error>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| {
        eprintln!("{error}");
        process::exit(2)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(args: &[&str]) -> Result<Target, UsageError> {
        Target::parse("sample", args.iter().map(ToString::to_string))
    }

    fn quick() -> Target {
        let mut target = target(&["--bench"]).unwrap();
        target.mode = Mode::Measure(Plan {
            warmups: 0,
            repeats: 2,
            cooldown: Duration::ZERO,
        });
        target
    }

    #[test]
    fn a_case_runs_once_unless_cargo_bench_asks_for_figures() {
        let mut target = target(&["-q", "--test-threads=1"]).unwrap();
        let mut runs = 0;
        assert_eq!(target.case("body", Work::Bytes(1), || runs += 1), None);
        assert_eq!(runs, 1);
        assert_eq!(target.size("BENCH_NO_SUCH_KNOB", 20, 10), 10);
        assert_eq!(target.sizes("BENCH_NO_SUCH_KNOB", &[20], &[10, 11]), [10, 11]);
        assert_eq!(quick().size("BENCH_NO_SUCH_KNOB", 20, 10), 20);
    }

    #[test]
    fn a_filter_chooses_cases_by_their_names() {
        let mut target = target(&["--bench", "mul"]).unwrap();
        let mut runs = 0;
        target.mode = Mode::Once;
        target.case("k_mul", Work::Bytes(1), || runs += 1);
        target.case("k_square", Work::Bytes(1), || runs += 100);
        assert_eq!(runs, 1);
    }

    #[test]
    fn a_measured_case_reports_time_per_call_in_text_and_json() {
        let mut target = quick();
        let nap = Duration::from_millis(25);
        let work = Work::PerCall {
            calls: 5,
            what: "nap",
        };
        let seconds = target.case("nap", work, || std::thread::sleep(nap)).unwrap();
        assert!(seconds.mean >= nap.as_secs_f64());
        let (figure, unit) = work.figure(seconds);
        assert_eq!(unit, "ns/nap");
        // The order of the factors is the report's own.
        let expected = seconds.mean * 1e9 / 5.0;
        assert!((figure.mean / expected - 1.0).abs() < 1e-12);
        let report: serde_json::Value = serde_json::from_str(&target.report.to_json()).unwrap();
        let latency = report["sample/nap"]["latency"]["value"].as_f64().unwrap();
        assert!((latency / figure.mean - 1.0).abs() < 1e-9);
    }

    #[test]
    fn every_call_gets_a_fresh_input() {
        let mut target = quick();
        let mut made = 0;
        let mut input = || {
            made += 1;
            made
        };
        let mut seen = Vec::new();
        let body = |i| {
            seen.push(i);
            std::thread::sleep(Duration::from_millis(21));
        };
        assert!(
            target
                .case_with_input("nap", Work::Bytes(1), &mut input, body)
                .is_some()
        );
        assert_eq!(seen, [1, 2, 3]);
    }

    #[test]
    fn a_slow_set_up_ends_the_search_for_a_long_sample() {
        let mut samples = 0;
        let calls = calls_per_sample(&mut |_| {
            samples += 1;
            std::thread::sleep(LONGEST_SET_UP);
            Duration::ZERO
        });
        assert_eq!((calls, samples), (1, 1));
    }

    #[test]
    fn a_sample_is_made_long_enough() {
        let calls = calls_per_sample(&mut |calls| Duration::from_micros(10) * calls as u32);
        assert!((2000..4800).contains(&calls), "{calls} calls of 10 us");
    }

    #[test]
    fn rates_are_in_millions_a_second() {
        let seconds = Estimate {
            mean: 0.5,
            half_width: None,
        };
        assert_eq!(Work::Bytes(3_000_000).figure(seconds).0.mean, 6.0);
        let (figure, unit) = Work::Items {
            items: 1_000_000,
            what: "words",
        }
        .figure(seconds);
        assert_eq!((figure.mean, unit.as_str()), (2.0, "M words/s"));
    }

    #[test]
    fn bad_usage_is_refused() {
        assert_eq!(
            target(&["--bench", "--fast"]).unwrap_err(),
            UsageError::UnknownFlag {
                flag: "--fast".into()
            }
        );
        assert_eq!(target(&["--bench", "--json"]).unwrap_err(), UsageError::NoFile);
    }

    #[test]
    #[should_panic(expected = "does no work")]
    fn a_case_without_work_is_refused() {
        quick().case("nothing", Work::Bytes(0), || ());
    }
}
