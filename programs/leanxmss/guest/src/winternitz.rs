//! Winternitz one-time keys with a target-sum encoding: 42 chains of eight values each, digests of 16 bytes.
//!
//! The tweaks and the sum are the scheme's that uses them.

use leanvm_guest::blake2s::{Block, Blocks, Length, Template};
use leanvm_guest::hint::opaque;

use crate::Half;

/// The number of chains: digits of an encoding.
pub const CHAINS: usize = 42;
/// The last value of a chain: its first is 0.
pub const LAST: u64 = 7;

/// The digits of a message's encoding, which sum to `SUM`: digit `21 q + r` is bits `3 r..3 r + 3` of word q.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding<const SUM: u64>([u64; 2]);

impl<const SUM: u64> Encoding<SUM> {
    /// The encoding whose digits are in these words, if it is one: bit 63 of both is zero, and the sum is right.
    #[inline(always)]
    #[must_use]
    pub fn new(words: Half) -> Option<Self> {
        let no_other_bit = ((words[0] | words[1]) >> 63) == 0;
        (no_other_bit && digit_sum(words) == SUM).then_some(Self(words))
    }

    /// Digit `i`.
    ///
    /// # Panics
    /// If `i` is not below [`CHAINS`].
    #[inline(always)]
    #[must_use]
    pub const fn digit(self, i: usize) -> u64 {
        self.0[i / 21] >> (i % 21 * 3) & 7
    }
}

/// The sum of the 42 digits of words whose bit 63 is zero.
#[inline(always)]
const fn digit_sum(words: Half) -> u64 {
    // Fields of 6 bits, each a digit; four of those sum to at most 28.
    const EVEN: u64 = 0o7_0707_0707_0707_0707_0707;
    // Fields of 12 bits, each a sum of at most 56.
    const LOW: u64 = 0o17_0077_0077_0077_0077_0077;
    let [a, b] = words;
    let sixes = (a & EVEN) + (a >> 3 & EVEN) + (b & EVEN) + (b >> 3 & EVEN);
    let twelves = (sixes & LOW) + (sixes >> 6 & LOW);
    // The product's field 4 collects fields 0 to 4; its field 5 is the sum with field 5, of 4 bits here.
    (twelves.wrapping_mul(0o1_0001_0001_0001_0001) >> 48 & 0o7777) + (twelves >> 60)
}

/// The one-time public key, which is the hash of the ends of the chains that begin at `values`.
///
/// `step`: tweak, parameter and value of a chain's step, of which this sets the value and the position (half-word
/// 1) and leaves the rest as it is. `ends`: where the ends are hashed. `prefix`: tweak and parameter of that hash.
#[inline(always)]
#[must_use]
pub fn public_key<const SUM: u64>(
    step: &mut Template<48>,
    ends: &mut Block,
    prefix: [u64; 4],
    encoding: Encoding<SUM>,
    values: &[Half; CHAINS],
) -> Half {
    let mut hasher = Blocks::new(ends);
    for (i, word) in prefix.into_iter().enumerate() {
        hasher.set(i, word);
    }

    let length = Length::new();
    // Unrolled: each chain has its own place in the hash, and its own shift in the encoding.
    macro_rules! chains {
        ($($i:literal)*) => {
            $(
                let place = (4 + 2 * $i) % 8;
                if $i > 0 && place == 0 {
                    hasher.advance();
                }
                let [e0, e1] = walk(step, length, $i, encoding.digit($i), values[$i]);
                hasher.set(place, e0);
                hasher.set(place + 1, e1);
            )*
        };
    }
    chains!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20);
    chains!(21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41);

    let [z0, z1, ..] = *hasher.finish(64);
    [z0, z1]
}

/// The end of chain `i`, whose value number `from` is `value`.
#[inline(always)]
fn walk(step: &mut Template<48>, length: Length<48>, i: u64, from: u64, mut value: Half) -> Half {
    if from == LAST {
        return value;
    }
    // Were the positions known to count, a second counter would go down to zero beside them.
    let mut position = 8 * i + opaque(from);
    loop {
        step.set_half(1, position as u32);
        step.set(4, value[0]);
        step.set(5, value[1]);
        let [z0, z1, ..] = *step.hash_with(length);
        value = [z0, z1];
        position = opaque(position + 1);
        if position == 8 * i + LAST {
            return value;
        }
    }
}
