//! Known answers, and every way to spoil a signature. The known answers are those of the scheme's public
//! reference implementation.

use guest_test::Guest;
use leanxmss_guest::{CHAINS, Claim, Encoding, Entry, Refusal, Signature, TARGET_SUM, Verifier};
use primitives::blake2s;

use crate::{
    BENCHMARK_MESSAGE, ELF, MAX_ENTRIES, SecretKey, TooMany, advice, benchmark_entries, benchmark_entry,
    output,
};

const GUEST: Guest = Guest {
    elf: ELF,
    main: leanxmss_guest::main,
};

const SEED: [u8; 32] = {
    let mut seed = [0; 32];
    let mut i = 0;
    while i < 32 {
        seed[i] = i as u8;
        i += 1;
    }
    seed
};

/// Byte i is 3 i + 7.
const MESSAGE: [u8; 32] = {
    let mut message = [0; 32];
    let mut i = 0;
    while i < 32 {
        message[i] = (3 * i + 7) as u8;
        i += 1;
    }
    message
};

fn hex(words: &[u64]) -> String {
    words
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn signature_words(signature: &Signature) -> Vec<u64> {
    let Signature { chains, rho, path } = signature;
    chains
        .iter()
        .flatten()
        .chain(rho)
        .chain(path.iter().flatten())
        .copied()
        .collect()
}

fn public_key_words(claim: &Claim) -> Vec<u64> {
    [claim.key.root, claim.key.parameter].concat()
}

fn entry_at(leaf: u32) -> Entry {
    let key = SecretKey::new(&SEED, leaf);
    let entry = Entry {
        claim: key.claim(&MESSAGE),
        signature: key.sign(&MESSAGE).expect("an encoding exists"),
    };
    assert_eq!(verify(&entry), Ok(()));
    entry
}

fn verify(entry: &Entry) -> Result<(), Refusal> {
    Verifier::new().verify(&entry.claim, &entry.signature)
}

/// The advice for entries that fit.
fn words(entries: &[Entry]) -> Vec<u64> {
    advice(entries).expect("the entries fit")
}

#[test]
fn keys_and_signatures_are_the_reference_s() {
    for (leaf, public_key, digest) in [
        (
            0,
            "40b9356800f80f5952f617427ab29fd6c487ed3aef7201c095bf4c74aad6b6e3",
            "02ceeee5d838dcb47290e7c7d0ce8485df70c070bf97ac6bf06d294c5e9a3d61",
        ),
        (
            1234,
            "57c45784ed52b81893def5b5e3ef0aedc487ed3aef7201c095bf4c74aad6b6e3",
            "304b4e5fbb27dec445245843c7919907b3ea8c5b3f39397cd9483f47171a31e6",
        ),
    ] {
        let Entry { claim, signature } = entry_at(leaf);
        assert_eq!(hex(&public_key_words(&claim)), public_key);
        assert_eq!(hex(&blake2s::hash_words(&signature_words(&signature))), digest);
    }
}

#[test]
fn the_values_on_the_way_are_the_reference_s() {
    let key = SecretKey::new(&SEED, 0);
    assert_eq!(hex(&key.public().parameter), "c487ed3aef7201c095bf4c74aad6b6e3");
    assert_eq!(hex(&key.start(0)), "bcd8bf41f75ff8c1f34afaca709634bc");
    assert_eq!(
        hex(&key.walk(0, key.start(0), 0, 7)),
        "2cdaa5bdfc6262d66824a6d1bf67a493"
    );
    assert_eq!(hex(&key.leaf()), "44010cde0a5124ba8e0df2bc87ddc059");
    assert_eq!(hex(&key.path()[0]), "2955e725f877f68fcedb0a0ebec44226");
    assert_eq!(hex(&key.path()[31]), "f8010800925b6ef9e7a9171eebcd08d9");
    let (trial, rho, encoding) = key
        .randomness(&blake2s::digest_to_words(&MESSAGE))
        .expect("an encoding exists");
    assert_eq!(trial, 21747);
    assert_eq!(hex(&rho), "1f353f0a0934a191a151b5ac217688cb77b74aa9e5b7e382");
    let digits: String = (0..CHAINS).map(|i| encoding.digit(i).to_string()).collect();
    assert_eq!(digits, "423566756756165437567656571610065507366437");
    let signature = key.sign(&MESSAGE).expect("an encoding exists");
    assert_eq!(hex(&signature.chains[0]), "201855a1f2f5a0236e286021d9387a4c");
}

#[test]
fn the_benchmark_s_input_is_the_reference_s() {
    let entry = benchmark_entry(0).expect("an encoding exists");
    assert_eq!(
        hex(&public_key_words(&entry.claim)),
        "97a0b2c05e91ee8e89f2d847e637417ddefa0d93849d66a3e745cf09ff45e632"
    );
    let key = SecretKey::new(&[0; 32], crate::BENCHMARK_LEAF);
    let (trial, ..) = key
        .randomness(&blake2s::digest_to_words(&BENCHMARK_MESSAGE))
        .expect("an encoding exists");
    assert_eq!(trial, 1147);
    assert_eq!(
        hex(&blake2s::hash_words(&signature_words(&entry.signature))),
        "db5f31d6b65464b7b2b854057befe52c885c0143ed10997f4a7ffc3fe51aa4a8"
    );
    let advice = words(&[entry]);
    assert_eq!(advice.len(), 161);
    assert_eq!(
        hex(&blake2s::hash_words(&advice)),
        "cd945fde58ea152a79270845b3ff0825ca47361f4b56b33570a2383981204f99"
    );
    let words = blake2s::digest_to_words(&output([&entry.claim]));
    assert_eq!(
        words,
        [
            0xe95a_0c32_0e74_5d48,
            0x4e52_213d_d0e2_fc61,
            0xfe27_12ff_e92c_3298,
            0xd751_4761_90dc_3c2d
        ]
    );
}

#[test]
fn the_layouts_are_packed() {
    assert_eq!(size_of::<Claim>(), 72);
    assert_eq!(size_of::<Signature>(), 1208);
    assert_eq!(size_of::<Entry>(), 160 * 8);
}

/// Fixture: an honest entry at leaf 7. Each change is refused by the check that the scheme names for it.
#[test]
fn changed_entries_are_refused_by_the_check_that_owns_the_change() {
    let honest = entry_at(7);
    let refusal = |change: &dyn Fn(&mut Entry)| {
        let mut entry = honest;
        change(&mut entry);
        assert_ne!(entry, honest);
        verify(&entry)
    };
    assert_eq!(
        refusal(&|entry| entry.claim.message[0] ^= 1),
        Err(Refusal::Encoding)
    );
    assert_eq!(
        refusal(&|entry| entry.signature.rho[1] ^= 1 << 40),
        Err(Refusal::Encoding)
    );
    assert_eq!(refusal(&|entry| entry.claim.leaf = 8), Err(Refusal::Encoding));
    assert_eq!(
        refusal(&|entry| entry.signature.chains[41][1] ^= 1 << 63),
        Err(Refusal::Path)
    );
    assert_eq!(
        refusal(&|entry| entry.signature.path[31][0] ^= 1),
        Err(Refusal::Path)
    );
    assert_eq!(refusal(&|entry| entry.claim.key.root[1] ^= 1), Err(Refusal::Path));
    assert_eq!(
        refusal(&|entry| entry.claim.leaf |= 1 << 32),
        Err(Refusal::LeafIndex)
    );
    assert_eq!(
        refusal(&|entry| entry.claim.leaf = u64::MAX),
        Err(Refusal::LeafIndex)
    );
}

#[test]
fn a_flip_of_any_word_of_an_entry_is_refused() {
    let honest = words(&[entry_at(7)]);
    for i in 1..honest.len() {
        let mut changed = honest.clone();
        changed[i] ^= 1 << (i % 64);
        let panicked = std::panic::catch_unwind(|| GUEST.native_output(&changed));
        assert!(panicked.is_err(), "word {i}");
    }
    assert_eq!(GUEST.native_output(&honest), output([&entry_at(7).claim]));
}

/// The packed sum against the digits one by one, on words with any content but bit 63.
#[test]
fn an_encoding_is_valid_iff_its_digits_sum_to_the_target_and_bit_63_is_free() {
    let sum = |words: [u64; 2]| {
        (0..CHAINS)
            .map(|i| words[i / 21] >> (i % 21 * 3) & 7)
            .sum::<u64>()
    };
    let mut state = 1u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state ^ state >> 29) & (u64::MAX >> 1)
    };
    let mut valid = 0;
    for i in 0..20_000 {
        let mut words = [next(), next()];
        // Half of the words are brought near the target, so that both verdicts occur.
        let mut digit = 0;
        while i % 2 == 0 && digit < CHAINS && sum(words) < TARGET_SUM {
            words[digit / 21] |= 7 << (digit % 21 * 3);
            digit += 1;
        }
        let expected = sum(words) == TARGET_SUM;
        valid += u32::from(expected);
        assert_eq!(Encoding::new(words).is_some(), expected, "{words:x?}");
        for i in 0..2 {
            let mut marked = words;
            marked[i] |= 1 << 63;
            assert_eq!(Encoding::new(marked), None);
        }
    }
    assert!(valid > 100, "{valid} valid ones");
    for extreme in [[0; 2], [u64::MAX >> 1; 2], [u64::MAX; 2], [0, u64::MAX >> 1]] {
        assert_eq!(Encoding::new(extreme), None);
    }
}

#[test]
fn runs_on_the_machine_have_the_expected_output_whatever_the_number_of_entries() {
    let entries = benchmark_entries(9).expect("encodings exist");
    assert_eq!(entries[8], benchmark_entry(8).expect("an encoding exists"));
    for count in 0..=entries.len() {
        let entries = &entries[..count];
        let run = GUEST.exit(&words(entries));
        assert_eq!(
            run.output_bytes(),
            output(entries.iter().map(|entry| &entry.claim)),
            "{count} entries"
        );
    }
}

/// The mean of eight: a few instructions depend on the digits and on the leaf's index.
#[test]
fn a_signature_costs_at_most_1900_instructions() {
    let entries = benchmark_entries(9).expect("encodings exist");
    let cycles = |entries: &[Entry]| GUEST.exit(&words(entries)).cycles;
    let eight_more = cycles(&entries) - cycles(&entries[..1]);
    assert!(eight_more <= 8 * 1900, "{} instructions", eight_more / 8);
}

#[test]
fn a_flip_of_any_word_of_an_entry_is_refused_on_the_machine_by_the_check_that_owns_it() {
    let honest = words(&[entry_at(7)]);
    for i in 1..honest.len() {
        let mut changed = honest.clone();
        changed[i] ^= 1 << (i % 64);
        let expected = match i {
            // The root; the chains; the path: nothing but the last comparison depends on them.
            1 | 2 | 10..94 | 97.. => "a signature has an invalid Merkle path",
            // Parameter, leaf index, message, randomness: the digest becomes another.
            _ => "a signature has an invalid encoding",
        };
        assert_eq!(GUEST.panic_message(&changed), expected, "word {i}");
    }
}

#[test]
fn a_leaf_index_of_2_to_the_32_or_more_is_refused_on_the_machine() {
    let honest = words(&[entry_at(7)]);
    for bit in 32..64 {
        let mut changed = honest.clone();
        changed[5] |= 1 << bit;
        assert_eq!(GUEST.panic_message(&changed), "a leaf index is 2^32 or more");
    }
}

#[test]
fn a_count_beyond_the_advice_is_refused_on_the_machine() {
    let message = "the guest reads past the end of its advice region";
    for count in [MAX_ENTRIES as u64 + 1, u64::MAX / 160 + 1, 1 << 61, u64::MAX] {
        assert_eq!(GUEST.panic_message(&[count]), message, "{count} entries");
    }
    // The region is there, but holds zeros.
    assert_eq!(
        GUEST.panic_message(&[MAX_ENTRIES as u64]),
        "a signature has an invalid encoding"
    );
}

#[test]
fn the_host_refuses_more_entries_than_fit_and_says_how_many_do() {
    let program = rv::elf::load(ELF).expect("the program is well formed");
    let entries = vec![entry_at(7); MAX_ENTRIES + 1];
    let region = 1 << program.log_advice();
    let words_of = |count: usize| 1 + count * size_of::<Entry>() / 8;
    assert_eq!(words(&entries[..MAX_ENTRIES]).len(), words_of(MAX_ENTRIES));
    assert!(words_of(MAX_ENTRIES) <= region && words_of(MAX_ENTRIES + 1) > region);
    assert_eq!(
        advice(&entries),
        Err(TooMany {
            entries: 410,
            max: 409
        })
    );
}

#[test]
fn a_run_under_qemu_has_the_expected_output() {
    let entries = benchmark_entries(2).expect("encodings exist");
    if let Some(found) = GUEST.output_under_qemu(&words(&entries)) {
        assert_eq!(found, output(entries.iter().map(|entry| &entry.claim)));
    }
}
