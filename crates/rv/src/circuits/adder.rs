//! `r = p + q` on 64 bits. Inputs p, q; output r.

use circuit::{Builder, Circuit};

/// Three ports, the constant, 63 carries: 256 positions.
pub(super) fn circuit() -> Circuit {
    let mut b = Builder::new();
    let (p, q) = (b.input(), b.input());
    let sum = b.add(&p, &q);
    b.output(&sum);
    b.build()
}
