//! Byte strings and proofs in the advice.

use leanvm_guest::{read, read_slice};

use crate::bytes::Bytes;

/// The next byte string: its length, then its bytes in whole words.
pub(crate) fn bytes() -> Bytes<'static> {
    let length = *read::<u64>();
    let words = read_slice(length.div_ceil(8));
    Bytes::new(words, length as usize)
}

/// The next proof: the number of its nodes, then each as a byte string. A node is read when it is asked for.
pub(crate) struct Proof {
    left: u64,
}

impl Proof {
    pub(crate) fn read() -> Self {
        Self { left: *read() }
    }
}

impl Iterator for Proof {
    type Item = Bytes<'static>;

    fn next(&mut self) -> Option<Bytes<'static>> {
        self.left = self.left.checked_sub(1)?;
        Some(bytes())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Proof {}
