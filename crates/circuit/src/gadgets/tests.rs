//! Each gadget against native arithmetic: all operands at small widths, edges and random words at 64 bits.

use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::{Number, Sum, extend, rotate_right, shift_left, shift_right};
use crate::tests::{Words, config};
use crate::{Builder, Circuit, Wire};

/// Widths at which all operands are tried.
const SMALL: [usize; 5] = [1, 2, 3, 4, 5];

/// Words at which carries, signs and shifts turn.
const EDGES: [u64; 12] = [
    0,
    1,
    2,
    63,
    64,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    i64::MAX as u64,
    i64::MIN as u64,
    u64::MAX,
];

/// The circuit whose inputs have these widths and whose outputs are the words that `gates` makes.
fn circuit(widths: &[usize], gates: impl FnOnce(&mut Builder, Vec<Vec<Wire>>) -> Vec<Vec<Wire>>) -> Circuit {
    let mut b = Builder::new();
    let inputs = widths
        .iter()
        .map(|&width| b.input_with_bits(mask(width))[..width].to_vec())
        .collect();
    for output in gates(&mut b, inputs) {
        b.output(&output);
    }
    b.build()
}

fn mask(width: usize) -> u64 {
    u64::MAX.checked_shr(64 - width as u32).unwrap_or(0)
}

fn signed(word: u64, width: usize) -> i64 {
    (word << (64 - width)) as i64 >> (64 - width)
}

/// Holds the circuit to `native` on every instance.
fn assert_computes(circuit: &Circuit, instances: &[Vec<u64>], native: impl Fn(&[u64]) -> Vec<u64>) {
    let words = circuit.block_words();
    let mut blocks = vec![0; words * instances.len()];
    for (block, inputs) in blocks.chunks_mut(words).zip(instances) {
        block[..inputs.len()].copy_from_slice(inputs);
    }
    circuit.fill(&mut blocks);
    let outputs = circuit.inputs()..circuit.inputs() + circuit.outputs();
    for (block, inputs) in blocks.chunks(words).zip(instances) {
        assert_eq!(block[outputs.clone()], native(inputs), "{inputs:x?}");
    }
}

/// All words of these widths.
fn all(widths: &[usize]) -> Vec<Vec<u64>> {
    let mut instances = vec![Vec::new()];
    for &width in widths {
        let extended = |inputs: &Vec<u64>| {
            let inputs = inputs.clone();
            (0..1 << width).map(move |word| [&inputs[..], &[word]].concat())
        };
        instances = instances.iter().flat_map(extended).collect();
    }
    instances
}

/// Edges, each with each, and random words, under the widths.
fn wide(widths: &[usize]) -> Vec<Vec<u64>> {
    let mut instances: Vec<Vec<u64>> = vec![Vec::new()];
    for _ in widths {
        let extended = |inputs: &Vec<u64>| {
            let inputs = inputs.clone();
            EDGES.map(move |word| [&inputs[..], &[word]].concat())
        };
        instances = instances.iter().flat_map(extended).collect();
    }
    let mut words = Words(64);
    instances.extend((0..512).map(|_| widths.iter().map(|_| words.word()).collect()));
    for inputs in &mut instances {
        inputs
            .iter_mut()
            .zip(widths)
            .for_each(|(word, &width)| *word &= mask(width));
    }
    instances
}

/// A two-operand gadget on words of one width.
fn assert_binary(
    gates: impl Fn(&mut Builder, &[Wire], &[Wire]) -> Vec<Wire>,
    native: impl Fn(u64, u64, usize) -> u64,
    ands: usize,
) {
    for width in SMALL.into_iter().chain([64]) {
        let widths = [width; 2];
        let circuit = circuit(&widths, |b, x| vec![gates(b, &x[0], &x[1])]);
        let instances = if width < 64 { all(&widths) } else { wide(&widths) };
        assert_computes(&circuit, &instances, |x| vec![native(x[0], x[1], width)]);
        if width == 64 {
            assert_eq!(circuit.ands(), ands);
        }
    }
}

#[test]
fn bitwise_gadgets() {
    assert_binary(Builder::xor_words, |a, b, _| a ^ b, 0);
    assert_binary(Builder::and_words, |a, b, _| a & b, 64);
    assert_binary(|b, x, _| b.not_word(x), |a, _, width| !a & mask(width), 0);
    let or = |b: &mut Builder, x: &[Wire], y: &[Wire]| x.iter().zip(y).map(|(&x, &y)| b.or(x, y)).collect();
    assert_binary(or, |a, b, _| a | b, 64);
    assert_binary(
        |b, x, y| vec![b.any(x), b.all(y)],
        |a, b, width| u64::from(a != 0) | u64::from(b == mask(width)) << 1,
        126,
    );
    assert_binary(
        |b, x, y| b.mask_word(x[0], y),
        |a, b, _| if a & 1 == 1 { b } else { 0 },
        64,
    );
    assert_binary(
        |b, x, y| b.mux_words(x[0], x, y),
        |a, b, _| if a & 1 == 1 { a } else { b },
        64,
    );
}

#[test]
fn majority_and_the_full_adder_on_all_bits() {
    let circuit = circuit(&[3], |b, x| {
        let (sum, carry) = b.full_adder(x[0][0], x[0][1], x[0][2]);
        vec![vec![b.majority(x[0][0], x[0][1], x[0][2])], vec![sum, carry]]
    });
    assert_computes(&circuit, &all(&[3]), |x| {
        let ones = u64::from(x[0].count_ones());
        vec![u64::from(ones >= 2), ones]
    });
    assert_eq!(circuit.ands(), 2);
}

#[test]
fn constants_and_fixed_shifts() {
    for width in SMALL.into_iter().chain([64]) {
        for by in [0, 1, 2, 5, 63, 64, 99] {
            let circuit = circuit(&[width], |b, x| {
                let x = &x[0];
                vec![
                    shift_left(x, by),
                    shift_right(x, by, Wire::ZERO),
                    shift_right(x, by, x[width - 1]),
                    rotate_right(x, by),
                    extend(&x[..1], width, x[0]),
                    b.constant(0x1234_5678_9abc_def1, width),
                ]
            });
            assert_eq!(circuit.ands(), 0);
            let instances = if width < 64 { all(&[width]) } else { wide(&[width]) };
            assert_computes(&circuit, &instances, |x| {
                vec![
                    left(x[0], by as u64, width),
                    x[0].checked_shr(by as u32).unwrap_or(0),
                    right_signed(x[0], by as u64, width),
                    rotated(x[0], by as u64, width),
                    mask(width) * (x[0] & 1),
                    0x1234_5678_9abc_def1 & mask(width),
                ]
            });
        }
    }
}

fn left(word: u64, by: u64, width: usize) -> u64 {
    word.checked_shl(by as u32).unwrap_or(0) & mask(width)
}

fn right_signed(word: u64, by: u64, width: usize) -> u64 {
    (signed(word, width) >> by.min(63)) as u64 & mask(width)
}

fn rotated(word: u64, by: u64, width: usize) -> u64 {
    (0..width).fold(0, |sum, bit| {
        sum | (word >> ((bit + by as usize) % width) & 1) << bit
    })
}

#[test]
fn addition_and_subtraction() {
    assert_binary(Builder::add, |a, b, width| a.wrapping_add(b) & mask(width), 63);
    assert_binary(
        Builder::subtract,
        |a, b, width| a.wrapping_sub(b) & mask(width),
        63,
    );
}

#[test]
fn addition_and_subtraction_with_a_carry_in_and_out() {
    for width in SMALL.into_iter().chain([63]) {
        let widths = [width, width, 1];
        let circuit = circuit(&widths, |b, x| {
            let (mut sum, carry) = b.add_with_carry(&x[0], &x[1], x[2][0]);
            sum.push(carry);
            let (mut difference, borrow) = b.subtract_with_borrow(&x[0], &x[1], x[2][0]);
            difference.push(borrow);
            vec![sum, difference]
        });
        let instances = if width < 63 { all(&widths) } else { wide(&widths) };
        assert_computes(&circuit, &instances, |x| {
            vec![
                x[0] + x[1] + x[2],
                x[0].wrapping_sub(x[1]).wrapping_sub(x[2]) & mask(width + 1),
            ]
        });
        assert_eq!(circuit.ands(), 2 * width);
    }
}

#[test]
fn increments_negations_and_magnitudes() {
    for width in SMALL.into_iter().chain([63]) {
        let widths = [width, 1];
        let circuit = circuit(&widths, |b, x| {
            let (mut sum, carry) = b.increment(&x[0], x[1][0]);
            sum.push(carry);
            let negated = b.negate_if(x[1][0], &x[0]);
            let (magnitude, sign) = b.magnitude(&x[0]);
            vec![sum, negated, magnitude, vec![sign]]
        });
        let instances = if width < 63 { all(&widths) } else { wide(&widths) };
        assert_computes(&circuit, &instances, |x| {
            let value = signed(x[0], width);
            vec![
                x[0] + x[1],
                if x[1] == 1 {
                    x[0].wrapping_neg() & mask(width)
                } else {
                    x[0]
                },
                value.unsigned_abs(),
                u64::from(value < 0),
            ]
        });
        assert_eq!(circuit.ands(), width + 2 * (width - 1));
    }
}

#[test]
fn comparisons() {
    assert_binary(|b, x, y| vec![b.less(x, y)], |a, b, _| u64::from(a < b), 64);
    assert_binary(
        |b, x, y| vec![b.less_signed(x, y)],
        |a, b, width| u64::from(signed(a, width) < signed(b, width)),
        64,
    );
    assert_binary(|b, x, y| vec![b.equal(x, y)], |a, b, _| u64::from(a == b), 63);
    assert_binary(|b, x, _| vec![b.is_zero(x)], |a, _, _| u64::from(a == 0), 63);
}

#[test]
fn barrel_shifters() {
    for (width, stages, ands) in [
        (1, 1, 2),
        (4, 2, 28),
        (5, 3, 57),
        (8, 3, 89),
        (8, 4, 112),
        (64, 6, 1498),
    ] {
        let widths = [width, stages];
        let circuit = circuit(&widths, |b, x| {
            let sign = x[0][width - 1];
            vec![
                b.shift_left_by(&x[0], &x[1]),
                b.shift_right_by(&x[0], &x[1], Wire::ZERO),
                b.shift_right_by(&x[0], &x[1], sign),
                b.rotate_right_by(&x[0], &x[1]),
            ]
        });
        let mut instances = if width < 64 { all(&widths) } else { wide(&widths) };
        if width == 64 {
            instances.extend((0..64).flat_map(|by| EDGES.map(|word| vec![word, by])));
        }
        assert_computes(&circuit, &instances, |x| {
            vec![
                left(x[0], x[1], width),
                x[0].checked_shr(x[1] as u32).unwrap_or(0),
                right_signed(x[0], x[1], width),
                rotated(x[0], x[1], width),
            ]
        });
        assert_eq!(circuit.ands(), ands, "{width} bits");
    }
}

#[test]
fn exchanges_and_reversals() {
    for width in SMALL.into_iter().chain([64]) {
        let widths = [width, width, 1];
        let circuit = circuit(&widths, |b, x| {
            let (low, high) = b.swap_if(x[2][0], &x[0], &x[1]);
            vec![low, high, b.reverse_if(x[2][0], &x[0])]
        });
        let instances = if width < 64 { all(&widths) } else { wide(&widths) };
        assert_computes(&circuit, &instances, |x| match x[2] {
            0 => vec![x[0], x[1], x[0]],
            _ => vec![x[1], x[0], x[0].reverse_bits() >> (64 - width)],
        });
        assert_eq!(circuit.ands(), width + width / 2);
    }
}

/// The product of the integers that two words of these widths stand for, as a word of `width` bits.
fn product(x: &[u64], widths: [usize; 2], signs: [bool; 2], width: usize) -> Vec<u64> {
    let value = |i: usize| {
        if signs[i] {
            i128::from(signed(x[i], widths[i]))
        } else {
            i128::from(x[i])
        }
    };
    let product = value(0).wrapping_mul(value(1)) as u128 & u128::MAX >> (128 - width);
    (0..width.div_ceil(64))
        .map(|word| (product >> (64 * word)) as u64)
        .collect()
}

fn number(signed: bool, bits: &[Wire]) -> Number<'_> {
    if signed {
        Number::signed(bits)
    } else {
        Number::unsigned(bits)
    }
}

fn multiplier(widths: [usize; 2], signs: [bool; 2], width: usize) -> Circuit {
    circuit(&widths, |b, x| {
        let product = b.multiply(number(signs[0], &x[0]), number(signs[1], &x[1]), width);
        product.chunks(64).map(<[Wire]>::to_vec).collect()
    })
}

const SIGNS: [[bool; 2]; 4] = [[false, false], [false, true], [true, false], [true, true]];

#[test]
fn products_of_all_small_words() {
    for signs in SIGNS {
        for widths in [[1, 1], [1, 4], [2, 3], [3, 3], [5, 4], [6, 6]] {
            for width in [1, 3, widths[0] + widths[1], 13] {
                let circuit = multiplier(widths, signs, width);
                assert_computes(&circuit, &all(&widths), |x| product(x, widths, signs, width));
            }
        }
    }
}

#[test]
fn products_of_words() {
    for (widths, width, counts) in [
        ([64, 64], 64, [2144, 2144, 2144, 2144]),
        ([64, 64], 65, [2209, 2208, 2208, 2208]),
        ([64, 64], 121, [3533, 3575, 3575, 3639]),
        ([64, 64], 128, [3547, 3589, 3589, 3653]),
        ([32, 32], 64, [1056, 1060, 1060, 1081]),
        ([64, 29], 93, [1978, 1949, 1949, 1949]),
        ([33, 34], 67, [1175, 1157, 1157, 1157]),
        ([63, 62], 126, [3549, 3537, 3517, 3537]),
        ([35, 33], 128, [1276, 1257, 1257, 1257]),
    ] {
        for (signs, ands) in SIGNS.into_iter().zip(counts) {
            let circuit = multiplier(widths, signs, width);
            assert_computes(&circuit, &wide(&widths), |x| product(x, widths, signs, width));
            assert_eq!(circuit.ands(), ands, "{widths:?} {signs:?} {width}");
        }
    }
}

#[test]
fn the_high_word_under_signs_that_are_wires() {
    // The sign of each operand counts or not: a 65th bit, as the signed and unsigned forms of one
    // multiplier need.
    let widths = [64, 64, 2];
    let circuit = circuit(&widths, |b, x| {
        let [p, q] = [0, 1].map(|i| {
            let sign = b.and(x[2][i], x[i][63]);
            extend(&x[i], 65, sign)
        });
        let product = b.multiply(Number::signed(&p), Number::signed(&q), 128);
        vec![product[64..].to_vec()]
    });
    assert_computes(&circuit, &wide(&widths), |x| {
        let signs = [x[2] & 1 == 1, x[2] & 2 == 2];
        vec![product(x, [64, 64], signs, 128)[1]]
    });
    assert_eq!(circuit.ands(), 3691);
}

#[test]
fn one_multiplier_for_all_products_fits_a_block_of_4096() {
    // Flags: the first operand signed, the second signed, the low half sign-extended, the high word.
    let widths = [64, 64, 4];
    let circuit = circuit(&widths, |b, x| {
        let [p, q] = [0, 1].map(|i| {
            let sign = b.and(x[2][i], x[i][63]);
            extend(&x[i], 65, sign)
        });
        let product = b.multiply(Number::signed(&p), Number::signed(&q), 128);
        let (low, high) = product.split_at(64);
        let half = extend(&low[..32], 64, low[31]);
        let low = b.mux_words(x[2][2], &half, low);
        vec![b.mux_words(x[2][3], high, &low)]
    });
    assert_eq!((circuit.positions(), circuit.log_block()), (4044, 12));
    assert_computes(&circuit, &wide(&widths), |x| {
        let [low, high] = product(x, [64, 64], [x[2] & 1 == 1, x[2] & 2 == 2], 128)[..] else {
            panic!()
        };
        match x[2] >> 2 {
            0 => vec![low],
            1 => vec![low as i32 as u64],
            _ => vec![high],
        }
    });
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn sums_of_words_and_products(seed: u64, width in 1_usize..64, signs: [bool; 3]) {
        // a 2^s - b 2^t + c a + 5 modulo 2^width.
        let mut words = Words(seed);
        let widths = [1 + words.below(40), 1 + words.below(40), 1 + words.below(40)];
        let (s, t) = (words.below(width + 2), words.below(width + 2));
        let circuit = circuit(&widths, |builder, x| {
            let number = |i: usize| number(signs[i], &x[i]);
            let mut sum = Sum::new(width);
            sum.add(builder, s, number(0));
            sum.subtract(builder, t, number(1));
            sum.add_product(builder, 0, number(2), number(0));
            sum.add(builder, 0, Number::unsigned(&builder.constant(5, 3)));
            vec![sum.finish(builder)]
        });
        assert_computes(&circuit, &wide(&widths)[..600], |x| {
            let value = |i: usize| if signs[i] { i128::from(signed(x[i], widths[i])) } else { i128::from(x[i]) };
            let sum = (value(0) << s) - (value(1) << t) + value(2) * value(0) + 5;
            vec![sum as u64 & mask(width)]
        });
    }
}
