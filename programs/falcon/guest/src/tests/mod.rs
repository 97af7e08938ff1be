//! Each step of a verification against its definition, on random and on extreme input; that no lane overflows is in
//! `bounds`.

extern crate std;

mod bounds;

use std::vec;
use std::vec::Vec;

use proptest::collection::vec as vec_of;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::lanes::{Lanes as _, Word};
use crate::packed::{Point, Poly};
use crate::roots::{FORWARD, INVERSE};
use crate::{BOUND, MODULUS, PublicKey, Refusal, decode, norm, point, product, transform};

const Q: i64 = MODULUS as i64;

/// What a reduction divides by.
const R: i64 = 4096;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 64,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Default::default()
    }
}

/// `a b` modulo q and `x^degree - z`, from the definition.
fn product_modulo(a: &[i64], b: &[i64], z: i64) -> Vec<i64> {
    let degree = a.len();
    let mut product = vec![0i64; degree];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            let wraps = if i + j < degree { 1 } else { z };
            let place = &mut product[(i + j) % degree];
            *place = (*place + a * b % Q * wraps).rem_euclid(Q);
        }
    }
    product
}

/// `a` modulo q and `x^4 - z`.
fn remainder(a: &[i64], z: i64) -> [i64; 4] {
    // Horner's rule in x^4.
    a.as_chunks::<4>().0.iter().rev().fold([0; 4], |sum, four| {
        [0, 1, 2, 3].map(|i| (sum[i] * z + four[i]).rem_euclid(Q))
    })
}

/// `x` with `2^exponent x` being `number`, modulo q.
fn divided_by_power_of_2(number: i64, exponent: u32) -> i64 {
    let half = (Q + 1) / 2;
    (0..exponent).fold(number, |number, _| (number * half).rem_euclid(Q))
}

/// The root w of a node.
fn root(node: usize) -> i64 {
    divided_by_power_of_2(FORWARD[node] as i64, 12)
}

/// The number z of each leaf `x^4 - z`.
fn leaves() -> impl Iterator<Item = i64> {
    (64..128).flat_map(|node| [root(node), -root(node)])
}

fn lanes(Word(word): Word) -> [i64; 2] {
    // A negative lower lane takes one from the upper one.
    let low = i64::from(word as i32);
    [low, (word as i64).wrapping_sub(low) >> 32]
}

/// What the words hold, modulo q.
fn coefficients(words: &[Word]) -> Vec<i64> {
    words
        .iter()
        .flat_map(|word| lanes(*word))
        .map(|number| number.rem_euclid(Q))
        .collect()
}

/// These numbers, higher by a multiple of q.
fn poly(numbers: &[i64], lift: u32) -> Poly {
    let mut poly = Poly::zero();
    for (half, number) in poly.halves_mut().iter_mut().zip(numbers) {
        *half = u32::try_from(number + i64::from(lift) * Q).expect("the lift makes them positive");
    }
    poly
}

/// Polynomials of a key, the extreme ones among them.
fn key_poly() -> impl Strategy<Value = Vec<i64>> {
    prop_oneof![
        6 => vec_of(0..Q, 512),
        1 => vec_of(Just(Q - 1), 512),
        1 => vec_of(prop_oneof![Just(0), Just(Q - 1)], 512),
    ]
}

/// Polynomials of a signature, the extreme ones among them.
fn short_poly() -> impl Strategy<Value = Vec<i64>> {
    prop_oneof![
        6 => vec_of(-2047..=2047i64, 512),
        1 => vec_of(Just(-2047), 512),
        1 => vec_of(prop_oneof![Just(-2047), Just(2047)], 512),
    ]
}

#[test]
fn the_tree_splits_x_512_plus_1_into_128_different_leaves() {
    let mut values = vec![0; 256];
    values[1] = -1;
    for node in 1..128 {
        let w = root(node);
        assert_eq!((w * w - values[node]).rem_euclid(Q), 0, "node {node}");
        assert!((1..=6144).contains(&FORWARD[node]), "node {node}");
        let inverse = INVERSE[node] as i64;
        assert!(inverse.abs() <= 6144, "node {node}");
        assert_eq!((inverse * w - R).rem_euclid(Q), 0, "node {node}");
        (values[2 * node], values[2 * node + 1]) = (w, -w);
    }
    let mut leaves: Vec<i64> = leaves().map(|z| z.rem_euclid(Q)).collect();
    leaves.sort_unstable();
    leaves.dedup();
    assert_eq!(leaves.len(), 128);
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_reduction_divides_both_lanes_by_2_to_the_12(low: u32, high: u32) {
        let word = Word(u64::from(low) | u64::from(high) << 32);
        for (lane, reduced) in [low, high].map(i64::from).into_iter().zip(lanes(word.reduce())) {
            prop_assert_eq!((reduced * R - lane).rem_euclid(Q), 0);
            prop_assert!((-12285..=lane / R).contains(&reduced));
        }
        let negated = lanes(word.reduce_negated());
        prop_assert_eq!(lanes(word.reduce()), negated.map(|lane| -lane));
    }

    #[test]
    fn products_of_words_are_those_of_linear_polynomials(a in any::<[u16; 2]>(), b in any::<[u16; 2]>()) {
        let word = |[low, high]: [u16; 2]| Word(u64::from(low / 2) | u64::from(high / 2) << 32);
        let ([a0, a1], [b0, b1]) = (a.map(|a| i64::from(a / 2)), b.map(|b| i64::from(b / 2)));
        prop_assert_eq!(lanes_unsigned(word(a).product_low(word(b))), [a0 * b0, a0 * b1 + a1 * b0]);
        prop_assert_eq!(lanes_unsigned(word(a).product_high(word(b))), [a1 * b1, 0]);
    }

    #[test]
    fn the_transform_is_the_remainders_at_the_leaves_divided_by_2_to_the_24(h in key_poly(), s2 in short_poly()) {
        for (numbers, lift) in [(h, decode::KEY_LIFT), (s2, decode::BODY_LIFT)] {
            let mut transformed = poly(&numbers, lift);
            transform::forward(&mut transformed.0);
            let found = coefficients(&transformed.0);
            for (leaf, z) in found.as_chunks::<4>().0.iter().zip(leaves()) {
                let expected = remainder(&numbers, z).map(|number| divided_by_power_of_2(number, 24));
                prop_assert_eq!(*leaf, expected);
            }
        }
    }

    #[test]
    fn a_product_of_transforms_is_that_of_the_leaves_divided_by_2_to_the_24(
        a in vec_of(4..=Q + 158, 512), b in vec_of(4..=Q + 158, 512),
    ) {
        let mut found = poly(&a, 0);
        product::multiply(&mut found.0, &poly(&b, 0).0);
        let found = coefficients(&found.0);
        let leaves = a.as_chunks::<4>().0.iter().zip(b.as_chunks::<4>().0).zip(leaves());
        for (found, ((a, b), z)) in found.chunks(4).zip(leaves) {
            let product = product_modulo(a, b, z);
            let expected: Vec<i64> = product.iter().map(|number| divided_by_power_of_2(*number, 24)).collect();
            prop_assert_eq!(found, expected);
        }
    }

    /// From the coefficients to the norm, by the point that makes the difference what it shall be.
    #[test]
    fn the_norm_is_that_of_the_point_less_the_product(
        h in key_poly(),
        s2 in short_poly(),
        s1 in vec_of(prop_oneof![20 => -600..600i64, 1 => -5833..=5833i64], 512),
        lifts in vec_of(0..5i64, 512),
    ) {
        let norm: u64 = s1.iter().map(|s| s.pow(2) as u64).sum();
        prop_assert_eq!(norm_of(&h, &s2, &s1, &lifts), norm);
    }

    #[test]
    fn a_coefficient_above_5833_makes_the_norm_too_long(
        h in key_poly(), s2 in short_poly(), large in 5834..=6144i64, negative: bool, place in 0..512usize,
    ) {
        let mut s1 = vec![0; 512];
        s1[place] = if negative { -large } else { large };
        prop_assert!(norm_of(&h, &s2, &s1, &[0; 512]) > BOUND);
        prop_assert!(norm_of(&h, &s2, &s1, &[4; 512]) > BOUND);
    }

    #[test]
    fn keys_decode_to_the_bits_that_they_have(h in key_poly()) {
        let mut found = Poly::zero();
        prop_assert_eq!(decode::key(&encode_key(&h), &mut found), Ok(()));
        let mut expected = poly(&h, decode::KEY_LIFT);
        prop_assert_eq!(found.halves_mut(), expected.halves_mut());
    }

    #[test]
    fn a_key_with_a_coefficient_of_q_or_more_is_refused(h in key_poly(), place in 0..512usize, excess in 0..4095i64) {
        for excess in [0, excess, 4094] {
            let mut h = h.clone();
            h[place] = Q + excess;
            prop_assert_eq!(decode::key(&encode_key(&h), &mut Poly::zero()), Err(Refusal::Key));
        }
    }

    /// Short enough for the body: at most nine bits and some zeros each.
    #[test]
    fn signatures_decode_to_the_coefficients_that_they_encode(
        s2 in vec_of(prop_oneof![60 => -127..=127i64, 1 => -2047..=2047i64], 512),
    ) {
        let bits = encode(&s2);
        prop_assume!(bits.len() <= 5000);
        let mut found = Poly::zero();
        let norm = s2.iter().map(|s| s.pow(2) as u64).sum();
        prop_assert_eq!(decode::body(&body(&bits), &mut found), Ok(norm));
        let mut expected = poly(&s2, decode::BODY_LIFT);
        prop_assert_eq!(found.halves_mut(), expected.halves_mut());
        // Any further bit is one too many, be it padding or not.
        for extra in [bits.len(), bits.len() + 1, 4999, 5000, 5063, 5119] {
            let mut bits = bits.clone();
            bits.resize(5120, false);
            bits[extra] = true;
            prop_assert_eq!(decode::body(&body(&bits), &mut Poly::zero()), Err(Refusal::Encoding), "bit {}", extra);
        }
    }
}

fn lanes_unsigned(Word(word): Word) -> [i64; 2] {
    [(word & 0xffff_ffff) as i64, (word >> 32) as i64]
}

/// The norm that is computed for s1, with samples of the point higher by these multiples of q where they can be.
fn norm_of(h: &[i64], s2: &[i64], s1: &[i64], lifts: &[i64]) -> u64 {
    let product = product_modulo(h, s2, -1);
    let samples: Vec<i64> = product
        .iter()
        .zip(s1)
        .zip(lifts)
        .map(|((product, s1), lift)| (product + s1).rem_euclid(Q) + lift * Q)
        .collect();
    let mut point = Point::zero();
    for (half, sample) in point.halves_mut().iter_mut().zip(&samples) {
        *half = *sample as u32;
    }
    let (mut h, mut s2) = (poly(h, decode::KEY_LIFT), poly(s2, decode::BODY_LIFT));
    transform::forward(&mut h.0);
    transform::forward(&mut s2.0);
    product::multiply(&mut h.0, &s2.0);
    transform::inverse_begin(&mut h.0);
    norm::of_difference(&point, &h)
}

fn encode_key(h: &[i64]) -> PublicKey {
    let bits: Vec<bool> = h
        .iter()
        .flat_map(|h| (0..14).rev().map(move |i| h >> i & 1 == 1))
        .collect();
    words(&bits)
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

fn body(bits: &[bool]) -> [u64; 80] {
    words(bits)
}

/// Bits in words, the highest bit of each first, and zeros behind them.
fn words<const WORDS: usize>(bits: &[bool]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (i, bit) in bits.iter().enumerate() {
        words[i / 64] |= u64::from(*bit) << (63 - i % 64);
    }
    words
}

#[test]
fn the_example_of_an_encoding_is_this() {
    let bits = [1, 1, 0, 1, 0, 1, 0, 1, 0, 1].map(|bit| bit == 1);
    assert_eq!(encode(&[-213]), bits);
}

/// 512 bits of nine each end at bit 4608: what is wrong is put in front of them, or in their place.
#[test]
fn encodings_that_are_none_are_refused() {
    let refused = |bits: &[bool]| {
        assert_eq!(
            decode::body(&body(bits), &mut Poly::zero()),
            Err(Refusal::Encoding)
        );
    };
    let zeros = vec![0; 512];
    let honest = encode(&zeros);
    assert_eq!(honest.len(), 4608);
    assert_eq!(decode::body(&body(&honest), &mut Poly::zero()), Ok(0));
    for place in [0, 1, 255, 511] {
        // The sign of a zero.
        let mut bits = honest.clone();
        bits[9 * place] = true;
        refused(&bits);
        // But not that of another number with seven zeros.
        let mut s2 = zeros.clone();
        s2[place] = -128;
        assert_eq!(
            decode::body(&body(&encode(&s2)), &mut Poly::zero()),
            Ok(128 * 128)
        );
        // The greatest magnitude, and one with one zero more.
        for s in [2047, -2047, 1920] {
            s2[place] = s;
            let bits = encode(&s2);
            assert_eq!(decode::body(&body(&bits), &mut Poly::zero()), Ok((s * s) as u64));
        }
        for s in [2048, -2048, 2048 + 127, 4000, 9000] {
            s2[place] = s;
            refused(&encode(&s2));
        }
    }
    // One coefficient too few, or nothing at all.
    refused(&honest[..4608 - 9]);
    refused(&[]);
}

#[test]
fn the_last_coefficient_ends_at_bit_5000_at_most() {
    // 392 more than the least: 28 times fourteen zeros.
    let mut s2 = vec![0; 512];
    s2[..28].fill(14 * 128);
    let bits = encode(&s2);
    assert_eq!(bits.len(), 5000);
    assert!(decode::body(&body(&bits), &mut Poly::zero()).is_ok());
    for place in [28, 511] {
        let mut s2 = s2.clone();
        s2[place] = 128;
        let bits = encode(&s2);
        assert_eq!(bits.len(), 5001);
        assert_eq!(
            decode::body(&body(&bits), &mut Poly::zero()),
            Err(Refusal::Encoding)
        );
    }
    // Far beyond, where there are no words any more.
    let bits = encode(&[15 * 128; 512]);
    assert_eq!(
        decode::body(&body(&bits[..5120]), &mut Poly::zero()),
        Err(Refusal::Encoding)
    );
}

/// Round 3's known answer of count 7: message, public key, nonce and compressed s2.
#[test]
fn the_steps_of_round_3_s_known_answer_have_its_numbers() {
    let vector = include_str!("../../../host/vectors/round3_count7.hex");
    let mut lines = vector.lines().map(|hex| {
        let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
        let bytes = digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8);
        bytes.collect::<Vec<u8>>()
    });
    let mut next = || lines.next().expect("a line");
    let [message, key, nonce, compressed] = [next(), next(), next(), next()];
    let big_endian = |bytes: &[u8]| {
        bytes
            .iter()
            .flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1 == 1))
            .collect::<Vec<bool>>()
    };
    let little_endian = |bytes: &[u8]| {
        bytes
            .as_chunks()
            .0
            .iter()
            .map(|word| u64::from_le_bytes(*word))
            .collect::<Vec<u64>>()
    };

    let (mut h, mut s2, mut c) = (Poly::zero(), Poly::zero(), Point::zero());
    decode::key(&words(&big_endian(&key[1..])), &mut h).expect("the key is valid");
    let h_numbers = coefficients(&h.0);
    assert_eq!(h_numbers[..4], [5125, 10208, 3218, 8040]);
    assert_eq!(h_numbers[511], 3970);

    let norm = decode::body(&words(&big_endian(&compressed)), &mut s2);
    assert_eq!(norm, Ok(12_315_977));
    let centred = |number: i64| (number + Q / 2).rem_euclid(Q) - Q / 2;
    let s2_numbers: Vec<i64> = coefficients(&s2.0).into_iter().map(centred).collect();
    assert_eq!(s2_numbers[..6], [-84, -21, 28, 248, 110, 250]);
    assert_eq!(s2_numbers[511], -126);

    let nonce = little_endian(&nonce).try_into().expect("five words");
    point::hash(&mut Default::default(), &nonce, &little_endian(&message), &mut c);
    let c_numbers = &coefficients(&c.0)[..512];
    assert_eq!(c_numbers[..4], [6785, 11698, 3464, 6802]);

    let product = product_modulo(&h_numbers, &s2_numbers, -1);
    let s1: Vec<i64> = c_numbers
        .iter()
        .zip(product)
        .map(|(c, product)| centred(c - product))
        .collect();
    let expected: i64 = s1.iter().map(|s| s * s).sum();
    assert_eq!(expected, 14_585_731);
    assert_eq!(norm_of(&h_numbers, &s2_numbers, &s1, &[0; 512]), 14_585_731);
}
