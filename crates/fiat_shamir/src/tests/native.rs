use alloc::string::ToString;
use alloc::vec::Vec;

use primitives::field::{E, K};
use proptest::prelude::*;

use super::{config, scalars};
use crate::{Arith, Item, Label, Native, Value, VerifyError};

const CHECK: Label = Label::new("tests: check");

proptest! {
    #![proptest_config(config())]

    #[test]
    fn operations_are_those_of_the_fields(a in scalars(), b in scalars(), c in scalars(), k in any::<u64>()) {
        let n = Native::default();
        let k = K(k);
        prop_assert_eq!(n.add(a, b), a + b);
        prop_assert_eq!(n.mul(a, b), a * b);
        prop_assert_eq!(n.mul_k(a, k), a * k);
        prop_assert_eq!(n.mul_word(a, k), a * E::from(k));
        prop_assert_eq!(n.mul_add(a, b, c), a * b + c);
        prop_assert_eq!(n.mul_word_add(a, k, c), a * k + c);
        prop_assert_eq!(n.square(a), a * a);
        prop_assert_eq!(n.embed(k), E::from(k));
        prop_assert_eq!(n.scalar(n.limbs(a)), a);
        for bit in [false, true] {
            let b_word = E::from(n.bit_word(bit));
            prop_assert_eq!(n.select(bit, a, c), a + b_word * (a + c));
        }
    }

    #[test]
    fn square_roots_are_undone_by_squares(a in scalars(), steps in 0u32..400) {
        let n = Native::default();
        let root = n.inverse_frobenius(a, steps);
        prop_assert_eq!((0..steps).fold(root, |power, _| n.square(power)), a);
        prop_assert_eq!(n.frobenius_64(a, steps), (0..64 * (steps % 3)).fold(a, |power, _| n.square(power)));
        let orbit: Vec<E> = (0..steps).map(|i| n.inverse_frobenius(a, i)).collect();
        prop_assert_eq!(n.inverse_frobenius_orbit(a, steps), orbit);
    }

    #[test]
    fn words_bits_and_digests_hold_together(word in any::<u64>(), digest in any::<[u64; 4]>()) {
        let n = Native::default();
        let sum: K = n.bits(K(word)).into_iter().enumerate()
            .map(|(i, bit)| K(n.bit_word(bit).0 << i)).sum();
        prop_assert_eq!(sum, K(word));
        prop_assert_eq!(n.digest(n.digest_words(digest)), digest);
        prop_assert_eq!(&n.digest_scalar(digest).to_words()[..], &digest[..3]);
    }

    #[test]
    fn items_are_compressed_word_by_word(a in scalars(), k in any::<u64>(), d in any::<[u64; 4]>(),
                                         chaining in any::<[u64; 4]>(), counter in any::<u64>()) {
        let n = Native::default();
        let [a0, a1, a2] = a.to_words();
        let message = [a0, a1, a2, k, d[0], d[1], d[2], d[3]];
        for last in [false, true] {
            let expected = primitives::blake2s::compress_words(&chaining, &message, counter, last);
            let items = [Item::Scalar(a), Item::Word(K(k)), Item::Digest(d)];
            prop_assert_eq!(n.compress(chaining, &items, counter, last), expected);
        }
    }
}

#[test]
fn each_equality_fails_with_its_label_and_both_sides() {
    let n = Native::default();
    let failed = |left, right| {
        Err(VerifyError::Check {
            label: CHECK.at(3),
            left,
            right,
        })
    };
    let (a, b) = (E::Y, E::ONE);
    assert_eq!(n.assert_eq(a, a, CHECK), Ok(()));
    assert_eq!(
        n.assert_eq(a, b, CHECK.at(3)),
        failed(Value::Scalar(a), Value::Scalar(b))
    );
    assert_eq!(n.assert_eq_word(K(1), K(1), CHECK), Ok(()));
    assert_eq!(
        n.assert_eq_word(K(1), K(2), CHECK.at(3)),
        failed(Value::Word(K(1)), Value::Word(K(2)))
    );
    let (d, e) = ([1, 2, 3, 4], [1, 2, 3, 5]);
    assert_eq!(n.assert_eq_digest(d, d, CHECK), Ok(()));
    assert_eq!(
        n.assert_eq_digest(d, e, CHECK.at(3)),
        failed(Value::Digest(d), Value::Digest(e))
    );
    assert_eq!(n.assert_zero_bit(false, CHECK), Ok(()));
    assert_eq!(
        n.assert_zero_bit(true, CHECK.at(3)),
        failed(Value::Bit(true), Value::Bit(false))
    );
}

#[test]
fn a_failure_says_which_check_and_what_differs() {
    let error = Native::default()
        .assert_eq_word(K(1), K(2), CHECK.at(3))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the check `tests: check` number 3 failed: K(0x0000000000000001) is not K(0x0000000000000002)"
    );
}
