//! The guest `falcon`: verifies Falcon-512 signatures, each under a key of its own.
//!
//! Falcon-512 is the signature over NTRU lattices of round 3 of NIST's competition, of raw messages. Hash and ring
//! arithmetic are in ordinary instructions. Its exact description is `doc/programs.md`.
//!
//! Advice: the number of entries, then that many [`Entry`]. Commits the [`Claim`] of each, in order.

#![no_std]

mod decode;
mod lanes;
mod norm;
mod packed;
mod point;
mod product;
mod roots;
mod transform;

use leanvm_guest::keccak::State;
use leanvm_guest::{commit, read, words};

use crate::packed::{Point, Poly};

/// The modulus q.
pub const MODULUS: u32 = 12_289;

/// The greatest squared norm of a signature.
pub const BOUND: u64 = 34_034_726;

/// The 896 bytes of a public key behind its header, as big-endian words: 512 coefficients of 14 bits.
pub type PublicKey = [u64; 112];

/// A message of the benchmarks: 32 bytes as little-endian words.
pub type Message = [u64; 4];

words! {
    /// What a signature shows: whoever has the key signed the message.
    pub struct Claim {
        /// The key.
        pub key: PublicKey,
        /// The message.
        pub message: Message,
    }
}

words! {
    /// A signature.
    pub struct Signature {
        /// The nonce: 40 bytes as little-endian words.
        pub nonce: [u64; 5],
        /// The compressed polynomial, 625 bytes and then zeros, as big-endian words.
        pub body: [u64; 80],
    }
}

words! {
    /// A claim and the signature that shows it.
    pub struct Entry {
        /// The claim.
        pub claim: Claim,
        /// The signature.
        pub signature: Signature,
    }
}

/// Why a signature is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A coefficient of the key is not below q.
    Key,
    /// The body is no encoding of 512 coefficients.
    Encoding,
    /// The vector's squared norm is above [`BOUND`].
    TooLong,
}

/// Verifies signatures, one after the other, in memory that is laid out once.
#[derive(Debug)]
pub struct Verifier {
    state: State,
    point: Point,
    s2: Poly,
    h: Poly,
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
            state: State::new(),
            point: Point::zero(),
            s2: Poly::zero(),
            h: Poly::zero(),
        }
    }

    /// Checks that a signature of a message is valid under a key.
    ///
    /// `message`: its bytes as little-endian words; messages of whole words only.
    ///
    /// # Errors
    /// Which check refused it.
    #[inline(always)]
    pub fn verify(&mut self, key: &PublicKey, message: &[u64], signature: &Signature) -> Result<(), Refusal> {
        decode::key(key, &mut self.h)?;
        let s2_norm = decode::body(&signature.body, &mut self.s2)?;
        point::hash(&mut self.state, &signature.nonce, message, &mut self.point);
        transform::forward(&mut self.h.0);
        transform::forward(&mut self.s2.0);
        product::multiply(&mut self.h.0, &self.s2.0);
        transform::inverse_begin(&mut self.h.0);
        let s1_norm = norm::of_difference(&self.point, &self.h);
        if s1_norm + s2_norm <= BOUND {
            Ok(())
        } else {
            Err(Refusal::TooLong)
        }
    }
}

/// The guest's main function.
///
/// # Panics
/// If a signature is refused or the advice ends too soon.
pub fn main() {
    let mut verifier = Verifier::new();
    for _ in 0..*read::<u64>() {
        let Entry { claim, signature } = read::<Entry>();
        if let Err(refusal) = verifier.verify(&claim.key, &claim.message, signature) {
            refuse(refusal)
        }
        commit(claim);
    }
}

#[cold]
#[inline(never)]
fn refuse(refusal: Refusal) -> ! {
    match refusal {
        Refusal::Key => panic!("invalid public key: a coefficient is not below the modulus"),
        Refusal::Encoding => panic!("invalid encoding of a signature"),
        Refusal::TooLong => panic!("a signature is too long"),
    }
}

#[cfg(test)]
mod tests;
