//! The guest `leanxmss`: verifies leanXMSS signatures, each under a key of its own.
//!
//! leanXMSS is a synchronised hash-based signature: Winternitz chains with a target-sum encoding (ePrint
//! 2025/055) under one Merkle tree of 2^32 one-time keys, with digests of 16 bytes. Its exact description is
//! `doc/programs.md`.
//!
//! Advice: the number of entries, then as many [`Entry`]s. Commits the [`Claim`] of each.
//!
//! Digests, parameters and messages are little-endian words throughout, two words a digest.

#![no_std]

use leanvm_guest::blake2s::{Block, Blocks, Template};
use leanvm_guest::hint::opaque;
use leanvm_guest::{commit, read, read_slice, words};

/// A digest of 16 bytes: a chain's value, a node, a root, or a key's parameter.
pub type Half = [u64; 2];

/// The number of chains: digits of an encoding.
pub const CHAINS: usize = 42;
/// The height of the Merkle tree.
pub const HEIGHT: usize = 32;
/// The last value of a chain: its first is 0.
pub const LAST: u64 = 7;
/// The sum of the digits of every encoding.
pub const TARGET_SUM: u64 = 195;

words! {
    /// A public key.
    pub struct PublicKey {
        /// The root of the tree.
        pub root: Half,
        /// The parameter, hashed with everything.
        pub parameter: Half,
    }
}

words! {
    /// What a signature shows: this key signed this message with its one-time key number `leaf`.
    pub struct Claim {
        /// The key.
        pub key: PublicKey,
        /// The number of the one-time key, below 2^32.
        pub leaf: u64,
        /// The message: 32 bytes, a hash already.
        pub message: [u64; 4],
    }
}

words! {
    /// A signature.
    pub struct Signature {
        /// A value of each chain.
        pub chains: [Half; CHAINS],
        /// The randomness of the encoding.
        pub rho: [u64; 3],
        /// The siblings on the path from leaf to root, the leaf's first.
        pub path: [Half; HEIGHT],
    }
}

words! {
    /// One item of the advice.
    pub struct Entry {
        /// The claim.
        pub claim: Claim,
        /// The signature that shows it.
        pub signature: Signature,
    }
}

/// Why a signature is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The leaf index is 2^32 or more.
    LeafIndex,
    /// The digits do not sum to [`TARGET_SUM`], or the digest has a bit that is no digit's.
    Encoding,
    /// The path does not end in the root.
    Path,
}

/// The first byte pair of a tweak: what is hashed.
pub mod tweak {
    /// The secret start of a chain.
    pub const START: u64 = 0;
    /// A step of a chain.
    pub const STEP: u64 = 1;
    /// A leaf, from the ends of its chains.
    pub const LEAF: u64 = 2;
    /// An inner node.
    pub const NODE: u64 = 3;
    /// The encoding of a message.
    pub const ENCODING: u64 = 4;
    /// A key's parameter.
    pub const PARAMETER: u64 = 5;
    /// A node that stands for a part of the tree that is never used.
    pub const FILLER: u64 = 6;
    /// The randomness of a signature.
    pub const RANDOMNESS: u64 = 7;

    /// The tweak's two words: bytes `00 kind 00 00`, then `position`, 4 zero bytes and `index`, little-endian.
    #[inline(always)]
    #[must_use]
    pub const fn words(kind: u64, position: u32, index: u32) -> [u64; 2] {
        [kind << 8 | (position as u64) << 32, (index as u64) << 32]
    }
}

/// The digits of a message's encoding: digit `21 q + r` is bits `3 r..3 r + 3` of word q.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding([u64; 2]);

impl Encoding {
    /// The encoding whose digits are in these words, if it is one.
    #[inline(always)]
    #[must_use]
    pub fn new(words: Half) -> Option<Self> {
        let no_other_bit = ((words[0] | words[1]) >> 63) == 0;
        (no_other_bit && digit_sum(words) == TARGET_SUM).then_some(Self(words))
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

/// Verifies signatures, one after the other, in memory that is laid out once.
#[derive(Debug)]
pub struct Verifier {
    /// A chain's step: tweak, parameter, value.
    step: Template<48>,
    /// An inner node: tweak, parameter, left, right.
    node: Template<64>,
    /// The longer hashes.
    long: Block,
}

impl Default for Verifier {
    fn default() -> Self {
        Self::new()
    }
}

impl Verifier {
    /// Ready for any signature.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            step: Template::new(),
            node: Template::new(),
            long: Block::new(),
        }
    }

    /// Checks that `signature` shows `claim`.
    ///
    /// # Errors
    /// Which check refused it.
    #[inline(always)]
    pub fn verify(&mut self, claim: &Claim, signature: &Signature) -> Result<(), Refusal> {
        let index = u32::try_from(claim.leaf).map_err(|_| Refusal::LeafIndex)?;
        let digits = self.encode(claim, index, &signature.rho);
        let encoding = Encoding::new(digits).ok_or(Refusal::Encoding)?;
        let leaf = self.leaf(&claim.key.parameter, index, encoding, &signature.chains);
        let root = self.climb(&claim.key.parameter, index, leaf, &signature.path);
        if root == claim.key.root {
            Ok(())
        } else {
            Err(Refusal::Path)
        }
    }

    /// The words that hold the digits of the claim's message under the randomness `rho`.
    #[inline(always)]
    pub fn encode(&mut self, claim: &Claim, index: u32, rho: &[u64; 3]) -> Half {
        let mut hasher = Blocks::new(&mut self.long);
        let [t0, t1] = tweak::words(tweak::ENCODING, 0, index);
        let [p0, p1] = claim.key.parameter;
        let [m0, m1, m2, m3] = claim.message;
        set_all(&mut hasher, [t0, t1, p0, p1, m0, m1, m2, m3]);
        hasher.advance();
        let [r0, r1, r2] = *rho;
        set_all(&mut hasher, [r0, r1, r2, 0, 0, 0, 0, 0]);
        let [d0, d1, ..] = *hasher.finish(32);
        [d0, d1]
    }

    /// The leaf: the hash of the ends of the chains that begin at `values`.
    #[inline(always)]
    fn leaf(&mut self, parameter: &Half, index: u32, encoding: Encoding, values: &[Half; CHAINS]) -> Half {
        let [t0, t1] = tweak::words(tweak::STEP, 0, index);
        self.step.set(0, t0);
        self.step.set(1, t1);
        self.step.set(2, parameter[0]);
        self.step.set(3, parameter[1]);
        let mut hasher = Blocks::new(&mut self.long);
        let [t0, t1] = tweak::words(tweak::LEAF, 0, index);
        hasher.set(0, t0);
        hasher.set(1, t1);
        hasher.set(2, parameter[0]);
        hasher.set(3, parameter[1]);

        // Unrolled: each chain has its own place in the hash, and its own shift in the encoding.
        macro_rules! chains {
            ($($i:literal)*) => {
                $(
                    let place = (4 + 2 * $i) % 8;
                    if $i > 0 && place == 0 {
                        hasher.advance();
                    }
                    let [e0, e1] = walk(&mut self.step, $i, encoding.digit($i), values[$i]);
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

    /// The root above the leaf number `index`.
    #[inline(always)]
    fn climb(&mut self, parameter: &Half, index: u32, leaf: Half, path: &[Half; HEIGHT]) -> Half {
        let node = &mut self.node;
        let [t0, t1] = tweak::words(tweak::NODE, 0, 0);
        node.set(0, t0);
        node.set(1, t1);
        node.set(2, parameter[0]);
        node.set(3, parameter[1]);
        let (mut at, mut index) = (leaf, u64::from(index));
        for (level, siblings) in (1..).step_by(UNROLLED).zip(path.as_chunks::<UNROLLED>().0) {
            for (level, sibling) in (level..).zip(siblings) {
                let (left, right) = if index & 1 == 0 {
                    (&at, sibling)
                } else {
                    (sibling, &at)
                };
                node.set(4, left[0]);
                node.set(5, left[1]);
                node.set(6, right[0]);
                node.set(7, right[1]);
                index >>= 1;
                node.set_half(1, level);
                node.set_half(3, index as u32);
                let [z0, z1, ..] = *node.hash();
                at = [z0, z1];
            }
        }
        at
    }
}

/// Levels of the tree that a turn of the loop climbs.
const UNROLLED: usize = 4;

/// The end of chain `i`, whose value number `from` is `value`.
#[inline(always)]
fn walk(step: &mut Template<48>, i: u64, from: u64, mut value: Half) -> Half {
    if from == LAST {
        return value;
    }
    // Were the positions known to count, a second counter would go down to zero beside them.
    let mut position = 8 * i + opaque(from);
    loop {
        step.set_half(1, position as u32);
        step.set(4, value[0]);
        step.set(5, value[1]);
        let [z0, z1, ..] = *step.hash();
        value = [z0, z1];
        position = opaque(position + 1);
        if position == 8 * i + LAST {
            return value;
        }
    }
}

#[inline(always)]
fn set_all(hasher: &mut Blocks<'_>, words: [u64; 8]) {
    for (i, word) in words.into_iter().enumerate() {
        hasher.set(i, word);
    }
}

/// The guest's main function.
///
/// # Panics
/// If a signature is refused or the advice ends too soon.
pub fn main() {
    let mut verifier = Verifier::new();
    for entry in read_slice::<Entry>(*read()) {
        match verifier.verify(&entry.claim, &entry.signature) {
            Ok(()) => commit(&entry.claim),
            Err(Refusal::LeafIndex) => panic!("a leaf index is 2^32 or more"),
            Err(Refusal::Encoding) => panic!("a signature has an invalid encoding"),
            Err(Refusal::Path) => panic!("a signature has an invalid Merkle path"),
        }
    }
}
