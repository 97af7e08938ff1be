//! `out = sext32(p + q)`. Inputs p, q, of which the upper halves are free and unused; output out.

use circuit::gadgets::extend;
use circuit::{Builder, Circuit};

/// Three ports, the constant, 31 carries; the copies of the sign stand at the port: 224 positions.
pub(super) fn circuit() -> Circuit {
    let mut b = Builder::new();
    let (p, q) = (b.input(), b.input());
    let sum = b.add(&p[..32], &q[..32]);
    b.output(&extend(&sum, 64, sum[31]));
    b.build()
}
