//! `out = sext32(p + q)`. Inputs p, q, of which the upper halves are free and unused; output out.

use circuit::fields::carry_products;
use circuit::gadgets::extend;
use circuit::{Builder, Circuit};

use super::sign_extend;

/// Three ports, the constant, 31 carries; the copies of the sign stand at the port: 224 positions.
pub(super) fn circuit() -> Circuit {
    let mut b = Builder::new();
    let (p, q) = (b.input(), b.input());
    let sum = b.add(&p[..32], &q[..32]);
    b.output(&extend(&sum, 64, sum[31]));
    b.build()
}

/// The block of [`Shape::Word`](super::Shape): the words that [`Circuit::block`] gives for these inputs.
#[inline(always)]
#[must_use]
pub const fn block(p: u64, q: u64) -> [u64; 4] {
    let sum = p.wrapping_add(q);
    let products = carry_products((p ^ q ^ sum) & 0xffff_ffff) & 0x7fff_ffff;
    [p, q, sign_extend(sum, 32), 1 | products << 1]
}
