//! `t = p & q` on 64 bits. Inputs p, q; output t.

use circuit::{Builder, Circuit};

/// Three ports, the products at the output's, and the constant: 193 positions.
pub(super) fn circuit() -> Circuit {
    let mut b = Builder::new();
    let (p, q) = (b.input(), b.input());
    let both = b.and_words(&p, &q);
    b.output(&both);
    b.build()
}

/// The block of [`Shape::And`](super::Shape): the words that [`Circuit::block`] gives for these inputs.
#[inline(always)]
#[must_use]
pub const fn block(p: u64, q: u64) -> [u64; 4] {
    [p, q, p & q, 1]
}
