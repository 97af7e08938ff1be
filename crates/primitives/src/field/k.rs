//! K = GF(2)\[x\] / (x^64 + x^4 + x^3 + x + 1).

use core::fmt;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Mul, MulAssign, Sub, SubAssign};

use bytemuck::{Pod, Zeroable};

use crate::backend::scalar;

/// An element of K: bit `i` of the word is the coefficient of `x^i`.
///
/// Addition is XOR, subtraction is addition. Every word is an element, so every encoding is canonical.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct K(pub u64);

/// The sum of products of elements of K, not yet reduced: a polynomial of degree at most 126.
///
/// Accumulate by `+=` and [`reduce`](KWide::reduce) once.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(transparent)]
pub struct KWide(pub u128);

impl K {
    /// The additive identity.
    pub const ZERO: Self = Self(0);
    /// The multiplicative identity.
    pub const ONE: Self = Self(1);
    /// The class of `x`: a generator of the multiplicative group.
    pub const X: Self = Self(2);
    /// `x^64` reduced, `x^4 + x^3 + x + 1`: the modulus without its leading term.
    pub const MODULUS_TAIL: u64 = 0x1b;

    /// The product, computed from the definition; for constants.
    #[must_use]
    pub const fn mul_const(self, other: Self) -> Self {
        let mut wide = 0u128;
        let mut i = 0;
        while i < 64 {
            if other.0 >> i & 1 == 1 {
                wide ^= (self.0 as u128) << i;
            }
            i += 1;
        }
        KWide(wide).reduce()
    }

    /// `self^exponent` by square and multiply, for constants; `0^0` is 1.
    #[must_use]
    pub const fn pow_const(self, mut exponent: u64) -> Self {
        let (mut base, mut power) = (self, Self::ONE);
        while exponent != 0 {
            if exponent & 1 == 1 {
                power = power.mul_const(base);
            }
            base = base.mul_const(base);
            exponent >>= 1;
        }
        power
    }

    /// The product as a polynomial, not reduced.
    #[inline(always)]
    #[must_use]
    pub fn mul_wide(self, other: Self) -> KWide {
        KWide(scalar::clmul(self.0, other.0))
    }

    /// `self * x`.
    #[inline(always)]
    #[must_use]
    pub const fn mul_x(self) -> Self {
        Self((self.0 << 1) ^ ((self.0 >> 63) * Self::MODULUS_TAIL))
    }

    /// `self^2`.
    #[inline(always)]
    #[must_use]
    pub fn square(self) -> Self {
        self.mul_wide(self).reduce()
    }

    /// `self^(2^n)`: the Frobenius map, n times.
    #[must_use]
    pub fn frobenius(self, n: u32) -> Self {
        (0..n % 64).fold(self, |a, _| a.square())
    }

    /// `self^exponent`; `0^0` is 1.
    #[must_use]
    pub fn pow(self, mut exponent: u64) -> Self {
        let (mut base, mut power) = (self, Self::ONE);
        while exponent != 0 {
            if exponent & 1 == 1 {
                power *= base;
            }
            base = base.square();
            exponent >>= 1;
        }
        power
    }

    /// The inverse, and 0 for 0: `self^(2^64 - 2)` by the chain of Itoh and Tsujii
    /// (Information and Computation 78, 1988).
    #[must_use]
    pub fn inverse_or_zero(self) -> Self {
        // t_n = self^(2^n - 1), and t_(m+n) = t_m^(2^n) t_n; 63 = 2 (2 (2 (2 (2 + 1) + 1) + 1) + 1) + 1.
        let mut t = self;
        let mut n = 1;
        while n < 63 {
            t *= t.frobenius(n);
            t = t.square() * self;
            n = 2 * n + 1;
        }
        t.square()
    }

    /// The inverse, or `None` for 0.
    #[must_use]
    pub fn inverse(self) -> Option<Self> {
        (self != Self::ZERO).then(|| self.inverse_or_zero())
    }
}

impl KWide {
    /// The empty sum.
    pub const ZERO: Self = Self(0);

    /// The element of K that the polynomial represents.
    #[inline(always)]
    #[must_use]
    pub const fn reduce(self) -> K {
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        // high * (x^4 + x^3 + x + 1) has degree at most 67; its part above bit 63 has degree at most 3,
        // and times the tail stays below bit 8.
        let over = high >> 60 ^ high >> 61 ^ high >> 63;
        K(low ^ high ^ high << 1 ^ high << 3 ^ high << 4 ^ over ^ over << 1 ^ over << 3 ^ over << 4)
    }
}

impl fmt::Debug for K {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "K({:#018x})", self.0)
    }
}

impl Add for K {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Mul for K {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.mul_wide(other).reduce()
    }
}

impl Add for KWide {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl AddAssign for KWide {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for KWide {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

/// Derives the operators that follow from `Add` and `Mul` in characteristic two.
macro_rules! derived_operators {
    ($field:ty) => {
        impl Sub for $field {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self + other
            }
        }
        impl AddAssign for $field {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl SubAssign for $field {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self += other;
            }
        }
        impl MulAssign for $field {
            #[inline(always)]
            fn mul_assign(&mut self, other: Self) {
                *self = *self * other;
            }
        }
        impl Sum for $field {
            fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
                iter.fold(Self::ZERO, Add::add)
            }
        }
        impl Product for $field {
            fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
                iter.fold(Self::ONE, Mul::mul)
            }
        }
    };
}
pub(super) use derived_operators;

derived_operators!(K);
