//! E = K\[y\] / (y^3 + y + 1), of 192 bits.

use core::fmt;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Mul, MulAssign, Sub, SubAssign};

use bytemuck::{Pod, Zeroable};

use super::k::derived_operators;
use super::{K, KWide};
use crate::backend::scalar;

/// An element of E: the coefficients of 1, y, y^2.
///
/// The modulus has its coefficients in GF(2) and gcd(3, 64) = 1, so it is irreducible over K too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct E(pub [K; 3]);

/// The sum of products of elements of E, its coefficients of 1, y, y^2 not yet reduced in K.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(transparent)]
pub struct EWide(pub [KWide; 3]);

impl E {
    /// The additive identity.
    pub const ZERO: Self = Self([K::ZERO; 3]);
    /// The multiplicative identity.
    pub const ONE: Self = Self([K::ONE, K::ZERO, K::ZERO]);
    /// The class of `y`.
    pub const Y: Self = Self([K::ZERO, K::ONE, K::ZERO]);

    /// The element with these three words as coefficients of 1, y, y^2.
    #[inline(always)]
    #[must_use]
    pub const fn from_words(words: [u64; 3]) -> Self {
        Self([K(words[0]), K(words[1]), K(words[2])])
    }

    /// The coefficients of 1, y, y^2 as words.
    #[inline(always)]
    #[must_use]
    pub const fn to_words(self) -> [u64; 3] {
        [self.0[0].0, self.0[1].0, self.0[2].0]
    }

    /// `self * y`: a move of limbs.
    #[inline(always)]
    #[must_use]
    pub fn mul_y(self) -> Self {
        let [a0, a1, a2] = self.0;
        Self([a2, a0 + a2, a1])
    }

    /// The product, not reduced in K: six carry-less products (Karatsuba).
    #[inline(always)]
    #[must_use]
    pub fn mul_wide(self, other: Self) -> EWide {
        scalar::mul_e_wide(self, other)
    }

    /// The product with an element of K, not reduced in K.
    #[inline(always)]
    #[must_use]
    pub fn mul_k_wide(self, k: K) -> EWide {
        EWide(self.0.map(|limb| limb.mul_wide(k)))
    }

    /// `self^2`.
    #[inline(always)]
    #[must_use]
    pub fn square(self) -> Self {
        let [a0, a1, a2] = self.0.map(K::square);
        // a0^2 + a1^2 y^2 + a2^2 y^4, and y^4 = y^2 + y.
        Self([a0, a2, a1 + a2])
    }

    /// `self^(2^n)`: the Frobenius map, n times.
    #[must_use]
    pub fn frobenius(self, n: u32) -> Self {
        let n = n % 192;
        (0..n % 64).fold(self.frobenius_64(n / 64), |a, _| a.square())
    }

    /// `self^(2^(64 n))`: fixes K and sends y to y^(2^n), a linear map on the limbs that costs no product.
    #[inline(always)]
    #[must_use]
    pub fn frobenius_64(self, n: u32) -> Self {
        let [a0, a1, a2] = self.0;
        match n % 3 {
            0 => self,
            1 => Self([a0, a2, a1 + a2]),
            _ => Self([a0, a1 + a2, a1]),
        }
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

    /// The inverse, and 0 for 0: the product of the other two conjugates over K, divided by the norm.
    #[must_use]
    pub fn inverse_or_zero(self) -> Self {
        let conjugates = self.frobenius_64(1) * self.frobenius_64(2);
        let norm = (self * conjugates).0[0];
        conjugates * norm.inverse_or_zero()
    }

    /// The inverse, or `None` for 0.
    #[must_use]
    pub fn inverse(self) -> Option<Self> {
        (self != Self::ZERO).then(|| self.inverse_or_zero())
    }
}

/// The product in E by six products of degree at most 63 in x, with these.
#[inline(always)]
pub(crate) fn karatsuba(a: E, b: E, mul: impl Fn(K, K) -> KWide) -> EWide {
    let ([a0, a1, a2], [b0, b1, b2]) = (a.0, b.0);
    let p00 = mul(a0, b0);
    let p11 = mul(a1, b1);
    let p22 = mul(a2, b2);
    let p01 = mul(a0 + a1, b0 + b1);
    let p02 = mul(a0 + a2, b0 + b2);
    let p12 = mul(a1 + a2, b1 + b2);
    // The coefficients in y are d0 = p00, d1 = p01 + p00 + p11, d2 = p02 + p00 + p11 + p22,
    // d3 = p12 + p11 + p22 and d4 = p22; y^3 = y + 1 and y^4 = y^2 + y leave
    // d0 + d3, d1 + d3 + d4 and d2 + d4.
    EWide([p00 + p12 + p11 + p22, p01 + p00 + p12, p02 + p00 + p11])
}

impl EWide {
    /// The empty sum.
    pub const ZERO: Self = Self([KWide::ZERO; 3]);

    /// The element of E that this represents.
    #[inline(always)]
    #[must_use]
    pub fn reduce(self) -> E {
        E(self.0.map(KWide::reduce))
    }
}

impl fmt::Debug for E {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a0, a1, a2] = self.to_words();
        write!(f, "E({a0:#018x}, {a1:#018x}, {a2:#018x})")
    }
}

impl From<K> for E {
    #[inline(always)]
    fn from(k: K) -> Self {
        Self([k, K::ZERO, K::ZERO])
    }
}

impl Add for E {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a0, a1, a2], [b0, b1, b2]) = (self.0, other.0);
        Self([a0 + b0, a1 + b1, a2 + b2])
    }
}

impl Mul for E {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.mul_wide(other).reduce()
    }
}

impl Mul<K> for E {
    type Output = Self;
    #[inline(always)]
    fn mul(self, k: K) -> Self {
        self.mul_k_wide(k).reduce()
    }
}

impl Add<K> for E {
    type Output = Self;
    #[inline(always)]
    fn add(self, k: K) -> Self {
        let [a0, a1, a2] = self.0;
        Self([a0 + k, a1, a2])
    }
}

impl Add for EWide {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a0, a1, a2], [b0, b1, b2]) = (self.0, other.0);
        Self([a0 + b0, a1 + b1, a2 + b2])
    }
}

impl AddAssign for EWide {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for EWide {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

derived_operators!(E);
