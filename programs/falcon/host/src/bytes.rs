//! Keys and signatures from their bytes to the words that the guest reads.

use falcon_guest::{PublicKey, Signature};
use thiserror::Error;

/// Bytes of a public key: a header, and 512 coefficients of 14 bits.
pub const PUBLIC_KEY_BYTES: usize = 897;

/// What a public key begins with: nothing but log2 of the degree.
const PUBLIC_KEY_HEADER: u8 = 0x09;

/// What a signature begins with: compressed, and log2 of the degree.
const SIGNATURE_HEADER: u8 = 0x39;

/// Bytes of a nonce.
const NONCE_BYTES: usize = 40;

/// The most bytes that a body has; it may be padded to them by zeros.
const BODY_BYTES: usize = 625;

/// Bytes that are no key or no signature by their header or their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Malformed {
    /// Another header.
    #[error("the header is {found:#04x}, and that of Falcon-512 is {expected:#04x}")]
    Header {
        /// The first byte.
        found: u8,
        /// What it must be.
        expected: u8,
    },
    /// Too few or too many bytes.
    #[error("there are {found} bytes, and {min} to {max} are possible")]
    Length {
        /// How many there are.
        found: usize,
        /// The fewest.
        min: usize,
        /// The most.
        max: usize,
    },
}

/// The words of a public key of [`PUBLIC_KEY_BYTES`] bytes.
///
/// # Errors
/// [`Malformed`] if it has another header or length.
pub fn public_key(bytes: &[u8]) -> Result<PublicKey, Malformed> {
    let coefficients = unframed(bytes, PUBLIC_KEY_HEADER, PUBLIC_KEY_BYTES, PUBLIC_KEY_BYTES)?;
    Ok(big_endian(coefficients))
}

/// The words of a signature: a header, 40 bytes of nonce, and a body of at most 625 bytes.
///
/// # Errors
/// [`Malformed`] if it has another header or such a length. (The guest checks the body.)
pub fn signature(bytes: &[u8]) -> Result<Signature, Malformed> {
    let (min, max) = (1 + NONCE_BYTES, 1 + NONCE_BYTES + BODY_BYTES);
    let (nonce, body) = unframed(bytes, SIGNATURE_HEADER, min, max)?.split_at(NONCE_BYTES);
    Ok(Signature {
        nonce: big_endian(nonce).map(u64::swap_bytes),
        body: big_endian(body),
    })
}

/// What is behind the header.
fn unframed(bytes: &[u8], expected: u8, min: usize, max: usize) -> Result<&[u8], Malformed> {
    match bytes {
        [found, ..] if *found != expected => Err(Malformed::Header {
            found: *found,
            expected,
        }),
        [_, rest @ ..] if (min..=max).contains(&bytes.len()) => Ok(rest),
        _ => Err(Malformed::Length {
            found: bytes.len(),
            min,
            max,
        }),
    }
}

/// The bytes as big-endian words, zeros behind them.
fn big_endian<const WORDS: usize>(bytes: &[u8]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (i, byte) in bytes.iter().enumerate() {
        words[i / 8] |= u64::from(*byte) << (56 - i % 8 * 8);
    }
    words
}
