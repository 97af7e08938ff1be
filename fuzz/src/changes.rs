//! Changes of a proof, written as bytes.
//!
//! A change is eight bytes: what it is, then three numbers that select: two places in the lists of words of a proof, and a
//! length, a bit or a value. Numbers are taken modulo what there is, so every string of bytes is a list of changes; what is
//! left of less than eight bytes is dropped.

use fiat_shamir::Proof;

/// How many changes are made of bytes at most.
const MAX_CHANGES: usize = 8;

/// The bytes of a change.
pub const CHANGE_BYTES: usize = 8;

/// Words that a length, a height or a scalar may be wrong by.
const EDGES: [u64; 8] = [0, 1, 2, 1 << 26, 1 << 32, 1 << 61, 1 << 63, u64::MAX];

/// A place: a list, and a word of it.
struct Place {
    list: u8,
    word: usize,
}

/// The file of the proof with changes.
#[must_use]
pub fn apply(honest: &Proof, changes: &[u8]) -> Vec<u8> {
    let mut proof = honest.clone();
    let mut cut = None;
    for change in changes.chunks_exact(CHANGE_BYTES).take(MAX_CHANGES) {
        let &[what, list, low, high, other, other_low, other_high, value] = change else {
            unreachable!("a chunk has its length")
        };
        let at = Place {
            list,
            word: usize::from(u16::from_le_bytes([low, high])),
        };
        let from = Place {
            list: other,
            word: usize::from(u16::from_le_bytes([other_low, other_high])),
        };
        match what % 10 {
            0 | 1 => edit(&mut proof, &at, |words, at| words[at] ^= 1 << (value % 64)),
            2 => edit(&mut proof, &at, |words, at| {
                words[at] = EDGES[usize::from(value % 8)].wrapping_add(u64::from(value / 8 % 2));
            }),
            // A scalar is another of the proof.
            3 | 4 => splice(&mut proof, &at, &from, 3, 3),
            // A digest, or any words.
            5 => splice(&mut proof, &at, &from, 4, 4),
            6 => splice(&mut proof, &at, &from, usize::from(value), usize::from(value)),
            // Fewer or more of them.
            7 => splice(
                &mut proof,
                &at,
                &from,
                usize::from(value % 16),
                usize::from(value / 16),
            ),
            8 => {
                let count = proof.openings.len();
                if count > 0 {
                    proof
                        .openings
                        .swap(usize::from(list) % count, usize::from(other) % count);
                    if value % 4 == 0 {
                        proof.openings.truncate(count - usize::from(value / 4) % count);
                    }
                }
            }
            _ => cut = Some((at.word | usize::from(other) << 16, from.word, value)),
        }
    }
    let mut file = proof.encode();
    // Bytes, whatever they are: the file is cut, or one of them is another.
    if let Some((at, other, value)) = cut {
        let at = at % file.len();
        if value % 4 == 0 {
            file.truncate(at);
        } else {
            file[at] ^= value;
            let other = other % file.len();
            file[other] = file[at];
        }
    }
    file
}

/// Changes the words of a list: the shape, the stream (every other choice), the leaves or the siblings of an opening.
fn edit(proof: &mut Proof, place: &Place, change: impl FnOnce(&mut Vec<u64>, usize)) {
    let openings = proof.openings.len();
    let list = usize::from(place.list >> 1) % (1 + 2 * openings);
    let at = |words: &[u64]| place.word % words.len().max(1);
    if place.list & 1 == 1 {
        let at = at(&proof.stream);
        change(&mut proof.stream, at);
    } else if list == 0 {
        if !proof.shape.is_empty() {
            let at = at(&proof.shape);
            change(&mut proof.shape, at);
        }
    } else if list <= openings {
        let words = &mut proof.openings[list - 1].words;
        if !words.is_empty() {
            let at = at(words);
            change(words, at);
        }
    } else {
        let siblings = &mut proof.openings[list - 1 - openings].siblings;
        let mut words = siblings.as_flattened().to_vec();
        if !words.is_empty() {
            let at = at(&words);
            change(&mut words, at);
            *siblings = words.as_chunks().0.to_vec();
        }
    }
}

/// Replaces words by others of the proof.
fn splice(proof: &mut Proof, at: &Place, from: &Place, removed: usize, inserted: usize) {
    let mut source = Vec::new();
    edit(proof, from, |words, at| {
        source = words.iter().skip(at).take(inserted).copied().collect();
    });
    edit(proof, at, |words, at| {
        let end = words.len().min(at + removed);
        words.splice(at..end, source);
    });
}
