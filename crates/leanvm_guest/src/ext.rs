//! The fields of the machine's proofs: K = GF(2)\[x\] / (x^64 + x^4 + x^3 + x + 1) and
//! E = K\[y\] / (y^3 + y + 1). On the machine a product in E, with or without an addition, is one instruction.

use core::ops::{Add, AddAssign, Mul, MulAssign};

/// An element of K: bit i is the coefficient of x^i. Addition is XOR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct K(pub u64);

/// An element of E: the coefficients of 1, y, y^2. Addition is XOR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct E(pub [u64; 3]);

// SAFETY: a word, every pattern an element.
unsafe impl crate::Words for K {}
// SAFETY: three words, every pattern an element.
unsafe impl crate::Words for E {}

impl E {
    /// The additive identity.
    pub const ZERO: Self = Self([0; 3]);
    /// The multiplicative identity.
    pub const ONE: Self = Self([1, 0, 0]);

    /// `self = a b`.
    #[inline(always)]
    pub fn set_product(&mut self, a: &Self, b: &Self) {
        instruction::mul(self, a, b);
    }

    /// `self = self + a b`.
    #[inline(always)]
    pub fn add_product(&mut self, a: &Self, b: &Self) {
        instruction::mac(self, a, b);
    }

    /// `self = a b` with `b` in K.
    #[inline(always)]
    pub fn set_product_k(&mut self, a: &Self, b: &K) {
        instruction::mul_k(self, a, b);
    }

    /// `self = self + a b` with `b` in K.
    #[inline(always)]
    pub fn add_product_k(&mut self, a: &Self, b: &K) {
        instruction::mac_k(self, a, b);
    }
}

impl From<K> for E {
    #[inline(always)]
    fn from(k: K) -> Self {
        Self([k.0, 0, 0])
    }
}

#[expect(
    clippy::suspicious_arithmetic_impl,
    reason = "addition in characteristic two is XOR"
)]
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
        let E([product, _, _]) = E::from(self) * other;
        Self(product)
    }
}

impl Add for E {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a0, a1, a2], [b0, b1, b2]) = (self.0, other.0);
        Self([a0 ^ b0, a1 ^ b1, a2 ^ b2])
    }
}

impl Mul for E {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let mut product = Self::ZERO;
        product.set_product(&self, &other);
        product
    }
}

impl Mul<K> for E {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: K) -> Self {
        let mut product = Self::ZERO;
        product.set_product_k(&self, &other);
        product
    }
}

impl AddAssign for K {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl MulAssign for K {
    #[inline(always)]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl AddAssign for E {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl MulAssign for E {
    #[inline(always)]
    fn mul_assign(&mut self, other: Self) {
        let a = *self;
        self.set_product(&a, &other);
    }
}

#[cfg(target_os = "none")]
mod instruction {
    use super::{E, K};

    macro_rules! instruction {
        ($name:ident, $funct3:literal, $second:ty) => {
            #[inline(always)]
            pub(super) fn $name(c: &mut E, a: &E, b: &$second) {
                // SAFETY: the instruction reads the words at `a` and `b`, three each or one in K, and
                // writes the three at `c`, which is exclusively borrowed.
                unsafe {
                    core::arch::asm!(
                        concat!(".insn r 0x2b, ", $funct3, ", 0, {}, {}, {}"),
                        in(reg) c,
                        in(reg) a,
                        in(reg) b,
                        options(nostack),
                    );
                }
            }
        };
    }

    instruction!(mul, 0, E);
    instruction!(mac, 1, E);
    instruction!(mul_k, 2, K);
    instruction!(mac_k, 3, K);
}

#[cfg(not(target_os = "none"))]
mod instruction {
    use super::{E, K};

    pub(super) fn mul(c: &mut E, a: &E, b: &E) {
        *c = E::ZERO;
        mac(c, a, b);
    }

    /// From the definition: y^3 = y + 1 and y^4 = y^2 + y.
    pub(super) fn mac(c: &mut E, a: &E, b: &E) {
        let ([a0, a1, a2], [b0, b1, b2]) = (a.0, b.0);
        let d3 = product(a1, b2) ^ product(a2, b1);
        let d4 = product(a2, b2);
        let [c0, c1, c2] = &mut c.0;
        *c0 ^= product(a0, b0) ^ d3;
        *c1 ^= product(a0, b1) ^ product(a1, b0) ^ d3 ^ d4;
        *c2 ^= product(a0, b2) ^ product(a1, b1) ^ product(a2, b0) ^ d4;
    }

    pub(super) fn mul_k(c: &mut E, a: &E, b: &K) {
        *c = E::ZERO;
        mac_k(c, a, b);
    }

    pub(super) fn mac_k(c: &mut E, a: &E, b: &K) {
        mac(c, a, &E::from(*b));
    }

    /// The product in K: Horner's rule in x on the bits of `b`, highest first.
    fn product(a: u64, b: u64) -> u64 {
        (0..64).rev().fold(0, |sum, i| {
            let times_x = (sum << 1) ^ ((sum >> 63) * 0x1b);
            times_x ^ ((b >> i & 1) * a)
        })
    }
}
