//! Knobs: environment variables that set the sizes and the plan of a benchmark.

use std::{env, str::FromStr};

/// A knob holds something that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} is {value:?}, which is not {expected}: set it to {expected}, or unset it")]
pub struct KnobError {
    /// The environment variable.
    pub name: String,
    /// What it holds.
    pub value: String,
    /// What it may hold.
    pub expected: &'static str,
}

/// The number in the environment variable `name`, or `default` if that is not set.
///
/// # Errors
/// If the variable holds no number of this type.
pub fn knob<T: FromStr>(name: &str, default: T) -> Result<T, KnobError> {
    Ok(read(name, "a number", |value| value.parse().ok())?.unwrap_or(default))
}

/// The numbers in the environment variable `name`, separated by commas, or `default` if that is not set.
///
/// # Errors
/// If the variable holds anything else.
pub fn knob_list<T: FromStr + Clone>(name: &str, default: &[T]) -> Result<Vec<T>, KnobError> {
    let parse = |value: &str| value.split(',').map(|item| item.trim().parse().ok()).collect();
    Ok(read(name, "a list of numbers separated by commas", parse)?.unwrap_or_else(|| default.to_vec()))
}

fn read<T>(
    name: &str,
    expected: &'static str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, KnobError> {
    let Some(value) = env::var_os(name) else {
        return Ok(None);
    };
    let value = value.to_string_lossy();
    match parse(&value) {
        Some(parsed) => Ok(Some(parsed)),
        None => Err(KnobError {
            name: name.into(),
            value: value.into_owned(),
            expected,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Tests run in threads of one process, so none sets a variable: cargo sets those read here.

    #[test]
    fn a_knob_that_is_not_set_has_its_default() {
        assert_eq!(knob("BENCH_NO_SUCH_KNOB", 7), Ok(7));
        assert_eq!(knob_list("BENCH_NO_SUCH_KNOB", &[1, 2]), Ok(vec![1, 2]));
    }

    #[test]
    fn a_knob_that_is_set_is_read() {
        let major: u32 = env!("CARGO_PKG_VERSION_MAJOR").parse().unwrap();
        assert_eq!(knob("CARGO_PKG_VERSION_MAJOR", 77), Ok(major));
        assert_eq!(knob_list("CARGO_PKG_VERSION_MAJOR", &[77]), Ok(vec![major]));
    }

    #[test]
    fn what_is_no_number_is_refused_with_its_name_and_value() {
        let error = knob("CARGO_PKG_NAME", 7).unwrap_err();
        assert_eq!(
            (error.name.as_str(), error.value.as_str()),
            ("CARGO_PKG_NAME", "bench")
        );
        assert_eq!(knob_list("CARGO_PKG_NAME", &[7]).unwrap_err().value, "bench");
    }
}
