//! A spend as bytes.
//!
//! The bytes are those of the words in order, except that an index is four big-endian bytes: all integers of the
//! byte format are big-endian.

use leanvm_guest::host::Advice;
use shielded_guest::{Amount, Digest, HEIGHT, Header, Input, Output, Spend};
use thiserror::Error;

/// The length of a spend.
pub const BYTES: usize = 1680;

/// An index is one word to the guest and four bytes here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("index {index} of input {input} has more than the four bytes of the byte format")]
pub struct IndexTooLong {
    /// Which input, 0 or 1.
    pub input: usize,
    /// Its index.
    pub index: u64,
}

/// A spend's bytes.
///
/// # Errors
/// [`IndexTooLong`] if an index is 2^32 or more.
pub fn to_bytes(spend: &Spend) -> Result<[u8; BYTES], IndexTooLong> {
    let mut bytes = Vec::with_capacity(BYTES);
    extend(&mut bytes, Advice::new().push(&spend.header));
    for (i, input) in spend.inputs.iter().enumerate() {
        let index = u32::try_from(input.index).map_err(|_| IndexTooLong {
            input: i,
            index: input.index,
        })?;
        let before = Advice::new().push(&input.spend_key).push(&input.rho);
        extend(&mut bytes, before.push(&input.value));
        bytes.extend(index.to_be_bytes());
        extend(&mut bytes, Advice::new().push(&input.path));
    }
    extend(&mut bytes, Advice::new().push(&spend.outputs));
    Ok(bytes.try_into().expect("the fields have this many bytes"))
}

fn extend(bytes: &mut Vec<u8>, words: Advice) {
    bytes.extend(words.into_words().into_iter().flat_map(u64::to_le_bytes));
}

/// The spend of these bytes.
#[must_use]
pub fn from_bytes(bytes: &[u8; BYTES]) -> Spend {
    let mut reader = Reader { bytes };
    Spend {
        header: Header {
            root: reader.words(),
            domain: reader.words(),
            public_amount: reader.amount(),
            fee: reader.amount(),
            parties: reader.words(),
        },
        inputs: std::array::from_fn(|_| Input {
            spend_key: reader.words(),
            rho: reader.words(),
            value: reader.amount(),
            index: u32::from_be_bytes(reader.take()).into(),
            path: std::array::from_fn::<Digest, HEIGHT, _>(|_| reader.words()),
        }),
        outputs: std::array::from_fn(|_| Output {
            inner: reader.words(),
            value: reader.amount(),
        }),
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.bytes.split_first_chunk().expect("the layout has 1680 bytes");
        self.bytes = rest;
        *taken
    }

    fn words<const N: usize>(&mut self) -> [u64; N] {
        std::array::from_fn(|_| u64::from_le_bytes(self.take()))
    }

    fn amount(&mut self) -> Amount {
        Amount::new(u128::from_be_bytes(self.take()))
    }
}
