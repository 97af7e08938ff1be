//! Encoding RLP.

/// A byte string's encoding.
pub(crate) fn string(bytes: &[u8]) -> Vec<u8> {
    match bytes {
        [byte @ ..=0x7f] => vec![*byte],
        _ => [prefix(0x80, bytes.len()), bytes.to_vec()].concat(),
    }
}

/// A list's encoding, from those of its items.
pub(crate) fn list(items: &[Vec<u8>]) -> Vec<u8> {
    let payload = items.concat();
    [prefix(0xc0, payload.len()), payload].concat()
}

/// An integer's encoding: a string of its big-endian bytes without zeros in front.
pub(crate) fn integer(big_endian: &[u8]) -> Vec<u8> {
    let zeros = big_endian.iter().take_while(|byte| **byte == 0).count();
    string(&big_endian[zeros..])
}

/// The bytes before a payload; `short`: the first byte for an empty one.
fn prefix(short: u8, length: usize) -> Vec<u8> {
    if length <= 55 {
        return vec![short + length as u8];
    }
    let bytes = length.to_be_bytes();
    let zeros = length.leading_zeros() as usize / 8;
    let length = &bytes[zeros..];
    [&[short + 55 + length.len() as u8], length].concat()
}
