//! Arithmetic modulo q on two coefficients at once.
//!
//! A word holds two *lanes* of 32 bits. As a number it is `low + 2^32 high`, so that sums, differences and multiples
//! of words are those of the lanes, whatever their signs; only [`Lanes::reduce`] and the products need to tell the
//! lanes apart, and there they must be numbers from 0 to 2^32 - 1. Words cannot check that. So what is done with them is
//! written over the trait, and the tests run it on intervals as well: from those of the decoded coefficients to the
//! last sum, with all bounds checked on the way.

use core::ops::{Add, Mul, Sub};

use leanvm_guest::hint;

use crate::MODULUS;

/// The factor by which [`Lanes::reduce`] divides is 2 to this power.
pub(crate) const SHIFT: u32 = 12;

/// Two lanes. A factor is one for both, and may be negative: its two's complement.
pub(crate) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<u64, Output = Self>
{
    /// The same number in both.
    fn both(number: u32) -> Self;

    /// `c - 3 b` for lanes `4096 c + b`, b below 4096: as q is `3 * 4096 + 1`, the lane divided by 4096 modulo q.
    ///
    /// The results lie from -12285 to a 4096-th of the lane.
    fn reduce(self) -> Self;

    /// As [`Self::reduce`], with the sign changed.
    fn reduce_negated(self) -> Self;

    /// The product with the other lanes: `a0 b0` and `a0 b1 + a1 b0`.
    fn product_low(self, other: Self) -> Self;

    /// The third number of the product, `a1 b1`, in the lower lane; 0 in the upper one.
    fn product_high(self, other: Self) -> Self;

    /// A multiple of q in both.
    #[inline(always)]
    fn multiple(factor: u32) -> Self {
        Self::both(factor * MODULUS)
    }
}

/// Two lanes in a word.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Word(pub(crate) u64);

/// The twelve low bits of each lane.
const LOW: u64 = both((1 << SHIFT) - 1);

/// The same number in both lanes.
pub(crate) const fn both(number: u32) -> u64 {
    number as u64 | (number as u64) << 32
}

impl Word {
    /// The lanes c and 3 b.
    #[inline(always)]
    fn split(self) -> (Self, Self) {
        // Taken away, and not masked away as the compiler would, b costs no mask of its own, and leaves zeros to be
        // shifted out of the upper lane.
        let b = Self(hint::opaque(self.0 & LOW));
        let c = Self((self - b).0 >> SHIFT);
        (c, b + Self(b.0 << 1))
    }
}

impl Lanes for Word {
    #[inline(always)]
    fn both(number: u32) -> Self {
        Self(both(number))
    }

    #[inline(always)]
    fn reduce(self) -> Self {
        let (c, b) = self.split();
        c - b
    }

    #[inline(always)]
    fn reduce_negated(self) -> Self {
        let (c, b) = self.split();
        b - c
    }

    #[inline(always)]
    fn product_low(self, other: Self) -> Self {
        self * other.0
    }

    #[inline(always)]
    fn product_high(self, other: Self) -> Self {
        Self(((u128::from(self.0) * u128::from(other.0)) >> 64) as u64)
    }
}

impl Add for Word {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Word {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Mul<u64> for Word {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: u64) -> Self {
        Self(self.0.wrapping_mul(factor))
    }
}
