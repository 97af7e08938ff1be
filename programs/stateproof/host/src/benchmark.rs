//! The input of the benchmarks: a made-up block whose state has the shape of mainnet's.

use primitives::blake2s;

use crate::rlp::{integer, list, string};
use crate::trie::{Leaf, build, keccak256};
use crate::{Block, Read};

/// Full branches above an account, and above a slot.
const ACCOUNT_BRANCHES: usize = 7;
const SLOT_BRANCHES: usize = 5;

/// A block with `count` accounts, and reads of slot 0 of each, in order.
///
/// Everything that the state does not fix comes from a stream: draw c (from 1) is the BLAKE2s digest of `stateproof ‖ c`,
/// c as eight little-endian bytes. Account i has nonce i + 1, and its slot 0 holds 20 bytes.
#[must_use]
pub fn benchmark_block(count: usize) -> Block {
    let mut drawn = 0u64;
    let mut draw = || {
        drawn += 1;
        blake2s::hash(&[&b"stateproof"[..], &drawn.to_le_bytes()].concat())
    };
    let slot = [0; 32];
    let mut reads = Vec::new();
    let mut leaves = Vec::new();
    for i in 0..count {
        let address: [u8; 20] = *draw().first_chunk().expect("32 bytes");
        let leaf = Leaf {
            key: keccak256(&slot),
            value: integer(&draw()[..20]),
        };
        let mut storage = build(&[leaf], SLOT_BRANCHES, &mut draw);
        leaves.push(Leaf {
            key: keccak256(&address),
            value: list(&[
                integer(&(i as u64 + 1).to_be_bytes()),
                integer(&draw()[..9]),
                string(&storage.root),
                string(&draw()),
            ]),
        });
        reads.push(Read {
            address,
            slot,
            account_proof: Vec::new(),
            storage_proof: storage.proofs.remove(0),
        });
    }
    let state_root = if leaves.is_empty() {
        draw()
    } else {
        let state = build(&leaves, ACCOUNT_BRANCHES, &mut draw);
        for (read, proof) in reads.iter_mut().zip(state.proofs) {
            read.account_proof = proof;
        }
        state.root
    };
    Block {
        header: header(&state_root, &[], &mut draw),
        reads,
    }
}

/// A header of 21 fields with this state root and this extra data.
pub(crate) fn header(
    state_root: &[u8; 32],
    extra_data: &[u8],
    draw: &mut impl FnMut() -> [u8; 32],
) -> Vec<u8> {
    let bloom: Vec<u8> = (0..8).flat_map(|_| draw()).collect();
    let mut hash = || string(&draw());
    let number = |number: u64| integer(&number.to_be_bytes());
    list(&[
        hash(),
        hash(),
        string(&[0x11; 20]),
        string(state_root),
        hash(),
        hash(),
        string(&bloom),
        number(0),
        number(26_000_000),
        number(60_000_000),
        number(30_000_000),
        number(1_780_000_000),
        string(extra_data),
        hash(),
        string(&[0; 8]),
        number(1_000_000_000),
        hash(),
        number(393_216),
        number(200_000_000),
        hash(),
        hash(),
    ])
}
