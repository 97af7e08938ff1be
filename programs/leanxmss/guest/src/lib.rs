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

pub mod tree;
pub mod winternitz;

use leanvm_guest::blake2s::{Block, Blocks, Template};
use leanvm_guest::{commit, read, read_slice, words};

pub use winternitz::{CHAINS, LAST};

/// A digest of 16 bytes: a chain's value, a node, a root, or a key's parameter.
pub type Half = [u64; 2];

/// The height of the Merkle tree.
pub const HEIGHT: usize = 32;
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

/// The digits of a message's encoding.
pub type Encoding = winternitz::Encoding<TARGET_SUM>;

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
        let [t0, t1] = tweak::words(tweak::LEAF, 0, index);
        let [p0, p1] = *parameter;
        winternitz::public_key(&mut self.step, &mut self.long, [t0, t1, p0, p1], encoding, values)
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
        tree::climb::<UNROLLED>(node, index.into(), leaf, path)
    }
}

/// Levels of the tree that a turn of the loop climbs.
const UNROLLED: usize = 8;

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
