//! The byte field GF(2)\[t\] / (t^8 + t^4 + t^3 + t + 1), which is the AES field, and its embedding in K.

use core::fmt;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Mul, MulAssign, Sub, SubAssign};

use bytemuck::{Pod, Zeroable};

use super::K;
use super::k::derived_operators;

/// An element of the byte field: bit `i` is the coefficient of `t^i`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct B8(pub u8);

impl B8 {
    /// The additive identity.
    pub const ZERO: Self = Self(0);
    /// The multiplicative identity.
    pub const ONE: Self = Self(1);
    /// The class of `t`.
    pub const T: Self = Self(2);
    /// The image of `t` in K: the least root there of `t^8 + t^4 + t^3 + t + 1`.
    pub const RHO: K = K(0x033c_e8be_ddc8_a656);

    /// `RHO^i`, the images of the basis.
    const RHO_POWERS: [K; 8] = {
        let mut powers = [K::ONE; 8];
        let mut i = 1;
        while i < 8 {
            powers[i] = powers[i - 1].mul_const(Self::RHO);
            i += 1;
        }
        powers
    };

    /// The product, computed from the definition; for constants.
    #[must_use]
    pub const fn mul_const(self, other: Self) -> Self {
        let (mut a, mut product) = (self.0, 0);
        let mut i = 0;
        while i < 8 {
            if other.0 >> i & 1 == 1 {
                product ^= a;
            }
            a = (a << 1) ^ ((a >> 7) * 0x1b);
            i += 1;
        }
        Self(product)
    }

    /// The embedding phi of the byte field in K.
    #[must_use]
    pub const fn embed(self) -> K {
        let mut image = 0;
        let mut i = 0;
        while i < 8 {
            if self.0 >> i & 1 == 1 {
                image ^= Self::RHO_POWERS[i].0;
            }
            i += 1;
        }
        K(image)
    }

    /// The inverse, and 0 for 0.
    #[must_use]
    pub const fn inverse_or_zero(self) -> Self {
        // self^254 = self^(2 + 4 + ... + 128).
        let (mut power, mut inverse) = (self, Self::ONE);
        let mut i = 0;
        while i < 7 {
            power = power.mul_const(power);
            inverse = inverse.mul_const(power);
            i += 1;
        }
        inverse
    }
}

impl fmt::Debug for B8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "B8({:#04x})", self.0)
    }
}

impl From<B8> for K {
    fn from(b: B8) -> Self {
        b.embed()
    }
}

impl Add for B8 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Mul for B8 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.mul_const(other)
    }
}

derived_operators!(B8);
