//! Known answers of mainnet, the hash against another implementation, and every way to spoil a proof.

use guest_test::Guest;
use primitives::blake2s::{self, digest_to_words};
use sha3::{Digest as _, Keccak256};
use stateproof_guest::bytes::Bytes;
use stateproof_guest::{Account, Hash, Header, Keccak, Refusal, account, main};

use crate::benchmark::header;
use crate::trie::{Leaf, keccak256, leaf_node, nibble, path};
use crate::{
    Block, ELF, MAX_BENCHMARK_READS, Read, TooMany, address_words, advice, benchmark_block, hash_words,
    nodes, output, padded_words, rlp, statement,
};

const GUEST: Guest = Guest { elf: ELF, main };

/// The header of mainnet's block 26,132,559, and the proof of the account `WETH` in it: a node a line.
const HEADER: &str = include_str!("../vectors/header.hex");
const WETH_PROOF: &str = include_str!("../vectors/weth_account.hex");
const WETH: &str = "c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits
        .as_chunks()
        .0
        .iter()
        .map(|[high, low]| (high << 4 | low) as u8)
        .collect()
}

fn hash(hex: &str) -> Hash {
    hash_words(&bytes(hex).try_into().expect("32 bytes"))
}

fn keccak_of(bytes: &[u8]) -> Hash {
    Keccak::new().hash(Bytes::new(&padded_words(bytes), bytes.len()))
}

fn words(block: &Block) -> Vec<u64> {
    advice(block).expect("the block fits")
}

#[test]
fn keccak256_has_its_known_answers() {
    for (message, digest) in [
        (
            &b""[..],
            "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
        ),
        (
            &[0x80],
            "56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
        ),
        (
            b"abc",
            "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
        ),
        (
            &[0; 32],
            "290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563",
        ),
        (
            &bytes(WETH),
            "8679e8eda65bd257638cf8cf09b8238888947cc3c0bea2aa2cc3f1c4ac7a3002",
        ),
    ] {
        assert_eq!(keccak_of(message), hash(digest), "{message:?}");
    }
}

/// Bytes with a prime period.
fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i % 251) as u8).collect()
}

#[test]
fn keccak256_is_that_of_another_implementation_at_every_length() {
    for length in 0..300 {
        let message = message(length);
        let expected: [u8; 32] = Keccak256::digest(&message).into();
        assert_eq!(keccak_of(&message), hash_words(&expected), "{length} bytes");
        // What is behind the end does not matter.
        let mut words = padded_words(&message);
        if length % 8 != 0 {
            *words.last_mut().expect("there are bytes") |= u64::MAX << (length % 8 * 8);
        }
        words.push(u64::MAX);
        assert_eq!(
            Keccak::new().hash(Bytes::new(&words, length)),
            hash_words(&expected),
            "{length} bytes"
        );
    }
}

fn mainnet_header() -> Vec<u8> {
    bytes(HEADER)
}

fn weth_proof() -> Vec<Vec<u8>> {
    WETH_PROOF.lines().map(bytes).collect()
}

#[test]
fn mainnet_s_header_and_account_are_read() {
    let header = mainnet_header();
    let keccak = &mut Keccak::new();
    let header = Header::new(keccak, Bytes::new(&padded_words(&header), header.len()));
    let header = header.expect("the header is well formed");
    assert_eq!(
        header.block_hash,
        hash("3a03dba71faa7cf9b087a11952ae91b9a2a8c19f48a3577383a27ba68e6e66d6")
    );
    assert_eq!(
        header.state_root,
        hash("00feacc70567daba5d4475270dfe9a5e2ac2310d4040debeef665790e147871f")
    );
    let proof: Vec<_> = weth_proof()
        .iter()
        .map(|node| (padded_words(node), node.len()))
        .collect();
    let address = address_words(&bytes(WETH).try_into().expect("20 bytes"));
    assert_eq!(
        account(keccak, &header.state_root, &address, &mut nodes(&proof)),
        Ok(Account {
            nonce: 1,
            balance: [0xb1a6_9df4_9e34_ad4e, 0x1c02e, 0, 0],
            storage_root: hash("15c0249223285dbc71aa11fdc8eff06bf9d7af92ee2ef751d98fa1905cb3dafe"),
            code_hash: hash("d0a06b12ac47863b5c7be4185c2deaad1c61557033f56c7d4ea74429cbb25e23"),
        })
    );
}

#[test]
fn mainnet_s_block_hash_alone_is_the_output_of_no_reads() {
    let block = Block {
        header: mainnet_header(),
        reads: Vec::new(),
    };
    let expected = bytes("17619a64f774395680d30efb2fc8e995a3f8163e5595bf92301da6d04b761eac");
    let run = GUEST.exit(&words(&block));
    assert_eq!(run.output_bytes()[..], expected);
    let (block_hash, claims) = statement(&block).expect("the header is well formed");
    assert_eq!(output(&block_hash, &claims)[..], expected);
    assert_eq!(GUEST.native_output(&words(&block))[..], expected);
}

/// The message that a refusal has.
fn refusal_message(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Malformed => "a header, a node, a value or an address is malformed",
        Refusal::Hash => "a node has another hash than the one that leads to it",
        Refusal::TooShort => "a proof ends before its key does",
        Refusal::TooLong => "a proof has a node after its end",
        Refusal::InlineNode => "a node stands in its parent",
    }
}

/// Checks that a block is refused so: by the library, and by the guest on the machine.
#[track_caller]
fn refused(expected: Refusal, block: &Block) {
    assert_eq!(statement(block), Err(expected));
    assert_eq!(GUEST.panic_message(&words(block)), refusal_message(expected));
}

/// Checks that library and guest accept a block; the value of its only read.
#[track_caller]
fn accepted(block: &Block) -> (Account, Hash) {
    let (block_hash, claims) = statement(block).expect("the proofs are valid");
    let run = GUEST.exit(&words(block));
    assert_eq!(run.output_bytes(), output(&block_hash, &claims));
    (claims[0].account, claims[0].value)
}

/// The permutation for the machine, at every length of the last block: a header's extra data may have any.
#[test]
fn headers_of_all_lengths_have_the_hash_of_another_implementation_on_the_machine() {
    for extra in 0..150 {
        let block = Block {
            header: header(&[7; 32], &message(extra), &mut || [0x5a; 32]),
            reads: Vec::new(),
        };
        let digest: [u8; 32] = Keccak256::digest(&block.header).into();
        let run = GUEST.exit(&words(&block));
        assert_eq!(
            run.output_bytes(),
            output(&hash_words(&digest), []),
            "{extra} bytes"
        );
    }
}

#[test]
fn runs_have_the_expected_output_whatever_the_number_of_reads() {
    for count in 0..=3 {
        let block = benchmark_block(count);
        let (block_hash, claims) = statement(&block).expect("the proofs are valid");
        assert_eq!(claims.len(), count);
        for (i, claim) in (1..).zip(&claims) {
            assert_eq!(claim.account.nonce, i);
            assert_ne!(claim.value, [0; 4]);
        }
        let expected = output(&block_hash, &claims);
        let run = GUEST.exit(&words(&block));
        assert_eq!(run.output_bytes(), expected, "{count} reads");
        assert_eq!(GUEST.native_output(&words(&block)), expected, "{count} reads");
    }
}

#[test]
fn the_benchmark_s_block_has_the_shape_of_mainnet_s() {
    let block = benchmark_block(2);
    let lengths = |proof: &[Vec<u8>]| proof.iter().map(Vec::len).collect::<Vec<_>>();
    for read in &block.reads {
        assert_eq!(lengths(&read.account_proof)[..7], [532; 7]);
        assert_eq!(read.account_proof.len(), 8);
        assert_eq!(lengths(&read.storage_proof)[..5], [532; 5]);
        assert_eq!(read.storage_proof.len(), 6);
    }
}

#[test]
fn what_a_read_commits_is_packed() {
    assert_eq!(size_of::<stateproof_guest::Claim>(), 192);
    assert_eq!(size_of::<Account>(), 13 * 8);
}

/// A flip of a bit anywhere in a proof, on the machine: the node's hash shows it, whatever else it spoils.
#[test]
fn a_flipped_bit_of_any_node_is_refused_by_its_hash() {
    let honest = benchmark_block(1);
    let flipped = |choose: &dyn Fn(&mut Read) -> &mut Vec<Vec<u8>>, node: usize, byte: usize| {
        let mut block = honest.clone();
        choose(&mut block.reads[0])[node][byte] ^= 1 << (byte % 8);
        refused(Refusal::Hash, &block);
    };
    for node in 0..8 {
        for byte in (0..honest.reads[0].account_proof[node].len()).step_by(61) {
            flipped(&|read| &mut read.account_proof, node, byte);
        }
    }
    for node in 0..6 {
        for byte in (0..honest.reads[0].storage_proof[node].len()).step_by(61) {
            flipped(&|read| &mut read.storage_proof, node, byte);
        }
    }
}

/// Which of a read's proofs.
type Choose = dyn Fn(&mut Read) -> &mut Vec<Vec<u8>>;

#[test]
fn proofs_with_a_node_too_few_or_too_many_or_of_others_are_refused() {
    let honest = benchmark_block(2);
    let changed = |change: &dyn Fn(&mut [Read])| {
        let mut block = honest.clone();
        change(&mut block.reads);
        assert_ne!(block, honest);
        block
    };
    let proofs: [&Choose; 2] = [&|read| &mut read.account_proof, &|read| &mut read.storage_proof];
    for proof in proofs {
        refused(
            Refusal::TooShort,
            &changed(&|reads| {
                proof(&mut reads[0]).pop();
            }),
        );
        refused(Refusal::TooShort, &changed(&|reads| proof(&mut reads[1]).clear()));
        refused(
            Refusal::TooLong,
            &changed(&|reads| {
                let proof = proof(&mut reads[0]);
                proof.push(proof[proof.len() - 1].clone());
            }),
        );
        refused(
            Refusal::Hash,
            &changed(&|reads| {
                let other = proof(&mut reads[1]).clone();
                *proof(&mut reads[0]) = other;
            }),
        );
        refused(
            Refusal::Hash,
            &changed(&|reads| {
                proof(&mut reads[0]).remove(1);
            }),
        );
    }
    // An address that the proof is not of leaves the path.
    refused(
        Refusal::Hash,
        &changed(&|reads| reads[0].address = reads[1].address),
    );
}

#[test]
fn a_dirty_address_is_refused_on_the_machine() {
    let block = benchmark_block(1);
    let honest = words(&block);
    let third_word = 1 + block.header.len().div_ceil(8) + 1 + 2;
    for bit in 32..64 {
        let mut changed = honest.clone();
        changed[third_word] ^= 1 << bit;
        assert_eq!(
            GUEST.panic_message(&changed),
            refusal_message(Refusal::Malformed),
            "bit {bit}"
        );
    }
}

/// Only the state root leads to the proofs; all else that still parses makes another block of it.
#[test]
fn a_changed_header_is_refused_or_has_another_hash() {
    let honest = benchmark_block(1);
    let (honest_hash, _) = statement(&honest).expect("the proofs are valid");
    let mut other_hashes = 0;
    for byte in 0..honest.header.len() {
        let mut block = honest.clone();
        block.header[byte] ^= 1 << (byte % 8);
        match statement(&block) {
            Ok((hash, _)) => {
                assert_ne!(hash, honest_hash, "byte {byte}");
                other_hashes += 1;
            }
            Err(refusal) => assert!(
                matches!(refusal, Refusal::Malformed | Refusal::Hash),
                "byte {byte}: {refusal:?}"
            ),
        }
    }
    assert!(other_hashes > 300, "{other_hashes} bytes make another block");
    // The state root stands at bytes 91 to 122, behind three fields and its own prefix.
    let mut block = honest.clone();
    block.header[91] ^= 1;
    refused(Refusal::Hash, &block);
}

/// A block with one account, whose trie is a leaf with this value.
fn block_of_account(value: Vec<u8>, slot: [u8; 32], storage_proof: Vec<Vec<u8>>) -> Block {
    let address = [0x77; 20];
    let leaf = leaf_node(
        &Leaf {
            key: keccak256(&address),
            value,
        },
        0,
    );
    Block {
        header: header(&keccak256(&leaf), &[], &mut || [0; 32]),
        reads: vec![Read {
            address,
            slot,
            account_proof: vec![leaf],
            storage_proof,
        }],
    }
}

fn account_value(storage_root: &[u8; 32]) -> Vec<u8> {
    rlp::list(&[
        rlp::integer(&[5]),
        rlp::integer(&[1, 0]),
        rlp::string(storage_root),
        rlp::string(&[9; 32]),
    ])
}

const SLOT: [u8; 32] = [0x55; 32];

/// A block whose account's storage has these nodes on the way to [`SLOT`]: each made from the hash of the next.
fn block_of_nodes(makers: &[&dyn Fn([u8; 32]) -> Vec<u8>]) -> Block {
    let (mut next, mut proof) = ([0xaa; 32], Vec::new());
    for make in makers.iter().rev() {
        let node = make(next);
        next = keccak256(&node);
        proof.insert(0, node);
    }
    block_of_account(account_value(&next), SLOT, proof)
}

fn key_nibble(i: usize) -> u8 {
    nibble(&keccak256(&SLOT), i)
}

/// The nibbles of the slot's key from `start` to `end`.
fn key_nibbles(start: usize, end: usize) -> Vec<u8> {
    (start..end).map(key_nibble).collect()
}

/// The leaf of the slot at a depth.
fn slot_leaf(depth: usize, value: &[u8]) -> Vec<u8> {
    leaf_node(
        &Leaf {
            key: keccak256(&SLOT),
            value: value.to_vec(),
        },
        depth,
    )
}

/// A branch of the slot's key at a depth, with this item where it goes on and `items` items in all.
fn branch(depth: usize, item: Vec<u8>, items: usize) -> Vec<u8> {
    let mut list = vec![rlp::string(&[]); items];
    if let Some(place) = list.get_mut(usize::from(key_nibble(depth))) {
        *place = item;
    }
    rlp::list(&list)
}

fn extension(nibbles: &[u8], next: [u8; 32]) -> Vec<u8> {
    rlp::list(&[rlp::string(&path(nibbles, false)), rlp::string(&next)])
}

#[test]
fn values_are_found_below_branches_and_extensions() {
    let number = |value: u64| [value, 0, 0, 0];
    let (account, value) = accepted(&block_of_nodes(&[&|_| slot_leaf(0, &rlp::integer(&[42]))]));
    assert_eq!((account.nonce, account.balance), (5, number(256)));
    assert_eq!(value, number(42));
    for length in 1..10 {
        let block = block_of_nodes(&[
            &|next| extension(&key_nibbles(0, length), next),
            &|next| branch(length, rlp::string(&next), 17),
            &|_| slot_leaf(length + 1, &rlp::integer(&[1, 2, 3])),
        ]);
        assert_eq!(accepted(&block).1, number(0x01_0203));
    }
    let largest = block_of_nodes(&[&|_| slot_leaf(0, &rlp::string(&[0xff; 32]))]);
    assert_eq!(accepted(&largest).1, [u64::MAX; 4]);
    // Lengths and integers need not be the shortest.
    let long_zero = block_of_nodes(&[&|_| slot_leaf(0, &[0xb8, 2, 0, 7])]);
    assert_eq!(accepted(&long_zero).1, number(7));
}

#[test]
fn keys_that_are_not_there_have_value_0() {
    let mut other = key_nibbles(0, 64);
    other[63] ^= 1;
    let value = rlp::string(&rlp::integer(&[42]));
    let other_leaf = rlp::list(&[rlp::string(&path(&other, true)), value.clone()]);
    assert_eq!(accepted(&block_of_nodes(&[&|_| other_leaf.clone()])).1, [0; 4]);
    let mut other = key_nibbles(0, 3);
    other[0] ^= 8;
    assert_eq!(
        accepted(&block_of_nodes(&[&|next| extension(&other, next)])).1,
        [0; 4]
    );
    assert_eq!(
        accepted(&block_of_nodes(&[&|_| branch(0, rlp::string(&[]), 17)])).1,
        [0; 4]
    );
    // A path that is longer than what is left of the key.
    let long = rlp::list(&[
        rlp::string(&path(&[key_nibbles(0, 64), vec![1]].concat(), true)),
        value,
    ]);
    assert_eq!(accepted(&block_of_nodes(&[&|_| long.clone()])).1, [0; 4]);
}

/// The root of the empty trie: the hash of `80`.
fn empty_root() -> [u8; 32] {
    keccak256(&[0x80])
}

#[test]
fn an_empty_trie_has_no_node_or_the_empty_one() {
    let block = |proof| block_of_account(account_value(&empty_root()), SLOT, proof);
    assert_eq!(accepted(&block(vec![])).1, [0; 4]);
    assert_eq!(accepted(&block(vec![vec![0x80]])).1, [0; 4]);
    refused(Refusal::Hash, &block(vec![vec![0x81, 0x80]]));
    refused(Refusal::Hash, &block(vec![vec![]]));
    refused(Refusal::TooLong, &block(vec![vec![0x80], vec![0x80]]));
}

#[test]
fn an_account_that_is_not_there_is_empty() {
    let mut block = Block {
        header: header(&empty_root(), &[], &mut || [0; 32]),
        reads: vec![Read {
            address: [1; 20],
            slot: SLOT,
            account_proof: vec![],
            storage_proof: vec![],
        }],
    };
    let (account, value) = accepted(&block);
    assert_eq!(
        account,
        Account {
            nonce: 0,
            balance: [0; 4],
            storage_root: hash_words(&empty_root()),
            code_hash: keccak_of(&[]),
        }
    );
    assert_eq!(value, [0; 4]);
    block.reads[0].storage_proof.push(slot_leaf(0, &[1]));
    refused(Refusal::Hash, &block);
}

#[test]
fn malformed_nodes_are_refused() {
    let value = rlp::string(&[42]);
    let node = |items: &[Vec<u8>]| {
        let node = rlp::list(items);
        block_of_nodes(&[&|_| node.clone()])
    };
    let key = path(&key_nibbles(0, 64), true);
    // Not a list; nothing; more than one item; a list that is longer than the node.
    for bytes in [
        rlp::string(&[1; 40]),
        vec![],
        [slot_leaf(0, &[42]), vec![0]].concat(),
        vec![0xc5, 1, 2],
        vec![0xf9, 1],
        vec![0xfb, 0, 0, 0, 2, 1, 1],
    ] {
        refused(Refusal::Malformed, &block_of_nodes(&[&|_| bytes.clone()]));
    }
    // No item, one item.
    refused(Refusal::Malformed, &node(&[]));
    refused(Refusal::Malformed, &node(&[rlp::string(&key)]));
    // A path that is a list, empty, or has an unknown flag.
    refused(Refusal::Malformed, &node(&[rlp::list(&[]), value.clone()]));
    refused(Refusal::Malformed, &node(&[rlp::string(&[]), value.clone()]));
    for flag in 4..16u8 {
        let mut marked = key.clone();
        marked[0] = flag << 4;
        refused(Refusal::Malformed, &node(&[rlp::string(&marked), value.clone()]));
    }
    // A leaf above the key's end, and one whose value is a list.
    refused(
        Refusal::Malformed,
        &node(&[rlp::string(&path(&key_nibbles(0, 62), true)), value.clone()]),
    );
    refused(Refusal::Malformed, &node(&[rlp::string(&key), rlp::list(&[])]));
    // A branch without the key's item; a reference of another length.
    let few = usize::from(key_nibble(0));
    assert!(few > 2, "three items make a branch");
    refused(
        Refusal::Malformed,
        &block_of_nodes(&[&|_| branch(0, rlp::string(&[]), few)]),
    );
    for length in [1, 31, 33] {
        let reference = rlp::string(&vec![0xaa; length]);
        refused(
            Refusal::Malformed,
            &block_of_nodes(&[&|_| branch(0, reference.clone(), 17)]),
        );
        let path = rlp::string(&path(&key_nibbles(0, 4), false));
        refused(Refusal::Malformed, &node(&[path, reference]));
    }
    // A branch below the key's end.
    refused(
        Refusal::Malformed,
        &block_of_nodes(&[&|next| extension(&key_nibbles(0, 64), next), &|next| {
            rlp::list(&vec![rlp::string(&next); 17])
        }]),
    );
}

#[test]
fn a_node_in_its_parent_is_refused() {
    let inline = rlp::list(&[rlp::string(&[0x20]), rlp::string(&[1])]);
    refused(
        Refusal::InlineNode,
        &block_of_nodes(&[&|_| branch(0, inline.clone(), 17)]),
    );
    let path = rlp::string(&path(&key_nibbles(0, 4), false));
    let extension = rlp::list(&[path, inline]);
    refused(Refusal::InlineNode, &block_of_nodes(&[&|_| extension.clone()]));
}

#[test]
fn malformed_values_are_refused() {
    let slot_of = |value: Vec<u8>| block_of_nodes(&[&move |_| slot_leaf(0, &value)]);
    refused(Refusal::Malformed, &slot_of(vec![]));
    refused(Refusal::Malformed, &slot_of(rlp::list(&[])));
    refused(Refusal::Malformed, &slot_of(rlp::string(&[1; 33])));
    refused(Refusal::Malformed, &slot_of(vec![1, 2]));
    let account_of = |items: &[Vec<u8>]| block_of_account(rlp::list(items), SLOT, vec![]);
    let honest = [
        rlp::integer(&[5]),
        rlp::integer(&[1]),
        rlp::string(&empty_root()),
        rlp::string(&[9; 32]),
    ];
    accepted(&account_of(&honest));
    for items in 0..4 {
        refused(Refusal::Malformed, &account_of(&honest[..items]));
    }
    let with = |place: usize, item: Vec<u8>| {
        let mut items = honest.clone();
        items[place] = item;
        account_of(&items)
    };
    // A nonce of 2^64; integers of 33 bytes; hashes of another length; lists.
    let nonce = |bytes: &[u8]| with(0, rlp::string(bytes));
    assert_eq!(accepted(&nonce(&[0xff; 8])).0.nonce, u64::MAX);
    refused(Refusal::Malformed, &nonce(&[1, 0, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(
        accepted(&with(1, rlp::string(&[0xff; 32]))).0.balance,
        [u64::MAX; 4]
    );
    refused(Refusal::Malformed, &with(1, rlp::string(&[0; 33])));
    for place in 2..4 {
        refused(Refusal::Malformed, &with(place, rlp::string(&[1; 31])));
        refused(Refusal::Malformed, &with(place, rlp::string(&[1; 33])));
    }
    for place in 0..4 {
        refused(Refusal::Malformed, &with(place, rlp::list(&[])));
    }
    // A value that is no list.
    refused(
        Refusal::Malformed,
        &block_of_account(rlp::string(&[1; 40]), SLOT, vec![]),
    );
}

#[test]
fn malformed_headers_are_refused() {
    let block = |header: Vec<u8>| Block {
        header,
        reads: Vec::new(),
    };
    let hash = rlp::string(&[1; 32]);
    refused(Refusal::Malformed, &block(vec![]));
    refused(Refusal::Malformed, &block(rlp::string(&[1; 40])));
    refused(Refusal::Malformed, &block(rlp::list(&vec![hash.clone(); 3])));
    refused(
        Refusal::Malformed,
        &block([rlp::list(&vec![hash.clone(); 4]), vec![0]].concat()),
    );
    let mut items = vec![hash; 4];
    items[3] = rlp::string(&[1; 31]);
    refused(Refusal::Malformed, &block(rlp::list(&items)));
}

#[test]
fn counts_and_lengths_beyond_the_advice_are_refused_on_the_machine() {
    let message = "the guest reads past the end of its advice region";
    for length in [1 << 18, u64::MAX - 7, u64::MAX] {
        assert_eq!(GUEST.panic_message(&[length]), message, "{length} bytes");
    }
    let mut advice = words(&benchmark_block(0));
    let count = advice.len() - 1;
    advice[count] = u64::MAX;
    // The next read is of zeros: an address whose proof has no node.
    assert_eq!(GUEST.panic_message(&advice), refusal_message(Refusal::TooShort));
}

#[test]
fn the_host_refuses_more_reads_than_fit_and_says_how_many_do() {
    let block = benchmark_block(40);
    let Err(TooMany { reads: 40, max }) = advice(&block) else {
        panic!("forty reads do not fit")
    };
    let first = |count: usize| Block {
        header: block.header.clone(),
        reads: block.reads[..count].to_vec(),
    };
    assert!(words(&first(max)).len() <= 1 << 15);
    assert_eq!(advice(&first(max + 1)), Err(TooMany { reads: max + 1, max }));
    assert!(statement(&first(max)).is_ok());
    assert!(GUEST.run(&words(&first(max))).is_ok());
}

#[test]
fn the_greatest_of_the_benchmarks_blocks_fits_and_no_greater_one_does() {
    let fits = |reads| advice(&benchmark_block(reads)).is_ok();
    let most = (0..).take_while(|&reads| fits(reads)).last();
    assert_eq!(most, Some(MAX_BENCHMARK_READS));
}

#[test]
fn the_benchmark_s_block_never_changes() {
    let digest = digest_to_words(&blake2s::hash(
        &words(&benchmark_block(2))
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect::<Vec<u8>>(),
    ));
    assert_eq!(digest, BENCHMARK_DIGEST, "{digest:#x?}");
}

/// BLAKE2s of the advice of two reads: renewed when the convention of the benchmark's block changes.
const BENCHMARK_DIGEST: [u64; 4] = [
    0xaaf1_8182_50aa_a3b7,
    0x3838_b31c_31b9_27ca,
    0x950b_3d04_299c_d29a,
    0x53c3_939e_f9f4_56a4,
];

#[test]
fn a_read_costs_at_most_300000_instructions() {
    let cycles = |count| {
        GUEST
            .run(&words(&benchmark_block(count)))
            .expect("the guest exits")
            .cycles
    };
    let one_more = cycles(2) - cycles(1);
    assert!(one_more <= 300_000, "{one_more} instructions");
}

#[test]
fn a_run_under_qemu_has_the_expected_output() {
    let block = benchmark_block(2);
    let (block_hash, claims) = statement(&block).expect("the proofs are valid");
    if let Some(found) = GUEST.output_under_qemu(&words(&block)) {
        assert_eq!(found, output(&block_hash, &claims));
    }
}
