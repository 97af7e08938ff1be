//! Walks down a Merkle-Patricia trie (yellow paper, appendix D) along the nodes of a proof.

use leanvm_guest::blake2s::to_bytes;

use crate::bytes::Bytes;
use crate::keccak::{Hash, Keccak, equal};
use crate::rlp::{self, Item};
use crate::{Refusal, state};

/// Nibbles of a key.
const KEY_NIBBLES: usize = 64;

/// Where a node leads.
enum Step<'a> {
    /// To the node with this hash.
    To(Hash),
    /// To the end: the key's value, or nothing if the key is absent.
    End(Option<&'a [u8]>),
}

/// The value of a key under a root, if it has one: the payload of the leaf's second item.
///
/// `proof`: the nodes on the path, the root first, all of which the walk takes.
///
/// # Errors
/// Which check refused the proof.
#[inline(never)]
pub fn value<'a>(
    keccak: &mut Keccak,
    root: &Hash,
    key: &Hash,
    proof: &mut impl ExactSizeIterator<Item = Bytes<'a>>,
) -> Result<Option<&'a [u8]>, Refusal> {
    let value = if equal(root, &state::EMPTY_ROOT) {
        // An empty trie has no node, or the one that encodes nothing.
        match proof.next() {
            Some(node) if node.as_slice() != [0x80] => return Err(Refusal::Hash),
            _ => None,
        }
    } else {
        walk(keccak, root, &to_bytes(key), proof)?
    };
    if proof.len() == 0 {
        Ok(value)
    } else {
        Err(Refusal::TooLong)
    }
}

/// [`value`] in a trie that is not empty.
fn walk<'a>(
    keccak: &mut Keccak,
    root: &Hash,
    key: &[u8; 32],
    proof: &mut impl Iterator<Item = Bytes<'a>>,
) -> Result<Option<&'a [u8]>, Refusal> {
    let (mut expected, mut depth) = (*root, 0);
    loop {
        let node = proof.next().ok_or(Refusal::TooShort)?;
        if !equal(&keccak.hash(node), &expected) {
            return Err(Refusal::Hash);
        }
        let items = rlp::whole(node.as_slice())?.list()?;
        let (first, behind) = rlp::split(items)?;
        let (second, rest) = rlp::split(behind)?;
        let step = if rest.is_empty() {
            follow_path(first.string()?, second, key, &mut depth)?
        } else {
            follow_branch(items, key, &mut depth)?
        };
        match step {
            Step::To(hash) => expected = hash,
            Step::End(value) => return Ok(value),
        }
    }
}

/// The step from a node of two items, a path and what it leads to: a leaf's value or another node.
#[inline(always)]
fn follow_path<'a>(
    path: &[u8],
    target: Item<'a>,
    key: &[u8; 32],
    depth: &mut usize,
) -> Result<Step<'a>, Refusal> {
    let (&first, rest) = path.split_first().ok_or(Refusal::Malformed)?;
    let flag = first >> 4;
    if flag > 3 {
        return Err(Refusal::Malformed);
    }
    let (is_odd, is_leaf) = (flag & 1 != 0, flag & 2 != 0);
    let length = 2 * rest.len() + usize::from(is_odd);
    if length > KEY_NIBBLES - *depth {
        return Ok(Step::End(None));
    }
    let mut differs = is_odd && first & 15 != nibble(key, *depth);
    let start = *depth + usize::from(is_odd);
    for (i, byte) in rest.iter().enumerate() {
        differs |= byte >> 4 != nibble(key, start + 2 * i) || byte & 15 != nibble(key, start + 2 * i + 1);
    }
    if differs {
        return Ok(Step::End(None));
    }
    *depth += length;
    if !is_leaf {
        return follow(target);
    }
    if *depth == KEY_NIBBLES {
        Ok(Step::End(Some(target.string()?)))
    } else {
        Err(Refusal::Malformed)
    }
}

/// The step from a node with an item for each nibble.
#[inline(always)]
fn follow_branch<'a>(items: &'a [u8], key: &[u8; 32], depth: &mut usize) -> Result<Step<'a>, Refusal> {
    if *depth >= KEY_NIBBLES {
        return Err(Refusal::Malformed);
    }
    let mut items = items;
    for _ in 0..nibble(key, *depth) {
        (_, items) = rlp::split(items)?;
    }
    *depth += 1;
    let (reference, _) = rlp::split(items)?;
    follow(reference)
}

/// The step to what a node refers to.
#[inline(always)]
fn follow<'a>(reference: Item<'_>) -> Result<Step<'a>, Refusal> {
    match reference {
        Item::String([]) => Ok(Step::End(None)),
        Item::String(_) => reference.hash().map(Step::To),
        Item::List(_) => Err(Refusal::InlineNode),
    }
}

/// Nibble `i` of a key, the high one of each byte first.
#[inline(always)]
const fn nibble(key: &[u8; 32], i: usize) -> u8 {
    let byte = key[i / 2];
    if i.is_multiple_of(2) { byte >> 4 } else { byte & 15 }
}
