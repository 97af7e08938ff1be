//! Measurement for the bench targets and the command line: what is timed, how often, and how it is told.
//!
//! Use it where time or memory is reported; the libraries never link it, and it imports nothing of ours.
//! - [`Target`]: the `main` of a bench target; each [`Target::case`] is timed by a [`Plan`] and reported in
//!   the unit of its [`Work`], or run once when `cargo test` runs the target.
//! - [`Plan`] and [`Samples`]: warm-up, measured passes, cooldown; mean and 95% interval ([`Estimate`]).
//! - [`Spans`]: the span tree of `--tracing`.
//! - [`peak_memory_bytes`]: the most memory that the process has held; [`keep_freed`]: what is freed stays for what is
//!   allocated next.
//! - [`Bmf`]: Bencher Metric Format.

mod bmf;
mod estimate;
mod knob;
mod memory;
mod plan;
mod spans;
mod target;

pub use std::hint::black_box;

pub use bmf::{Bmf, Metric};
pub use estimate::Estimate;
pub use knob::{KnobError, knob, knob_list};
pub use memory::{keep_freed, peak_memory_bytes};
pub use plan::{Pass, Plan, Samples, timed};
pub use spans::{SpanTree, Spans};
pub use target::{Target, Work};
