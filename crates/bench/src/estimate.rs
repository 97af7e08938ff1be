//! Mean and interval of repeated measurements.

use core::fmt;

use statrs::distribution::{ContinuousCDF as _, StudentsT};

/// The mean of independent measurements, and the half width of its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The arithmetic mean.
    pub mean: f64,
    /// The true mean lies within `mean +- half_width` with 95% confidence, if the measurements are
    /// independent and normal. One measurement says nothing of its spread: `None`.
    pub half_width: Option<f64>,
}

impl Estimate {
    /// The interval by Student's t: `t(0.975, n - 1) s / sqrt(n)`, `s` the sample's standard deviation.
    ///
    /// # Panics
    /// If `values` is empty.
    pub fn of(values: &[f64]) -> Self {
        assert!(!values.is_empty(), "an estimate needs at least one measurement");
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let half_width = (values.len() > 1).then(|| {
            let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
            student_t_975(n - 1.0) * (variance / n).sqrt()
        });
        Self { mean, half_width }
    }

    /// The estimate of `factor` times the quantity.
    pub fn scaled(self, factor: f64) -> Self {
        Self {
            mean: self.mean * factor,
            half_width: self.half_width.map(|h| h * factor.abs()),
        }
    }

    /// The estimate of `numerator` divided by the quantity: the interval's ends are divided into it, and the
    /// wider side is kept; it has no end if the interval reaches zero.
    pub fn rate(self, numerator: f64) -> Self {
        let mean = numerator / self.mean;
        let half_width = self.half_width.map(|h| {
            let fastest = numerator / (self.mean - h).max(0.0);
            fastest - mean
        });
        Self { mean, half_width }
    }
}

/// With four significant digits, and the half width in the same place.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = if self.mean == 0.0 {
            0
        } else {
            self.mean.abs().log10().floor() as i32
        };
        let decimals = (3 - magnitude).clamp(0, 12) as usize;
        match self.half_width {
            Some(half_width) => write!(f, "{:.decimals$} +- {half_width:.decimals$}", self.mean),
            None => write!(f, "{:.decimals$}", self.mean),
        }
    }
}

/// The 0.975 quantile of Student's t with `freedom` degrees of freedom.
fn student_t_975(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom)
        .expect("positive degrees of freedom")
        .inverse_cdf(0.975)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_t_has_the_published_quantiles() {
        // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, upper critical values for 0.975.
        for (freedom, quantile) in [
            (1.0, 12.706),
            (2.0, 4.303),
            (4.0, 2.776),
            (9.0, 2.262),
            (30.0, 2.042),
            (100.0, 1.984),
        ] {
            let got = student_t_975(freedom);
            assert!(
                (got - quantile).abs() < 6e-4,
                "{freedom} degrees of freedom: {got}, not {quantile}"
            );
        }
    }

    #[test]
    fn an_estimate_equals_one_computed_by_hand() {
        // Mean 5, variance (9 + 1 + 1 + 9) / 3, standard error sqrt(20/3 / 4), t(0.975, 3) = 3.182.
        let estimate = Estimate::of(&[2.0, 4.0, 6.0, 8.0]);
        assert_eq!(estimate.mean, 5.0);
        assert!((estimate.half_width.unwrap() - 3.182_446 * (5.0f64 / 3.0).sqrt()).abs() < 1e-4);
        assert_eq!(
            Estimate::of(&[3.0, 3.0, 3.0]),
            Estimate {
                mean: 3.0,
                half_width: Some(0.0)
            }
        );
    }

    #[test]
    fn one_measurement_has_no_interval() {
        assert_eq!(
            Estimate::of(&[7.0]),
            Estimate {
                mean: 7.0,
                half_width: None
            }
        );
    }

    #[test]
    #[should_panic(expected = "at least one measurement")]
    fn no_measurement_is_refused() {
        Estimate::of(&[]);
    }

    #[test]
    fn the_interval_covers_the_true_mean_in_about_95_of_100_experiments() {
        // Irwin-Hall sums of 12 uniforms are close to normal; xorshift64 is seeded, so this is exact.
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut uniform = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let covered = (0..2000)
            .filter(|_| {
                let values: Vec<f64> = (0..5).map(|_| (0..12).map(|_| uniform()).sum()).collect();
                let estimate = Estimate::of(&values);
                (estimate.mean - 6.0).abs() <= estimate.half_width.unwrap()
            })
            .count();
        assert!((1860..1940).contains(&covered), "{covered} of 2000");
    }

    #[test]
    fn scaling_and_rates_carry_the_interval() {
        let estimate = Estimate {
            mean: 4.0,
            half_width: Some(1.0),
        };
        assert_eq!(
            estimate.scaled(2.0),
            Estimate {
                mean: 8.0,
                half_width: Some(2.0)
            }
        );
        assert_eq!(
            estimate.rate(12.0),
            Estimate {
                mean: 3.0,
                half_width: Some(1.0)
            }
        );
        assert_eq!(
            Estimate {
                half_width: None,
                ..estimate
            }
            .rate(12.0)
            .half_width,
            None
        );
    }

    #[test]
    fn four_digits_are_shown() {
        assert_eq!(
            Estimate {
                mean: 1234.56,
                half_width: Some(12.3)
            }
            .to_string(),
            "1235 +- 12"
        );
        assert_eq!(
            Estimate {
                mean: 0.012_345_6,
                half_width: Some(0.000_12)
            }
            .to_string(),
            "0.01235 +- 0.00012"
        );
        assert_eq!(
            Estimate {
                mean: 0.0,
                half_width: None
            }
            .to_string(),
            "0.000"
        );
    }
}
