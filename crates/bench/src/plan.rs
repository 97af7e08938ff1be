//! When to run what is measured: warm-up, measured passes, cooldown.

use std::{
    thread,
    time::{Duration, Instant},
};

use crate::{Estimate, KnobError, knob};

/// How often something is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Passes before the first measured one; nothing of them is kept.
    pub warmups: usize,
    /// Measured passes, at least 1.
    pub repeats: usize,
    /// Rest before every measured pass, so that a throttled or boosted clock settles.
    pub cooldown: Duration,
}

impl Plan {
    /// The plan that the knobs `BENCH_WARMUP` (passes, 1 if not set), `BENCH_REPEAT` (passes, `repeats` if
    /// not set) and `BENCH_COOLDOWN` (seconds, 0 if not set) describe.
    ///
    /// # Errors
    /// If one of them holds something else, or no pass would be measured.
    pub fn from_knobs(repeats: usize) -> Result<Self, KnobError> {
        let repeats = knob("BENCH_REPEAT", repeats)?;
        if repeats == 0 {
            return Err(KnobError {
                name: "BENCH_REPEAT".into(),
                value: "0".into(),
                expected: "a number of at least 1",
            });
        }
        let seconds: f64 = knob("BENCH_COOLDOWN", 0.0)?;
        let cooldown = Duration::try_from_secs_f64(seconds).map_err(|_| KnobError {
            name: "BENCH_COOLDOWN".into(),
            value: seconds.to_string(),
            expected: "a number of seconds",
        })?;
        Ok(Self {
            warmups: knob("BENCH_WARMUP", 1)?,
            repeats,
            cooldown,
        })
    }

    /// Runs `pass` as planned. `pass` gets what kind of pass it is, and says how long its measured part took,
    /// so that set-up and the reading of results stay outside.
    ///
    /// # Panics
    /// If no pass is to be measured.
    pub fn run(&self, mut pass: impl FnMut(Pass) -> Duration) -> Samples {
        assert!(self.repeats > 0, "a plan measures at least one pass");
        for _ in 0..self.warmups {
            pass(Pass::Warmup);
        }
        let seconds = (1..=self.repeats).map(|i| {
            if !self.cooldown.is_zero() {
                thread::sleep(self.cooldown);
            }
            pass(if i == self.repeats {
                Pass::Last
            } else {
                Pass::Measured
            })
            .as_secs_f64()
        });
        Samples {
            seconds: seconds.collect(),
        }
    }
}

/// What a pass is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Its time is not kept.
    Warmup,
    /// Its time is kept.
    Measured,
    /// Its time is kept, and its spans and results are the ones to show.
    Last,
}

/// The time that `f` takes, and its result.
pub fn timed<R>(f: impl FnOnce() -> R) -> (Duration, R) {
    let start = Instant::now();
    let result = f();
    (start.elapsed(), result)
}

/// The measured passes of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// Seconds of each pass, in the order of the passes.
    pub seconds: Vec<f64>,
}

impl Samples {
    /// Mean and 95% interval, in seconds.
    pub fn estimate(&self) -> Estimate {
        Estimate::of(&self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_runs_its_passes_in_order_and_keeps_the_measured_ones() {
        let plan = Plan {
            warmups: 2,
            repeats: 3,
            cooldown: Duration::ZERO,
        };
        let mut passes = Vec::new();
        let samples = plan.run(|pass| {
            passes.push(pass);
            Duration::from_secs(passes.len() as u64)
        });
        assert_eq!(
            passes,
            [
                Pass::Warmup,
                Pass::Warmup,
                Pass::Measured,
                Pass::Measured,
                Pass::Last
            ]
        );
        assert_eq!(samples.seconds, [3.0, 4.0, 5.0]);
        assert_eq!(samples.estimate().mean, 4.0);
    }

    #[test]
    #[should_panic(expected = "at least one pass")]
    fn a_plan_without_measured_passes_is_refused() {
        Plan {
            warmups: 1,
            repeats: 0,
            cooldown: Duration::ZERO,
        }
        .run(|_| Duration::ZERO);
    }

    #[test]
    fn what_is_timed_returns_its_result() {
        let (time, result) = timed(|| {
            thread::sleep(Duration::from_millis(2));
            42
        });
        assert_eq!(result, 42);
        assert!(time >= Duration::from_millis(2));
    }
}
