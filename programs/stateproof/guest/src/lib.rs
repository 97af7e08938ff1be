//! The guest `stateproof`: checks proofs of accounts and storage slots of Ethereum at one block.
//!
//! The proofs are those of `eth_getProof` (EIP-1186), anchored at the hash of the block's header. Hash and encoding
//! are Ethereum's, keccak256 and RLP, in ordinary instructions. Its exact description is `doc/programs.md`.
//!
//! Advice: the header, the number of reads, then for each read address, slot, and the proofs of account and slot.
//! Commits the block's hash, then the [`Claim`] of each read.

#![no_std]

mod advice;
pub mod bytes;
pub mod keccak;
pub mod rlp;
mod state;
pub mod trie;

use leanvm_guest::{commit, read, words};

pub use keccak::{Hash, Keccak};
pub use state::{Header, account, slot};

/// An integer of 256 bits: words from the lowest on.
pub type U256 = [u64; 4];

/// Twenty bytes as little-endian words, then four zero bytes.
pub type Address = [u64; 3];

words! {
    /// An account.
    pub struct Account {
        /// The transactions that it sent.
        pub nonce: u64,
        /// Its balance.
        pub balance: U256,
        /// The root of its storage.
        pub storage_root: Hash,
        /// The hash of its code.
        pub code_hash: Hash,
    }
}

words! {
    /// What a read shows: at the block, this account and this slot of it have these contents.
    pub struct Claim {
        /// The account's address.
        pub address: Address,
        /// The account; an empty one if there is none.
        pub account: Account,
        /// The slot's number: 32 bytes.
        pub slot: Hash,
        /// The slot's value; 0 if there is none.
        pub value: U256,
    }
}

/// Why a header or a proof is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A header, a node, a value or an address has not the form that it must have.
    Malformed,
    /// A node's hash is not the one that leads to it.
    Hash,
    /// The proof ends before the walk does.
    TooShort,
    /// The proof has a node after the walk's end.
    TooLong,
    /// A node stands in its parent instead of the hash; no trie with keys of 32 bytes has one.
    InlineNode,
}

/// The guest's main function.
///
/// # Panics
/// If a proof is refused or the advice ends too soon.
pub fn main() {
    let mut keccak = Keccak::new();
    if let Err(refusal) = run(&mut keccak) {
        refuse(refusal)
    }
}

fn run(keccak: &mut Keccak) -> Result<(), Refusal> {
    let header = Header::new(keccak, advice::bytes())?;
    commit(&header.block_hash);
    for _ in 0..*read::<u64>() {
        let address = read::<Address>();
        let number = read::<Hash>();
        let account = account(keccak, &header.state_root, address, &mut advice::Proof::read())?;
        let value = slot(keccak, &account.storage_root, number, &mut advice::Proof::read())?;
        commit(&Claim {
            address: *address,
            account,
            slot: *number,
            value,
        });
    }
    Ok(())
}

#[cold]
#[inline(never)]
fn refuse(refusal: Refusal) -> ! {
    match refusal {
        Refusal::Malformed => panic!("a header, a node, a value or an address is malformed"),
        Refusal::Hash => panic!("a node has another hash than the one that leads to it"),
        Refusal::TooShort => panic!("a proof ends before its key does"),
        Refusal::TooLong => panic!("a proof has a node after its end"),
        Refusal::InlineNode => panic!("a node stands in its parent"),
    }
}
