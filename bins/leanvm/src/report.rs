//! What a verb tells on the standard output: one `label : value unit` a line.

use std::{
    fmt::{self, Display},
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

    /// Text of another shape: a listing, a profile.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }
}

/// Bytes as lower-case hexadecimal digits.
#[derive(Debug)]
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

impl Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
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

    #[test]
    fn bytes_are_two_digits_each() {
        assert_eq!(Hex(&[0, 0xa, 0xff]).to_string(), "000aff");
    }
}
