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
