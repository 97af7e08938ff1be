//! Known answers of round 3 and of the benchmarks' signers, another implementation, and every way to spoil a signature,
//! natively and on the machine.

use falcon_guest::{BOUND, MODULUS, PublicKey, Signature, main};
use leanvm_guest::blake2s::to_bytes;
use leanvm_guest::host;
use primitives::blake2s;
use rv::trap::Cause;
use rv::{Limits, Run, RunError};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput as _, Update as _, XofReader as _};
use tide_fn_dsa::{FalconProfile, VerifyingKey as _, VerifyingKey512};

use super::*;
use crate::benchmark::{key_pair, sign};

const Q: i64 = MODULUS as i64;

/// Round 3's known answer of count 7, a line each: message, public key, nonce, compressed s2.
const VECTOR: &str = include_str!("../vectors/round3_count7.hex");

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits
        .as_chunks()
        .0
        .iter()
        .map(|[high, low]| (high << 4 | low) as u8)
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn little_endian(bytes: &[u8]) -> Vec<u64> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|word| u64::from_le_bytes(*word))
        .collect()
}

fn words(entries: &[Entry]) -> Vec<u64> {
    advice(entries).expect("the entries fit")
}

/// Runs the program on the machine.
fn machine(advice: &[u64]) -> Result<Run, RunError> {
    let program = rv::elf::load(ELF).expect("the program is well formed");
    rv::run(&program, advice, Limits::default(), &mut ())
}

/// The message of the guest's panic.
fn panic_message(advice: &[u64]) -> String {
    match machine(advice) {
        Err(RunError::Trap(trap)) => match trap.cause {
            Cause::Panic(panic) => panic.message,
            cause => panic!("{cause}"),
        },
        other => panic!("{other:?}"),
    }
}

/// Checks that an entry is refused so: by the library, and by the guest on the machine.
#[track_caller]
fn refused(expected: Refusal, entry: &Entry) {
    assert_eq!(verify(entry), Err(expected));
    let message = match expected {
        Refusal::Key => "invalid public key: a coefficient is not below the modulus",
        Refusal::Encoding => "invalid encoding of a signature",
        Refusal::TooLong => "a signature is too long",
    };
    assert_eq!(panic_message(&words(&[*entry])), message);
}

/// Checks that an entry is accepted by both.
#[track_caller]
fn accepted(entry: &Entry) {
    assert_eq!(verify(entry), Ok(()));
    let run = machine(&words(&[*entry])).expect("the guest exits");
    assert_eq!(run.output_bytes(), output([&entry.claim]));
}

#[test]
fn the_known_answer_of_round_3_is_accepted() {
    let mut lines = VECTOR.lines().map(bytes);
    let mut next = || lines.next().expect("a line");
    let [message, key, nonce, body] = [next(), next(), next(), next()];
    assert_eq!(
        [message.len(), key.len(), nonce.len(), body.len()],
        [264, 897, 40, 609]
    );
    let key = public_key(&key).expect("the key is well formed");
    let signature = signature(&[&[0x39][..], &nonce, &body].concat()).expect("the signature is well formed");
    let mut message = little_endian(&message);
    let mut verifier = Verifier::new();
    assert_eq!(verifier.verify(&key, &message, &signature), Ok(()));
    message[32] ^= 1;
    assert_eq!(verifier.verify(&key, &message, &signature), Err(Refusal::TooLong));
    message.pop();
    assert_eq!(verifier.verify(&key, &message, &signature), Err(Refusal::TooLong));
}

#[test]
fn signer_0_has_its_known_answers() {
    let (secret_key, key) = key_pair(0);
    assert_eq!(
        hex(&blake2s::hash(&key)),
        "8901310e08033eb76511511008c89596ea3371aa18fda94ff880e08b89e06243"
    );
    let signature = sign(0, &secret_key);
    assert_eq!(signature.len(), 655);
    assert_eq!(
        hex(&blake2s::hash(&signature)),
        "94c20b6ef54f81c94f58269305f7dbfd0edfc23beb530f353ac7952e2a7b7418"
    );
    let words = words(&benchmark_entries(1));
    assert_eq!(words.len(), 202);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(
        hex(&blake2s::hash(&bytes)),
        "5c9918b927d413b98add547080937c686de89ec02e1a2bf1cff1622ca37314a1"
    );
    let run = machine(&words).expect("the guest exits");
    assert_eq!(
        run.output,
        [
            0x366e_9ea5_860a_3fd6,
            0xcc0f_5c16_2914_d6a9,
            0x8f76_5796_f762_2f38,
            0x43ab_daa8_8e3b_f887
        ]
    );
    assert_eq!(
        hex(&to_bytes(&run.output)),
        "d63f0a86a59e6e36a9d61429165c0fcc382f62f79657768f87f83b8ea8daab43"
    );
}

#[test]
fn a_claim_and_an_entry_are_packed() {
    assert_eq!(size_of::<Claim>(), 928);
    assert_eq!(size_of::<Entry>(), 201 * 8);
}

#[test]
fn keys_and_signatures_of_other_headers_or_lengths_are_malformed() {
    let (secret_key, mut key) = key_pair(1);
    let mut sign = sign(1, &secret_key);
    let length = |found, min, max| Malformed::Length { found, min, max };
    assert_eq!(public_key(&key[..896]), Err(length(896, 897, 897)));
    assert_eq!(public_key(&[]), Err(length(0, 897, 897)));
    assert_eq!(public_key(&[&key[..], &[0]].concat()), Err(length(898, 897, 897)));
    key[0] = 0x0a;
    let header = |found, expected| Malformed::Header { found, expected };
    assert_eq!(public_key(&key), Err(header(0x0a, 0x09)));
    // Padding to 666 bytes makes no difference.
    let honest = signature(&sign);
    assert!(honest.is_ok());
    sign.resize(666, 0);
    assert_eq!(signature(&sign), honest);
    sign.push(0);
    assert_eq!(signature(&sign), Err(length(667, 41, 666)));
    assert_eq!(signature(&sign[..40]), Err(length(40, 41, 666)));
    sign[0] = 0x29;
    assert_eq!(signature(&sign), Err(header(0x29, 0x39)));
}

/// The verifier of the crate that made the signature, on the bytes: it takes unpadded signatures only.
fn other_verifier(key: &[u8], signature: &[u8], message: &[u8]) -> bool {
    VerifyingKey512::decode(key)
        .is_some_and(|key| key.verify_falcon(FalconProfile::PqClean, signature, message))
}

#[test]
fn the_verdict_is_that_of_another_implementation_whatever_byte_is_changed() {
    let (secret_key, key) = key_pair(2);
    let signed = sign(2, &secret_key);
    let mut verifier = Verifier::new();
    let mut verdicts = |key: &[u8], signed: &[u8], message: &[u8]| {
        let expected = other_verifier(key, signed, message);
        let (key, signed) = (
            public_key(key).expect("a key"),
            signature(signed).expect("a signature"),
        );
        let found = verifier.verify(&key, &little_endian(message), &signed);
        assert_eq!(found.is_ok(), expected, "{found:?}");
        expected
    };
    assert!(verdicts(&key, &signed, &BENCHMARK_MESSAGE));
    for byte in (1..key.len()).step_by(23) {
        let mut key = key;
        key[byte] ^= 1 << (byte % 8);
        assert!(!verdicts(&key, &signed, &BENCHMARK_MESSAGE));
    }
    for byte in (1..signed.len()).step_by(5) {
        let mut signed = signed.clone();
        signed[byte] ^= 1 << (byte % 8);
        assert!(!verdicts(&key, &signed, &BENCHMARK_MESSAGE));
    }
    for byte in 0..32 {
        let mut message = BENCHMARK_MESSAGE;
        message[byte] ^= 1 << (byte % 8);
        assert!(!verdicts(&key, &signed, &message));
    }
}

#[test]
fn a_flipped_bit_of_any_word_of_an_entry_is_refused() {
    let honest = benchmark_entry(3);
    accepted(&honest);
    for i in 0..112 {
        let mut entry = honest;
        entry.claim.key[i] ^= 1 << (i % 64);
        let refusal = verify(&entry).expect_err("another key");
        assert_ne!(refusal, Refusal::Encoding);
        refused(refusal, &entry);
    }
    for i in 0..4 {
        let mut entry = honest;
        entry.claim.message[i] ^= 1 << (16 * i);
        refused(Refusal::TooLong, &entry);
    }
    for i in 0..5 {
        let mut entry = honest;
        entry.signature.nonce[i] ^= 1 << (63 - 12 * i);
        refused(Refusal::TooLong, &entry);
    }
    for i in 0..80 {
        let mut entry = honest;
        entry.signature.body[i] ^= 1 << (i % 64);
        let refusal = verify(&entry).expect_err("another signature");
        assert_ne!(refusal, Refusal::Key);
        refused(refusal, &entry);
    }
    let mut entry = honest;
    // The lowest bit of the last coefficient of h, and the last bit of all.
    entry.claim.key[111] ^= 1;
    refused(Refusal::TooLong, &entry);
    let mut entry = honest;
    entry.signature.body[79] |= 1;
    refused(Refusal::Encoding, &entry);
}

#[test]
fn a_coefficient_of_the_key_that_is_not_below_q_is_refused() {
    let honest = benchmark_entry(4);
    let mut h = decode_key(&honest.claim.key);
    assert_eq!(encode_key(&h), honest.claim.key);
    for place in [0, 1, 2, 3, 4, 31, 32, 100, 255, 256, 510, 511] {
        let coefficient = h[place];
        for value in [Q, Q + 1, (1 << 14) - 1] {
            h[place] = value;
            let mut entry = honest;
            entry.claim.key = encode_key(&h);
            refused(Refusal::Key, &entry);
        }
        h[place] = coefficient;
    }
}

#[test]
fn bodies_that_are_no_encodings_are_refused() {
    let honest = benchmark_entry(5);
    let with_body = |bits: &[bool]| {
        let mut entry = honest;
        entry.signature.body = to_words(bits);
        entry
    };
    let zeros = vec![0; 512];
    for place in [0, 256, 511] {
        // The sign of a zero.
        let mut bits = encode(&zeros);
        bits[9 * place] = true;
        refused(Refusal::Encoding, &with_body(&bits));
        // A magnitude above 2047.
        let mut s2 = zeros.clone();
        s2[place] = 2048;
        refused(Refusal::Encoding, &with_body(&encode(&s2)));
        s2[place] = -2047;
        refused(Refusal::TooLong, &with_body(&encode(&s2)));
    }
    // A coefficient that ends at bit 5001; at bit 5000 it is an encoding.
    let mut s2 = zeros.clone();
    s2[..28].fill(14 * 128);
    refused(Refusal::TooLong, &with_body(&encode(&s2)));
    s2[511] = -128;
    refused(Refusal::Encoding, &with_body(&encode(&s2)));
    // Coefficients that never end.
    refused(Refusal::Encoding, &with_body(&[]));
    refused(Refusal::Encoding, &with_body(&encode(&[15 * 128; 512])[..5120]));
    // A bit behind the last coefficient.
    let bits = encode(&zeros);
    for bit in [4608, 4609, 4700, 4992, 4999, 5000, 5001, 5056, 5119] {
        let mut bits = bits.clone();
        bits.resize(5120, false);
        bits[bit] = true;
        refused(Refusal::Encoding, &with_body(&bits));
    }
    refused(Refusal::TooLong, &with_body(&bits));
}

/// Keys are made for a wanted s1: with s2 = 1, h is the point less s1.
#[test]
fn the_bound_is_exact() {
    let mut s2 = vec![0; 512];
    s2[0] = 1;
    let nonce = [1, 2, 3, 4, 5];
    let message = [6, 7, 8, 9];
    let point = point(&nonce, &message);
    let with_s1 = |s1: &[(usize, i64)]| {
        let mut h = point.clone();
        for (place, s) in s1 {
            h[*place] = (h[*place] - s).rem_euclid(Q);
        }
        Entry {
            claim: Claim {
                key: encode_key(&h),
                message,
            },
            signature: Signature {
                nonce,
                body: to_words(&encode(&s2)),
            },
        }
    };
    accepted(&with_s1(&[]));
    // With the square of s2 these are the bound.
    let most = [(17, 5833), (18, -104), (255, 4), (256, -2)];
    assert_eq!(most.iter().map(|(_, s)| s * s).sum::<i64>() as u64 + 1, BOUND);
    accepted(&with_s1(&most));
    for place in [0, 16, 19, 300, 511] {
        for one in [1, -1] {
            refused(Refusal::TooLong, &with_s1(&[&most[..], &[(place, one)]].concat()));
        }
    }
    // In one coefficient, up to the ends.
    for s in [5833, -5833] {
        accepted(&with_s1(&[(200, s)]));
    }
    for s in [5834, 5950, 6143, 6144, 6145, 6200, 6300, 6455] {
        refused(Refusal::TooLong, &with_s1(&[(200, s)]));
        refused(Refusal::TooLong, &with_s1(&[(201, -s)]));
    }
    // In all of them: 257^2 is 66,049, and 258^2 is 66,564.
    let all = |s: i64| {
        (0..512)
            .map(|place| (place, if place % 3 == 0 { -s } else { s }))
            .collect::<Vec<_>>()
    };
    accepted(&with_s1(&all(257)));
    refused(Refusal::TooLong, &with_s1(&all(258)));
    refused(Refusal::TooLong, &with_s1(&all(6144)));
}

/// The point of a message by another implementation's SHAKE256.
fn point(nonce: &[u64; 5], message: &[u64; 4]) -> Vec<i64> {
    let mut shake = Shake256::default();
    for word in nonce.iter().chain(message) {
        shake.update(&word.to_le_bytes());
    }
    let mut stream = shake.finalize_xof();
    let mut point = Vec::new();
    while point.len() < 512 {
        let mut sample = [0; 2];
        stream.read(&mut sample);
        let sample = i64::from(u16::from_be_bytes(sample));
        if sample < 5 * Q {
            point.push(sample % Q);
        }
    }
    point
}

fn decode_key(key: &PublicKey) -> Vec<i64> {
    let bits: Vec<bool> = key
        .iter()
        .flat_map(|word| (0..64).rev().map(move |i| word >> i & 1 == 1))
        .collect();
    bits.chunks(14)
        .map(|bits| bits.iter().fold(0, |sum, bit| 2 * sum + i64::from(*bit)))
        .collect()
}

fn encode_key(h: &[i64]) -> PublicKey {
    let bits: Vec<bool> = h
        .iter()
        .flat_map(|h| (0..14).rev().map(move |i| h >> i & 1 == 1))
        .collect();
    to_words(&bits)
}

/// A signature's bits, from the definition.
fn encode(s2: &[i64]) -> Vec<bool> {
    let mut bits = Vec::new();
    for s in s2 {
        let magnitude = s.abs();
        bits.push(*s < 0);
        bits.extend((0..7).rev().map(|i| magnitude >> i & 1 == 1));
        bits.extend((0..magnitude >> 7).map(|_| false));
        bits.push(true);
    }
    bits
}

/// Bits in words, the highest bit of each first, and zeros behind them.
fn to_words<const WORDS: usize>(bits: &[bool]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (i, bit) in bits.iter().enumerate() {
        words[i / 64] |= u64::from(*bit) << (63 - i % 64);
    }
    words
}

#[test]
fn runs_have_the_expected_output_whatever_the_number_of_entries() {
    let entries = benchmark_entries(7);
    for (i, entry) in entries.iter().enumerate() {
        assert_eq!(verify(entry), Ok(()), "signer {i}");
    }
    for count in 0..=entries.len() {
        let advice = words(&entries[..count]);
        let expected = output(entries[..count].iter().map(|entry| &entry.claim));
        let run = machine(&advice).expect("the guest exits");
        assert_eq!(run.output_bytes(), expected, "{count} signatures");
        assert_eq!(host::run(main, &advice), expected, "{count} signatures");
    }
}

#[test]
fn a_bad_signature_among_good_ones_is_refused() {
    let mut entries = benchmark_entries(3);
    entries[2].claim.message[0] ^= 1;
    assert_eq!(panic_message(&words(&entries)), "a signature is too long");
    // Keys and signatures do not fit one another's.
    let mut entries = benchmark_entries(2);
    let [first, second] = [entries[0].signature, entries[1].signature];
    (entries[0].signature, entries[1].signature) = (second, first);
    assert_eq!(panic_message(&words(&entries)), "a signature is too long");
}

#[test]
fn a_count_beyond_the_advice_is_refused_on_the_machine() {
    let message = "the guest reads past the end of its advice region";
    let entry = words(&benchmark_entries(1));
    let repeated = |count: u64| {
        let entries = std::iter::repeat_n(&entry[1..], MAX_ENTRIES).flatten().copied();
        std::iter::once(count).chain(entries).collect::<Vec<u64>>()
    };
    for count in [MAX_ENTRIES as u64 + 1, u64::MAX / 201 + 1, 1 << 61, u64::MAX] {
        assert_eq!(panic_message(&repeated(count)), message, "{count} signatures");
    }
    // The region is there, but holds zeros: no coefficient of the signature ends.
    assert_eq!(panic_message(&[1]), "invalid encoding of a signature");
}

#[test]
fn the_host_refuses_more_entries_than_fit_and_says_how_many_do() {
    let entry = benchmark_entry(0);
    let most = vec![entry; MAX_ENTRIES];
    let advice_of_most = words(&most);
    assert!(advice_of_most.len() <= 1 << 14);
    let run = machine(&advice_of_most).expect("the guest exits");
    assert_eq!(run.output_bytes(), output(most.iter().map(|entry| &entry.claim)));
    assert_eq!(
        advice(&vec![entry; MAX_ENTRIES + 1]),
        Err(TooMany { entries: 82, max: 81 })
    );
}

/// The mean of six signers: some points take eight permutations, some nine.
#[test]
fn a_signature_costs_at_most_125_000_instructions() {
    let entries = benchmark_entries(7);
    let cycles = |count: usize| {
        machine(&words(&entries[..count]))
            .expect("the guest exits")
            .cycles
    };
    let six = cycles(7) - cycles(1);
    assert!(six <= 6 * 125_000, "{} instructions", six / 6);
}
