use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::{B8, E, K, KWide};
use crate::suite::CASES;

/// The prime factors of 2^64 - 1.
const GROUP_ORDER_FACTORS: [u64; 7] = [3, 5, 17, 257, 641, 65_537, 6_700_417];

fn k() -> impl Strategy<Value = K> {
    prop_oneof![4 => any::<u64>(), 1 => prop::sample::select(vec![0, 1, u64::MAX, 1 << 63, 0x1b])].prop_map(K)
}

fn e() -> impl Strategy<Value = E> {
    [k(), k(), k()].prop_map(E)
}

fn b8() -> impl Strategy<Value = B8> {
    any::<u8>().prop_map(B8)
}

/// The axioms of a field of characteristic two, but for inverses.
macro_rules! ring_axioms {
    ($name:ident, $field:ty, $element:ident) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(CASES as u32))]
            #[test]
            fn $name(a in $element(), b in $element(), c in $element()) {
                let (zero, one) = (<$field>::ZERO, <$field>::ONE);
                prop_assert_eq!(a + b, b + a);
                prop_assert_eq!((a + b) + c, a + (b + c));
                prop_assert_eq!(a + zero, a);
                prop_assert_eq!(a + a, zero);
                prop_assert_eq!(a - b, a + b);
                prop_assert_eq!(a * b, b * a);
                prop_assert_eq!((a * b) * c, a * (b * c));
                prop_assert_eq!(a * one, a);
                prop_assert_eq!(a * zero, zero);
                prop_assert_eq!(a * (b + c), a * b + a * c);
                prop_assert_eq!([a, b, c].into_iter().sum::<$field>(), a + b + c);
                prop_assert_eq!([a, b, c].into_iter().product::<$field>(), a * b * c);
                let (mut sum, mut difference, mut product) = (a, a, a);
                sum += b;
                difference -= b;
                product *= b;
                prop_assert_eq!((sum, difference, product), (a + b, a - b, a * b));
                prop_assert_eq!(a.inverse_or_zero() * a, if a == zero { zero } else { one });
            }
        }
    };
}

ring_axioms!(k_is_a_field, K, k);
ring_axioms!(e_is_a_field, E, e);
ring_axioms!(the_byte_field_is_a_field, B8, b8);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES as u32))]

    #[test]
    fn products_in_k_equal_the_definition(a in k(), b in k()) {
        prop_assert_eq!(a * b, a.mul_const(b));
        prop_assert_eq!(a.square(), a.mul_const(a));
        prop_assert_eq!(a.mul_x(), a.mul_const(K::X));
        prop_assert_eq!(a.inverse(), (a != K::ZERO).then(|| a.inverse_or_zero()));
    }

    #[test]
    fn the_definition_of_a_reduction_is_a_division(wide in any::<u128>()) {
        let mut remainder = wide >> 1; // Any polynomial of degree at most 126.
        for degree in (64..127).rev() {
            if remainder >> degree & 1 == 1 {
                remainder ^= (1 << 64 | u128::from(K::MODULUS_TAIL)) << (degree - 64);
            }
        }
        prop_assert_eq!(KWide(wide >> 1).reduce(), K(remainder as u64));
    }

    #[test]
    fn e_contains_k_and_y_is_a_root_of_its_modulus(a in k(), b in k(), x in e()) {
        prop_assert_eq!(E::from(a) * E::from(b), E::from(a * b));
        prop_assert_eq!(E::from(a) + E::from(b), E::from(a + b));
        prop_assert_eq!(x * a, x * E::from(a));
        prop_assert_eq!(x + a, x + E::from(a));
        prop_assert_eq!(x.mul_y(), x * E::Y);
        prop_assert_eq!(x.square(), x * x);
        prop_assert_eq!(x.mul_wide(x).reduce(), x * x);
        prop_assert_eq!(E::from_words(x.to_words()), x);
        prop_assert_eq!(x.inverse(), (x != E::ZERO).then(|| x.inverse_or_zero()));
    }

    #[test]
    fn frobenius_is_repeated_squaring_and_closes(a in k(), x in e(), n in 0u32..400) {
        let power = (0..n).fold(a, |a, _| a.square());
        prop_assert_eq!(a.frobenius(n), power);
        let power = (0..n).fold(x, |x, _| x.square());
        prop_assert_eq!(x.frobenius(n), power);
        prop_assert_eq!(a.frobenius(64), a);
        prop_assert_eq!(x.frobenius(192), x);
        prop_assert_eq!(x.frobenius_64(1), (0..64).fold(x, |x, _| x.square()));
        prop_assert_eq!(x.frobenius_64(2), x.frobenius_64(1).frobenius_64(1));
    }

    #[test]
    fn frobenius_is_a_homomorphism(x in e(), y in e(), n in 0u32..192) {
        prop_assert_eq!((x * y).frobenius(n), x.frobenius(n) * y.frobenius(n));
        prop_assert_eq!((x + y).frobenius(n), x.frobenius(n) + y.frobenius(n));
    }

    #[test]
    fn powers_multiply(a in k(), x in e(), m in 0u64..1 << 40, n in 0u64..1 << 40) {
        prop_assert_eq!(a.pow(m) * a.pow(n), a.pow(m + n));
        prop_assert_eq!(x.pow(m) * x.pow(n), x.pow(m + n));
        prop_assert_eq!(a.pow(m), a.pow_const(m));
    }

    #[test]
    fn the_embedding_of_the_byte_field_is_a_homomorphism(a in b8(), b in b8()) {
        prop_assert_eq!((a * b).embed(), a.embed() * b.embed());
        prop_assert_eq!((a + b).embed(), a.embed() + b.embed());
    }
}

#[test]
fn zero_has_no_inverse() {
    assert_eq!(K::ZERO.inverse(), None);
    assert_eq!(E::ZERO.inverse(), None);
    assert_eq!(K::ZERO.pow(0), K::ONE);
}

/// x generates: its order divides 2^64 - 1 and no quotient of that by a prime factor. So K is a field, too: an
/// element of this order in a ring of 2^64 elements has all the others but zero as its powers.
#[test]
fn x_generates_the_multiplicative_group() {
    assert_eq!(GROUP_ORDER_FACTORS.iter().product::<u64>(), u64::MAX);
    assert_eq!(K::X.pow(u64::MAX), K::ONE);
    for factor in GROUP_ORDER_FACTORS {
        assert_ne!(
            K::X.pow(u64::MAX / factor),
            K::ONE,
            "the order divides (2^64 - 1) / {factor}"
        );
    }
}

/// t^8 + t^4 + t^3 + t + 1 divides X^256 + X, so all of its roots in K lie in the subfield of 256 elements, the powers
/// of an element of order 255 and zero.
#[test]
fn rho_is_the_least_root_of_the_byte_fields_modulus() {
    let generator = K::X.pow(u64::MAX / 255);
    let is_root = |a: &K| a.pow(8) + a.pow(4) + a.pow(3) + *a + K::ONE == K::ZERO;
    let roots = (0..255)
        .map(|i| generator.pow(i))
        .filter(is_root)
        .collect::<Vec<_>>();
    assert_eq!(roots.len(), 8);
    assert_eq!(roots.iter().min(), Some(&B8::RHO));
    assert_eq!(B8::T.embed(), B8::RHO);
}

#[test]
fn the_byte_fields_image_is_the_subfield_of_256_elements() {
    for byte in 0..=u8::MAX {
        let image = B8(byte).embed();
        assert_eq!(image.frobenius(8), image);
        assert_eq!(image == K::ZERO, byte == 0);
        assert_eq!(K::from(B8(byte)), image);
    }
}
