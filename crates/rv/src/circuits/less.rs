//! `lt = [a < b]` on unsigned words. Inputs a, b; the output word is `lt + x`, since the constant wire stands at
//! its bit 1: forms that want lt add x.

use circuit::fields::carry_products;
use circuit::{Builder, Circuit};

/// Three ports, and the 64 products of the borrows: 256 positions.
pub(super) fn circuit() -> Circuit {
    let mut builder = Builder::new();
    let (a, b) = (builder.input(), builder.input());
    let less = builder.less(&a, &b);
    let port = builder.output(&[less]);
    builder.constant_at(port, 1);
    builder.build()
}

pub(super) const fn reference(a: u64, b: u64) -> u64 {
    (a < b) as u64 | 2
}

/// The block of [`Shape::Less`](super::Shape): the words that [`Circuit::block`] gives for these inputs.
#[inline(always)]
#[must_use]
pub const fn block(a: u64, b: u64) -> [u64; 4] {
    // The borrows are the carries of `!a + b`.
    let (sum, less) = (!a).overflowing_add(b);
    let products = carry_products(!a ^ b ^ sum) ^ (less as u64) << 63;
    [a, b, less as u64 | 2, products]
}
