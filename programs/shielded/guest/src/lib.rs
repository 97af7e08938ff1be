//! The guest `shielded`: checks spends of a minimal privacy pool.
//!
//! A spend destroys two notes and makes two, pays an amount out of the pool and a fee, and shows a nullifier of each
//! note that it destroys. Its exact description is `doc/programs.md`. Whether the root is recent, whether a nullifier
//! was shown before, the authorizer's signature and the settlement are not this guest's.
//!
//! Advice: the number of spends, then as many [`Spend`]s. Commits the statement of each, a digest.

#![no_std]

mod amount;
mod hash;
mod spend;

use leanvm_guest::{commit, read, read_slice, words};

pub use amount::Amount;
pub use hash::{Digest, Hasher, tag};
pub use spend::{Refusal, check};

/// The height of the tree of notes.
pub const HEIGHT: usize = 20;

words! {
    /// A note that is spent.
    pub struct Input {
        /// The secret of the note's owner.
        pub spend_key: Digest,
        /// The randomness of the note.
        pub rho: Digest,
        /// The note's value; a note of value 0 is a dummy, in the tree or not.
        pub value: Amount,
        /// The note's place in the tree, below 2^20.
        pub index: u64,
        /// The siblings on the path from the note to the root, the note's first.
        pub path: [Digest; HEIGHT],
    }
}

words! {
    /// A note that is made.
    pub struct Output {
        /// The hash of owner and randomness.
        pub inner: Digest,
        /// The note's value.
        pub value: Amount,
    }
}

words! {
    /// What a spend says beside its notes, as it enters the statement.
    pub struct Header {
        /// The root of the tree of notes.
        pub root: Digest,
        /// What the nullifiers are for.
        pub domain: Digest,
        /// The amount that leaves the pool.
        pub public_amount: Amount,
        /// The fee.
        pub fee: Amount,
        /// Who receives the public amount, and who authorises the spend: 20 bytes each.
        pub parties: [u64; 5],
    }
}

words! {
    /// One item of the advice.
    pub struct Spend {
        /// What enters the statement as it stands.
        pub header: Header,
        /// The notes that are spent.
        pub inputs: [Input; 2],
        /// The notes that are made.
        pub outputs: [Output; 2],
    }
}

/// The guest's main function.
///
/// # Panics
/// If a spend breaks a rule or the advice ends too soon.
pub fn main() {
    let mut hasher = Hasher::new();
    for spend in read_slice::<Spend>(*read()) {
        match check(&mut hasher, spend) {
            Ok(statement) => commit(&statement),
            Err(refusal) => refuse(refusal),
        }
    }
}

#[cold]
#[inline(never)]
fn refuse(refusal: Refusal) -> ! {
    match refusal {
        Refusal::Index => panic!("rule 1: an input's index is 2^20 or more"),
        Refusal::Root => panic!("rule 2: an input is not in the tree"),
        Refusal::NoInput => panic!("rule 3: both inputs have value 0"),
        Refusal::Balance => panic!("rule 4: the inputs are not worth what is made of them"),
        Refusal::EmptyOutput => panic!("rule 5: an output of value 0 is not its sink"),
        Refusal::FundedSink => panic!("rule 6: an output with a value is a sink"),
        Refusal::Authorizer => panic!("rule 7: nobody authorises the spend"),
        Refusal::Recipient => panic!("rule 8: there is a recipient without an amount, or an amount without"),
        Refusal::SameNullifier => panic!("rule 9: both inputs are the same note"),
        Refusal::SameCommitment => panic!("rule 10: both outputs are the same note"),
    }
}
