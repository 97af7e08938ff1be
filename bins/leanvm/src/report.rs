//! What a verb tells on the standard output: one `label : value unit` a line.

use std::{
    fmt::Display,
    io::{self, Write},
};

/// A writer of report lines.
#[derive(Debug)]
pub(crate) struct Report<W> {
    out: W,
}

impl<W: Write> Report<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out }
    }

    /// A figure without a unit, or a word.
    pub(crate) fn line(&mut self, label: &str, value: impl Display) -> io::Result<()> {
        writeln!(self.out, "{label} : {value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_label_and_a_value() {
        let mut out = Vec::new();
        Report::new(&mut out).line("threads", 2).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "threads : 2\n");
    }
}
