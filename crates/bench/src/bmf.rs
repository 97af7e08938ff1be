//! Bencher Metric Format: `{"benchmark": {"measure": {"value": v, "lower_value": l, "upper_value": u}}}`.
//!
//! Source: Bencher's documentation, "Bencher Metric Format (BMF) JSON".

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::Estimate;

/// A report in Bencher Metric Format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bmf {
    benchmarks: BTreeMap<String, BTreeMap<String, Metric>>,
}

/// One figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric {
    /// The figure itself.
    pub value: f64,
    /// The ends of its interval, if it has one.
    pub interval: Option<(f64, f64)>,
}

/// An interval without an end, which a rate has on a machine that is far from quiet, is no number of JSON's: there is none.
impl From<Estimate> for Metric {
    fn from(estimate: Estimate) -> Self {
        let interval = estimate
            .half_width
            .filter(|h| h.is_finite())
            .map(|h| (estimate.mean - h, estimate.mean + h));
        Self {
            value: estimate.mean,
            interval,
        }
    }
}

/// An exact figure, such as a size.
impl From<f64> for Metric {
    fn from(value: f64) -> Self {
        Self {
            value,
            interval: None,
        }
    }
}

impl Bmf {
    /// Sets the figure of `benchmark` for `measure` (`latency` in ns and `throughput` in units per second are
    /// Bencher's own; others may be added).
    pub fn set(&mut self, benchmark: &str, measure: &str, metric: impl Into<Metric>) {
        self.benchmarks
            .entry(benchmark.into())
            .or_default()
            .insert(measure.into(), metric.into());
    }

    /// The report as a JSON text of several lines, its keys in alphabetic order.
    ///
    /// # Panics
    /// If a figure is not finite: JSON has no such number.
    pub fn to_json(&self) -> String {
        let benchmarks = self.benchmarks.iter().map(|(benchmark, measures)| {
            let measures = measures
                .iter()
                .map(|(measure, metric)| (measure.clone(), metric.to_value()));
            (benchmark.clone(), Value::Object(measures.collect()))
        });
        format!("{:#}", Value::Object(benchmarks.collect()))
    }
}

impl Metric {
    fn to_value(self) -> Value {
        let mut fields = Map::from_iter([("value".into(), number(self.value))]);
        if let Some((lower, upper)) = self.interval {
            fields.insert("lower_value".into(), number(lower));
            fields.insert("upper_value".into(), number(upper));
        }
        Value::Object(fields)
    }
}

fn number(value: f64) -> Value {
    assert!(value.is_finite(), "a figure is a finite number, not {value}");
    Value::from(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_report_has_the_documented_form() {
        let mut report = Bmf::default();
        report.set(
            "leaf",
            "proving",
            Estimate {
                mean: 2.0,
                half_width: Some(0.25),
            },
        );
        report.set("leaf", "proof-size", 262_144.0);
        report.set(
            "kernels/k_mul",
            "latency",
            Estimate {
                mean: 1.5,
                half_width: None,
            },
        );
        report.set("kernels/k_mul", "latency", 1.25);
        let parsed: Value = serde_json::from_str(&report.to_json()).unwrap();
        let expected = json!({
            "kernels/k_mul": { "latency": { "value": 1.25 } },
            "leaf": {
                "proof-size": { "value": 262_144.0 },
                "proving": { "value": 2.0, "lower_value": 1.75, "upper_value": 2.25 },
            },
        });
        assert_eq!(parsed, expected);
    }

    #[test]
    fn an_empty_report_is_an_empty_object() {
        assert_eq!(Bmf::default().to_json(), "{}");
    }

    #[test]
    fn an_interval_without_an_end_is_left_out() {
        // The interval reaches zero, so nothing bounds the rate.
        let rate = Estimate::of(&[1.0, 9.0]).rate(5.0);
        assert_eq!(rate.half_width, Some(f64::INFINITY));
        let mut report = Bmf::default();
        report.set("k_mul", "throughput", rate);
        let parsed: Value = serde_json::from_str(&report.to_json()).unwrap();
        assert_eq!(parsed, json!({ "k_mul": { "throughput": { "value": 1.0 } } }));
    }

    #[test]
    #[should_panic(expected = "finite")]
    fn what_is_no_number_is_refused() {
        let mut report = Bmf::default();
        report.set("leaf", "proving", f64::NAN);
        report.to_json();
    }
}
