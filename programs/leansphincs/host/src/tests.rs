//! Known answers, and every way to spoil a signature. The known answers are those of the scheme's public
//! reference implementation.

use std::sync::LazyLock;

use guest_test::Guest;
use leansphincs_guest::{
    Claim, Entry, FORS_TREES, Half, OneTime, Position, Refusal, Selection, Signature, Verifier, tweak,
};
use primitives::blake2s;

use crate::{
    BENCHMARK_MESSAGE, ELF, MAX_ENTRIES, SecretKey, TooMany, advice, benchmark_entries, benchmark_entry,
    output,
};

const GUEST: Guest = Guest {
    elf: ELF,
    main: leansphincs_guest::main,
};

/// The benchmarks' first entries, which take a while.
static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| benchmark_entries(4).expect("all trials succeed"));

/// The benchmarks' first entry.
fn honest() -> Entry {
    ENTRIES[0]
}

fn words(entries: &[Entry]) -> Vec<u64> {
    advice(entries).expect("the entries fit")
}

fn verify(entry: &Entry) -> Result<(), Refusal> {
    Verifier::new().verify(&entry.claim, &entry.signature)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hex_words(words: &[u64]) -> String {
    hex(&words
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect::<Vec<u8>>())
}

/// The bytes of a signature for storage: as the words, but with counters of four bytes.
fn serialized(signature: &Signature) -> Vec<u8> {
    let Signature {
        rho,
        fors,
        top,
        top_path,
        middle,
        middle_path,
        bottom,
        bottom_path,
    } = signature;
    let halves = |halves: &[Half]| -> Vec<u8> {
        halves
            .as_flattened()
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect()
    };
    let mut bytes = halves(&[*rho]);
    for opening in fors {
        bytes.extend(halves(&[opening.secret]));
        bytes.extend(halves(&opening.path));
    }
    let layers: [(&OneTime, &[Half]); 3] = [(top, top_path), (middle, middle_path), (bottom, bottom_path)];
    for (one_time, path) in layers {
        bytes.extend((one_time.counter as u32).to_le_bytes());
        bytes.extend(halves(&one_time.chains));
        bytes.extend(halves(path));
    }
    bytes
}

#[test]
fn tweaks_are_laid_out_as_the_reference_s() {
    assert_eq!(
        hex_words(&tweak::words(tweak::STEP, 2, 300, 10, 5)),
        "010102000a0000002c01000005000000"
    );
    assert_eq!(
        hex_words(&tweak::words(tweak::FORS_NODE, 3, 0x12345, 4, 9)),
        "010a0300040000004523010009000000"
    );
}

#[test]
fn a_key_and_its_one_time_keys_are_the_reference_s() {
    let seed = std::array::from_fn(|i| i as u8);
    let key = SecretKey::new(&seed);
    assert_eq!(
        hex_words(&[key.public().root, key.public().parameter].concat()),
        "cd0efd73b0e58cec9291994a125dae7c5957ef5b2c556a3f7b0117d93e98e61b"
    );
    let one_time_key =
        |layer, tree, leaf| hex_words(&key.secret().one_time_keys(layer, tree, leaf..leaf + 1)[0]);
    assert_eq!(one_time_key(0, 0, 0), "dd7da6c3510296698910dc873ceb4cd5");
    assert_eq!(one_time_key(2, 5, 6), "daed8f0d02a8b714e72f5a478c9c0bb0");
}

#[test]
fn the_benchmark_s_input_is_the_reference_s() {
    let Entry { claim, signature } = honest();
    assert_eq!(
        hex_words(&[claim.key.root, claim.key.parameter].concat()),
        "93bc1c9e7380e1e0ec45257bbe42ee2b0f80cccc03a3b210bfa0afebbc7cc366"
    );
    let (trial, rho, selection) = SecretKey::new(&[0; 32])
        .randomizer(&blake2s::digest_to_words(&BENCHMARK_MESSAGE))
        .expect("a digest is admissible");
    assert_eq!(trial, 849);
    assert_eq!(hex_words(&rho), "b9332052baf0244ea7fc014cefd8053f");
    assert_eq!(rho, signature.rho);
    assert_eq!(selection.key(), 50_945_699);
    assert_eq!(
        (0..=FORS_TREES)
            .map(|tree| selection.leaf(tree))
            .collect::<Vec<_>>(),
        [
            683, 448, 649, 995, 484, 830, 421, 466, 53, 779, 617, 886, 553, 199, 0
        ]
    );
    let position = |tree, leaf| Position { tree, leaf };
    assert_eq!(
        [0, 1, 2].map(|layer| selection.position(layer)),
        [position(0, 3109), position(3109, 61), position(398_013, 35)]
    );
    assert_eq!(
        [&signature.top, &signature.middle, &signature.bottom].map(|one_time| one_time.counter),
        [17_071, 24_706, 24_110]
    );
    let serialized = serialized(&signature);
    assert_eq!(serialized.len(), 4924);
    assert_eq!(
        hex(&blake2s::hash(&serialized)),
        "712ca6f0ebb9046b85d733d46704b768d4135357b335164b46c91700e3fa0048"
    );

    let advice = words(&[honest()]);
    assert_eq!(advice.len(), 626);
    assert_eq!(
        hex_words(&blake2s::hash_words(&advice[9..])),
        "e35d1cccfd40901161b29ad3cdaf34c452a7d1472b7e50ec2408ae793159699e"
    );
    assert_eq!(
        hex_words(&blake2s::hash_words(&advice)),
        "e9244066a38d240f8a06103e79f7d731a9415e8745257fffcb567b547558dbd8"
    );
    assert_eq!(
        blake2s::digest_to_words(&output([&claim])),
        [
            0x7508_1eb1_e073_00fc,
            0xa816_aea5_1a2d_4810,
            0x02a9_278b_abe2_cedd,
            0xea51_696e_da1d_e940
        ]
    );
}

#[test]
fn the_layouts_are_packed() {
    assert_eq!(size_of::<Claim>(), 64);
    assert_eq!(size_of::<Signature>(), 617 * 8);
    assert_eq!(size_of::<Entry>(), 625 * 8);
}

/// The bits of the digest one by one, against the shifts.
#[test]
fn a_selection_reads_the_digest_s_bits_from_the_lowest_on() {
    for bit in 0..256 {
        let mut digest = [0; 4];
        digest[bit / 64] = 1 << (bit % 64);
        let selection = Selection::new(&digest);
        if (166..176).contains(&bit) {
            assert_eq!(selection, None, "bit {bit}");
            continue;
        }
        let selection = selection.expect("the leaf of the missing tree is number 0");
        let bit_at = |first: usize, bits: usize| {
            if (first..first + bits).contains(&bit) {
                1 << (bit - first)
            } else {
                0
            }
        };
        assert_eq!(selection.key(), bit_at(0, 26), "bit {bit}");
        for tree in 0..FORS_TREES {
            assert_eq!(
                selection.leaf(tree),
                bit_at(26 + 10 * tree, 10),
                "bit {bit}, tree {tree}"
            );
        }
        let (e0, e1, e2) = (bit_at(14, 12), bit_at(7, 7), bit_at(0, 7));
        let position = |tree, leaf| Position { tree, leaf };
        assert_eq!(selection.position(0), position(0, e0));
        assert_eq!(selection.position(1), position(e0, e1));
        assert_eq!(selection.position(2), position(128 * e0 + e1, e2));
    }
}

/// Fixture: an honest entry. Each change is refused by the check that the scheme names for it.
#[test]
fn changed_entries_are_refused_by_the_check_that_owns_the_change() {
    let encoding = |layer| Err(Refusal::Encoding { layer });
    let refusal = |change: &dyn Fn(&mut Entry)| {
        let mut entry = honest();
        change(&mut entry);
        assert_ne!(entry, honest());
        verify(&entry)
    };
    assert_eq!(verify(&honest()), Ok(()));
    assert_eq!(
        refusal(&|entry| entry.signature.rho[0] ^= 1),
        Err(Refusal::Digest)
    );
    assert_eq!(
        refusal(&|entry| entry.claim.message[3] ^= 1),
        Err(Refusal::Digest)
    );
    assert_eq!(
        refusal(&|entry| entry.claim.key.root[0] ^= 1),
        Err(Refusal::Digest)
    );
    assert_eq!(
        refusal(&|entry| entry.signature.fors[0].secret[0] ^= 1),
        encoding(2)
    );
    assert_eq!(
        refusal(&|entry| entry.signature.fors[13].path[9][1] ^= 1 << 63),
        encoding(2)
    );
    for bit in [1, 1 << 32, 1 << 63] {
        assert_eq!(
            refusal(&|entry| entry.signature.bottom.counter ^= bit),
            encoding(2)
        );
        assert_eq!(
            refusal(&|entry| entry.signature.middle.counter ^= bit),
            encoding(1)
        );
        assert_eq!(refusal(&|entry| entry.signature.top.counter ^= bit), encoding(0));
    }
    assert_eq!(
        refusal(&|entry| entry.signature.bottom.chains[41][1] ^= 1),
        encoding(1)
    );
    assert_eq!(
        refusal(&|entry| entry.signature.bottom_path[6][0] ^= 1),
        encoding(1)
    );
    assert_eq!(
        refusal(&|entry| entry.signature.middle.chains[0][0] ^= 1),
        encoding(0)
    );
    assert_eq!(
        refusal(&|entry| entry.signature.middle_path[0][1] ^= 1),
        encoding(0)
    );
    assert_eq!(
        refusal(&|entry| entry.signature.top.chains[7][0] ^= 1),
        Err(Refusal::Root)
    );
    assert_eq!(
        refusal(&|entry| entry.signature.top_path[11][1] ^= 1),
        Err(Refusal::Root)
    );
    // The signature of another signer.
    assert_eq!(
        refusal(&|entry| entry.signature = ENTRIES[1].signature),
        Err(Refusal::Digest)
    );
}

/// The message that a refusal has.
fn message(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Digest => "a signature has an inadmissible message digest",
        Refusal::Encoding { layer: 0 } => "a signature has an inadmissible encoding at layer 0",
        Refusal::Encoding { layer: 1 } => "a signature has an inadmissible encoding at layer 1",
        Refusal::Encoding { .. } => "a signature has an inadmissible encoding at layer 2",
        Refusal::Root => "a signature ends in another root than the key's",
    }
}

#[test]
fn runs_have_the_expected_output_whatever_the_number_of_entries() {
    for count in 0..=ENTRIES.len() {
        let entries = &ENTRIES[..count];
        let expected = output(entries.iter().map(|entry| &entry.claim));
        let run = GUEST.exit(&words(entries));
        assert_eq!(run.output_bytes(), expected, "{count} entries");
        let native = GUEST.native_output(&words(entries));
        assert_eq!(native, expected, "{count} entries");
    }
    assert_eq!(ENTRIES[3], benchmark_entry(3).expect("all trials succeed"));
}

/// Every word of an entry, natively and on the machine: the check that fails is the first that depends on it.
#[test]
fn a_flip_of_any_word_of_an_entry_is_refused_by_the_check_that_owns_it() {
    let honest = words(&[honest()]);
    for i in 1..honest.len() {
        let mut changed = honest.clone();
        changed[i] ^= 1 << (i % 64);
        let refusal = match i - 1 {
            // Claim and randomizer.
            ..10 => Refusal::Digest,
            // The FORS openings, and the counter of layer 2.
            10..318 | 526 => Refusal::Encoding { layer: 2 },
            // What layer 2 has beside its counter, and the counter of layer 1.
            527.. | 427 => Refusal::Encoding { layer: 1 },
            428..526 | 318 => Refusal::Encoding { layer: 0 },
            319..427 => Refusal::Root,
        };
        assert_eq!(GUEST.panic_message(&changed), message(refusal), "word {i}");
        assert_eq!(GUEST.native_panic_message(&changed), message(refusal), "word {i}");
    }
}

#[test]
fn a_count_beyond_the_advice_is_refused_on_the_machine() {
    let message = "the guest reads past the end of its advice region";
    for count in [MAX_ENTRIES as u64 + 1, u64::MAX / 625 + 1, 1 << 61, u64::MAX] {
        assert_eq!(GUEST.panic_message(&[count]), message, "{count} entries");
    }
    // The region is there, but holds zeros.
    assert!(
        GUEST
            .panic_message(&[MAX_ENTRIES as u64])
            .starts_with("a signature has an inadmissible")
    );
}

#[test]
fn the_host_refuses_more_entries_than_fit_and_says_how_many_do() {
    assert!(words(&vec![honest(); MAX_ENTRIES]).len() <= 1 << 16);
    assert_eq!(
        advice(&vec![honest(); MAX_ENTRIES + 1]),
        Err(TooMany {
            entries: 105,
            max: 104
        })
    );
}

/// A few instructions depend on the digits and on the positions.
#[test]
fn a_signature_costs_at_most_7250_instructions() {
    let cycles = |entries: &[Entry]| GUEST.exit(&words(entries)).cycles;
    let three_more = cycles(&ENTRIES) - cycles(&ENTRIES[..1]);
    assert!(three_more <= 3 * 7250, "{} instructions", three_more / 3);
}

#[test]
fn a_run_under_qemu_has_the_expected_output() {
    if let Some(found) = GUEST.output_under_qemu(&words(&ENTRIES)) {
        assert_eq!(found, output(ENTRIES.iter().map(|entry| &entry.claim)));
    }
}
