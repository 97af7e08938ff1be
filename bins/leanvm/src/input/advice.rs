//! The advice of a verb.

use std::{fs, io, path::PathBuf, str::FromStr};

use thiserror::Error;

use super::exit_of;
use crate::exit::{Exit, Failure};

/// The advice; none of the two is no advice.
#[derive(Debug, clap::Args)]
pub(crate) struct AdviceArguments {
    /// Words of 64 bits, decimal or 0x, separated by commas.
    #[arg(long, value_name = "WORDS", conflicts_with = "advice_file")]
    advice: Option<Words>,
    /// A file of little-endian words.
    #[arg(long, value_name = "FILE")]
    advice_file: Option<PathBuf>,
}

/// Words on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Words(Vec<u64>);

#[derive(Debug, PartialEq, Eq, Error)]
#[error(
    "{word:?} is no word of 64 bits: write 0 to 18446744073709551615, or 0x and up to 16 hexadecimal digits"
)]
struct WordError {
    word: String,
}

#[derive(Debug, Error)]
enum FileError {
    #[error("{} cannot be read", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} has {bytes} bytes, and advice is whole words of 8 bytes", path.display())]
    Length { path: PathBuf, bytes: usize },
}

impl AdviceArguments {
    /// The words.
    pub(crate) fn words(&self) -> Result<Vec<u64>, Failure> {
        if let Some(Words(words)) = &self.advice {
            return Ok(words.clone());
        }
        let Some(path) = &self.advice_file else {
            return Ok(Vec::new());
        };
        let bytes = fs::read(path).map_err(|source| {
            exit_of(&source).because(FileError::Read {
                path: path.clone(),
                source,
            })
        })?;
        let (words, rest) = bytes.as_chunks();
        if rest.is_empty() {
            Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
        } else {
            Err(Exit::BadInput.because(FileError::Length {
                path: path.clone(),
                bytes: bytes.len(),
            }))
        }
    }
}

impl FromStr for Words {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split(',')
            .map(|word| parse(word.trim()).ok_or_else(|| WordError { word: word.into() }))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

fn parse(word: &str) -> Option<u64> {
    let (digits, radix) = match word.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (word, 10),
    };
    // `from_str_radix` takes a sign.
    if digits.starts_with('+') {
        None
    } else {
        u64::from_str_radix(digits, radix).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_decimal_or_hexadecimal() {
        let words = |text: &str| text.parse::<Words>().map(|words| words.0);
        assert_eq!(
            words("1,0x10, 18446744073709551615,0xffffffffffffffff"),
            Ok(vec![1, 16, u64::MAX, u64::MAX])
        );
        for bad in [
            "",
            "1,",
            "1,,2",
            "-1",
            "+1",
            "0x",
            "0x+1",
            "ten",
            "18446744073709551616",
            "0x10000000000000000",
            "1.5",
        ] {
            assert!(words(bad).is_err(), "{bad}");
        }
    }
}
