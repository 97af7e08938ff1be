//! Amounts of 128 bits, and their sums.

use leanvm_guest::words;

words! {
    /// An amount: the words of its sixteen big-endian bytes.
    pub struct Amount {
        /// The upper half, bytes reversed.
        pub high: u64,
        /// The lower half, bytes reversed.
        pub low: u64,
    }
}

/// A sum of a few amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    low: u128,
    /// How often 2^128 was reached.
    high: u64,
}

impl Amount {
    /// Whether the amount is 0.
    #[inline(always)]
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        self.high | self.low == 0
    }

    /// The number.
    #[inline(always)]
    #[must_use]
    pub const fn value(&self) -> u128 {
        // Most amounts are below 2^64.
        let high = if self.high == 0 {
            0
        } else {
            (reverse_bytes(self.high) as u128) << 64
        };
        high | reverse_bytes(self.low) as u128
    }

    /// The amount of this value.
    #[must_use]
    pub const fn new(value: u128) -> Self {
        Self {
            high: reverse_bytes((value >> 64) as u64),
            low: reverse_bytes(value as u64),
        }
    }
}

impl Sum {
    /// The sum of amounts, without wrapping around.
    #[inline(always)]
    #[must_use]
    pub(crate) fn of<const N: usize>(amounts: [&Amount; N]) -> Self {
        let mut sum = Self { low: 0, high: 0 };
        for amount in amounts {
            let (low, carry) = sum.low.overflowing_add(amount.value());
            sum = Self {
                low,
                high: sum.high + u64::from(carry),
            };
        }
        sum
    }
}

/// The word's bytes in reverse order: in halves, quarters and eighths, which is half of what the compiler makes of
/// `swap_bytes` on a machine without an instruction for it.
#[inline(always)]
pub(crate) const fn reverse_bytes(word: u64) -> u64 {
    const EIGHTHS: u64 = 0x00ff_00ff_00ff_00ff;
    const QUARTERS: u64 = 0x0000_ffff_0000_ffff;
    let word = word.rotate_left(32);
    let word = (word & QUARTERS) << 16 | word >> 16 & QUARTERS;
    (word & EIGHTHS) << 8 | word >> 8 & EIGHTHS
}
