//! `r = p + q` on 64 bits. Inputs p, q; output r.

use circuit::fields::carry_products;
use circuit::{Builder, Circuit};

/// Three ports, the constant, 63 carries: 256 positions.
pub(super) fn circuit() -> Circuit {
    let mut b = Builder::new();
    let (p, q) = (b.input(), b.input());
    let sum = b.add(&p, &q);
    b.output(&sum);
    b.build()
}

/// The block of [`Shape::Adder`](super::Shape): the words that [`Circuit::block`] gives for these inputs.
#[inline(always)]
#[must_use]
pub const fn block(p: u64, q: u64) -> [u64; 4] {
    let r = p.wrapping_add(q);
    [p, q, r, 1 | carry_products(p ^ q ^ r) << 1]
}
