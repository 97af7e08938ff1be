//! Every operation: its value is that of values, and it is no more rows than it should be.

use alloc::vec;
use alloc::vec::Vec;

use fiat_shamir::{Arith, Item, Label, Native};
use primitives::field::{E, K};

use super::{checked, rows_of, scalars, words};
use crate::Recorder;

/// A scalar that no row fixes.
fn hint(recorder: &Recorder<'_>, value: E) -> crate::Wire {
    let [a0, a1, a2] = value.to_words();
    recorder.hint([a0, a1, a2, 0])
}

/// Operations chosen by `choices`, on some of what is there; the digest of everything at the end.
fn program<A: Arith>(
    arith: &A,
    mut scalars: Vec<A::Scalar>,
    mut words: Vec<A::Word>,
    choices: &[u64],
) -> A::Digest {
    scalars.extend([E::ZERO, E::ONE, E::Y, E::from(K(5))].map(|value| arith.constant(value)));
    words.extend([K::ZERO, K::ONE, K(77)].map(|value| arith.constant_word(value)));
    let mut digest = arith.constant_digest([1, 2, 3, 4]);
    for &choice in choices {
        let pick = |shift: u32, count: usize| (choice >> shift) as usize % count;
        let [a, b, c] = [8, 20, 32].map(|shift| scalars[pick(shift, scalars.len())]);
        let [v, w] = [44, 52].map(|shift| words[pick(shift, words.len())]);
        let bit = arith.bits(w)[pick(3, 64)];
        scalars.push(match choice % 19 {
            0 => arith.add(a, b),
            1 => arith.mul(a, b),
            2 => arith.mul_k(a, K(choice)),
            3 => arith.mul_word(a, v),
            4 => arith.mul_add(a, b, c),
            5 => arith.mul_word_add(a, v, b),
            6 => arith.square(a),
            7 => arith.frobenius_64(a, choice as u32 >> 8 & 3),
            8 => arith.inverse_frobenius(a, choice as u32 >> 8 & 255),
            9 => arith.inverse_frobenius_orbit(a, 5)[pick(8, 5)],
            10 => arith.select(bit, a, b),
            11 => arith.embed(v),
            12 => arith.scalar([v, w, v]),
            13 => arith.digest_scalar(digest),
            14 => arith.mul(arith.add(a, b), arith.add(b, c)),
            15 => arith.add(arith.mul(a, b), arith.mul(b, c)),
            16 => arith.embed(arith.bit_word(bit)),
            17 => {
                let [x, y, z] = arith.limbs(a);
                arith.scalar([z, x, y])
            }
            _ => arith.add(arith.mul(a, arith.add(a, b)), a),
        });
        match choice % 7 {
            0 => {
                let items = [Item::Scalar(a), Item::Word(v), Item::Scalar(b)];
                digest = arith.compress(digest, &items, choice >> 4, choice & 8 != 0);
            }
            1 => {
                let items = [Item::Scalar(a), Item::Digest(digest), Item::Word(v)];
                digest = arith.compress(digest, &items, choice >> 4, choice & 8 != 0);
            }
            2 => digest = arith.merkle_step(digest, arith.digest([v, w, v, w]), bit),
            3 => digest = arith.merkle_node(digest, digest),
            4 => digest = arith.compress(digest, &[Item::Scalar(c), Item::Scalar(b)], 7, true),
            5 => words.push(arith.digest_words(digest)[pick(9, 4)]),
            _ => words.push(arith.limbs(a)[pick(9, 3)]),
        }
    }
    for pair in scalars.chunks_exact(2) {
        let items = [Item::Scalar(pair[0]), Item::Scalar(pair[1])];
        digest = arith.compress(digest, &items, 1 << 33, true);
    }
    for chunk in words.chunks(8) {
        let items: Vec<_> = chunk.iter().map(|&word| Item::Word(word)).collect();
        digest = arith.compress(digest, &items, 1 << 33, true);
    }
    digest
}

#[test]
fn programs_have_the_values_of_values_and_their_rows_hold() {
    for seed in 0..40 {
        let choices = words(60, 100 + seed);
        let (inputs, input_words) = (scalars(4, 2 * seed + 1), words(3, 2 * seed + 2));
        let native_words = input_words.iter().copied().map(K).collect();
        let expected = program(&Native::default(), inputs.clone(), native_words, &choices);
        let recorder = Recorder::new();
        let run = |recorder: &Recorder<'_>, inputs: &[E], input_words: &[u64]| {
            let inputs = inputs.iter().map(|&value| hint(recorder, value)).collect();
            let input_words = input_words.iter().map(|&word| recorder.hint_word(word)).collect();
            let digest = program(recorder, inputs, input_words, &choices);
            recorder.value(digest)
        };
        assert_eq!(run(&recorder, &inputs, &input_words), expected, "seed {seed}");
        let (rows, _) = checked(&recorder);
        let blank = Recorder::without_values();
        run(&blank, &[E::ZERO; 4], &[0; 3]);
        assert!(blank.finish().0 == rows, "seed {seed}: rows depend on values");
    }
}

/// The rows that some operations on three free scalars and a free word are, once their results are needed.
fn counts(
    operations: impl Fn(&Recorder<'_>, [crate::Wire; 3], crate::Wire) -> Vec<crate::Wire>,
) -> Vec<(&'static str, usize)> {
    let recorder = Recorder::new();
    let inputs = scalars(3, 1);
    let inputs = core::array::from_fn(|i| hint(&recorder, inputs[i]));
    let results = operations(&recorder, inputs, recorder.hint_word(words(1, 9)[0]));
    for result in results {
        recorder.assert_eq(result, result, Label::new("a use")).unwrap();
    }
    checked(&recorder);
    rows_of(&recorder.counts())
}

#[test]
fn what_one_row_can_compute_is_one_row() {
    let emul = vec![("EMUL", 1)];
    let exk = vec![("EXK", 1)];
    assert_eq!(counts(|r, [a, b, _], _| vec![r.mul(a, b)]), emul);
    assert_eq!(counts(|r, [a, b, c], _| vec![r.mul_add(a, b, c)]), emul);
    assert_eq!(counts(|r, [a, b, c], _| vec![r.add(c, r.mul(a, b))]), emul);
    assert_eq!(counts(|r, [a, b, c], _| vec![r.mul(c, r.add(a, b))]), emul);
    // (a + c) a + b.
    assert_eq!(counts(|r, [a, b, c], _| vec![r.mul_add(r.add(a, c), a, b)]), emul);
    assert_eq!(counts(|r, [a, ..], _| vec![r.add(r.square(a), a)]), emul);
    assert_eq!(counts(|r, [a, b, _], w| vec![r.mul_word_add(a, w, b)]), exk);
    assert_eq!(counts(|r, [a, ..], _| vec![r.mul_k(a, K(6))]), exk);
    assert_eq!(counts(|r, [a, b, _], _| vec![r.add(a, b)]), exk);
    // An operation that was done, and one in the other order.
    assert_eq!(
        counts(|r, [a, b, _], _| vec![r.mul(a, b), r.mul(b, a), r.mul(a, b)]),
        emul
    );
}

#[test]
fn what_needs_no_row_is_none() {
    let none = vec![];
    let constants = |r: &Recorder<'_>| [E::ZERO, E::ONE, E::Y].map(|value| r.constant(value));
    assert_eq!(
        counts(|r, [a, ..], w| {
            let [zero, one, y] = constants(r);
            vec![
                r.add(a, zero),
                r.add(a, a),
                r.mul(a, one),
                r.mul(zero, a),
                r.mul(y, y),
                r.add(y, one),
                r.embed(w),
                r.frobenius_64(a, 3),
                r.inverse_frobenius(a, 192),
            ]
        }),
        none
    );
    // What nothing needs.
    assert_eq!(
        counts(|r, [a, b, c], _| {
            let _ = r.mul(r.mul(a, b), r.add(a, c));
            vec![]
        }),
        [("EMUL", 1)]
    );
}

#[test]
fn conversions_are_made_once() {
    let cast = vec![("CAST", 1)];
    assert_eq!(
        counts(|r, [a, ..], _| {
            let limbs = r.limbs(a);
            vec![r.scalar(limbs), r.limbs(a)[2]]
        }),
        cast
    );
    assert_eq!(
        counts(|r, [a, ..], w| {
            let [.., x] = r.limbs(r.embed(w));
            let bits = r.bits(w);
            let again = r.bits(w);
            assert_eq!(bits, again);
            vec![x, a, bits[63]]
        }),
        [("SPLIT", 4)]
    );
    // A challenge, and two scalars before it.
    assert_eq!(
        counts(|r, [a, b, _], _| {
            let start = r.hint([1, 2, 3, 4]);
            let state = r.compress(start, &[Item::Scalar(a), Item::Scalar(b)], 1 << 33, true);
            let challenge = r.digest_scalar(state);
            vec![challenge, r.digest_scalar(state)]
        }),
        [("HASH", 1)]
    );
    // 19 squares of a hint.
    assert_eq!(
        counts(|r, [a, ..], _| {
            let root = r.inverse_frobenius(a, 19);
            let orbit = r.inverse_frobenius_orbit(a, 12);
            vec![root, orbit[11]]
        }),
        [("EMUL", 19)]
    );
}
