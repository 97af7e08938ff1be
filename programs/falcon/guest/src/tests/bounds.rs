//! A verification on intervals: whatever the key, the signature and the message are, no lane leaves the numbers that it
//! must lie in.

use core::array;
use core::ops::{Add, Mul, Sub};

use crate::decode::{BODY_LIFT, KEY_LIFT};
use crate::lanes::Lanes;
use crate::packed::POLY_WORDS;
use crate::{MODULUS, norm, point, product, transform};

const Q: i64 = MODULUS as i64;

/// What a lane of a word can hold before it is told from the other one.
const LANE: i64 = 1 << 32;

/// The least and the greatest number that a lane can be.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Interval(i64, i64);

impl Interval {
    fn map(self, f: impl Fn(i64) -> i64) -> Self {
        let (a, b) = (f(self.0), f(self.1));
        Self(a.min(b), a.max(b))
    }

    #[track_caller]
    fn is_within(self, least: i64, greatest: i64) {
        assert!(
            least <= self.0 && self.1 <= greatest,
            "{self:?} is not within {least} to {greatest}"
        );
    }

    /// That of numbers that are not negative.
    fn product(self, other: Self) -> Self {
        Self(self.0 * other.0, self.1 * other.1)
    }
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

/// The intervals of a word's lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Intervals([Interval; 2]);

impl Intervals {
    fn new(least: i64, greatest: i64) -> Self {
        Self([Interval(least, greatest); 2])
    }

    /// That the lanes can be told apart.
    #[track_caller]
    fn are_apart(self) {
        for lane in self.0 {
            lane.is_within(0, LANE - 1);
        }
    }

    #[track_caller]
    fn are_within(self, least: i64, greatest: i64) {
        for lane in self.0 {
            lane.is_within(least, greatest);
        }
    }
}

impl Add for Intervals {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl Sub for Intervals {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(array::from_fn(|i| {
            Interval(self.0[i].0 - other.0[i].1, self.0[i].1 - other.0[i].0)
        }))
    }
}

impl Mul<u64> for Intervals {
    type Output = Self;

    fn mul(self, factor: u64) -> Self {
        Self(self.0.map(|lane| lane.map(|number| number * factor as i64)))
    }
}

impl Lanes for Intervals {
    fn both(number: u32) -> Self {
        Self::new(number.into(), number.into())
    }

    fn reduce(self) -> Self {
        self.are_apart();
        Self(self.0.map(|lane| Interval(-3 * 4095, lane.1 >> 12)))
    }

    fn reduce_negated(self) -> Self {
        Self::new(0, 0) - self.reduce()
    }

    fn product_low(self, other: Self) -> Self {
        self.are_apart();
        other.are_apart();
        let ([a0, a1], [b0, b1]) = (self.0, other.0);
        let product = Self([a0.product(b0), a0.product(b1) + a1.product(b0)]);
        product.are_apart();
        product
    }

    fn product_high(self, other: Self) -> Self {
        // The upper word is the third number only if the first two are in the lower one.
        self.product_low(other);
        Self([self.0[1].product(other.0[1]), Interval(0, 0)])
    }
}

fn is_each_within(words: &[Intervals; POLY_WORDS], least: i64, greatest: i64) {
    words.iter().for_each(|word| word.are_within(least, greatest));
}

/// The last pass, on whatever point.
fn difference_does_not_overflow(product: &[Intervals; POLY_WORDS]) {
    let samples = [Intervals::new(0, i64::from(point::SAMPLES) - 1); POLY_WORDS];
    for i in 0..16 {
        for eight in norm::difference(&samples, product, i) {
            let mut products = Intervals::new(0, 0);
            for t in eight {
                t.are_within(0, 12353);
                products = products + t.product_low(t);
            }
            products.are_apart();
        }
    }
}

#[test]
fn no_lane_overflows_in_a_verification() {
    let (key_lift, body_lift) = (i64::from(KEY_LIFT) * Q, i64::from(BODY_LIFT) * Q);
    let mut h = [Intervals::new(key_lift, key_lift + Q - 1); POLY_WORDS];
    let mut s2 = [Intervals::new(body_lift - 2047, body_lift + 2047); POLY_WORDS];
    for poly in [&mut h, &mut s2] {
        is_each_within(poly, 4 * Q, 5 * Q + 2047);
        transform::forward(poly);
        is_each_within(poly, 4, Q + 158);
    }
    product::multiply(&mut h, &s2);
    is_each_within(&h, -12285, 122);
    transform::inverse_begin(&mut h);
    is_each_within(&h, -12285, 122);
    difference_does_not_overflow(&h);
    // Coefficients from the least to the greatest are MIDDLE less these numbers.
    let middle = i64::from(norm::MIDDLE);
    Interval(middle - 12353, middle).is_within(-(Q - 5834), Q - 5834);
}

/// The documented intervals are inputs of their own: each step keeps to them from their very ends.
#[test]
fn no_lane_overflows_from_the_documented_bounds_on() {
    let mut poly = [Intervals::new(4 * Q, 5 * Q + 2047); POLY_WORDS];
    transform::forward(&mut poly);
    is_each_within(&poly, 4, Q + 158);
    let mut poly = [Intervals::new(4, Q + 158); POLY_WORDS];
    product::multiply(&mut poly, &[Intervals::new(4, Q + 158); POLY_WORDS]);
    is_each_within(&poly, -12285, 122);
    let mut poly = [Intervals::new(-12285, 122); POLY_WORDS];
    transform::inverse_begin(&mut poly);
    is_each_within(&poly, -12285, 122);
    difference_does_not_overflow(&[Intervals::new(-12285, 122); POLY_WORDS]);
}
