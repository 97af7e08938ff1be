use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::config;
use crate::merkle::Opening;
use crate::proof::{DecodeError, MAGIC, Part, VERSION};
use crate::{Kind, Proof};

fn proofs() -> impl Strategy<Value = Proof> {
    let kind = prop_oneof![Just(Kind::Opening), Just(Kind::Run), Just(Kind::Tree)];
    let words = || prop::collection::vec(any::<u64>(), 0..9);
    let siblings = prop::collection::vec(any::<[u64; 4]>(), 0..5);
    let opening = (words(), siblings).prop_map(|(words, siblings)| Opening { words, siblings });
    (kind, words(), words(), prop::collection::vec(opening, 0..4)).prop_map(
        |(kind, shape, stream, openings)| Proof {
            kind,
            shape,
            stream,
            openings,
        },
    )
}

/// Decoding `bytes` gives an error, or the proof that has this encoding.
pub(crate) fn decodes_or_refuses(bytes: &[u8]) {
    if let Ok(proof) = Proof::decode(bytes) {
        assert_eq!(proof.encode(), bytes);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn decoding_undoes_encoding(proof in proofs()) {
        prop_assert_eq!(Proof::decode(&proof.encode()), Ok(proof));
    }

    #[test]
    fn every_prefix_is_refused_and_so_is_every_longer_file(proof in proofs(), more in 1usize..20) {
        let bytes = proof.encode();
        for length in 0..bytes.len() {
            let error = Proof::decode(&bytes[..length]).unwrap_err();
            let DecodeError::Ended { offset, needed, left, .. } = error else { panic!("{error}") };
            prop_assert_eq!(offset + left, length);
            prop_assert!(needed > left as u128);
        }
        let longer = [bytes.clone(), vec![0; more]].concat();
        let trailing = DecodeError::Trailing { offset: bytes.len(), surplus: more };
        prop_assert_eq!(Proof::decode(&longer), Err(trailing));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        decodes_or_refuses(&bytes);
        let header = crate::proof::header(Kind::Run);
        decodes_or_refuses(&[&header, &bytes[..]].concat());
    }

    #[test]
    fn mutated_files_never_panic(proof in proofs(), place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = proof.encode();
        let place = place.index(bytes.len());
        bytes[place] = byte;
        decodes_or_refuses(&bytes);
    }
}

fn small() -> Proof {
    let openings = vec![Opening {
        words: vec![5],
        siblings: vec![[6; 4]],
    }];
    Proof {
        kind: Kind::Run,
        shape: vec![1],
        stream: vec![2, 3],
        openings,
    }
}

/// The file of [`small`]: header 0, shape 16, stream 32, number of openings 56, leaves 64, siblings 80.
fn refusal(at: usize, bytes: &[u8]) -> DecodeError {
    let mut file = small().encode();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    Proof::decode(&file).unwrap_err()
}

#[test]
fn another_magic_version_or_kind_is_refused_by_name() {
    assert_eq!(
        refusal(0, b"\x7fELF"),
        DecodeError::Magic {
            found: *b"\x7fELFVMpf"
        }
    );
    assert_eq!(MAGIC, *b"leanVMpf");
    let later = VERSION + 1;
    assert_eq!(
        refusal(8, &later.to_le_bytes()),
        DecodeError::Version {
            found: later,
            supported: VERSION
        }
    );
    assert_eq!(refusal(12, &3u32.to_le_bytes()), DecodeError::Kind { found: 3 });
}

#[test]
fn a_length_that_the_file_does_not_have_is_refused_before_anything_is_allocated() {
    // A vector of this length would abort the test.
    let huge = u64::MAX;
    let bytes = huge.to_le_bytes();
    let total = small().encode().len();
    let expected = |part, offset: usize, width: u128| DecodeError::Ended {
        part,
        offset,
        needed: u128::from(huge) * width,
        left: total - offset,
    };
    assert_eq!(refusal(16, &bytes), expected(Part::Shape, 24, 8));
    assert_eq!(refusal(32, &bytes), expected(Part::Stream, 40, 8));
    assert_eq!(refusal(64, &bytes), expected(Part::Leaves { opening: 0 }, 72, 8));
    assert_eq!(
        refusal(80, &bytes),
        expected(Part::Siblings { opening: 0 }, 88, 32)
    );
    // So many openings are as many reads as the file has: the second is missing.
    let second = Part::Leaves { opening: 1 };
    assert_eq!(
        refusal(56, &bytes),
        DecodeError::Ended {
            part: second,
            offset: total,
            needed: 8,
            left: 0
        }
    );
}

#[test]
fn the_bytes_of_a_small_file() {
    let words = |list: &[u64]| {
        list.iter()
            .flat_map(|word| word.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let header = [b"leanVMpf\0\0\0\0\x01\0\0\0".to_vec()].concat();
    let body = words(&[1, 1, 2, 2, 3, 1, 1, 5, 1, 6, 6, 6, 6]);
    assert_eq!(small().encode(), [header, body].concat());
}
