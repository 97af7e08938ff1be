//! RLP (Ethereum's yellow paper, appendix B): items of byte strings.
//!
//! Everything that is decoded is bound by a hash, so that lengths and integers need not be the shortest ones.

use crate::keccak::Hash;
use crate::{Refusal, U256};

/// An item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<'a> {
    /// A byte string.
    String(&'a [u8]),
    /// A list: its items, encoded one after the other.
    List(&'a [u8]),
}

/// The item at the beginning of `bytes`, and the bytes behind it.
///
/// # Errors
/// [`Refusal::Malformed`] if it does not end in `bytes`, or if its length has more than three bytes.
#[inline]
pub fn split(bytes: &[u8]) -> Result<(Item<'_>, &[u8]), Refusal> {
    let (&prefix, rest) = bytes.split_first().ok_or(Refusal::Malformed)?;
    match prefix {
        ..=0x7f => Ok((Item::String(&bytes[..1]), rest)),
        0x80..=0xb7 => {
            take(rest, usize::from(prefix - 0x80)).map(|(payload, rest)| (Item::String(payload), rest))
        }
        0xb8..=0xbf => take_long(rest, prefix - 0xb7).map(|(payload, rest)| (Item::String(payload), rest)),
        0xc0..=0xf7 => {
            take(rest, usize::from(prefix - 0xc0)).map(|(payload, rest)| (Item::List(payload), rest))
        }
        0xf8.. => take_long(rest, prefix - 0xf7).map(|(payload, rest)| (Item::List(payload), rest)),
    }
}

/// The item that all of `bytes` is.
///
/// # Errors
/// [`Refusal::Malformed`] if it is not one.
#[inline]
pub fn whole(bytes: &[u8]) -> Result<Item<'_>, Refusal> {
    match split(bytes)? {
        (item, []) => Ok(item),
        _ => Err(Refusal::Malformed),
    }
}

impl<'a> Item<'a> {
    /// The byte string.
    ///
    /// # Errors
    /// [`Refusal::Malformed`] if it is a list.
    #[inline]
    pub const fn string(self) -> Result<&'a [u8], Refusal> {
        match self {
            Self::String(payload) => Ok(payload),
            Self::List(_) => Err(Refusal::Malformed),
        }
    }

    /// The items of the list, encoded.
    ///
    /// # Errors
    /// [`Refusal::Malformed`] if it is a string.
    #[inline]
    pub const fn list(self) -> Result<&'a [u8], Refusal> {
        match self {
            Self::List(payload) => Ok(payload),
            Self::String(_) => Err(Refusal::Malformed),
        }
    }

    /// A string of 32 bytes.
    ///
    /// # Errors
    /// [`Refusal::Malformed`] if it is anything else.
    #[inline]
    pub fn hash(self) -> Result<Hash, Refusal> {
        let bytes: &[u8; 32] = self.string()?.try_into().map_err(|_| Refusal::Malformed)?;
        let (words, _) = bytes.as_chunks();
        Ok([0, 1, 2, 3].map(|i| u64::from_le_bytes(words[i])))
    }

    /// A string of at most 32 bytes, the big-endian bytes of an integer.
    ///
    /// # Errors
    /// [`Refusal::Malformed`] if it is anything else.
    #[inline]
    pub fn integer(self) -> Result<U256, Refusal> {
        let bytes = self.string()?;
        if bytes.len() > 32 {
            return Err(Refusal::Malformed);
        }
        let mut value = [0; 4];
        for (i, byte) in bytes.iter().rev().enumerate() {
            value[i / 8] |= u64::from(*byte) << (i % 8 * 8);
        }
        Ok(value)
    }
}

/// The first `length` bytes, and those behind them.
#[inline(always)]
fn take(bytes: &[u8], length: usize) -> Result<(&[u8], &[u8]), Refusal> {
    bytes.split_at_checked(length).ok_or(Refusal::Malformed)
}

/// As [`take`], the length being in the first bytes, big-endian.
#[inline(always)]
fn take_long(bytes: &[u8], length_bytes: u8) -> Result<(&[u8], &[u8]), Refusal> {
    if length_bytes > 3 {
        return Err(Refusal::Malformed);
    }
    let (length, rest) = take(bytes, length_bytes.into())?;
    let length = length
        .iter()
        .fold(0, |length, byte| length << 8 | usize::from(*byte));
    take(rest, length)
}
