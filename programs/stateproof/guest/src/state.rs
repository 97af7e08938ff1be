//! Headers, accounts and slots.

use crate::bytes::Bytes;
use crate::keccak::{Hash, Keccak};
use crate::{Account, Address, Refusal, U256, rlp, trie};

/// The root of the empty trie: the hash of the encoding of nothing, `80`.
pub(crate) const EMPTY_ROOT: Hash = [
    0xa655_cc1b_171f_e856,
    0x6ef8_c092_e645_83ff,
    0xc0ad_6c99_1be0_485b,
    0x21b4_63e3_b52f_6201,
];

/// The hash of no code.
const EMPTY_CODE: Hash = [
    0x3c23_f786_0146_d2c5,
    0xc003_c7dc_b27d_7e92,
    0x3b27_82ca_53b6_00e5,
    0x70a4_855d_04d8_fa7b,
];

/// What a block's header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The hash of the header.
    pub block_hash: Hash,
    /// The root of the state: the header's fourth item.
    pub state_root: Hash,
}

impl Header {
    /// The header in these bytes.
    ///
    /// # Errors
    /// [`Refusal::Malformed`] if they are no list whose fourth item is a hash.
    pub fn new(keccak: &mut Keccak, bytes: Bytes<'_>) -> Result<Self, Refusal> {
        let mut items = rlp::whole(bytes.as_slice())?.list()?;
        for _ in 0..3 {
            (_, items) = rlp::split(items)?;
        }
        let (state_root, _) = rlp::split(items)?;
        Ok(Self {
            block_hash: keccak.hash(bytes),
            state_root: state_root.hash()?,
        })
    }
}

/// The account at an address, under the root of a state; an empty one if there is none.
///
/// # Errors
/// Which check refused the address or the proof.
pub fn account<'a>(
    keccak: &mut Keccak,
    state_root: &Hash,
    address: &Address,
    proof: &mut impl ExactSizeIterator<Item = Bytes<'a>>,
) -> Result<Account, Refusal> {
    if address[2] >> 32 != 0 {
        return Err(Refusal::Malformed);
    }
    let key = keccak.hash(Bytes::new(address, 20));
    let Some(value) = trie::value(keccak, state_root, &key, proof)? else {
        return Ok(Account {
            nonce: 0,
            balance: [0; 4],
            storage_root: EMPTY_ROOT,
            code_hash: EMPTY_CODE,
        });
    };
    let items = rlp::whole(value)?.list()?;
    let (nonce, items) = rlp::split(items)?;
    let (balance, items) = rlp::split(items)?;
    let (storage_root, items) = rlp::split(items)?;
    let (code_hash, _) = rlp::split(items)?;
    // A nonce is below 2^64 (EIP-2681).
    let [nonce, 0, 0, 0] = nonce.integer()? else {
        return Err(Refusal::Malformed);
    };
    Ok(Account {
        nonce,
        balance: balance.integer()?,
        storage_root: storage_root.hash()?,
        code_hash: code_hash.hash()?,
    })
}

/// The value of a slot, under the root of an account's storage; 0 if there is none.
///
/// # Errors
/// Which check refused the proof.
pub fn slot<'a>(
    keccak: &mut Keccak,
    storage_root: &Hash,
    slot: &Hash,
    proof: &mut impl ExactSizeIterator<Item = Bytes<'a>>,
) -> Result<U256, Refusal> {
    let key = keccak.hash(Bytes::new(slot, 32));
    match trie::value(keccak, storage_root, &key, proof)? {
        Some(value) => rlp::whole(value)?.integer(),
        None => Ok([0; 4]),
    }
}
