//! How a run of the command line can end.

use std::{error::Error, fmt, io, process::ExitCode};

use primitives::pool::ThreadsError;

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Proven, verified or run.
    Success = 0,
    /// A check refused the proof.
    Refused = 1,
    /// Flags, files, formats or environment variables that make no sense (clap ends with this as well).
    BadInput = 2,
    /// The guest trapped or panicked.
    Trapped = 3,
    /// Something is over a limit.
    OverLimit = 4,
    /// Reading or writing failed.
    Io = 5,
    /// We did something wrong: what a panic ends with.
    Bug = 101,
    /// An interrupt ended the run.
    Cancelled = 130,
}

/// The exit codes as the help shows them.
pub(crate) fn help() -> String {
    use Exit::{BadInput, Bug, Cancelled, Io, OverLimit, Refused, Success, Trapped};
    let mut help = String::from("Exit codes:");
    for (exit, meaning) in [
        (Success, "proven, verified or run"),
        (Refused, "a check refused the proof"),
        (BadInput, "bad usage or input"),
        (Trapped, "the guest trapped or panicked"),
        (OverLimit, "over a limit"),
        (Io, "reading or writing failed"),
        (Bug, "a bug of leanVM"),
        (Cancelled, "cancelled"),
    ] {
        help += &format!("\n  {:<3}  {meaning}", exit as u8);
    }
    help
}

/// Why a verb did not succeed.
#[derive(Debug)]
pub struct Failure {
    /// The code that says so.
    pub exit: Exit,
    error: Box<dyn Error>,
}

impl Exit {
    /// The failure that ends with this code.
    pub(crate) fn because(self, error: impl Error + 'static) -> Failure {
        Failure {
            exit: self,
            error: Box::new(error),
        }
    }
}

impl Failure {
    /// The error, as the cause of another.
    pub(crate) fn into_error(self) -> Box<dyn Error> {
        self.error
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Exit::Io.because(error)
    }
}

impl From<ThreadsError> for Failure {
    fn from(error: ThreadsError) -> Self {
        Exit::BadInput.because(error)
    }
}

/// The error and all that caused it.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.error)?;
        let mut cause = self.error.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_tells_its_error_and_the_causes() {
        #[derive(Debug)]
        struct Outer(io::Error);
        impl fmt::Display for Outer {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the file could not be read")
            }
        }
        impl Error for Outer {
            fn source(&self) -> Option<&(dyn Error + 'static)> {
                Some(&self.0)
            }
        }
        let failure = Exit::Io.because(Outer(io::Error::other("disk on fire")));
        assert_eq!(failure.to_string(), "the file could not be read: disk on fire");
    }
}
