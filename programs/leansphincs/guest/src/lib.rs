//! The guest `leansphincs`: verifies leanSPHINCS signatures, each under a key of its own.
//!
//! leanSPHINCS is a stateless hash-based signature after SPHINCS+, with two savings of ePrint 2022/778: encodings of
//! a fixed sum in place of the Winternitz checksum, and one FORS tree fewer. Three layers of Merkle trees (a
//! hypertree) certify 2^26 few-time keys. Digests have 16 bytes. Chains and trees are leanXMSS's, under other tweaks. Its exact description is `doc/programs.md`.
//!
//! Advice: the number of entries, then as many [`Entry`]s. Commits the [`Claim`] of each.
//!
//! Digests, parameters and messages are little-endian words throughout, two words a digest.

#![no_std]

mod selection;
pub mod tweak;
mod verify;

use leanvm_guest::{commit, read, read_slice, words};
use leanxmss_guest::winternitz;

pub use leanxmss_guest::Half;
pub use leanxmss_guest::winternitz::{CHAINS, LAST};
pub use selection::{Position, Selection};
pub use verify::{Refusal, Verifier};

/// The sum of the digits of every encoding.
pub const TARGET_SUM: u64 = 191;

/// The digits of an encoding of what a one-time key signs.
pub type Encoding = winternitz::Encoding<TARGET_SUM>;

/// The trees of a few-time key.
pub const FORS_TREES: usize = 14;
/// The height of such a tree.
pub const FORS_HEIGHT: usize = 10;
/// The layers of the hypertree, the top one first.
pub const LAYERS: [Layer; 3] = [
    Layer {
        height: 12,
        below: 14,
    },
    Layer { height: 7, below: 7 },
    Layer { height: 7, below: 0 },
];

/// A layer of the hypertree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The height of each of its trees.
    pub height: u32,
    /// The heights of the layers below it, summed.
    pub below: u32,
}

words! {
    /// A public key.
    pub struct PublicKey {
        /// The root of the topmost tree.
        pub root: Half,
        /// The parameter, hashed with everything.
        pub parameter: Half,
    }
}

words! {
    /// What a signature shows: this key signed this message.
    pub struct Claim {
        /// The key.
        pub key: PublicKey,
        /// The message: 32 bytes, a hash already.
        pub message: [u64; 4],
    }
}

words! {
    /// An opened leaf of a FORS tree.
    pub struct Opening {
        /// The leaf's secret.
        pub secret: Half,
        /// The siblings on the path from leaf to root, the leaf's first.
        pub path: [Half; FORS_HEIGHT],
    }
}

words! {
    /// A signature by a one-time key.
    pub struct OneTime {
        /// The counter of the encoding, below 2^32.
        pub counter: u64,
        /// A value of each chain.
        pub chains: [Half; CHAINS],
    }
}

words! {
    /// A signature.
    pub struct Signature {
        /// The randomizer of the message.
        pub rho: Half,
        /// The opened leaf of each FORS tree.
        pub fors: [Opening; FORS_TREES],
        /// Layer 0 signs the root of the tree of layer 1.
        pub top: OneTime,
        /// The path to the root.
        pub top_path: [Half; 12],
        /// Layer 1 signs the root of the tree of layer 2.
        pub middle: OneTime,
        /// The path to that tree's root.
        pub middle_path: [Half; 7],
        /// Layer 2 signs the few-time key.
        pub bottom: OneTime,
        /// The path to that tree's root.
        pub bottom_path: [Half; 7],
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

/// The guest's main function.
///
/// # Panics
/// If a signature is refused or the advice ends too soon.
pub fn main() {
    let mut verifier = Verifier::new();
    for entry in read_slice::<Entry>(*read()) {
        match verifier.verify(&entry.claim, &entry.signature) {
            Ok(()) => commit(&entry.claim),
            Err(Refusal::Digest) => panic!("a signature has an inadmissible message digest"),
            Err(Refusal::Encoding { layer: 0 }) => {
                panic!("a signature has an inadmissible encoding at layer 0")
            }
            Err(Refusal::Encoding { layer: 1 }) => {
                panic!("a signature has an inadmissible encoding at layer 1")
            }
            Err(Refusal::Encoding { .. }) => panic!("a signature has an inadmissible encoding at layer 2"),
            Err(Refusal::Root) => panic!("a signature ends in another root than the key's"),
        }
    }
}
