//! The host side of the guest `stateproof`: blocks with reads, the benchmarks' block, its program, its advice and the
//! output to expect.

mod benchmark;
mod rlp;
mod trie;

use leanvm_guest::host::PublicValues;
use stateproof_guest::bytes::Bytes;
use stateproof_guest::{Address, Claim, Hash, Header, Keccak, Refusal, account, slot};
use thiserror::Error;

pub use benchmark::benchmark_block;

/// The program.
pub const ELF: &[u8] = include_bytes!("../../stateproof.elf");

/// Words of the program's advice region.
const ADVICE_WORDS: usize = 1 << 15;

/// The most reads of a [`benchmark_block`] that the program's advice region holds.
pub const MAX_BENCHMARK_READS: usize = 38;

/// A block's header and reads of its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The header, encoded.
    pub header: Vec<u8>,
    /// The reads.
    pub reads: Vec<Read>,
}

/// An account, one of its slots, and their proofs: the nodes from the root on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The account's address.
    pub address: [u8; 20],
    /// The slot's number.
    pub slot: [u8; 32],
    /// The proof of the account.
    pub account_proof: Vec<Vec<u8>>,
    /// The proof of the slot.
    pub storage_proof: Vec<Vec<u8>>,
}

/// More than the program's advice region holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{reads} reads do not fit the program's advice region: the first {max} do")]
pub struct TooMany {
    /// The reads given.
    pub reads: usize,
    /// How many of them fit, from the first on.
    pub max: usize,
}

/// The advice for a block.
///
/// # Errors
/// [`TooMany`] if it is longer than the program's region. (Of a header that does not fit by itself, no read does.)
pub fn advice(block: &Block) -> Result<Vec<u64>, TooMany> {
    let mut words = Vec::new();
    push_bytes(&mut words, &block.header);
    words.push(block.reads.len() as u64);
    for (before, read) in block.reads.iter().enumerate() {
        words.extend(address_words(&read.address));
        words.extend(hash_words(&read.slot));
        push_proof(&mut words, &read.account_proof);
        push_proof(&mut words, &read.storage_proof);
        if words.len() > ADVICE_WORDS {
            return Err(TooMany {
                reads: block.reads.len(),
                max: before,
            });
        }
    }
    Ok(words)
}

fn push_proof(words: &mut Vec<u64>, proof: &[Vec<u8>]) {
    words.push(proof.len() as u64);
    for node in proof {
        push_bytes(words, node);
    }
}

fn push_bytes(words: &mut Vec<u64>, bytes: &[u8]) {
    words.push(bytes.len() as u64);
    words.extend(padded_words(bytes));
}

/// The bytes as words, zeros behind them.
fn padded_words(bytes: &[u8]) -> Vec<u64> {
    let mut padded = bytes.to_vec();
    padded.resize(bytes.len().next_multiple_of(8), 0);
    padded
        .as_chunks()
        .0
        .iter()
        .map(|word| u64::from_le_bytes(*word))
        .collect()
}

/// An address as the guest reads it.
#[must_use]
pub fn address_words(address: &[u8; 20]) -> Address {
    padded_words(address).try_into().expect("three words")
}

/// A hash or a slot's number as the guest reads it.
#[must_use]
pub fn hash_words(hash: &[u8; 32]) -> Hash {
    padded_words(hash).try_into().expect("four words")
}

/// The block's hash, and what each read shows.
///
/// # Errors
/// Which check refused the header or a proof.
pub fn statement(block: &Block) -> Result<(Hash, Vec<Claim>), Refusal> {
    let keccak = &mut Keccak::new();
    let header = padded_words(&block.header);
    let header = Header::new(keccak, Bytes::new(&header, block.header.len()))?;
    let claims = block.reads.iter().map(|read| {
        let (address, number) = (address_words(&read.address), hash_words(&read.slot));
        let [account_proof, storage_proof] = [&read.account_proof, &read.storage_proof].map(|proof| {
            proof
                .iter()
                .map(|node| (padded_words(node), node.len()))
                .collect::<Vec<_>>()
        });
        let account = account(keccak, &header.state_root, &address, &mut nodes(&account_proof))?;
        let value = slot(keccak, &account.storage_root, &number, &mut nodes(&storage_proof))?;
        Ok(Claim {
            address,
            account,
            slot: number,
            value,
        })
    });
    Ok((header.block_hash, claims.collect::<Result<_, _>>()?))
}

/// The nodes of a proof as the guest reads them.
fn nodes(proof: &[(Vec<u64>, usize)]) -> impl ExactSizeIterator<Item = Bytes<'_>> {
    proof.iter().map(|(words, length)| Bytes::new(words, *length))
}

/// The output of the run that shows these claims at a block.
#[must_use]
pub fn output<'a>(block_hash: &Hash, claims: impl IntoIterator<Item = &'a Claim>) -> [u8; 32] {
    claims
        .into_iter()
        .fold(PublicValues::new().commit(block_hash), PublicValues::commit)
        .output()
}

#[cfg(test)]
mod tests;
